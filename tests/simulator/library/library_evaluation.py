"""Evaluation of the library: coverage, wrong matches, and errors of shares and group gaps."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from voxpop.engines.agents import Agent
from voxpop.engines.question import Question
from voxpop_simulator.library.answers import Library, Match
from voxpop_simulator.library.items import Item, items
from voxpop_simulator.library.mapping import Places

GROUP_SHARES = Path(__file__).parents[2] / "reference" / "library_group_shares.csv"
"""Shares of the items' answers by 21 groups, in thousandths; its effects are fitted to them."""

GAPS = (
    ("male", "female"),
    ("edu_hs", "edu_college"),
    ("age_18_29", "age_60plus"),
    ("eth_white", "eth_black"),
    ("inc_under_25k", "inc_110k_plus"),
    ("party_dem", "party_rep"),
)
LARGE = 8.0
"""Points from which on a difference between two groups counts as a gap."""
_FEWEST = 40


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the item and answers that it stands for; None if no item answers it."""

    question: Question
    item: str | None = None
    places: Places = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Counts of questions by outcome.

    Attributes
    ----------
    asked, found, wrong : int
        Questions, those with an answer, and those of them answered by another item or with other answers.
    wrongly : tuple of (str, str)
        The texts of the wrong ones, with the item that answered.
    error, uniform : float
        Mean error of the shares in points, and that of answering every value alike; 0 if none is found.
    gaps, right : int
        Differences of 8 points or more between two groups of people, and those with the same sign here.
    """

    asked: int
    found: int
    wrong: int
    wrongly: tuple[tuple[str, str], ...]
    error: float
    uniform: float
    gaps: int
    right: int


def evaluated(library: Library, asked: Iterable[Asked], people: Sequence[Agent]) -> Evaluation:
    """Return how a library answers questions whose human answers are known.

    Parameters
    ----------
    library : Library
        The library, without the items whose answers it must not know.
    asked : iterable of Asked
        The questions.
    people : sequence of Agent
        US adults who answer, as many as the shares of small groups need.

    Examples
    --------
    >>> question = Question("Should marijuana be legal?", "yes_no")
    >>> told = evaluated(Library(), [Asked(question, "grass", ((0,), (1,))), Asked(question)], ())
    >>> told.asked, told.found, told.wrong
    (2, 2, 1)
    """
    total = found = gaps = right = 0
    wrongly, errors, uniform = [], [], []
    for one in asked:
        total += 1
        match = library.find(one.question)
        if match is None:
            continue
        found += 1
        if not _same(match, one):
            wrongly.append((one.question.text, match.item.name))
        if one.item is None or not people:
            continue
        answered = [(agent, match.answer(agent)) for agent in people if match.is_for(agent)]
        true = _shares(one, "share")
        assert true is not None
        given = _given(match, [value for _, value in answered])
        errors.append(_distance(given, true))
        uniform.append(_distance([1 / len(true)] * len(true), true))
        large, same = _gaps(match, one, answered)
        gaps, right = gaps + large, right + same
    error, alike = _mean(errors), _mean(uniform)
    return Evaluation(total, found, len(wrongly), tuple(wrongly), error, alike, gaps, right)


def _same(match: Match, asked: Asked) -> bool:
    """Return whether a match is the item of a question, or another form of it, with the same answers."""
    if asked.item is None:
        return False
    family = _by_name()[asked.item].family
    return match.item.family == family and [sorted(at) for at in match.places] == [
        sorted(at) for at in asked.places
    ]


@cache
def _by_name() -> dict[str, Item]:
    return {item.name: item for item in items()}


@cache
def _table() -> dict[str, list[dict[str, str]]]:
    told: dict[str, list[dict[str, str]]] = {}
    with GROUP_SHARES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            told.setdefault(row["item"], []).append(row)
    return told


def _shares(asked: Asked, group: str) -> list[float] | None:
    """Return the shares of a question's values in a group of people, or None if they are unknown."""
    assert asked.item is not None
    cells = [row[group] for row in _table()[asked.item]]
    if "" in cells:
        return None
    sums = [sum(float(cells[place]) for place in at) for at in asked.places]
    return [one / sum(sums) for one in sums] if sum(sums) > 0 else None


def _given(match: Match, values: Sequence[object]) -> list[float]:
    return [values.count(value) / max(len(values), 1) for value in match.values]


def _gaps(match: Match, asked: Asked, answered: Sequence[tuple[Agent, object]]) -> tuple[int, int]:
    """Return the number of large gaps among people, and how many have the same sign among agents."""
    large = same = 0
    for one, other in GAPS:
        first, second = _shares(asked, one), _shares(asked, other)
        ours, theirs = ([value for agent, value in answered if _in(agent, group)] for group in (one, other))
        if first is None or second is None or min(len(ours), len(theirs)) < _FEWEST:
            continue
        here, there = _given(match, ours), _given(match, theirs)
        widest = max(range(len(first)), key=lambda at: abs(first[at] - second[at]))
        gap = first[widest] - second[widest]
        if 100 * abs(gap) >= LARGE:
            large += 1
            same += (here[widest] - there[widest]) * gap > 0
    return large, same


_MEMBERS: dict[str, Callable[[Any], bool]] = {
    "edu_hs": lambda agent: agent.education == "High school graduate/GED",
    "edu_college": lambda agent: agent.education == "College graduate or above",
    "age_18_29": lambda agent: agent.age < 30,
    "age_60plus": lambda agent: agent.age >= 60,
    "eth_white": lambda agent: agent.ethnicity == "White, non-Hispanic",
    "eth_black": lambda agent: agent.ethnicity == "Black or African American",
    "inc_under_25k": lambda agent: agent.household_income in ("Under $15,000", "$15,000-$24,999"),
    "inc_110k_plus": lambda agent: agent.household_income in ("$150,000-$199,999", "$200,000 and over"),
    "party_dem": lambda agent: agent.party_id in ("strong_democrat", "democrat"),
    "party_rep": lambda agent: agent.party_id in ("strong_republican", "republican"),
}


def _in(agent: Agent, group: str) -> bool:
    return _MEMBERS[group](agent) if group in _MEMBERS else agent.gender == group


def _distance(given: Sequence[float], true: Sequence[float]) -> float:
    return 100 * sum(abs(one - other) for one, other in zip(given, true, strict=True)) / len(true)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
