"""Literals that a regular expression requires, used to skip thousands of patterns without a search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_SHORTEST = 2  # minimum letters of a required literal
_PLAIN = re.compile(r"[A-Za-z0-9 '’-]+")
_OPTIONAL = ("?", "*", "{")
_GROUP = re.compile(r"\((?:\?(?:(?P<plain>:|P<\w+>)|(?P<else>[^)]?)))?")
_COUNTED = re.compile(r"\{\d*,?\d*\}")
_UNREAD = re.compile(r"\\[xuUN0-9]|\(\?[a-zA-Z-]*x|\(\?\(|#")  # constructs that are not analysed
_ODD_CASE = str.maketrans("ſıİ", "sii")  # letters that match s and i if case is ignored


@dataclass(frozen=True, slots=True)
class Ways:
    """Alternatives of an expression, one of which must hold.

    Each alternative lists everything that a text must contain: lower-case literals, and the alternatives of
    groups. An empty alternative matches every text.
    """

    each: tuple[tuple[str | Ways, ...], ...]

    def may_fit(self, folded: str) -> bool:
        """Return whether the expression can match a text, given in the form of :func:`folded`."""
        for way in self.each:  # plain loops, because this runs thousands of times per question
            for part in way:
                if not (part in folded if isinstance(part, str) else part.may_fit(folded)):
                    break
            else:
                return True
        return False


@lru_cache(maxsize=64)
def folded(text: str) -> str:
    """Return a text in lower case, with special letters replaced that match others if case is ignored."""
    return text.translate(_ODD_CASE).lower()


def needs_of(pattern: str) -> Ways | None:
    """Return the literals that a text must contain to match a pattern, or None if unknown.

    Unsupported constructs are assumed to match anything.

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
    """Return the alternatives of an expression that starts at a position, and the end position."""
    ways: list[tuple[str | Ways, ...]] = []
    parts: list[str | Ways] = []
    run = ""
    while at < len(pattern) and pattern[at] != ")":
        character = pattern[at]
        if character == "|":
            ways.append(_kept(parts, run))
            parts, run, at = [], "", at + 1
            continue
        if plain := _PLAIN.match(pattern, at):
            at, run = plain.end(), run + plain[0]
            if pattern.startswith(_OPTIONAL, at):  # it concerns the last character alone
                parts.append(run[:-1])
                run = ""
            continue
        parts.append(run)
        run = ""
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
    """Return the alternatives of a group, None for a lookaround, and the end position."""
    begun = _GROUP.match(pattern, at)
    assert begun is not None
    looks = begun["else"] is not None
    start = at + 2 if looks else begun.end()
    inner, end = _ways(pattern, start)
    return None if looks or not all(inner.each) else inner, end + 1


def _class_end(pattern: str, at: int) -> int:
    """Return the end position of a character class."""
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
        [
            part.translate(_ODD_CASE).lower() if isinstance(part, str) else part
            for part in (*parts, run)
            if not isinstance(part, str) or len(part) >= _SHORTEST
        ]
    )
