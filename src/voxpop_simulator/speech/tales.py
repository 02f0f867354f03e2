"""Authored lines with required tags, selected for one agent and spoken by its grammar.

A line is ``tags| text``; a tag with ``!`` must not hold. Lines with American wording are used by agents in
the USA; agents elsewhere use the remainder without that wording.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from voxpop.engines.agents import Agent
from voxpop.vocabulary.fields import FIELDS
from voxpop_simulator.questions.place_codes import place
from voxpop_simulator.speech.grammar import Choice, Count, Dice, Money, Named, Parts, parse, say
from voxpop_simulator.speech.lexicon import RATES, american, elsewhere, thesaurus
from voxpop_simulator.speech.tags import (
    ASKED_FACTS,
    ASKED_LEANINGS,
    BITS,
    country_tag,
    fact_tags,
    job_said,
    leaning_tags,
    tags_of,
)
from voxpop_simulator.speech.texts import sections
from voxpop_simulator.stances.leanings import traits


@dataclass(frozen=True, slots=True)
class Line:
    """One authored line with its required and its excluded tags."""

    need: int
    never: int
    parts: Parts
    times: int


class Lines:
    """Authored lines of one kind, each repeated by its weight."""

    __slots__ = ("lines", "spread")

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines: tuple[Line, ...] = tuple(lines)
        self.spread: tuple[Line, ...] = tuple(line for line in self.lines for _ in range(line.times))

    def draw(self, speaker: Narrator, used: set[int]) -> Parts | None:
        """Return an unused line that is true of a speaker, or None."""
        spread, dice = self.spread, speaker.dice
        many = len(spread)
        if not many:
            return None
        for tried in range(1, _TRIES):
            line = spread[dice.at(many)]
            if id(line.parts) not in used and speaker.may_say(line):
                dice.ways = dice.ways * many // (line.times * tried)
                return line.parts
        fitting = [line for line in spread if id(line.parts) not in used and speaker.may_say(line)]
        if not fitting:
            return None
        line = fitting[dice.at(len(fitting))]
        dice.ways = dice.ways * len(fitting) // line.times
        return line.parts


_TRIES = 24
"""Number of draws from all lines of a bank before a search for lines that are true."""


def _lines(tags: str, text: str, times: Weights) -> list[Line]:
    """Return the lines of a text; a line that is only a choice is split into its alternatives."""
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
        return _spoken(need, never, text, times)
    if not need & BITS["abroad"]:
        made += _spoken(need | BITS["us"], never, text, times)
    other = elsewhere(text)
    if other is not None and not need & BITS["us"]:
        made += _spoken(need, never | BITS["us"], other, times)
    return made


# residents of the country use the line unchanged, including dollars
_ELSEWHERE = sum(BITS[country_tag(name)] for name in FIELDS["country"].levels if name != "USA")
_SLOT_TAGS = (("<job>", "title"), ("<state>", "placed"))


def _spoken(need: int, never: int, text: str, times: Weights) -> list[Line]:
    parts = parse(thesaurus(text))
    whole = parts[0].ways if len(parts) == 1 and isinstance(parts[0], Choice) else (parts,)
    return [Line(need, never, each, _places(each, times)) for each in whole]


def _places(parts: Parts, times: Weights) -> int:
    """Return the weight of a line: higher if it varies, lower if it is long."""
    many = _times(ways_of(parts), times)
    if times is EVENLY:
        return max(round(many * 8 * float((_USUAL / max(_fixed(parts), _USUAL)) ** 1.5)), 1)
    if times is _OF_WORDS:
        return many
    return max(round(many * 8 * float(min(1.0, _USUAL / _words(parts)) ** 1.5)), 1)


_USUAL = 5


def _words(parts: Parts) -> int:
    """Return the approximate number of spoken words."""
    count = 0
    for part in parts:
        if isinstance(part, str):
            count += len(part.split())
        elif isinstance(part, Choice):
            count += sum(_words(way) for way in part.ways) // len(part.ways)
        else:
            count += 1
    return max(count, 1)


def _fixed(parts: Parts) -> int:
    """Return the number of words that never vary."""
    return sum(part.count(" ") for part in parts if isinstance(part, str))


def _times(ways: int, times: Weights) -> int:
    return next(many for limit, many in times if ways < limit)


Weights: TypeAlias = "tuple[tuple[int, int], ...]"
# lines with few variants are used by few: number of variants -> weight
_OF_LINES: Weights = ((4, 1), (30, 2), (400, 3), (4_000, 4), (40_000, 6), (10**30, 9))
_OF_WORDS: Weights = ((4, 1), (20, 4), (40, 8), (70, 14), (10**30, 20))
EVENLY: Weights = ((4, 1), (16, 2), (3_000, 3), (1_000_000, 4), (10**30, 14))
"""Weights of lines that are complete stories: lines with many variants come often, more so the fewer constant
words they have."""


def ways_of(parts: Parts) -> int:
    """Return the approximate number of variants of parts.

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
            ways *= _AMOUNT
        elif isinstance(part, Count):
            ways *= part.high - part.low + 1
    return ways


