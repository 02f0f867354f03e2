"""Purchase funnel: one position per agent and thing, from never heard of to bought every week.

All questions on having heard of, tried, bought or used a thing, and on how often, are read off the same
position, so that no two answers contradict each other. The shares are placeholders, except where the table of
options knows who uses the thing.
"""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from voxpop.engines.draws import draws, key
from voxpop.engines.option_order import ESCAPE
from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORY, NUMBER
from voxpop_simulator.questions.brands import brands_in
from voxpop_simulator.questions.follow_ups import name_in
from voxpop_simulator.questions.how_often import YEAR, Habit, frequencies, habit_of
from voxpop_simulator.questions.ordinals import Ordered
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.topics import content, topics_of
from voxpop_simulator.stances.choices import UsedFact, used_fact
from voxpop_simulator.stances.gates import Gate
from voxpop_simulator.stances.leanings import LEANING, Leaning
from voxpop_simulator.stances.life_facts import Fact
from voxpop_simulator.stances.normals import normal

_TOP = 65_536
_BUYING = Habit("buying", 0.9, 0.6, 0.0)
"""Rate of those who buy a thing: usually eight times a year; our value."""

_SHARES = {"known": (0.9, 0.6), "new": (0.26, 0.12), "": (0.98, 0.8)}
"""Shares that have heard of a thing and that have bought it: a well-known brand, another name, and a kind of
thing; ours."""
_OWN = 0.62
"""Weight of an agent's own draw beside its leanings."""

_VERB = (
    r"(?:b(?:uy|ought)|purchased?|use[ds]?|tr(?:y|ied)|order(?:ed)?|eat(?:en)?|ate|dr[aiu]nk|visit(?:ed)?"
    r"|shop(?:ped)? (?:at|in|with)|own(?:ed)?|subscribed? to|watch(?:ed)?|play(?:ed)?|worn|wear)"
)
_WINDOW = Pattern(
    r"\b(?:past|last|previous|this)(?: (\d+|two|three|six|twelve|few|couple of))? (day|week|month|year)s?\b",
    re.I,
)
_MOST, _MOST_TIMES = {"day": 3, "week": 14, "month": 31, "year": 99}, 99
_MANY = {"two": 2, "three": 3, "six": 6, "twelve": 12, "few": 3, "couple of": 2}
_NOT = Pattern(
    r"\b(?:not|never|stop(?:ped)?|quit|avoid\w*|refus\w*|n't|no longer|less|more|would|will|or)\b", re.I
)
_STAGES = (
    (
        "aware",
        Pattern(r"^(?:have|had|are|do) you (?:ever )?(?:heard of|aware of|familiar with|know of)\b", re.I),
    ),
    ("ever", Pattern(rf"^have you ever {_VERB}\b", re.I)),
    ("lately", Pattern(rf"^(?:have|did) you (?:recently )?{_VERB}\b.*\b(?:past|last|previous|this)\b", re.I)),
    ("often", Pattern(rf"^how (?:often|frequently) (?:do|did) you (?:usually |typically )?{_VERB}\b", re.I)),
    ("count", Pattern(rf"^how many times (?:have|did|do) you {_VERB}\b", re.I)),
    ("now", Pattern(rf"^do you (?:currently |now )?{_VERB}\b", re.I)),
)


