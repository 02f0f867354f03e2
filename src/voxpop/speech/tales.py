"""Authored lines with the tags they ask for, picked for one agent and spoken by its grammar.

A line is ``tags| text``, where a tag with ``!`` must not hold. A line with words that only people of the USA
would say is theirs; agents elsewhere say what is left of it without those words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from voxpop.population.agents import Agent
from voxpop.questions.places import place
from voxpop.speech.grammar import Choice, Count, Dice, Money, Named, Parts, parse, say
from voxpop.speech.lexicon import RATES, american, elsewhere, thesaurus
from voxpop.speech.tags import ASKED_FACTS, ASKED_LEANINGS, BITS, fact_tags, job_said, leaning_tags, tags_of
from voxpop.speech.texts import sections


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
    for slot, tag in _SLOT_TAGS:
        need |= BITS[tag] if slot in text else 0
    made = []
    if not american(text) or need & _ELSEWHERE:
        return _spoken(need, never, text)
    if not need & BITS["abroad"]:
        made += _spoken(need | BITS["us"], never, text)
    other = elsewhere(text)
    if other is not None and not need & BITS["us"]:
        made += _spoken(need, never | BITS["us"], other)
    return made


# who lives there says what the line says, dollars included
_ELSEWHERE = sum(BITS[name] for name in ("canada", "uk", "australia", "germany", "france", "japan", "brazil",
                                         "india", "mexico"))  # fmt: skip
_SLOT_TAGS = (("<job>", "title"), ("<state>", "placed"))


def _spoken(need: int, never: int, text: str) -> list[Line]:
    parts = parse(thesaurus(text))
    whole = parts[0].ways if len(parts) == 1 and isinstance(parts[0], Choice) else (parts,)
    return [Line(need, never, each, _times(ways_of(each))) for each in whole]


def _times(ways: int) -> int:
    return next(times for limit, times in _TIMES if ways < limit)


# a line that can be said in few ways is said by few: ways -> how many places it takes among the others
_TIMES = ((4, 1), (30, 2), (400, 3), (10**30, 4))


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
    if name in _OWN:
        return 40
    return sum(ways_of(parse(text.rpartition("|")[2].strip())) for text in sections("lexicon")[name])


_OWN = ("job", "state", "age")
"""Named slots that an agent fills from its own profile."""


def lines_of(texts: Sequence[str]) -> Lines:
    """Return lines of one kind; a text may begin with ``tags|``."""
    made: list[Line] = []
    for text in texts:
        tags, bar, rest = text.partition("|")
        made += _lines(tags, rest.strip()) if bar else _lines("", text)
    return Lines(tuple(made))


_NAMED: dict[str, Lines] = {}


class Narrator:
    """One agent telling something: its tags, its draws and its currency."""

    __slots__ = ("_known", "_tags", "agent", "dice")

    def __init__(self, agent: Agent, dice: Dice) -> None:
        self.agent, self.dice = agent, dice
        self._tags, self._known = tags_of(agent), 0

    def tags(self, wanted: int) -> int:
        """Return the agent's tags, with what it owns and how it leans where a wanted tag asks for that."""
        missing = wanted & ~self._known
        if missing & ASKED_FACTS:
            self._tags |= fact_tags(self.agent)
            self._known |= ASKED_FACTS
        if missing & ASKED_LEANINGS:
            self._tags |= leaning_tags(self.agent, missing)
            self._known |= missing & ASKED_LEANINGS
        return self._tags

    def named(self, name: str) -> tuple[Parts, ...]:
        """Return the entries of a word list that are true of the agent."""
        if name in _OWN:
            return ((self._own(name),),)
        known = _NAMED.get(name)
        if known is None:
            known = _NAMED[name] = lines_of(sections("lexicon")[name])
        return known.fitting(self)

    def _own(self, name: str) -> str:
        if name == "age":
            return str(self.agent.age)
        return place(self.agent.state) if name == "state" else str(job_said(self.agent.title_variant))

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
