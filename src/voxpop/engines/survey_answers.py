"""The answers of a survey's respondents as answers to a study's question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.engines.human_survey import CATEGORY, NUMBER, Asked, Floats
from voxpop.engines.matcher import Matched
from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import BOOLEAN, INTEGER

FEWEST_ANSWERS = 30
"""Least number of respondents who gave an answer that the question counts."""

SHARED_BY = 3
"""Least number of respondents who share a number that an agent may give."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The coded answer of each respondent to a study's question.

    Attributes
    ----------
    values : tuple
        Coded answers; None without one.
    usable : array of bool
        Whether each respondent has an answer.
    """

    values: tuple[Any, ...]
    usable: npt.NDArray[np.bool_]

    def of(self, donor: int) -> tuple[Any, str]:
        """Return the coded answer of a respondent, and the answer in words."""
        value = self.values[donor]
        return (list(value) if isinstance(value, tuple) else value), _words(value)


def answers_of(question: Question, found: Matched) -> Answers | None:
    """Return the respondents' answers to a question, or None if too few have one.

    Parameters
    ----------
    question, found
        The study's question, and the survey's question that asks the same.
    """
    asked = found.asked
    if asked.kind == NUMBER:
        values = _numbers(asked, whole=question.shape is INTEGER)
    elif asked.kind == CATEGORY:
        counted = {
            place: value for value, at in zip(_coded(question), found.places, strict=True) for place in at
        }
        values = [None if one != one else counted.get(int(one)) for one in asked.values.tolist()]
    else:
        values = _chosen(question, found)
    usable = np.array([value is not None for value in values])
    return Answers(tuple(values), usable) if int(usable.sum()) >= FEWEST_ANSWERS else None


def _coded(question: Question) -> tuple[Any, ...]:
    """Return the coded values of a question."""
    if question.shape is BOOLEAN:
        return True, False
    if question.shape is INTEGER:
        assert question.scale is not None
        return tuple(range(question.scale.min, question.scale.max + 1))
    return question.options


def _chosen(question: Question, found: Matched) -> list[Any]:
    answered, values = found.asked.answered, found.asked.values
    columns = [values[:, list(at)].max(axis=1) for at in found.places]
    return [
        tuple(option for option, column in zip(question.options, columns, strict=True) if column[row] > 0)
        if answered[row]
        else None
        for row in range(answered.size)
    ]


def _numbers(asked: Asked, *, whole: bool) -> list[Any]:
    given = asked.values if whole else shared_numbers(asked.values)
    return [None if one != one else int(one) if one == int(one) else one for one in given.tolist()]


def shared_numbers(values: Floats) -> Floats:
    """Return numbers with rare ones replaced by the mean of a few neighbours (microaggregation).

    A number that fewer than 3 people gave could be traced to one of them. Rare numbers are put together in
    order, at least 3 of them, and replaced by their mean, so the mean of all people stays the same
    (J. Domingo-Ferrer and J. Mateo-Sanz, *IEEE Transactions on Knowledge and Data Engineering* 14, 2002).

    Examples
    --------
    >>> shared_numbers(np.array([10.0, 10.0, 10.0, 31.0, 32.0, 36.0, np.nan])).tolist()
    [10.0, 10.0, 10.0, 33.0, 33.0, 33.0, nan]
    """
    made = values.copy()
    different, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    rare = different[counts < SHARED_BY]
    rows = np.flatnonzero(np.isin(values, rare))
    rows = rows[np.argsort(values[rows], kind="stable")]
    groups = max(1, rows.size // SHARED_BY)
    for group in np.array_split(rows, groups):
        if group.size:
            made[group] = values[group].mean()
    return made


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "Yes." if value else "No."
    if isinstance(value, tuple):
        return "; ".join(value) or "None of these."
    return str(value) if isinstance(value, str) else f"{value:,}"
