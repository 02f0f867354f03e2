"""A cache of agents that reads those of many work items at once, as each population read has a cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from voxpop.population.guests import is_guest

if TYPE_CHECKING:
    from voxpop.engines.agents import Agent
    from voxpop.population.file import Population


class AgentShelf:
    """Caches agents that were read, up to a limit.

    Agents never change, so a study reads its agents once for all its questions. Threads that read the same
    agents at the same time do no harm.

    Parameters
    ----------
    population
        Source of the agents.
    capacity
        Maximum number of agents to keep; about 2 kB each.
    """

    def __init__(self, population: Population, *, capacity: int = 20_000) -> None:
        self._population = population
        self._capacity = capacity
        self._agents: dict[int, Agent] = {}

    def take(self, ids: Sequence[int], ahead: Callable[[], Iterable[int]]) -> list[Agent]:
        """Return agents in the order of ``ids``; if one has to be read, those of ``ahead`` are read too."""
        if any(map(is_guest, ids)):  # not kept, because they can be deleted
            return self._population.agents(ids)
        kept = self._agents
        if any(number not in kept for number in ids):
            wanted = list(dict.fromkeys([*ids, *ahead()]))
            if len(kept) + len(wanted) > self._capacity:
                kept = self._agents = {}
            absent = [number for number in wanted if number not in kept]
            kept.update(zip(absent, self._population.agents(absent), strict=True))
        return [kept[number] for number in ids]
