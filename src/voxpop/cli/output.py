"""Output of the command line."""

from __future__ import annotations

import sys


def write(line: str) -> None:
    """Write one line to stdout and flush, so that a reader of the pipe gets it at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
