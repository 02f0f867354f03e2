"""What a restater does: says a thesis in one plain sentence, out of which its panels are composed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from voxpop.questions.spent import Spent


@dataclass(frozen=True, slots=True)
class Restated:
    """A thesis in other words.

    Attributes
    ----------
    text : str or None
        One sentence; None when the thesis has to be taken in its own words.
    spent : Spent or None
        What it took.
    """

    text: str | None
    spent: Spent | None = None


class Restater(Protocol):
    """Says theses in one plain sentence each."""

    name: str

    def restate(self, thesis: str, answers: Sequence[tuple[str, str]] = ()) -> Restated:
        """Return what a thesis claims.

        Parameters
        ----------
        thesis : str
            In the words of whoever has it.
        answers : sequence of (str, str), default ()
            Earlier clarification questions, each with its answer, the oldest first.
        """
        ...
