"""The service on a socket: uvicorn in a thread."""

from __future__ import annotations

import asyncio
import socket
import threading

import uvicorn
from fastapi import FastAPI

from voxpop.errors import ServiceStartError
from voxpop.service.timeouts import PatientProtocol

_DRAIN_S = 5
_STOP_S = 8.0
_START_S = 30.0
_WORKERS_S = 1.0
_HEAD_BYTES = 128 * 1024  # 1,000 job ids in a URL take 33 kB


class _Server(uvicorn.Server):
    """A uvicorn server that signals when it accepts calls."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready: threading.Event = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then signal."""
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        self.ready.set()

    def work(self, listening: socket.socket) -> None:
        """Serve until stopped."""
        try:
            self.run([listening])
        finally:
            listening.close()
            self.ready.set()
            self._await_workers()

    def _await_workers(self) -> None:
        # Each worker thread of the routes has a DuckDB cursor. A thread still releasing it when the
        # interpreter exits crashes the process ("exception not rethrown").
        for thread in threading.enumerate():
            if self._loop is not None and getattr(thread, "loop", None) is self._loop:
                thread.join(_WORKERS_S)


class RunningServer:
    """A running service at :attr:`base_url` until :meth:`stop`.

    Attributes
    ----------
    root_url : str
        ``http://host:port``.
    base_url : str
        The same with ``/v1``.
    """

    def __init__(self, app: FastAPI, server: _Server, thread: threading.Thread, root_url: str) -> None:
        self._app = app
        self._server = server
        self._thread = thread
        self.root_url = root_url
        self.base_url: str = f"{root_url}/v1"

    def stop(self) -> None:
        """Finish open calls and stop within 8 seconds; calling it again is harmless."""
        self._app.state.service.closing.set()
        self._server.should_exit = True
        self._thread.join(_STOP_S)

    def __repr__(self) -> str:
        return f"<RunningServer {self.root_url}, {'running' if self._thread.is_alive() else 'stopped'}>"


def start_server(app: FastAPI, host: str = "127.0.0.1", port: int = 0) -> RunningServer:
    """Serve an application in a thread and return once it accepts calls.

    Parameters
    ----------
    app
        From :func:`voxpop.service.app.create_app`.
    host
        The address to listen on.
    port
        The port; 0 takes a free one.

    Raises
    ------
    ServiceStartError
        The address cannot be used, for example because the port is taken.
    """
    listening = _listen(host, port)
    number = listening.getsockname()[1]
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        http=PatientProtocol,
        server_header=False,
        timeout_graceful_shutdown=_DRAIN_S,
        h11_max_incomplete_event_size=_HEAD_BYTES,
    )
    root_url = f"http://{_shown(host)}:{number}"
    app.state.service.listens_at = root_url
    server = _Server(config)
    thread = threading.Thread(target=server.work, args=(listening,), name="voxpop-server", daemon=True)
    thread.start()
    if not server.ready.wait(_START_S) or not server.started:
        raise ServiceStartError(f"The service did not start on {host}:{number}; the log says why.")
    return RunningServer(app, server, thread, root_url)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise ServiceStartError(f"{host!r} is not an address to listen on: {error}.") from error
    # With the protocol given, asyncio disables Nagle's algorithm; otherwise each call takes 44 ms.
    listening = socket.socket(family, kind, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(1024)
    except OSError as error:
        listening.close()
        raise ServiceStartError(
            f"The service cannot listen on {host}:{port}: {error.strerror or error}."
        ) from error
    return listening


def _shown(host: str) -> str:
    """Return the address for callers on this machine."""
    if host in ("0.0.0.0", "::", ""):  # nosec B104
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
