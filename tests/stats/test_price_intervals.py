"""Intervals of the four prices: whole respondents are drawn; a plain bootstrap and the truth say the same."""

from __future__ import annotations

import math

import numpy as np
import pytest

from voxpop.stats.prices import POINTS, point_intervals, price_curves

# Few different answers, as people give round prices: with averaged weights the intervals were far too narrow.
KINDS = np.array(
    [[5, 8, 12, 15], [5, 10, 15, 20], [8, 10, 12, 20], [2, 5, 8, 10], [10, 12, 20, 25], [8, 12, 15, 18]],
    dtype=np.float64,
).T
SHARES = np.array([0.25, 0.2, 0.2, 0.15, 0.1, 0.1])


def people(seed: int, n: int, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Draw respondents with their weights; those who name high prices weigh more."""
    draw = np.random.default_rng(seed)
    kind = draw.choice(SHARES.size, n, p=SHARES)
    weights = draw.lognormal(0, spread, n) * (1 + (kind == 4)) if spread else np.ones(n)
    return KINDS[:, kind], weights


def plain_bootstrap(named: np.ndarray, weights: np.ndarray, seed: int, resamples: int) -> np.ndarray:
    """Draw whole respondents one by one, as a textbook does."""
    draw, n = np.random.default_rng(seed), weights.size
    found = []
    for _ in range(resamples):
        taken = draw.integers(0, n, n)
        found.append(list(price_curves(named[:, taken], weights[taken]).points().values()))
    return np.nanquantile(np.array(found), [0.025, 0.975], axis=0)


def widths(found: dict[str, tuple[float, float]]) -> np.ndarray:
    return np.array([found[name][1] - found[name][0] for name in POINTS])


@pytest.mark.parametrize("spread", [0.0, 0.6, 1.2])
def test_intervals_are_as_wide_as_those_of_a_plain_bootstrap(spread: float) -> None:
    ratios = []
    for seed in range(6):
        named, weights = people(seed, 250, spread)
        own = point_intervals(named, np.ones(250), weights, seed=seed, resamples=300)
        low, high = plain_bootstrap(named, weights, seed + 100, 300)
        ratios.append(widths(own) / (high - low))
    assert np.mean(ratios, axis=0) == pytest.approx(np.ones(4), abs=0.12)


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_intervals_hold_the_truth_about_as_often_as_they_say(spread: float) -> None:
    heavier = np.where(np.arange(SHARES.size) == 4, 2.0, 1.0) if spread else np.ones(SHARES.size)
    truth = price_curves(KINDS, SHARES * heavier).points()
    held = np.zeros(4)
    for seed in range(80):
        named, weights = people(seed, 200, spread)
        found = point_intervals(named, np.ones(200), weights, seed=seed, resamples=120)
        held += [found[name][0] <= truth[name] <= found[name][1] for name in POINTS]
    assert (held / 80 >= 0.86).all(), held / 80
    assert (held / 80 <= 0.999).all(), held / 80


def test_rows_that_stand_for_several_are_the_same_as_one_row_each_in_any_order() -> None:
    named, weights = people(3, 120, 0.0)
    weights = np.where(np.arange(120) % 3 == 0, 4.0, 0.5)
    every = np.vstack([named, weights])
    kinds, times = np.unique(every, axis=1, return_counts=True)
    one_each = point_intervals(named, np.ones(120), weights, seed=5, resamples=60)
    assert point_intervals(kinds[:4], times.astype(float), kinds[4], seed=5, resamples=60) == one_each
    turned = np.random.default_rng(1).permutation(120)
    assert point_intervals(named[:, turned], np.ones(120), weights[turned], seed=5, resamples=60) == one_each


def test_a_price_that_many_draws_are_without_has_no_interval() -> None:
    named = np.array([[5, 5, 4], [5, 5, 6], [5, 5, 8], [5, 5, 9]], dtype=np.float64)
    found = point_intervals(named, np.ones(3), np.ones(3), seed=0, resamples=200)
    # where all three draws are the people of 5, 5, 5, 5, "too cheap" and "not cheap" never meet
    assert all(math.isnan(end) for name in ("lowest", "highest") for end in found[name])
    assert found["optimal"][1] >= found["optimal"][0] >= 4
