"""`/mcp`: the MCP tools over streamable HTTP, with the keys, scopes, limits and errors of the routes."""

from __future__ import annotations

from types import ModuleType
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from voxpop.errors import Forbidden, InvalidRequest, NotFound
from voxpop.service.auth import identify
from voxpop.service.state import ServiceState

PATH = "/mcp"

_HERE = {"localhost", "127.0.0.1", "::1"}


def install(app: FastAPI) -> None:
    """Mount the MCP tools at :data:`PATH`; the first call loads the MCP library."""
    app.router.routes.append(Route(PATH, _Door(app), methods=["POST"], include_in_schema=False))


class _Door:
    """ASGI app that authenticates MCP calls and forwards the tools' HTTP calls to the application."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one call."""
        request = Request(scope, receive)
        _refuse_pages_of_others(request)
        await identify(request)  # the tools' HTTP calls check the scopes
        _refuse_other_than_json(request)
        server = await run_in_threadpool(_loaded)
        import httpx  # loaded together with the tools

        from voxpop.mcp.calls import Calls

        body = await request.body()  # read here, where the boundary's 413 becomes a response
        state: ServiceState = self._app.state.service
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(
                self._app, raise_app_exceptions=False, root_path=scope.get("root_path", "")
            ),
            base_url=f"{state.listens_at}/v1",
            headers={"Authorization": request.headers["authorization"]},
            timeout=server.TIMEOUT_S,
            trust_env=False,
        ) as http:
            calls = Calls(http, pause=state.closing.wait)
            limit = state.settings.max_body_bytes
            await server.answer_http(calls, scope, _again(body, receive), send, max_body_bytes=limit)


def _refuse_pages_of_others(request: Request) -> None:
    """Refuse calls from web pages of other machines.

    This protects against DNS rebinding.
    """
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).hostname not in _HERE:
        raise Forbidden("Web pages of other hosts may not use the tools.")


def _refuse_other_than_json(request: Request) -> None:
    given = request.headers.get("content-type", "none")
    if given.partition(";")[0].strip().lower() != "application/json":
        raise InvalidRequest(
            f"The body must be sent as Content-Type: application/json, not {given[:100]}.",
            status=415,
            code="unsupported_media_type",
        )


def _loaded() -> ModuleType:
    try:
        from voxpop.mcp import server  # optional extra, which takes half a second to load
    except ImportError as error:
        raise NotFound(
            "This service has no MCP tools: install the extra, pip install 'voxpop[mcp]', where it runs."
        ) from error
    return server


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a receive function that replays a body and then waits for the disconnect."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
