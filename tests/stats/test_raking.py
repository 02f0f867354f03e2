"""Raking meets its margins, keeps proportions within cells, and does not depend on the order of rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxpop.stats import rake

seeds = st.integers(0, 10_000)


def sample(seed: int) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
    draw = np.random.default_rng(seed)
    codes = [draw.integers(0, levels, 200) for levels in (2, 3)]
    targets = [draw.dirichlet([5.0] * levels) * 200 for levels in (2, 3)]
    return codes, targets, draw.choice([0.5, 1.0, 2.0], 200)


@settings(max_examples=25, deadline=None)
@given(seeds)
def test_meets_the_margins(seed: int) -> None:
    codes, targets, start = sample(seed)
    made = rake(codes, targets, start)
    assert made.converged
    for code, target in zip(codes, targets, strict=True):
        np.testing.assert_allclose(np.bincount(code, made.weights), target, rtol=1e-8)


@settings(max_examples=25, deadline=None)
@given(seeds)
def test_order_of_rows_changes_no_digit_and_scale_of_start_nothing(seed: int) -> None:
    codes, targets, start = sample(seed)
    made = rake(codes, targets, start).weights
    order = np.random.default_rng(seed + 1).permutation(200)
    shuffled = rake([code[order] for code in codes], targets, start[order]).weights
    np.testing.assert_array_equal(shuffled, made[order])
    np.testing.assert_allclose(rake(codes, targets, start * 3.7).weights, made, rtol=1e-8)


@settings(max_examples=25, deadline=None)
@given(seeds)
def test_within_a_cell_weights_keep_their_proportions(seed: int) -> None:
    codes, targets, start = sample(seed)
    ratio = rake(codes, targets, start).weights / start
    for cell in range(6):
        members = (codes[0] * 3 + codes[1]) == cell
        if members.any():
            np.testing.assert_allclose(ratio[members], ratio[members][0])


def test_margins_that_hold_already_change_nothing() -> None:
    made = rake([[0, 0, 1, 1]], [[2.0, 2.0]], np.ones(4))
    assert made.weights.tolist() == [1, 1, 1, 1]
    assert made.rounds == 1


def test_a_cap_holds_or_is_told() -> None:
    codes, targets, start = sample(4)
    free = rake(codes, targets, start)
    largest = free.weights.max()
    cap = largest * 0.9
    made = rake(codes, targets, start, cap=cap, tol=1e-9)
    assert made.converged
    assert made.weights.max() <= cap * (1 + 1e-9)
    for code, target in zip(codes, targets, strict=True):
        np.testing.assert_allclose(np.bincount(code, made.weights), target, rtol=1e-5)
    assert not rake([[0, 1, 1, 1]], [[2.0, 2.0]], np.ones(4), cap=1.5).converged


def test_a_level_of_none_keeps_its_weight() -> None:
    made = rake([[0, 1, -1]], [[1.5, 0.5]], [1.0, 1.0, 4.0])
    assert made.weights.tolist() == [1.5, 0.5, 4.0]


@pytest.mark.parametrize("rounds", [1, 2])
def test_stops_where_it_is_told_to(rounds: int) -> None:
    codes, targets, start = sample(9)
    assert rake(codes, targets, start, max_iter=rounds).rounds == rounds
