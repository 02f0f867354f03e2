"""Answers as places on a scale: the axis of an option, its side, and how strong it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from voxpop_simulator.library.files import rows
from voxpop_simulator.library.wording import fillers, plain, spelled
from voxpop_simulator.questions.patterns import Pattern

_DENIED = Pattern(r"^(?:not|no|dont|doesnt|isnt|never|hardly|cant)$")
_WORD = Pattern(r"[a-z0-9]+")
CLAIM = "claim"
"""Axis of answers that say whether a claim holds: agree, yes, favor, true, should."""


@dataclass(frozen=True, slots=True)
class Level:
    """The place of an option on a scale: axis, side (-1, 0, 1) and strength."""

    axis: str
    side: int
    strength: int


@cache
def heads() -> dict[str, tuple[str, int]]:
    """Return the words that name a side of a scale, with its axis and sign.

    Examples
    --------
    >>> heads()["disagree"]
    ('claim', -1)
    """
    return {row["word"]: (row["axis"], int(row["sign"])) for row in rows("heads")}


@cache
def _degrees() -> dict[str, int]:
    return {row["word"]: int(row["degree"]) for row in rows("degrees")}


@lru_cache(maxsize=8192)
def words_of(option: str) -> tuple[str, ...]:
    """Return the words of an option without fillers.

    Examples
    --------
    >>> words_of("A great deal"), words_of("Hardly ever") == words_of("Rarely")
    (('great', 'deal'), True)
    """
    bare = re.sub(r"\(.*?\)", " ", plain(option)).replace("'", "").replace("%", " percent")
    filler = fillers("option")
    return tuple(word for word in _WORD.findall(spelled(bare)) if word not in filler)


@lru_cache(maxsize=8192)
def unsure(option: str) -> bool:
    """Return whether an option is for people without an answer.

    Examples
    --------
    >>> unsure("Don't know"), unsure("No")
    (True, False)
    """
    return " ".join(_WORD.findall(plain(option).replace("'", ""))) in fillers("unsure")


@lru_cache(maxsize=8192)
def level(option: str) -> Level | None:
    """Return the place of an option on a scale, or None if no word names one.

    Examples
    --------
    >>> level("Strongly disagree"), level("No, probably not").side, level("About right").side
    (Level(axis='claim', side=-1, strength=4), -1, 0)
    """
    words = _WORD.findall(re.sub(r"\(.*?\)", " ", plain(option)).replace("'", ""))
    found = [heads()[word] for word in words if word in heads()]
    degree = max((_degrees().get(word, 0) for word in words), default=0) or 2
    denied = any(_DENIED.match(word) for word in words)
    if words and not {"neither", "neutral"}.isdisjoint(words):
        return Level("", 0, 0)
    named = [(axis, sign) for axis, sign in found if axis]
    if not named and any(not axis for axis, _ in found):
        return Level("", 0, 0)
    specific = [one for one in named if one[0] not in (CLAIM, "much", "high")] or named
    if not specific:
        return Level(CLAIM, -1, degree) if denied and words in (["not"], ["not", "at", "all"]) else None
    if len({axis for axis, _ in specific}) > 1:
        return None
    sides = {sign for _, sign in specific}
    side = -1 if -1 in sides else 1
    if denied and side > 0:
        side = -1
    return Level(specific[0][0], side, degree)


def levels(options: Sequence[str]) -> list[Level] | None:
    """Return the places of options on one scale with both sides, or None.

    Examples
    --------
    >>> [one.side for one in levels(["Agree", "Neither", "Disagree"])]
    [1, 0, -1]
    """
    found = [level(option) for option in options]
    placed = [one for one in found if one is not None]
    if len(placed) < len(found):
        return None
    axes = {one.axis for one in placed if one.axis}
    if len(axes) != 1 or {1, -1} - {one.side for one in placed}:
        return None
    return placed


def without_degree(option: str) -> frozenset[str]:
    """Return the words of an option without those of degree, or the option itself if none is left.

    Examples
    --------
    >>> without_degree("Strongly in favor") == without_degree("Slightly in favor")
    True
    """
    left = frozenset(word for word in words_of(option) if word not in _degrees())
    return left or frozenset((option,))


def denied(option: str) -> bool:
    """Return whether an option denies something."""
    return any(_DENIED.match(word) for word in _WORD.findall(plain(option).replace("'", "")))
