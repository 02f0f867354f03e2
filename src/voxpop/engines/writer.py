"""The contract for writing: findings in sentences that name what they rest on."""

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
    """Sentences from a writer, or the reason why there are none.

    Attributes
    ----------
    sentences : tuple of Sentence
        Empty when nothing was written.
    problem : str or None
        The reason why nothing was written.
    spent : Spent or None
        Calls, tokens and cost.
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
