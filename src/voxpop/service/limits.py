"""The outer boundary: request ids, bounded bodies, and a handler for every error."""

from __future__ import annotations

import logging
import secrets
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from voxpop.jobs.logs import thread_of
from voxpop.service.admission import Admission, busy_message
from voxpop.service.errors import error_answer, logger, shown_path
from voxpop.service.timeouts import timely, untiring
from voxpop.settings import ServiceSettings

if TYPE_CHECKING:
    from voxpop.jobs.watching import Watch

calls: logging.Logger = logging.getLogger("voxpop.calls")

MOST_JSON_BYTES = 2 * 1024 * 1024
"""Maximum size of a body other than an upload; parsing it blocks all other calls."""

_METHODS = frozenset(("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"))
_NOSNIFF = (b"x-content-type-options", b"nosniff")
"""Header that keeps browsers from rendering JSON as a page."""

_UPLOADS = "/v1/media-assets"
_MOST_DRAINED = 64 * 1024 * 1024
"""Bytes of an oversized body to read and discard, since most clients listen only after sending."""


class Boundary:
    """The outermost ASGI layer.

    Parameters
    ----------
    app
        The application inside.
    settings
        Provides the maximum upload size; other bodies have at most :data:`MOST_JSON_BYTES`. Larger bodies
        are refused with 413 while they stream in.
    admission
        Admits calls; the others get a 503.
    watch
        Counts the calls, if given.
    """

    def __init__(
        self, app: ASGIApp, settings: ServiceSettings, admission: Admission, watch: Watch | None = None
    ) -> None:
        self.app = app
        self.max_body_bytes: int = settings.max_body_bytes
        self.admission = admission
        self.watch = watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one call."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        number = f"req_{secrets.token_hex(12)}"
        scope["voxpop.request_id"] = number
        ticket = self.admission.enter(self.admission.tenant_of(scope))
        scope["voxpop.ticket"] = ticket
        try:
            with thread_of(request_id=number):
                if self.watch is None and not calls.isEnabledFor(logging.INFO):
                    await self._answer(scope, receive, send)
                else:
                    await self._answer_and_tell(scope, receive, send)
        finally:
            if ticket is not None:
                ticket.close()

    async def _answer_and_tell(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call, then count and log it."""
        begun, status = time.perf_counter(), 0

        async def seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with self.watch.open_calls.track_inprogress() if self.watch is not None else nullcontext():
            try:
                await self._answer(scope, receive, seen)
            finally:
                seconds, route = time.perf_counter() - begun, getattr(scope.get("route"), "path", "none")
                method = scope["method"] if scope["method"] in _METHODS else "other"
                if self.watch is not None:
                    self.watch.call(method, route, status, seconds)
                told = {"method": method, "route": route, "status": status, "seconds": round(seconds, 4)}
                calls.info("%s %s: %s", method, shown_path(scope), status, extra={"fields": told})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused, number = _nul(scope), scope["voxpop.request_id"]
        if scope["voxpop.ticket"] is None and scope["path"] != "/livez":
            refused = _BUSY
        begun = False

        async def marked(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = [*message.get("headers", ()), (b"x-request-id", number.encode())]
                if _NOSNIFF not in headers:
                    headers.append(_NOSNIFF)
                message["headers"] = headers
            await send(message)

        try:
            app = self.app if refused is None else refused
            await app(scope, self._counted(scope, timely(receive)), untiring(marked))
        except Exception:  # the one broad catch: the caller gets the error shape, the log gets the traceback
            logger.exception("%s %s failed, request %s", scope["method"], shown_path(scope), number)
            if begun:
                raise
            answer = error_answer(
                500, f"The service failed on this call; request {number}.", details={"request_id": number}
            )
            await answer(scope, receive, marked)

    def _counted(self, scope: Scope, receive: Receive) -> Receive:
        limit = self.max_body_bytes
        if scope["path"] != _UPLOADS:
            limit = min(limit, MOST_JSON_BYTES)
        announced, total, more = _announced(scope), 0, True

        async def counted() -> Message:
            nonlocal total, more
            if announced <= limit:
                message = await receive()
                total, more = total + len(message.get("body", b"")), message.get("more_body", False)
            if max(announced, total) > limit:
                drained = not more or (announced <= _MOST_DRAINED and await _drain(receive, total))
                headers = None if drained else {"Connection": "close"}
                raise HTTPException(413, f"The body is larger than {limit:,} bytes.", headers)
            return message

        return counted


_BUSY = error_answer(503, busy_message("answering as many calls"), headers={"Retry-After": "1"})


async def _drain(receive: Receive, total: int) -> bool:
    """Read and discard the rest of a body; return whether it ended."""
    while total <= _MOST_DRAINED:
        message = await receive()
        total += len(message.get("body", b""))
        if not message.get("more_body", False):
            return bool(message["type"] == "http.request")
    return False


def _nul(scope: Scope) -> Response | None:
    """Answer a URL that contains U+0000, which databases refuse."""
    if "\0" in scope["path"]:
        return error_answer(404, "There is nothing at a path with the character U+0000.")
    if b"%00" not in scope["query_string"]:
        return None
    problem = "must not have the character U+0000"
    for name, value in parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True):
        if "\0" in name + value:
            named = name.replace("\0", "") or "query"
            fields = {named: [problem]}
            return error_answer(
                400, f"The call cannot be used: {named}: {problem}.", details={"fields": fields}
            )
    return None


def _announced(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
