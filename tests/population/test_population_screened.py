"""Quotas among the agents that pass a screening: who is asked, who is drawn, and what the weights say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from voxpop.population import designs, screened
from voxpop.population.designs import Drawn
from voxpop.population.queries import Population
from voxpop.population.quotas import Design, read_design
from voxpop.vocabulary.filters import between, where

SOUTH = where(state=["TX", "FL", "CA"], age=between(18, 80))
SIZE, TIMES = 20, 400
YOUNG, OLD = where(age=between(max=44)), where(age=between(45))
CELLS = [{"filters": YOUNG.to_json(), "size": 16}, {"filters": OLD.to_json(), "size": 4}]


def design(quotas: Any, size: int = SIZE) -> Design:
    return read_design(quotas, None, size)


def run(population: Population, quotas: Design, passing: set[int], seed: int, batch: int = 7) -> Drawn:
    """Ask each cell in batches until enough pass, as a request does."""
    line = designs.line(population, SOUTH, SIZE, seed=seed, design=quotas)
    cells = screened.cells_of(line)
    asked, passed = [], set[int]()
    for ids, least in zip(cells.ids, cells.least, strict=True):
        out, found = 0, 0
        while found < least and out < len(ids):
            some = passing & set(ids[out : out + batch].tolist())
            passed |= some
            found, out = found + len(some), min(out + batch, len(ids))
        asked.append(out)
    return screened.screened(line, asked, passed)


@pytest.fixture(scope="module")
def ages(small: Population) -> dict[int, int]:
    return {agent.id: agent.age for agent in small.search(SOUTH, limit=10_000)[1]}


@pytest.fixture(scope="module")
def passing(ages: dict[int, int]) -> set[int]:
    """More of the young pass than of the old."""
    rng = np.random.default_rng(3)
    return {agent for agent, age in ages.items() if rng.random() < (0.6 if age < 45 else 0.25)}


def test_the_quotas_are_filled_by_agents_who_pass(
    small: Population, ages: dict[int, int], passing: set[int]
) -> None:
    drawn = run(small, design(CELLS), passing, seed=1)
    assert len(set(drawn.ids)) == SIZE
    assert set(drawn.ids) <= passing
    assert [sum(ages[one] < 45 for one in drawn.ids), len(drawn.ids)] == [16, SIZE]
    young, old = drawn.cells
    assert (young["size"], young["drawn"], old["drawn"]) == (16, 16, 4)
    assert 16 <= young["passed"] < young["screened"] < young["available"]
    assert drawn.note == screened.ESTIMATED
    assert drawn.probability == [None] * SIZE


def test_estimated_weights_restore_the_totals_of_those_who_pass(
    small: Population, ages: dict[int, int], passing: set[int]
) -> None:
    totals, numbers = [], []
    for seed in range(TIMES):
        drawn = run(small, design(CELLS), passing, seed)
        assert drawn.weight is not None
        totals.append(sum(ages[one] * weight for one, weight in zip(drawn.ids, drawn.weight, strict=True)))
        numbers.append(sum(drawn.weight))
    for found, true in ((totals, sum(ages[one] for one in passing)), (numbers, len(passing))):
        assert abs(np.mean(found) - true) < 3.5 * np.std(found) / np.sqrt(TIMES)


def test_every_agent_who_passes_is_drawn_equally_often_within_its_cell(
    small: Population, ages: dict[int, int], passing: set[int]
) -> None:
    drawn = [one for seed in range(TIMES) for one in run(small, design(CELLS), passing, seed).ids]
    for size, cell in (
        (16, [one for one in passing if ages[one] < 45]),
        (4, [one for one in passing if ages[one] > 44]),
    ):
        share = size / len(cell)
        times = np.array([drawn.count(one) for one in cell])
        z = (times - TIMES * share) / np.sqrt(TIMES * share * (1 - share))
        assert np.abs(z).max() < 4.5
        assert float((z**2).mean()) == pytest.approx(1, abs=0.4)


def test_a_cell_asked_in_full_has_exact_weights_and_says_what_is_missing(
    small: Population, ages: dict[int, int], passing: set[int]
) -> None:
    few = {one for one in sorted(passing) if ages[one] > 44}
    rare = {*sorted(few)[:2], *(one for one in passing if ages[one] < 45)}
    drawn = run(small, design(CELLS), rare, seed=2)
    assert len(drawn.ids) == 18
    told = {
        one: (share, weight)
        for one, share, weight in zip(drawn.ids, drawn.probability, drawn.weight, strict=True)
    }  # type: ignore[arg-type]
    assert [told[one] for one in sorted(few)[:2]] == [(1.0, 1.0)] * 2
    assert [drawn.cells[1][name] for name in ("size", "passed", "drawn")] == [4, 2, 2]
    assert drawn.cells[1]["screened"] == drawn.cells[1]["available"]
    assert sum(drawn.weight or ()) == pytest.approx(drawn.covered, abs=0.5)


def test_a_single_agent_of_a_quota_has_a_weight_too(
    small: Population, ages: dict[int, int], passing: set[int]
) -> None:
    one = design([{"filters": YOUNG.to_json(), "size": 19}, {"filters": OLD.to_json(), "size": 1}])
    weights = []
    for seed in range(TIMES):
        drawn = run(small, one, passing, seed, batch=3)
        assert drawn.weight is not None
        weights += [weight for agent, weight in zip(drawn.ids, drawn.weight, strict=True) if ages[agent] > 44]
    true = sum(ages[agent] > 44 for agent in passing)
    assert len(weights) == TIMES
    assert abs(np.mean(weights) - true) < 3.5 * np.std(weights) / np.sqrt(TIMES)


def test_margins_and_an_interrupted_screening_have_no_weights_and_say_why(
    small: Population, ages: dict[int, int], passing: set[int]
) -> None:
    margins = {"margins": {"gender": {"female": 0.5, "male": 0.5}, "age": {"under 45": 0.35, "45+": 0.65}}}
    drawn = run(small, design(margins), passing, seed=1)
    assert (drawn.weight, drawn.note) == (None, screened.FRACTIONS)
    assert [cell["drawn"] for cell in drawn.cells] == [10, 10, 7, 13]
    line = designs.line(small, SOUTH, SIZE, seed=1, design=design(CELLS))
    first = [int(one) for one in screened.cells_of(line).ids[0][:3]]
    stopped = screened.screened(line, [3, 0, 0], first)
    assert (stopped.ids, stopped.weight, stopped.note) == (first, None, screened.STOPPED)
