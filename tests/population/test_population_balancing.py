"""Balanced draws: totals near their expectation, nothing impossible, and the same shares as free draws."""

from __future__ import annotations

import numpy as np
import pytest

from voxpop.population.balancing import Balanced
from voxpop.population.picking import Table

CELLS, LEVELS = 40, 25


@pytest.fixture(scope="module")
def shares() -> np.ndarray:
    rng = np.random.default_rng(1)
    table = rng.gamma(1.0, size=(CELLS, LEVELS))
    table[rng.random(table.shape) < 0.3] = 0.0
    return np.asarray(table / table.sum(axis=1, keepdims=True))


@pytest.fixture(scope="module")
def classes() -> np.ndarray:
    return np.repeat((0, 1), CELLS // 2)


def test_totals_are_within_whole_agents(shares: np.ndarray, classes: np.ndarray) -> None:
    balanced = Balanced(shares, classes)
    rng = np.random.default_rng(2)
    deviations = []
    for _ in range(50):
        cells = rng.integers(CELLS, size=1_000)
        drawn = balanced.draw(rng, cells)
        for at in (0, 1):
            inside = classes[cells] == at
            now = np.bincount(drawn[inside], minlength=LEVELS)
            deviations.append(now - shares[cells[inside]].sum(axis=0))
    assert np.sqrt(np.mean(np.square(deviations))) < 0.6
    assert np.abs(deviations).max() < 4


def test_nothing_impossible_is_drawn(shares: np.ndarray, classes: np.ndarray) -> None:
    rng = np.random.default_rng(3)
    cells = rng.integers(CELLS, size=200_000)
    assert (shares[cells, Balanced(shares, classes).draw(rng, cells)] > 0).all()


def test_cells_keep_their_shares(shares: np.ndarray, classes: np.ndarray) -> None:
    """Over many small blocks the shares of every cell are those of the table."""
    balanced, rng = Balanced(shares, classes), np.random.default_rng(4)
    found, number = np.zeros(shares.shape), np.zeros(CELLS)
    for _ in range(1_000):
        cells = rng.integers(CELLS, size=1_000)
        np.add.at(found, (cells, balanced.draw(rng, cells)), 1)
        number += np.bincount(cells, minlength=CELLS)
    assert np.abs(found / number[:, None] - shares).max() < 0.008


def test_small_blocks(shares: np.ndarray, classes: np.ndarray) -> None:
    balanced, rng = Balanced(shares, classes), np.random.default_rng(5)
    assert balanced.draw(rng, np.array([], dtype=np.int64)).size == 0
    counts = np.zeros(LEVELS)
    for _ in range(4_000):
        counts[balanced.draw(rng, np.array([7]))[0]] += 1
    assert counts / 4_000 == pytest.approx(shares[7], abs=0.03)


def test_a_line_gives_the_levels_of_a_search_by_hand() -> None:
    table = np.array([[0.0, 0.25, 0.0, 0.75], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0]])
    cells = np.array([0, 0, 0, 0, 1, 1, 2, 2])
    uniform = np.array([0.0, 0.2499, 0.25, 0.9999999999, 0.0, 0.9999999999, 0.0, 0.9999999999])
    assert Table.of(table).at(uniform, cells).tolist() == [1, 1, 3, 3, 0, 0, 2, 2]
