"""A text being planned, with the answers given so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from voxpop.engines.audience import Refusal
from voxpop.vocabulary import Condition
from voxpop_simulator.audiences.audience_text import Reading
from voxpop_simulator.audiences.text_quotas import Cells
from voxpop_simulator.audiences.understood import Origins


@dataclass
class PlanState:
    """A text with the results of its clarifications."""

    reading: Reading
    original: str = ""
    origins: Origins = ()
    quotas: dict[str, Cells] = field(default_factory=dict)
    both: bool = False
    anywhere: bool = False
    country: tuple[str, ...] = ()
    settled: set[str] = field(default_factory=set)
    fixed: dict[str, Condition] = field(default_factory=dict)
    refusal: Refusal | None = None
