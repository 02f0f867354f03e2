"""How banks of authored clauses are written down: one clause a line, ``[a/b]`` for equal wordings."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache

_CHOICE = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class Bank:
    """What people say about one topic.

    Attributes
    ----------
    good, bad, mixed : tuple of str
        Whole clauses without a capital or a full stop; each also reads well after "because" or "that".
    wants : tuple of str
        Things to look for, as noun phrases.
    ifs : tuple of str
        What would have to hold, in the form that follows "if".
    risks : tuple of str
        What could go wrong, in the form that follows "I worry that".
    fixes : tuple of str
        What somebody should do, in the form that follows "they should".
    """

    good: tuple[str, ...]
    bad: tuple[str, ...]
    mixed: tuple[str, ...]
    wants: tuple[str, ...] = ()
    ifs: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()


def lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text that hold something.

    Examples
    --------
    >>> lines(" one\\n\\n two ")
    ('one', 'two')
    """
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def bank(
    *, good: str, bad: str, mixed: str, wants: str = "", ifs: str = "", risks: str = "", fixes: str = ""
) -> Bank:
    """Return a bank out of running text."""
    return Bank(lines(good), lines(bad), lines(mixed), lines(wants), lines(ifs), lines(risks), lines(fixes))


@lru_cache(maxsize=8192)
def variants(line: str) -> tuple[str, ...]:
    """Return every wording of a line.

    Examples
    --------
    >>> variants("[I/we] buy it[/ often]")
    ('I buy it', 'I buy it often', 'we buy it', 'we buy it often')
    """
    parts = _CHOICE.split(line)
    choices = [part.split("/") if at % 2 else [part] for at, part in enumerate(parts)]
    return tuple("".join(chosen) for chosen in itertools.product(*choices))
