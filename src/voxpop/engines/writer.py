"""What a writer does: tells findings in better words, each sentence saying what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from voxpop.engines.spent import Spent


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and the places of the findings that it tells."""

    text: str
    findings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """What was written.

    Attributes
    ----------
    sentences : tuple of Sentence
        Empty when nothing was written.
    problem : str or None
        Why nothing was.
    spent : Spent or None
        What it took.
    """

    sentences: tuple[Sentence, ...]
    problem: str | None = None
    spent: Spent | None = None


class Writer(Protocol):
    """Tells the findings of a study."""

    name: str

    def retell(self, findings: Sequence[str]) -> Written:
        """Return three to six sentences that say nothing beyond the findings."""
        ...

    def follow_up(self, reasons: Sequence[str]) -> Written:
        """Return questions to ask next, as sentences that name the reasons that they follow."""
        ...
