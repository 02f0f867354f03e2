"""A small sentence grammar: choices, named word lists and amounts, drawn separately for each agent.

``[a/b]`` is a choice between two wordings and may be nested (``[a/[b]]`` is equivalent), ``<who>`` is an
entry of a named word list, ``<$3-9>`` an amount of money in the agent's currency, and ``<#2-12>`` a whole
number in digits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Node: TypeAlias = "str | Choice | Named | Money | Count"
Parts: TypeAlias = "tuple[Node, ...]"

_STEP, _PLUS, _MASK = 6364136223846793005, 1442695040888963407, (1 << 64) - 1
_TOKEN = re.compile(r"\[|\]|/|<\$(\d+)-(\d+)>|<#(\d+)-(\d+)>|<(\w+)>")


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice between wordings."""

    ways: tuple[Parts, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """An entry of a named word list."""

    name: str


@dataclass(frozen=True, slots=True)
class Money:
    """A round amount between two bounds in US dollars."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number between two bounds."""

    low: int
    high: int


class Dice:
    """Integers from a block of random draws, as many as an answer needs.

    Attributes
    ----------
    ways : int
        Product of the ranges drawn from: the approximate number of possible outcomes.
    """

    __slots__ = ("state", "ways")

    def __init__(self, block: Sequence[int], start: int = 0) -> None:
        at = start
        self.ways: int = 1
        self.state: int = block[at] | block[at + 1] << 16 | block[at + 2] << 32 | block[at + 3] << 48

    def below(self, count: int) -> int:
        """Return the next integer below a bound, at most 2**31."""
        self.ways *= count
        return self.at(count)

    def at(self, count: int) -> int:
        """Return the next integer below a bound, without counting it in ``ways``."""
        self.state = (self.state * _STEP + _PLUS) & _MASK
        return (self.state >> 33) * count >> 31


class Speaker(Protocol):
    """A speaker: random draws, the word lists that are true of it, and its currency."""

    dice: Dice

    def word(self, name: str) -> Parts:
        """Return an entry of a word list that the speaker may use."""
        ...

    def money(self, low: int, high: int) -> str:
        """Return an amount in the speaker's currency."""
        ...


def parse(text: str) -> Parts:
    """Return a text parsed into parts for :func:`say`.

    Examples
    --------
    >>> parse("I buy [one/two]")
    ('I buy ', Choice(ways=(('one',), ('two',))))
    """
    parts, at = _sequence(text, 0, inside=False)
    if at != len(text):
        raise ValueError(f"{text!r} has a bracket too many")
    return parts


def _sequence(text: str, at: int, *, inside: bool) -> tuple[Parts, int]:
    made: list[Node] = []
    while at < len(text):
        found = _TOKEN.search(text, at)
        if found is None:
            _add(made, text[at:])
            return tuple(made), len(text)
        mark = found[0]
        if mark in "/]" and not inside:
            if mark == "]":
                raise ValueError(f"{text!r} has a bracket too many")
            _add(made, text[at : found.end()])
            at = found.end()
            continue
        _add(made, text[at : found.start()])
        at = found.end()
        if mark in "/]":
            return tuple(made), found.start()
        if mark == "[":
            choice, at = _choice(text, at)
            made += choice.ways[0] if inside and len(choice.ways) == 1 else [choice]
        else:
            made.append(_slot(found))
    if inside:
        raise ValueError(f"{text!r} has an open bracket")
    return tuple(made), at


def _choice(text: str, at: int) -> tuple[Choice, int]:
    ways = []
    while True:
        way, at = _sequence(text, at, inside=True)
        ways.append(way)
        if at >= len(text):
            raise ValueError(f"{text!r} has an open bracket")
        at += 1
        if text[at - 1] == "]":
            return Choice(tuple(ways)), at


def _slot(found: re.Match[str]) -> Node:
    if found[5]:
        return Named(found[5])
    low, high = (found[1], found[2]) if found[1] else (found[3], found[4])
    return Money(int(low), int(high)) if found[1] else Count(int(low), int(high))


def _add(made: list[Node], text: str) -> None:
    if text:
        made.append(text)


def say(parts: Parts, speaker: Speaker) -> str:
    """Return the text of one random realization of these parts."""
    said: list[str] = []
    _say(parts, speaker, said)
    return "".join(said)


def _say(parts: Parts, speaker: Speaker, said: list[str]) -> None:
    below = speaker.dice.below
    for part in parts:
        if type(part) is str:
            said.append(part)
        elif type(part) is Choice:
            ways = part.ways
            way = ways[below(len(ways))]
            if len(way) == 1 and type(way[0]) is str:
                said.append(way[0])
            else:
                _say(way, speaker, said)
        elif type(part) is Named:
            _say(speaker.word(part.name), speaker, said)
        elif type(part) is Money:
            said.append(speaker.money(part.low, part.high))
        elif type(part) is Count:
            said.append(str(part.low + below(part.high - part.low + 1)))
