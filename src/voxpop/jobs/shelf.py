"""Agents at hand: those of many work items are read at once, as every read of a population has its cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voxpop.engines.agents import Agent
    from voxpop.population.file import Population


class AgentShelf:
    """Keeps agents that were read, until there are too many.

    Agents never change, so a study that is asked question after question reads its agents once, and threads
    that read the same ones at the same time do no harm.

    Parameters
    ----------
    population
        Where agents are read.
    capacity
        How many agents are kept; about 2 kB each.
    """

    def __init__(self, population: Population, *, capacity: int = 20_000) -> None:
        self._population = population
        self._capacity = capacity
        self._agents: dict[int, Agent] = {}

    def take(self, ids: Sequence[int], ahead: Callable[[], Iterable[int]]) -> list[Agent]:
        """Return agents in the order of ``ids``; when one has to be read, those of ``ahead`` are read too."""
        kept = self._agents
        if any(number not in kept for number in ids):
            wanted = list(dict.fromkeys([*ids, *ahead()]))
            if len(kept) + len(wanted) > self._capacity:
                kept = self._agents = {}
            absent = [number for number in wanted if number not in kept]
            kept.update(zip(absent, self._population.agents(absent), strict=True))
        return [kept[number] for number in ids]
