"""One line that says how far long work is, and nothing where nobody looks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

Say = Callable[[str], None]
"""Something that takes the next state of the work, as a short text."""


@contextmanager
def progress(stream: TextIO | None = None, environ: Mapping[str, str] | None = None) -> Iterator[Say | None]:
    """Give a way to say how far the work is, or None where nobody looks.

    On a terminal the line is gone when the work ends; in a notebook the last state stays. Nobody looks when
    ``VOXPOP_PROGRESS`` is ``off``, when standard error goes to a file or pipe, and in tests.

    Parameters
    ----------
    stream : text stream, optional
        Where to write; by default standard output in a notebook, where standard error looks like a fault,
        and standard error elsewhere.
    environ : mapping, optional
        The environment; the process's own by default.

    Examples
    --------
    >>> with progress(environ={"VOXPOP_PROGRESS": "off"}) as say:
    ...     print(say)
    None
    """
    out = stream or (sys.stdout if _is_notebook(sys.stdout) else sys.stderr)
    told = os.environ if environ is None else environ
    if (
        told.get("VOXPOP_PROGRESS", "").strip().lower() in {"off", "0", "no", "false"}
        or "PYTEST_VERSION" in told
    ):
        yield None
    elif _is_terminal(out):
        with _on_a_terminal(out) as say:
            yield say
    elif _is_notebook(out):
        with _in_a_notebook(out) as say:
            yield say
    else:
        yield None


def _is_terminal(stream: TextIO) -> bool:
    return bool(getattr(stream, "isatty", lambda: False)())


def _is_notebook(stream: TextIO) -> bool:
    return type(stream).__module__ == "ipykernel.iostream"


@contextmanager
def _on_a_terminal(stream: TextIO) -> Iterator[Say]:
    from rich.console import Console  # imported where used: most work says nothing
    from rich.text import Text

    status = Console(file=stream).status("")

    def say(text: str) -> None:
        status.update(Text(text))
        status.start()

    try:
        yield say
    finally:
        status.stop()


@contextmanager
def _in_a_notebook(stream: TextIO) -> Iterator[Say]:
    """Write over one line: a stream's carriage return, because display handles cannot be compared."""
    longest = 0

    def say(text: str) -> None:
        nonlocal longest
        longest = max(longest, len(text))
        stream.write(f"\r{text:<{longest}}")
        stream.flush()

    try:
        yield say
    finally:
        if longest:
            stream.write("\n")
            stream.flush()
