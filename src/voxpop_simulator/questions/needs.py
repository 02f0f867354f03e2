"""Words that a text must hold for a regular expression to fit, so that thousands need not be tried."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_SHORTEST = 2  # letters of a literal that is looked for
_PLAIN = re.compile(r"[A-Za-z0-9 '’-]")
_OPTIONAL = ("?", "*", "{")
_GROUP = re.compile(r"\((?:\?(?:(?P<plain>:|P<\w+>)|(?P<else>[^)]?)))?")
_COUNTED = re.compile(r"\{\d*,?\d*\}")
_UNREAD = re.compile(r"\\[xuUN0-9]|\(\?[a-zA-Z-]*x|\(\?\(|#")  # what no needs are worked out of
_ODD_CASE = str.maketrans("ſıİ", "sii")  # letters that match s and i where case is ignored


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways in which an expression can fit: one of them must hold.

    Each way is what a text must hold all of: literals in lower case, and the ways of groups. A way without
    any can fit every text.
    """

    each: tuple[tuple[str | Ways, ...], ...]

    def may_fit(self, folded: str) -> bool:
        """Return whether the expression can fit a text, given as :func:`folded` returns it."""
        for way in self.each:  # plain loops: this runs thousands of times a question
            for part in way:
                if not (part in folded if isinstance(part, str) else part.may_fit(folded)):
                    break
            else:
                return True
        return False


@lru_cache(maxsize=64)
def folded(text: str) -> str:
    """Return a text in lower case, with the letters that match others where case is ignored."""
    return text.translate(_ODD_CASE).lower()


def needs_of(pattern: str) -> Ways | None:
    """Return what a text must hold for a pattern to fit; None where nothing can be told.

    What is not understood of the pattern is taken to fit anything.

    Examples
    --------
    >>> needs = needs_of(r"\\bhow (?:many|much)\\b.*\\bcoffees?\\b")
    >>> needs.may_fit("how much coffee do you drink?"), needs.may_fit("how much tea do you drink?")
    (True, False)
    >>> needs_of(r"\\d+|tea") is None
    True
    """
    if _UNREAD.search(pattern):
        return None
    ways, end = _ways(pattern, 0)
    return ways if end == len(pattern) and all(ways.each) else None


def _ways(pattern: str, at: int) -> tuple[Ways, int]:
    """Return the ways of an expression that begins at a place, and the place after it."""
    ways: list[tuple[str | Ways, ...]] = []
    parts: list[str | Ways] = []
    run = ""
    while at < len(pattern) and pattern[at] != ")":
        character = pattern[at]
        if character == "|":
            ways.append(_kept(parts, run))
            parts, run, at = [], "", at + 1
            continue
        if _PLAIN.match(character):
            if pattern.startswith(_OPTIONAL, at + 1):
                parts, run = [*parts, run], ""
            else:
                run += character
            at += 1
            continue
        parts, run = [*parts, run], ""
        if character == "(":
            inner, at = _group(pattern, at)
            if inner is not None and not pattern.startswith(_OPTIONAL, at):
                parts.append(inner)
        elif character == "[":
            at = _class_end(pattern, at)
        elif counted := _COUNTED.match(pattern, at):
            at = counted.end()
        else:
            at += 2 if character == "\\" else 1
    ways.append(_kept(parts, run))
    return Ways(tuple(ways)), at


def _group(pattern: str, at: int) -> tuple[Ways | None, int]:
    """Return the ways of a group, None of one that only looks around, and the place after it."""
    begun = _GROUP.match(pattern, at)
    assert begun is not None
    looks = begun["else"] is not None
    start = at + 2 if looks else begun.end()
    inner, end = _ways(pattern, start)
    return None if looks or not all(inner.each) else inner, end + 1


def _class_end(pattern: str, at: int) -> int:
    """Return the place after a class of characters."""
    at += 1
    if pattern[at : at + 1] == "^":
        at += 1
    if pattern[at : at + 1] == "]":
        at += 1
    while at < len(pattern) and pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at + 1


def _kept(parts: Sequence[str | Ways], run: str) -> tuple[str | Ways, ...]:
    return tuple(
        folded(part) if isinstance(part, str) else part
        for part in (*parts, run)
        if not isinstance(part, str) or len(part) >= _SHORTEST
    )
