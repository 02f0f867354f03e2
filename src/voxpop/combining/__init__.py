"""Answers of people joined with answers of agents, with intervals that hold however wrong the agents are."""

from __future__ import annotations

from voxpop.combining.combination import Combination
from voxpop.combining.combine import combine

__all__ = ["Combination", "combine"]
