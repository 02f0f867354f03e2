"""Fits of very many rows start from those of a few, and end where others do."""

from __future__ import annotations

import numpy as np
import pytest

from voxpop.stats.importance import combined, exact_r2, orders, sampled_r2
from voxpop.stats.ordinal_regression import ordinal_regression
from voxpop.stats.regression import Separated, independent, logistic_slopes, regression


def test_many_rows_have_the_coefficients_of_their_counts() -> None:
    draw = np.random.default_rng(1)
    x = draw.integers(0, 3, size=(85_000, 2)).astype(float)
    y = np.digitize(x[:, 0] + draw.logistic(size=85_000), [0.5, 2.0]).astype(np.intp)
    cells, place, counts = np.unique(np.column_stack([x, y]), axis=0, return_inverse=True, return_counts=True)
    sums, ones = counts.astype(float), np.ones(85_000)
    few = ordinal_regression(cells[:, :2], cells[:, 2].astype(np.intp), sums, independent(sums, sums, 85_000))
    many = ordinal_regression(x, y, ones, independent(ones, ones, 85_000))
    np.testing.assert_allclose(many.values, few.values, rtol=1e-9)
    np.testing.assert_allclose(many.se, few.se, rtol=1e-9)
    low = regression(cells[:, :2], (cells[:, 2] > 0) * 1.0, sums, "binomial", independent(sums, sums, 85_000))
    high = regression(x, (y > 0) * 1.0, ones, "binomial", independent(ones, ones, 85_000))
    np.testing.assert_allclose(high.values, low.values, rtol=1e-9)
    assert place.size == 85_000


def test_a_year_far_from_zero_loses_no_digits() -> None:
    year = np.arange(2000.0, 2020.0)[:, None] + 1e6
    y = 3 * (year[:, 0] - 1e6) + np.sin(np.arange(20.0))
    found = regression(year, y, np.ones(20), "gaussian", independent(np.ones(20), np.ones(20), 20.0))
    plain = np.polyfit(np.arange(20.0), y, 1)[0]
    assert found.values[1] == pytest.approx(plain, rel=1e-12)


def test_certain_answers_are_told() -> None:
    x = np.column_stack([np.ones(6), np.arange(6.0)])
    with pytest.raises(Separated):
        logistic_slopes(x, (x[:, 1] > 2) * 1.0, np.ones(6))


def test_sampled_orders_come_close_to_all_orders() -> None:
    draw = np.random.default_rng(3)
    data = draw.normal(size=(200, 6)) @ draw.normal(size=(6, 6))
    cross = np.cov(data.T)[None]
    groups = [slice(0, 2), slice(2, 3), slice(3, 5)]
    exact = exact_r2(cross, groups)
    sampled = sampled_r2(cross, groups, orders(3, 600, seed=2))
    assert (np.abs(sampled.shares - exact.shares)[0] <= 4 * sampled.errors + 1e-12).all()
    assert sampled.shares.sum() == pytest.approx(exact.shares.sum())


def test_a_column_made_up_by_others_adds_nothing() -> None:
    cross = np.array([[[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]]])
    assert exact_r2(cross, [slice(0, 1), slice(1, 2)]).shares[0].tolist() == [0.125, 0.125]
    assert combined(np.array([0.0, 1.0]), 1).tolist() == [1.0]
