"""The one way in which the command line prints."""

from __future__ import annotations

import sys


def write(line: str) -> None:
    """Write one line to stdout at once, for a reader that waits at the other end of a pipe."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
