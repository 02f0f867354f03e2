"""What commands that run until they are told to stop have in common: their log, and their end."""

from __future__ import annotations

import logging
import signal
import sys
import threading

_CHATTY = {"alembic": "WARNING", "httpx": "WARNING", "mcp": "WARNING"}
# What the queue's libraries say of a server that is away, the queue says itself, in one line.
_CHATTY |= {"procrastinate": "CRITICAL", "psycopg": "CRITICAL"}


def log() -> logging.Logger:
    """Write the log to stderr, and return the package's own logger."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    for name, level in _CHATTY.items():
        logging.getLogger(name).setLevel(level)
    return logging.getLogger("voxpop")


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
