"""`voxpop mcp`: the MCP server over stdio, for desktop applications."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import ExitStack
from typing import Annotated

import typer

from voxpop.connecting import embedded
from voxpop.errors import UsageError
from voxpop.settings import ClientSettings

BASE_URL = Annotated[
    str | None,
    typer.Option(help="Address of a service. Default: VOXPOP_BASE_URL; without it the embedded service."),
]
API_KEY = Annotated[
    str | None, typer.Option(help="Key for that service. Default: VOXPOP_API_KEY, the safer place.")
]


def mcp(base_url: BASE_URL = None, api_key: API_KEY = None) -> None:
    """Serve the MCP tools over stdio until stdin closes, for a remote or the embedded service."""
    try:
        from voxpop.mcp.server import serve_stdio  # optional extra
    except ImportError as error:
        raise UsageError("The MCP tools need an extra: pip install 'voxpop[mcp]'.") from error
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as held:
        address, key = _service(base_url, api_key, held)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda number, _: _end(number, held))
        asyncio.run(serve_stdio(address, key))


def _service(base_url: str | None, api_key: str | None, held: ExitStack) -> tuple[str, str]:
    """Return address and key of the configured service, or start the embedded one."""
    from voxpop.client.client import checked_key, with_version

    settings = ClientSettings.from_environment()
    address = base_url or settings.base_url
    if address is None:
        if api_key is not None:
            raise UsageError("A key needs the address of its service: also give --base-url.")
        service = embedded()
        held.callback(service.stop)
        return service.base_url, service.key
    key = api_key or settings.api_key
    if key is None:
        raise UsageError(f"The service at {address} needs a key: set VOXPOP_API_KEY or give --api-key.")
    return with_version(address), checked_key(key)


def _end(number: int, held: ExitStack) -> None:
    """Release everything and exit at once; the thread blocked on stdin cannot be stopped otherwise."""
    held.close()
    os._exit(0 if number == signal.SIGTERM else 130)
