"""A one-line progress display; silent when the output is not interactive."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

Say = Callable[[str], None]
"""A function that shows a short text as the current state of the work."""


@contextmanager
def progress(stream: TextIO | None = None, environ: Mapping[str, str] | None = None) -> Iterator[Say | None]:
    """Yield a function that shows progress, or None if the output is not interactive.

    On a terminal the line disappears when the work ends; in a notebook the last state stays. There is no
    display if ``VOXPOP_PROGRESS`` is ``off``, if standard error is redirected, or in tests.

    Parameters
    ----------
    stream : text stream, optional
        Where to write. The default is standard output in a notebook, where standard error looks like a fault,
        and standard error elsewhere.
    environ : mapping, optional
        The environment; defaults to that of the process.

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
    from rich.console import Console  # imported where used: most work shows no progress
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
    """Overwrite one line with carriage returns, because notebooks with display handles cannot be compared."""
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
