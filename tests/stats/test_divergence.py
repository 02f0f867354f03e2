"""Distances of distributions against scipy, and against what must hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import spearmanr, wasserstein_distance

from voxpop.stats.divergence import (
    chance_distance,
    distribution,
    evenness,
    jensen_shannon,
    ks_distance,
    mean_absolute_error,
    rank_correlation,
    spread,
    total_variation,
    wasserstein,
)

SHARES = st.lists(st.floats(0.01, 1), min_size=3, max_size=7)
PAIRS = st.integers(2, 7).flatmap(
    lambda n: st.tuples(*[st.lists(st.floats(0.01, 1), min_size=n, max_size=n)] * 2)
)


@settings(deadline=None, derandomize=True)
@given(PAIRS)
def test_distances_are_alike_both_ways_and_between_0_and_1(pair: tuple[list[float], list[float]]) -> None:
    p, q = pair
    for distance in (total_variation, jensen_shannon, ks_distance, mean_absolute_error, wasserstein):
        assert 0 <= distance(p, q) <= 1 + 1e-12
        assert distance(p, q) == pytest.approx(distance(q, p), abs=1e-12)
        assert distance(p, p) == pytest.approx(0, abs=1e-12)
    assert ks_distance(p, q) <= total_variation(p, q) + 1e-12
    assert wasserstein(p, q) <= ks_distance(p, q) + 1e-12


@settings(deadline=None, derandomize=True)
@given(PAIRS)
def test_jensen_shannon_equals_scipy(pair: tuple[list[float], list[float]]) -> None:
    p, q = pair
    assert jensen_shannon(p, q) == pytest.approx(float(jensenshannon(p, q, base=2)) ** 2, abs=1e-7)


@settings(deadline=None, derandomize=True)
@given(SHARES.filter(lambda values: len(set(values)) > 1), st.randoms(use_true_random=False))
def test_rank_correlation_equals_scipy(values: list[float], random: object) -> None:
    other = list(values)
    random.shuffle(other)  # type: ignore[attr-defined]
    assert rank_correlation(values, other) == pytest.approx(spearmanr(values, other).statistic, abs=1e-9)


def test_rank_correlation_of_ties_and_of_equal_values() -> None:
    x, y = [1, 2, 2, 4], [3, 1, 4, 4]
    assert rank_correlation(x, y) == pytest.approx(spearmanr(x, y).statistic)
    assert math.isnan(rank_correlation([1, 1, 1], [1, 2, 3]))


def test_evenness_by_hand() -> None:
    assert evenness([0.5, 0.5, 0, 0]) == pytest.approx(0.5)
    assert math.isnan(evenness([1.0]))


def test_spread_by_hand() -> None:
    mean, sd = spread([0.2, 0.3, 0.5])
    assert mean == pytest.approx(2.3)
    assert sd == pytest.approx(math.sqrt(0.2 * 1.69 + 0.3 * 0.09 + 0.5 * 0.49))


def test_chance_distance_is_what_samples_show() -> None:
    shares, n = [0.44, 0.37, 0.10, 0.09], 300
    drawn = np.random.default_rng(1).multinomial(n, shares, size=4000) / n
    seen = np.mean([total_variation(sample, shares) for sample in drawn])
    assert chance_distance(shares, n) == pytest.approx(seen, rel=0.03)
    assert math.isnan(chance_distance(shares, 0))


@pytest.mark.parametrize("bad", [[0, 0], [-1, 2], [math.nan, 1]])
def test_shares_that_are_none_are_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="shares are 0 or more"):
        distribution(bad)


@settings(deadline=None, derandomize=True)
@given(PAIRS)
def test_wasserstein_equals_scipy_on_a_scale_of_length_1(pair: tuple[list[float], list[float]]) -> None:
    p, q = pair
    places = np.linspace(0, 1, len(p))
    assert wasserstein(p, q) == pytest.approx(wasserstein_distance(places, places, p, q), abs=1e-9)


@settings(deadline=None, derandomize=True)
@given(PAIRS)
def test_wasserstein_is_alike_from_both_ends_and_total_variation_for_two_levels(
    pair: tuple[list[float], list[float]],
) -> None:
    p, q = pair
    assert wasserstein(p[::-1], q[::-1]) == pytest.approx(wasserstein(p, q), abs=1e-12)
    assert wasserstein(p[:2], q[:2]) == pytest.approx(total_variation(p[:2], q[:2]), abs=1e-12)


def test_wasserstein_of_a_single_level_is_missing() -> None:
    assert math.isnan(wasserstein([1], [1]))


@settings(deadline=None, derandomize=True)
@given(PAIRS)
def test_the_mean_absolute_error_is_that_of_the_shares(pair: tuple[list[float], list[float]]) -> None:
    p, q = np.array(pair[0]), np.array(pair[1])
    expected = np.abs(p / p.sum() - q / q.sum()).mean()
    assert mean_absolute_error(p, q) == pytest.approx(expected, abs=1e-12)
