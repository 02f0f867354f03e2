"""The boundary of the service: a request id on every answer, bounded bodies, and no error that escapes."""

from __future__ import annotations

import secrets

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from voxpop.service.errors import error_answer, logger, shown_path


class Boundary:
    """The outermost layer around the application.

    Parameters
    ----------
    app
        The application inside.
    max_body_bytes
        The largest body that is read; a larger one is a 413, found while it streams in.
    """

    def __init__(self, app: ASGIApp, max_body_bytes: int) -> None:
        self.app = app
        self.max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one call."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        number = f"req_{secrets.token_hex(12)}"
        scope["voxpop.request_id"] = number
        begun = False

        async def marked(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", number.encode())]
            await send(message)

        try:
            await self.app(scope, self._counted(scope, receive), marked)
        except Exception:  # the one broad catch: the caller gets the shape, and we get the traceback
            logger.exception("%s %s failed, request %s", scope["method"], shown_path(scope), number)
            if begun:
                raise
            answer = error_answer(
                500, f"The service failed on this call; request {number}.", details={"request_id": number}
            )
            await answer(scope, receive, marked)

    def _counted(self, scope: Scope, receive: Receive) -> Receive:
        announced, total = _announced(scope), 0

        async def counted() -> Message:
            nonlocal total
            if announced <= self.max_body_bytes:
                message = await receive()
                total += len(message.get("body", b""))
            if max(announced, total) > self.max_body_bytes:
                problem = f"The body is larger than {self.max_body_bytes:,} bytes."
                raise HTTPException(413, problem, {"Connection": "close"})
            return message

        return counted


def _announced(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
