"""The agent shelf reads agents ahead, once each, in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from voxpop.jobs.shelf import AgentShelf


class Population:
    def __init__(self) -> None:
        self.reads: list[list[int]] = []

    def agents(self, ids: Sequence[int]) -> list[Any]:
        self.reads.append(list(ids))
        return [f"agent {number}" for number in ids]


def test_agents_come_in_the_order_asked_for() -> None:
    shelf = AgentShelf(Population())  # type: ignore[arg-type]
    assert shelf.take([3, 1, 2], lambda: []) == ["agent 3", "agent 1", "agent 2"]
    assert shelf.take([], lambda: []) == []


def test_those_ahead_are_read_with_the_first_and_not_again() -> None:
    population = Population()
    shelf = AgentShelf(population)  # type: ignore[arg-type]
    shelf.take([1, 2], lambda: [2, 3, 4])
    assert shelf.take([3, 4, 1], lambda: [99]) == ["agent 3", "agent 4", "agent 1"]
    shelf.take([4, 5], lambda: [])
    assert population.reads == [[1, 2, 3, 4], [5]]


def test_a_full_shelf_is_emptied_and_still_serves() -> None:
    population = Population()
    shelf = AgentShelf(population, capacity=4)  # type: ignore[arg-type]
    shelf.take([1, 2, 3], lambda: [])
    assert shelf.take([3, 4], lambda: [5]) == ["agent 3", "agent 4"]
    assert shelf.take([1], lambda: []) == ["agent 1"]
    assert population.reads == [[1, 2, 3], [3, 4, 5], [1]]