@dataclass(frozen=True, slots=True)
class Funnel:
    """A question on the stage that an agent has reached with a thing.

    Attributes
    ----------
    thing : bytes
        Key of the thing: all questions about it have the same position of an agent.
    cuts : tuple of int
        Positions, 0 to 65,535, between neighbouring answers, from the lowest answer to the highest.
    user : Fact or None
        Whether the agent uses the thing, if the table of options knows.
    user_cut : int
        Position from which agents use the thing.
    leanings : tuple
        Leanings with weights that decide with the agent's own draw, for a behaviour of known frequency.
    gate : Gate or None
        What agents must have or do to use the thing.
    """

    thing: bytes
    cuts: tuple[int, ...]
    user: Fact | None
    user_cut: int
    leanings: tuple[tuple[Leaning, float], ...] = ()
    gate: Gate | None = None

    def unavailable(self) -> Funnel:
        """Return the stage for a thing that nobody can have bought or used yet."""
        return replace(self, cuts=(_TOP,) * len(self.cuts))

    def place(self, person: tuple[float, ...], uuid: bytes) -> int:
        """Return the position of an agent, 0 to 65,535."""
        block = draws(self.thing, uuid)
        at = block[0]
        if self.leanings:
            drawn = normal(block) * _OWN
            for leaning, weight in self.leanings:
                drawn += weight * leaning.of(person, uuid)
            at = min(int(_TOP * _below(drawn)), _TOP - 1)
        if self.gate is not None and self.gate.shut(person, uuid):
            return at * self.user_cut // _TOP
        if self.user is None:
            return at
        if self.user.holds(person, uuid):
            return self.user_cut + at * (_TOP - self.user_cut) // _TOP
        return at * self.user_cut // _TOP

    def leaning(self, person: tuple[float, ...], uuid: bytes) -> float:
        """Return how much an agent leans to the thing, -1.7 to 1.7: those who buy it most like it best."""
        return (self.place(person, uuid) / (_TOP / 2) - 1) * 1.7

    def answer(
        self, question: Question, order: Ordered | None, person: tuple[float, ...], uuid: bytes
    ) -> Any:
        """Return the coded answer of an agent."""
        rank = bisect_right(self.cuts, self.place(person, uuid))
        if question.shape is BOOLEAN:
            return rank > 0
        if question.shape is NUMBER:
            return rank
        assert order is not None  # a question with options has an order here
        return question.options[order.ranks.index(rank)]


def funnel_of(
    question: Question, sentence: str, order: Ordered | None, gate: Gate | None = None
) -> Funnel | None:
    """Return the stage in the purchase funnel that a question asks for, or None.

    Examples
    --------
    >>> heard = Question("Have you heard of Oatly?", "yes_no")
    >>> bought = Question("Have you ever bought Oatly?", "yes_no")
    >>> first, second = (funnel_of(each, each.text, None) for each in (heard, bought))
    >>> first.thing == second.thing, first.cuts < second.cuts
    (True, True)
    >>> wish = Question("Would you buy Oatly?", "yes_no")
    >>> funnel_of(wish, wish.text, None) is None
    True
    """
    stage = next((name for name, pattern in _STAGES if pattern.search(sentence)), None)
    if stage is None or _NOT.search(sentence) or question.shape is not _SHAPES[stage]:
        return None
    name = name_in(question.text)
    thing = (name.casefold(),) if name else _thing(sentence)
    if not thing:
        return None
    habit = habit_of(" ".join(("use", _bare(sentence))))
    user = _user(sentence, name)
    steps = _steps(user, "" if not name else "known" if brands_in(question.text) else "new", habit)
    cuts = _cuts(stage, question, sentence, order, steps, habit or _BUYING)
    if cuts is None:
        return None
    leanings = () if habit is None or name else _leanings(_bare(sentence))
    return Funnel(key("funnel", *thing), cuts, user, steps[2], leanings, None if name else gate)


_SHAPES = {
    "aware": BOOLEAN,
    "ever": BOOLEAN,
    "lately": BOOLEAN,
    "now": BOOLEAN,
    "often": CATEGORY,
    "count": NUMBER,
}


def _bare(sentence: str) -> str:
    """Return the words on the thing alone, without the way of asking."""
    return " ".join(_ASKING.sub(" ", _WINDOW.sub(" ", sentence)).rstrip("?. ").split())


_ASKING = Pattern(
    rf"\b(?:how (?:often|frequently|many times)|have|had|are|did|do|you|ever|currently|now|recently|usually"
    rf"|typically|heard of|aware of|familiar with|know of|in the|{_VERB})\b",
    re.I,
)


def _thing(sentence: str) -> tuple[str, ...]:
    return tuple(sorted(content(_bare(sentence))))


