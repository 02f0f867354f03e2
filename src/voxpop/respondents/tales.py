"""What agents tell about a topic: authored lines with tags, picked for one agent, spoken by its grammar.

A line is ``kind tags| text``. Kinds: ``+`` speaks well of the topic, ``-`` badly, ``~`` in between, each a
sentence or two that can stand alone as an answer; ``w`` a thing wanted, ``c`` a condition (after "if"),
``k`` a risk (after "I worry that"), ``x`` something to do better. A tag with ``!`` must not hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from voxpop.population.agents import Agent
from voxpop.respondents.grammar import Choice, Count, Dice, Money, Named, Parts, parse, say
from voxpop.respondents.lexicon import LEXICON, RATES, thesaurus
from voxpop.respondents.tags import ASKED_FACTS, BITS, fact_tags, tags_of

KINDS = "+-~wckx"


@dataclass(frozen=True, slots=True)
class Line:
    """One authored line with the tags that it needs and those it cannot have."""

    need: int
    never: int
    parts: Parts
    times: int


@dataclass(slots=True)
class Lines:
    """Authored lines of one kind; which of them fit an agent is worked out once per pattern of tags."""

    lines: tuple[Line, ...]
    tags: int = 0
    _fitting: dict[int, tuple[Parts, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for line in self.lines:
            self.tags |= line.need | line.never

    def fitting(self, speaker: Narrator) -> tuple[Parts, ...]:
        """Return the lines that are true of a speaker."""
        asked = self.tags & speaker.tags(self.tags)
        known = self._fitting.get(asked)
        if known is None:
            known = self._fitting[asked] = tuple(
                line.parts
                for line in self.lines
                if line.need & asked == line.need and not line.never & asked
                for _ in range(line.times)
            )
        return known


def _lines(tags: str, text: str) -> list[Line]:
    """Return the lines of a text; one that is a choice and nothing else is as many lines as it has ways."""
    need = never = 0
    for tag in tags.split():
        if tag[0] == "!":
            never |= BITS[tag[1:]]
        else:
            need |= BITS[tag]
    parts = parse(thesaurus(text))
    whole = parts[0].ways if len(parts) == 1 and isinstance(parts[0], Choice) else (parts,)
    return [Line(need, never, each, _times(ways_of(each))) for each in whole]


def _times(ways: int) -> int:
    return next(times for limit, times in _TIMES if ways < limit)


# a line that can be said in few ways is said by few: ways -> how many places it takes among the others
_TIMES = ((4, 1), (20, 2), (150, 4), (2_000, 8), (40_000, 14), (10**30, 20))


def ways_of(parts: Parts) -> int:
    """Return in how many ways parts can be said, roughly.

    Examples
    --------
    >>> ways_of(parse("[one/two] [three/four/five]"))
    6
    """
    ways = 1
    for part in parts:
        if isinstance(part, Choice):
            ways *= sum(ways_of(way) for way in part.ways)
        elif isinstance(part, Named):
            ways *= _named_ways(part.name)
        elif isinstance(part, Money):
            ways *= 4 * (part.high - part.low + 1)
        elif isinstance(part, Count):
            ways *= part.high - part.low + 1
    return ways


@cache
def _named_ways(name: str) -> int:
    return sum(ways_of(parse(text.rpartition("|")[2].strip())) for text in LEXICON[name])


def lines_of(texts: Sequence[str]) -> Lines:
    """Return lines of one kind; a text may begin with ``tags|``."""
    made: list[Line] = []
    for text in texts:
        tags, bar, rest = text.partition("|")
        made += _lines(tags, rest.strip()) if bar else _lines("", text)
    return Lines(tuple(made))


def tales(text: str) -> dict[str, tuple[str, ...]]:
    """Return authored text by kind.

    Examples
    --------
    >>> tales('''
    ... + parent| the kids [love/like] it
    ... - it was cold
    ... ''')
    {'+': ('parent| the kids [love/like] it',), '-': ('it was cold',)}
    """
    found: dict[str, list[str]] = {}
    for raw in text.splitlines():
        line = raw.strip()
        if not line:
            continue
        kind, _, rest = line.partition(" ")
        if kind not in tuple(KINDS):
            raise ValueError(f"a line begins with one of {KINDS!r}: {line!r}")
        found.setdefault(kind, []).append(rest.strip())
    return {kind: tuple(texts) for kind, texts in found.items()}


_NAMED: dict[str, Lines] = {}


class Narrator:
    """One agent telling something: its tags, its draws and its currency."""

    __slots__ = ("_own", "_tags", "agent", "dice")

    def __init__(self, agent: Agent, dice: Dice) -> None:
        self.agent, self.dice = agent, dice
        self._tags, self._own = tags_of(agent), -1

    def tags(self, wanted: int) -> int:
        """Return the agent's tags, with what it owns when a wanted tag asks for that."""
        if not wanted & ASKED_FACTS:
            return self._tags
        if self._own < 0:
            self._own = fact_tags(self.agent)
        return self._tags | self._own

    def named(self, name: str) -> tuple[Parts, ...]:
        """Return the entries of a word list that are true of the agent."""
        known = _NAMED.get(name)
        if known is None:
            known = _NAMED[name] = lines_of(LEXICON[name])
        return known.fitting(self)

    def money(self, low: int, high: int) -> str:
        """Return a round amount in the agent's currency."""
        sign, rate = RATES[self.agent.country]
        raw = (low + (high - low) * self.dice.below(97) / 96) * rate
        step = next(step for limit, step in _STEPS if raw < limit)
        value = max(int(raw / step + 0.5), 1) * step
        if value < 30 and rate < 3 and self.dice.below(2):
            return f"{sign}{value}.{_CENTS[self.dice.below(len(_CENTS))]}"
        return f"{sign}{value:,}"

    def tell(self, lines: Lines, used: set[int]) -> str:
        """Return one line that fits and was not used in this answer; "" when there is none."""
        fitting = lines.fitting(self)
        if not fitting:
            return ""
        at = self.dice.below(len(fitting))
        for step in range(len(fitting)):
            parts = fitting[(at + step) % len(fitting)]
            if id(parts) not in used:
                used.add(id(parts))
                return say(parts, self)
        return ""


_CENTS = ("49", "79", "99", "50", "29", "25", "19", "39", "89", "69", "75")
_STEPS = ((60, 1), (300, 5), (1_000, 10), (5_000, 100), (100_000, 1_000), (10**12, 10_000))
