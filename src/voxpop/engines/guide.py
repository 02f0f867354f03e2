"""The guide contract: questions for an objective."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from voxpop.engines.question import Question
from voxpop.vocabulary import Filter


class Guide(Protocol):
    """Proposes the questions of an interview or a study."""

    def interview_guide(self, objective: str, audience: Filter | None = None) -> Sequence[Question]:
        """Return 3 to 7 interview questions, each with its own key.

        Parameters
        ----------
        objective : str
            Goal of the interviews, in any words.
        audience : Filter, optional
            The audience.
        """
        ...

    def study_questions(
        self, objective: str, count: int = 4, audience: Filter | None = None
    ) -> Sequence[Question]:
        """Return ``count`` study questions, 1 to 7, in the order to ask them."""
        ...
