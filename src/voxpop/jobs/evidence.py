"""The answers of a study as columns, and claims based on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.engines.agents import Agent
from voxpop.records.questions import Answer, AskedQuestion
from voxpop.vocabulary.shapes import BOOLEAN, INTEGER, NUMBER, RANKING

Mask = npt.NDArray[np.bool_]
Claim = dict[str, Any]

SIMULATED = "The agents are simulated: what they answer is not evidence about people."


@dataclass(frozen=True, slots=True)
class Column:
    """One question with its answers, with one place per respondent of the study.

    ``ids`` holds the id of each answer, or 0 where there is none; ``base`` marks the answers that count: for
    a coded question those with a value ("don't know" has none), for an open one all of them. ``removed`` is
    the number of answers excluded because their agent was removed from the study, ``placeholders`` that of
    answers excluded because no figure is known for them.
    """

    question: AskedQuestion
    answers: tuple[Answer | None, ...]
    values: tuple[Any, ...]
    ids: npt.NDArray[np.int64]
    base: Mask
    removed: int
    placeholders: int = 0

    @property
    def answered(self) -> int:
        """Number of agents who answered, including "don't know"."""
        return int(np.count_nonzero(self.ids))

    @property
    def size(self) -> int:
        """Number of answers that count."""
        return int(np.count_nonzero(self.base))

    def where(self, chosen: Iterable[bool]) -> Mask:
        """Mark the answers of the base for which ``chosen`` holds."""
        return np.fromiter(chosen, dtype=np.bool_, count=len(self.values)) & self.base

    def answer_ids(self, chosen: Mask) -> list[int]:
        """Return the ids of the marked answers, lowest first."""
        return sorted(int(number) for number in self.ids[chosen & (self.ids > 0)])


@dataclass(frozen=True, slots=True)
class Outcome:
    """A possible answer of an agent: ``phrase`` completes "the agents who …"."""

    column: Column
    label: str
    phrase: str
    chosen: Mask

    @property
    def count(self) -> int:
        """Number of agents with this answer."""
        return int(np.count_nonzero(self.chosen))


@dataclass(frozen=True, slots=True)
class Evidence:
    """Input of the completion steps: one column per question, one place per agent."""

    columns: tuple[Column, ...]
    agents: tuple[Agent, ...]

    @property
    def removed_answers(self) -> int:
        """Number of excluded answers of removed agents."""
        return sum(column.removed for column in self.columns)

    @property
    def placeholders(self) -> int:
        """Number of excluded answers without a known figure."""
        return sum(column.placeholders for column in self.columns)


def gather(
    questions: Sequence[AskedQuestion], answers: Iterable[Answer], agents: Mapping[int, Agent]
) -> Evidence:
    """Lay out answers as columns, with agents in order of their ids.

    Parameters
    ----------
    questions : sequence of AskedQuestion
        The study's questions in the order asked.
    answers : iterable of Answer
        The answers in any order. Those of removed agents are counted and excluded.
    agents : mapping of int to Agent
        The profile of every agent who answered.
    """
    by_question: dict[int, dict[int, Answer]] = {question.id: {} for question in questions}
    removed: Counter[int] = Counter()
    for answer in answers:
        if answer.agent_removed:
            removed[answer.question_id] += 1
        elif answer.question_id in by_question:
            by_question[answer.question_id][answer.agent_id] = answer
    order = sorted(set().union(*by_question.values()))
    columns = tuple(_column(q, by_question[q.id], order, removed[q.id]) for q in questions)
    return Evidence(columns, tuple(agents[number] for number in order))


def _column(
    question: AskedQuestion, given: Mapping[int, Answer], order: Sequence[int], removed: int
) -> Column:
    answers = tuple(given.get(number) for number in order)
    values = tuple(None if answer is None else answer.value for answer in answers)
    ids = np.fromiter((answer.id if answer else 0 for answer in answers), np.int64, len(order))
    if not question.shape.coded:
        base = ids > 0
    else:
        base = np.fromiter((value is not None for value in values), np.bool_, len(order))
    return Column(question, answers, values, ids, base, removed)


def outcomes(column: Column) -> list[Outcome]:
    """Return the possible outcomes of a coded question; both sides of one that has two.

    A scale is split at its middle and a number at its median; for a ranking the first place counts.
    """
    shape, values = column.question.shape, column.values
    if shape is BOOLEAN:
        sides = [("Yes", "say Yes", True), ("No", "say No", False)]
        return [
            Outcome(column, name, phrase, column.where(v is x for v in values)) for name, phrase, x in sides
        ]
    if shape is INTEGER:
        low, high = scale_ends(column.question)
        return _sides(column, (low + high) / 2, "the middle of the scale", "rate it above", "rate it below")
    if shape is NUMBER and column.size:
        median = float(np.median([float(value) for value in values if value is not None]))
        return _sides(
            column, median, number_text(median, column.question.unit), "say more than", "say less than"
        )
    if not shape.phrase:
        return []
    return [
        Outcome(column, option, shape.phrase.format(quoted(option, 60)), chosen)
        for option, chosen in by_option(column)
    ]


def _sides(column: Column, cut: float, cut_text: str, above: str, below: str) -> list[Outcome]:
    high = column.where(value is not None and value > cut for value in column.values)
    low = column.where(value is not None and value < cut for value in column.values)
    return [
        Outcome(column, f"above {cut_text}", f"{above} {cut_text}", high),
        Outcome(column, f"below {cut_text}", f"{below} {cut_text}", low),
    ]


def by_option(column: Column) -> list[tuple[str, Mask]]:
    """Return each option with the agents who chose it, named it, or ranked it first.

    Options come in the question's order, followed by answers outside the options, sorted.
    """
    shape = column.question.shape
    picked: list[tuple[str, ...]] = [
        () if value is None else tuple(map(str, value)) if shape.several else (str(value),)
        for value in column.values
    ]
    if shape is RANKING:
        picked = [names[:1] for names in picked]
    listed = tuple(column.question.options or ())
    extra = sorted({name for names in picked for name in names} - set(listed))
    places = {name: place for place, name in enumerate((*listed, *extra))}
    chosen = np.zeros((len(places), len(picked)), dtype=np.bool_)
    for row, names in enumerate(picked):
        for name in names:
            chosen[places[name], row] = True
    return [(name, chosen[place] & column.base) for name, place in places.items()]


def scale_ends(question: AskedQuestion) -> tuple[int, int]:
    """Return the lowest and the highest point of a scale question."""
    scale = question.scale
    return (0, 10) if scale is None else (scale.min, scale.max)


def claim(
    text: str, rests_on: Iterable[tuple[Column, Mask]], *, count: int, base: int, **numbers: Any
) -> Claim:
    """Return a claim: a sentence with the answers it is based on.

    Parameters
    ----------
    text : str
        The sentence.
    rests_on : iterable of (Column, mask)
        The answers from which the claim's ``count`` (or its mean) is computed.
    count, base : int
        Number of agents that the claim is about, and the number of agents it is out of.
    """
    parts = list(rests_on)
    return {
        "text": text,
        "answer_ids": sorted(number for column, chosen in parts for number in column.answer_ids(chosen)),
        "question_ids": sorted({column.question.id for column, _ in parts}),
        "count": count,
        "base": base,
        **numbers,
    }


def percent(count: int, base: int) -> str:
    """Format a share as whole percent, rounding half up; a dash for a base of 0.

    Examples
    --------
    >>> percent(1, 8), percent(0, 0)
    ('13%', '–')
    """
    return f"{(200 * count + base) // (2 * base)}%" if base else "–"


def share_text(count: int, base: int) -> str:
    """Format a share with its count and base.

    Examples
    --------
    >>> share_text(124, 200)
    '62% (124 of 200)'
    """
    return f"{percent(count, base)} ({count:,} of {base:,})"


def quoted(text: str, width: int = 90) -> str:
    """Quote the words of a question or an option on one line, shortened if necessary.

    Examples
    --------
    >>> quoted("Would  you switch?"), quoted("a very long option", 10)
    ('“Would you switch?”', '“a very…”')
    """
    line = " ".join(text[: 4 * width].split())
    if len(line) > width:
        line = line[: width - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
    return f"“{line}”"


def number_text(value: float, unit: str | None = None) -> str:
    """Format a number with its unit.

    Examples
    --------
    >>> number_text(12.0, "USD"), number_text(1234.5), number_text(3.14159, "hours")
    ('$12', '1,234.5', '3.14 hours')
    """
    short = f"{value:,.2f}".rstrip("0").rstrip(".")
    if unit in ("USD", "$"):
        return f"${short}" if value == int(value) else f"${value:,.2f}"
    return f"{short} {unit}" if unit else short
