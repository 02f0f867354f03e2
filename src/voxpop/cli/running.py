"""Logging, metrics and shutdown of long-running commands."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from voxpop.errors import UsageError

if TYPE_CHECKING:
    from voxpop.jobs.readiness import Ready
    from voxpop.jobs.watching import Watch, WatchServer

_CHATTY = {"alembic": "WARNING", "httpx": "WARNING", "mcp": "WARNING"}
# The queue reports an unavailable server in one line itself, so its libraries stay quiet.
_CHATTY |= {"procrastinate": "CRITICAL", "psycopg": "CRITICAL"}
_EACH = ("voxpop.calls", "voxpop.work")
_FORMATS = ("text", "json")

LOG_FORMAT = Annotated[
    str | None,
    typer.Option(
        help="The log on stderr: text, or json with one object a line. Default: VOXPOP_LOG_FORMAT, else text."
    ),
]
LOG_CALLS = Annotated[
    bool | None,
    typer.Option(help="Whether each call and each piece of work has a line in the log. Default: with json."),
]
METRICS_PORT = Annotated[
    int | None,
    typer.Option(help="Port for Prometheus: /metrics, /livez and /readyz; 0 takes a free one."),
]
METRICS_HOST = Annotated[str, typer.Option(help="Address for --metrics-port; nobody needs a key there.")]


def log(form: str | None = None, calls: bool | None = None) -> logging.Logger:
    """Configure logging to stderr and return the package logger.

    Parameters
    ----------
    form
        ``text`` or ``json``. Default: ``VOXPOP_LOG_FORMAT``.
    calls
        Whether to log each call and work item. Default: the habit of the format.

    Raises
    ------
    UsageError
        The form is unknown.
    """
    from voxpop.jobs.logs import JsonLines, TextLines  # imported where used

    chosen = (form or os.environ.get("VOXPOP_LOG_FORMAT", "")).strip().lower() or "text"
    if chosen not in _FORMATS:
        raise UsageError(f"The log's format must be {' or '.join(_FORMATS)}, not {chosen!r}.")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if chosen == "json" else TextLines())
    logging.basicConfig(handlers=[handler], level=logging.INFO)
    each = calls if calls is not None else chosen == "json"
    for name, level in {**_CHATTY, **dict.fromkeys(_EACH, "INFO" if each else "WARNING")}.items():
        logging.getLogger(name).setLevel(level)
    logger = logging.getLogger("voxpop")
    threading.excepthook = lambda ended: logger.critical("A thread has ended.", exc_info=ended[:3])  # type: ignore[arg-type]
    return logger


def watching(port: int | None, program: str) -> Watch | None:
    """Return the metrics registry if metrics are enabled."""
    if port is None:
        return None
    if not 0 <= port <= 65_535:
        raise UsageError(f"--metrics-port must be 0 to 65535, not {port}.")
    from voxpop.jobs.watching import Watch  # imported where used: it takes as long as the rest of the start

    return Watch(program)


def served(
    watch: Watch | None, ready: Callable[[], Ready], host: str, port: int | None
) -> WatchServer | None:
    """Serve the metrics if they are enabled."""
    if watch is None or port is None:
        return None
    from voxpop.jobs.watching import WatchServer

    return WatchServer(watch, ready, host=host, port=port)


def told_to_stop() -> threading.Event:
    """Return an event set by SIGTERM or Ctrl-C; create it before a long start so that this can be stopped."""
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    return told


def wait_for(told: threading.Event) -> None:
    """Wait for the event in short steps, so that signals are handled in between."""
    while not told.wait(1.0):
        pass