@cache
def _named_ways(name: str) -> int:
    if name in (*_OWN, *_ASIDES):
        return 20
    return sum(ways_of(parse(text.rpartition("|")[2].strip())) for text in sections("lexicon")[name])


_ASIDES = ("who", "when", "once", "name", "her", "him", "often", "weekday", "month")
"""Lists whose entries hardly change the meaning: persons and times."""
_AMOUNT = 12
"""Number of variants that an amount of money counts as; it hardly changes the meaning either."""
_OWN = ("job", "state", "age")
"""Named slots that are filled from the agent's profile."""


def lines_of(texts: Sequence[str], times: Weights | None = None) -> Lines:
    """Return lines of one kind; a text may start with ``tags|``."""
    weights = times or _OF_LINES
    made: list[Line] = []
    for text in texts:
        tags, bar, rest = text.partition("|")
        made += _lines(tags, rest.strip(), weights) if bar else _lines("", text, weights)
    return Lines(made)


_NAMED: dict[str, Lines] = {}


class Narrator:
    """One agent as a speaker: its tags, its draws and its currency."""

    __slots__ = ("_known", "_last", "_person", "_tags", "agent", "dice")

    def __init__(self, agent: Agent, dice: Dice) -> None:
        self.agent, self.dice = agent, dice
        self._tags, self._known = tags_of(agent), 0
        self._last: dict[str, Parts] = {}
        self._person: tuple[float, ...] | None = None

    def tags(self, wanted: int) -> int:
        """Return the agent's tags, including possessions and leanings if a wanted tag requires them."""
        missing = wanted & ~self._known
        if not missing & (ASKED_FACTS | ASKED_LEANINGS):
            return self._tags
        if self._person is None:
            self._person = traits(self.agent)
        if missing & ASKED_FACTS:
            self._tags |= fact_tags(self.agent, self._person)
            self._known |= ASKED_FACTS
        if missing & ASKED_LEANINGS:
            self._tags |= leaning_tags(self.agent, missing, self._person)
            self._known |= missing & ASKED_LEANINGS
        return self._tags

    def word(self, name: str) -> Parts:
        """Return an entry of a word list that is true of the agent, different from the last one."""
        if name in _OWN:
            return (self._own(name),)
        known = _NAMED.get(name)
        if known is None:
            known = _NAMED[name] = lines_of(sections("lexicon")[name], _OF_WORDS)
        last = self._last.get(name)
        parts = known.draw(self, {id(last)} if last is not None and len(last) == 1 else set())
        parts = parts or last
        if parts is None:
            raise ValueError(f"no entry of the word list {name} is true of agent {self.agent.id}")
        self._last[name] = parts
        return parts

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
        self.dice.ways = self.dice.ways * min(int((high - low) * rate / step) + 1, 97) // 97
        if value < 30 and rate < 3 and self.dice.below(2):
            return f"{sign}{value}.{_CENTS[self.dice.below(len(_CENTS))]}"
        return f"{sign}{value:,}"

    def may_say(self, line: Line) -> bool:
        """Return whether a line is true of the agent."""
        wanted = line.need | line.never
        if not wanted:
            return True
        tags = self.tags(wanted)
        return line.need & tags == line.need and not line.never & tags

    def tell(self, lines: Lines, used: set[int]) -> str:
        """Return an unused line that fits, or ""."""
        parts = lines.draw(self, used)
        if parts is None:
            return ""
        used.add(id(parts))
        return say(parts, self)


_CENTS = ("49", "79", "99", "50", "29", "25", "19", "39", "89", "69", "75")
_STEPS = ((60, 1), (300, 5), (1_000, 10), (5_000, 100), (100_000, 1_000), (10**12, 10_000))
