"""Draws from tables of shares: without bias in the smallest cells, nearly exact in large ones."""

from __future__ import annotations

import numpy as np
import pytest

from voxpop.population.picking import Table, evenly


def test_a_cell_of_one_agent_gets_every_level_by_its_share() -> None:
    table = Table.of(np.array([[0.2, 0.5, 0.3], [0.0, 0.9, 0.1]]))
    cells = np.array([0, 1])
    drawn = np.array([table.draw(np.random.default_rng([7, seed]), cells) for seed in range(4_000)])
    for cell, shares in enumerate(([0.2, 0.5, 0.3], [0.0, 0.9, 0.1])):
        found = np.bincount(drawn[:, cell], minlength=3) / 4_000
        assert found == pytest.approx(shares, abs=0.03)


def test_a_level_without_a_share_is_never_drawn() -> None:
    shares = np.array([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 0.0]])
    cells = np.repeat(np.arange(3), 5_000)
    drawn = Table.of(shares).draw(np.random.default_rng(1), cells)
    assert set(drawn[:5_000].tolist()) == {1}
    assert set(drawn[5_000:10_000].tolist()) == {0, 2}
    assert set(drawn[10_000:].tolist()) == {0}
    highest = Table.of(shares).at(np.full(3, 1 - 2**-53), np.arange(3))
    assert highest.tolist() == [1, 2, 0]


def test_margins_are_nearly_exact_within_and_across_cells() -> None:
    rng = np.random.default_rng(3)
    shares = rng.dirichlet(np.ones(4), size=50)
    cells = rng.permutation(np.repeat(np.arange(50), 40))
    drawn = Table.of(shares).draw(rng, cells)
    for cell in range(50):
        found = np.bincount(drawn[cells == cell], minlength=4)
        assert np.abs(found - 40 * shares[cell]).max() < 3
    same = np.repeat(np.arange(500), 2)
    level = Table.of(np.tile([0.37, 0.63], (500, 1))).draw(rng, same)
    assert (level == 0).sum() == pytest.approx(370, abs=4)


def test_numbers_do_not_depend_on_the_position_of_an_agent() -> None:
    cells = np.tile(np.arange(10), 100)
    drawn = np.array([evenly(np.random.default_rng([1, seed]), cells) for seed in range(300)])
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert np.abs(drawn.mean(axis=0) - 0.5).max() < 5 * 0.289 / 300**0.5
    assert np.corrcoef(drawn[:, 0], drawn[:, 10])[0, 1] == pytest.approx(0, abs=0.25)
