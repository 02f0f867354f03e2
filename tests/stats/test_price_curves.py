"""Price curves and differences: crossings by hand, definitions as published, invariances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxpop.stats.differences import difference_interval
from voxpop.stats.intervals import wilson
from voxpop.stats.prices import POINTS, crossing, point_intervals, price_curves


@st.composite
def opinions(draw: st.DrawFn) -> np.ndarray:
    rows = draw(
        st.lists(st.lists(st.integers(1, 40), min_size=4, max_size=4).map(sorted), min_size=2, max_size=25)
    )
    return np.array(rows, dtype=float).T


@settings(deadline=None, derandomize=True)
@given(opinions())
def test_curves_run_from_all_to_none_and_back(named: np.ndarray) -> None:
    curves = price_curves(named, np.ones(named.shape[1]))
    for falling in (curves.too_cheap, curves.cheap):
        assert (np.diff(falling) <= 1e-9).all()
        assert falling[0] == 1
    for rising in (curves.expensive, curves.too_expensive):
        assert (np.diff(rising) >= -1e-9).all()
        assert rising[-1] == 1
    for place, price in enumerate(curves.prices):  # each curve counted anew, in plain Python
        assert curves.cheap[place] == pytest.approx(np.mean(named[1] >= price))
        assert curves.too_expensive[place] == pytest.approx(np.mean(named[3] <= price))


@settings(deadline=None, derandomize=True)
@given(opinions())
def test_points_lie_among_the_prices_named_and_ignore_the_scale_of_weights(named: np.ndarray) -> None:
    weights = np.arange(1, named.shape[1] + 1, dtype=float)
    points = price_curves(named, weights).points()
    assert points == pytest.approx(price_curves(named, weights * 7).points(), nan_ok=True)
    assert all(math.isnan(price) or named.min() <= price <= named.max() for price in points.values())


def test_a_respondent_with_weight_two_is_two_respondents() -> None:
    named = np.array([[2, 4, 5], [4, 6, 6], [6, 8, 9], [8, 10, 12]], dtype=float)
    twice = np.concatenate([named, named[:, :1]], axis=1)
    assert price_curves(named, [2, 1, 1]).points() == price_curves(twice, np.ones(4)).points()


def test_respondents_without_a_weight_leave_no_trace() -> None:
    named = np.array([[2, 4, 3], [4, 6, 5], [6, 8, 7], [8, 10, 9]], dtype=float)
    with_them, without = price_curves(named, [2, 1, 0]), price_curves(named[:, :2], [2, 1])
    assert with_them.prices.tolist() == without.prices.tolist()
    assert with_them.points() == without.points()


def test_crossings_by_hand() -> None:
    assert crossing([0, 10], [1, 0], [0, 1]) == 5
    assert crossing([0, 10], [1, 0], [0, 0.25]) == pytest.approx(8)
    assert math.isnan(crossing([0, 10], [1, 0.9], [0, 0.1])), "they never meet"
    assert math.isnan(crossing([0, 10], [0.1, 0], [0.2, 1])), "they met before the first price"


def test_intervals_are_seeded_hold_the_point_and_narrow_with_respondents() -> None:
    draw = np.random.default_rng(4)
    base = draw.normal(10, 2, 800)
    named = np.stack([base * factor for factor in (0.5, 0.8, 1.2, 1.7)]).round(1)
    wide = point_intervals(named[:, :50], np.ones(50), np.ones(50), seed=3, resamples=100)
    narrow = point_intervals(named, np.ones(800), np.ones(800), seed=3, resamples=100)
    assert narrow == point_intervals(named, np.ones(800), np.ones(800), seed=3, resamples=100)
    points = price_curves(named, np.ones(800)).points()
    for name in POINTS:
        assert narrow[name][0] <= points[name] <= narrow[name][1]
    assert (
        narrow["indifferent"][1] - narrow["indifferent"][0] < wide["indifferent"][1] - wide["indifferent"][0]
    )


@pytest.mark.parametrize(
    ("a", "m", "b", "n", "published"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table II, method 10
        (56, 70, 48, 80, (0.0524, 0.3339)),
        (9, 10, 3, 10, (0.1705, 0.8090)),
        (6, 7, 2, 7, (0.0582, 0.8062)),
        (5, 56, 0, 29, (-0.0381, 0.1926)),
        (0, 10, 0, 20, (-0.1611, 0.2775)),
        (10, 10, 0, 20, (0.6791, 1.0000)),
    ],
)
def test_difference_of_shares_as_published(
    a: int, m: int, b: int, n: int, published: tuple[float, float]
) -> None:
    parts = [(x / size, *(float(end) for end in wilson(x / size, size))) for x, size in ((a, m), (b, n))]
    between, low, high = (float(part) for part in difference_interval(*parts))
    assert between == pytest.approx(a / m - b / n)
    assert (low, high) == pytest.approx(published, abs=5e-5)
