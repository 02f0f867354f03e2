"""Length limits of the embedded engine's input, which bound its reading time."""

from __future__ import annotations

import re
from functools import lru_cache

LONGEST_READ = 1_500
"""Maximum number of characters read; a longer text keeps its first and last half of this."""

_LONGEST_WORD = 100  # characters between two spaces
_LONGEST_RUN = 20  # repetitions of one character
_SPACES = re.compile(r"\s{9,}")
_WORDS = re.compile(r"\S{21,}")
_RUN = re.compile(r"(\S)\1+")


@lru_cache(maxsize=256)
def as_read(text: str, most: int = LONGEST_READ) -> str:
    """Return the part of a text that the embedded engine reads.

    At most ``most`` characters are read, 100 of each word and 20 of each run of one character; long white
    space counts as one space or line break. Matching time grows with these lengths, so all readers of user
    input must use this function.

    Examples
    --------
    >>> as_read("Do you   like tea?") == "Do you   like tea?"
    True
    >>> as_read("Do you" + " " * 5_000 + "like tea?")
    'Do you like tea?'
    >>> len(as_read("tea " * 2_000)) <= LONGEST_READ
    True
    """
    spaced = _SPACES.sub(_spaced, text)
    short = _WORDS.sub(_cut, spaced)
    if len(short) <= most:
        return short
    half = most // 2
    first, last = short[: half - 1], short[-half:]
    return f"{first.rpartition(' ')[0] or first}\n{last.partition(' ')[2] or last}"


def is_read_whole(text: str) -> bool:
    """Return whether the embedded engine reads every word of a text.

    Examples
    --------
    >>> is_read_whole("Do you like tea?"), is_read_whole("tea " * 2_000)
    (True, False)
    """
    return as_read(text) == _SPACES.sub(_spaced, text)


def unread_notice(text: str, what: str) -> str | None:
    """Return a notice for a text that is not read completely, or None.

    Parameters
    ----------
    text
        The text.
    what
        Kind of the text: ``question`` or ``thesis``.

    Examples
    --------
    >>> print(unread_notice("tea " * 2_000, "question"))  # doctest: +ELLIPSIS
    embedded-1 reads the first and the last 750 characters of a long question, not all of its 8,000: ...
    """
    if is_read_whole(text):
        return None
    half = f"{LONGEST_READ // 2:,}"
    if len(as_read(text, len(text) + 1)) <= LONGEST_READ:
        return (
            f"embedded-1 reads {_LONGEST_WORD} characters of a word and {_LONGEST_RUN} of a repeated one; "
            f"this {what} has longer ones."
        )
    return (
        f"embedded-1 reads the first and the last {half} characters of a long {what}, not all of its "
        f"{len(text):,}: say what matters there, or use a language model."
    )


def _spaced(found: re.Match[str]) -> str:
    return "\n" if "\n" in found[0] else " "


def _cut(found: re.Match[str]) -> str:
    """Return a word cut to the limits."""
    return _RUN.sub(lambda run: run[0][:_LONGEST_RUN], found[0])[:_LONGEST_WORD]
