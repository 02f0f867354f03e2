"""The writing contract: findings as sentences that cite the findings they state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from voxpop.engines.spent import Spent


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, with the indices of the findings it states."""

    text: str
    findings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """Sentences of a writer, or the reason for having none.

    Attributes
    ----------
    sentences : tuple of Sentence
        The sentences; empty if nothing was written.
    problem : str or None
        Reason for writing nothing.
    spent : Spent or None
        Calls, tokens and cost.
    """

    sentences: tuple[Sentence, ...]
    problem: str | None = None
    spent: Spent | None = None


class Writer(Protocol):
    """Writes summaries and follow-up questions from the findings of a study."""

    name: str

    def retell(self, findings: Sequence[str]) -> Written:
        """Return three to six sentences that state nothing beyond the findings."""
        ...

    def follow_up(self, reasons: Sequence[str]) -> Written:
        """Return follow-up questions, as sentences that cite their reasons."""
        ...
