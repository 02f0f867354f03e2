"""What commands that run until they are told to stop have in common: their log, their figures, their end."""

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
# What the queue's libraries say of a server that is away, the queue says itself, in one line.
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
    """Write the log to stderr, and return the package's own logger.

    Parameters
    ----------
    form
        ``text`` or ``json``; the setting ``VOXPOP_LOG_FORMAT`` without it.
    calls
        Whether each call and each piece of work has a line; as the form has it without it.

    Raises
    ------
    UsageError
        The form is unknown.
    """
    from voxpop.jobs.logs import JsonLines, TextLines  # loads what writes JSON

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
    """Return what counts calls and work, if somebody wants to read it."""
    if port is None:
        return None
    if not 0 <= port <= 65_535:
        raise UsageError(f"--metrics-port must be 0 to 65535, not {port}.")
    from voxpop.jobs.watching import Watch  # the library takes as long as the rest of a start

    return Watch(program)


def served(
    watch: Watch | None, ready: Callable[[], Ready], host: str, port: int | None
) -> WatchServer | None:
    """Serve what is counted, if it is."""
    if watch is None or port is None:
        return None
    from voxpop.jobs.watching import WatchServer

    return WatchServer(watch, ready, host=host, port=port)


def told_to_stop() -> threading.Event:
    """Return what is set by SIGTERM or Ctrl-C; made before a long start, so that it can be stopped too."""
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    return told


def wait_for(told: threading.Event) -> None:
    """Return when it is set; signals get through between the steps."""
    while not told.wait(1.0):
        pass