@lru_cache(maxsize=1024)
def _leanings(thing: str) -> tuple[tuple[Leaning, float], ...]:
    """Return the leanings that a behaviour goes with, weighted so that their sum varies like 0.78 of one."""
    found = topics_of(thing)
    size = math.sqrt(sum(weight * weight for _, weight in found)) or 1.0
    return tuple((LEANING[name], round(0.78 * weight / size, 6)) for name, weight in found)


@lru_cache(maxsize=1024)
def _user(sentence: str, name: str) -> Fact | None:
    """Return the fact of using a named thing, if the table of options has it."""
    if not name:
        return None
    ways = (
        sentence,
        *(f"Do you {verb} {name}?" for verb in ("use", "buy", "shop at", "have", "drink", "watch")),
    )
    return next((fact for way in ways if (fact := used_fact(way, alone=False)) is not None), None)


def _steps(user: Fact | None, kind: str, habit: Habit | None) -> tuple[int, int, int]:
    """Return the positions from which agents have heard of a thing, have bought it, and use it."""
    if user is not None:
        level = (
            user.pick.level / user.pick.size if isinstance(user, UsedFact) and user.pick else user.threshold
        )
        using = min(max(_below(level), 0.02), 0.98)
        return int(_TOP * using * 0.15), int(_TOP * using * 0.6), int(_TOP * using)
    aware, ever = _SHARES[kind]
    if habit is not None and not kind:
        ever = 1 - habit.never
        aware = max(aware, ever)
    return int(_TOP * (1 - aware)), int(_TOP * (1 - ever)), int(_TOP * (1 - ever))


def _cuts(
    stage: str,
    question: Question,
    sentence: str,
    order: Ordered | None,
    steps: tuple[int, int, int],
    habit: Habit,
) -> tuple[int, ...] | None:
    aware, ever, using = steps
    if stage in ("aware", "ever"):
        return (aware,) if stage == "aware" else (ever,)
    if stage == "now":
        return (_from_rate(1.0, ever, habit) if using == ever else using,)
    if stage == "often":
        return _between(question, order, using, habit)
    many, unit = _window(sentence)
    if not many:
        return None
    years = many / YEAR[unit]
    most = 1 if stage == "lately" else min(many * _MOST[unit], _MOST_TIMES)
    return tuple(_from_rate((times - 0.5) / years, using, habit) for times in range(1, most + 1))


def _window(sentence: str) -> tuple[int, str]:
    """Return the window of time of a question: how many of which unit; 0 if it names none."""
    found = _WINDOW.search(sentence)
    if found is None:
        return 0, "year"
    many = found[1] or "1"
    return (int(many) if many.isdigit() else _MANY[many.lower()]), found[2].lower()


def _between(question: Question, order: Ordered | None, using: int, habit: Habit) -> tuple[int, ...] | None:
    """Return the positions between frequencies; "never" is said by those who do not use it."""
    real = tuple(option for option in question.options if not ESCAPE.match(option))
    rates = frequencies(real, habit) if len(real) > 1 else None
    if rates is None or order is None or order.levels != len(real):
        return None
    line = sorted(rates)
    return tuple(
        using if low <= 0 else _from_rate(math.sqrt(low * high), using, habit)
        for low, high in itertools.pairwise(line)
    )


def _from_rate(rate: float, using: int, habit: Habit) -> int:
    """Return the position from which agents use a thing so many times a year."""
    below = _below((math.log10(rate) - habit.middle) / habit.spread)
    among = max((below - habit.never) / (1 - habit.never), 0.0)
    return using + int((_TOP - using) * among)


@lru_cache(maxsize=1024)
def familiarity_of(question: Question) -> Funnel | None:
    """Return the funnel of the single name in a question, for its :meth:`Funnel.leaning`, or None."""
    name = name_in(question.text)
    if not name:
        return None
    user = _user(question.text, name)
    steps = _steps(user, "known" if brands_in(question.text) else "new", None)
    return Funnel(key("funnel", name.casefold()), (), user, steps[2])


def _below(deviate: float) -> float:
    """Return the share of a normal distribution below a deviate."""
    return 0.5 * math.erfc(-deviate / math.sqrt(2))
