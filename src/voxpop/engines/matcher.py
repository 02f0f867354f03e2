"""The matching contract: the question of a survey that asks the same as a study's question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from voxpop.engines.human_survey import Asked
from voxpop.engines.question import Question


@dataclass(frozen=True, slots=True)
class Matched:
    """A survey question that asks the same as a study's question.

    Attributes
    ----------
    asked : Asked
        The survey's question.
    places : tuple of tuple of int
        For each coded value of the study's question (True and False, its options, or the points of its scale)
        the survey's options that it counts; empty if both are numbers.
    """

    asked: Asked
    places: tuple[tuple[int, ...], ...] = ()


Find = Callable[[Question], Matched | None]
"""Returns the survey question that certainly asks the same as a question, or None."""


class Matcher(Protocol):
    """Compares questions with those of a survey."""

    def index(self, asked: Sequence[Asked]) -> Find:
        """Return a function that finds a question among those of a survey.

        The same question in other words, with options merged or in the opposite direction, may be found; one
        about another thing, time, person or amount must not.
        """
        ...
