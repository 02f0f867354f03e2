"""Moments and tests of means, against numpy and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from voxpop.stats import Moments, anova, compare_means, kruskal_wallis, moments, weighted_median
from voxpop.stats.means import row_moments

numbers = st.lists(st.integers(-50, 50).map(lambda n: n / 4), min_size=3, max_size=40)


def plain(values: list[float]) -> Moments:
    ones = np.ones(len(values))
    return moments(values, ones, ones, ones)


@given(numbers)
def test_without_weights_it_is_the_usual_sample(values: list[float]) -> None:
    found = plain(values)
    assert found.mean == pytest.approx(np.mean(values), abs=1e-12)
    assert found.sd == pytest.approx(np.std(values, ddof=1), abs=1e-9)
    assert found.median == np.median(values)
    assert found.n == found.n_eff == len(values)


@given(numbers, st.randoms(use_true_random=False), st.floats(0.001, 1000))
def test_order_and_scale_of_weights_do_not_matter(values: list[float], chance: object, scale: float) -> None:
    weights = np.array([0.5 + index % 3 for index in range(len(values))])
    ones = np.ones(len(values))
    found = moments(values, ones, weights, weights**2)
    order = list(range(len(values)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    shuffled = moments(np.array(values)[order], ones, weights[order], weights[order] ** 2)
    assert shuffled == found
    scaled = moments(values, ones, weights * scale, (weights * scale) ** 2)
    assert (scaled.mean, scaled.sd, scaled.n_eff) == pytest.approx(
        (found.mean, found.sd, found.n_eff), rel=1e-9, abs=1e-9
    )


@given(numbers, numbers)
def test_welch_and_pooled_are_scipys(a: list[float], b: list[float]) -> None:
    if np.std(a) == 0 or np.std(b) == 0:
        return
    for pooled in (False, True):
        theirs = stats.ttest_ind(a, b, equal_var=pooled)
        _, _, t, df, p = compare_means(plain(a), plain(b), pooled=pooled)
        assert (t, df, p) == pytest.approx((theirs.statistic, theirs.df, theirs.pvalue), rel=1e-9, abs=1e-12)


def test_common_members_make_the_difference_surer_and_the_same_agents_untestable() -> None:
    a, b = plain([1, 2, 3, 4, 5]), plain([2, 3, 4, 5, 9])
    assert compare_means(a, b, overlap=3)[1] < compare_means(a, b)[1]
    assert math.isnan(compare_means(a, a, overlap=5)[4])
    assert math.isnan(compare_means(a, a, overlap=5, pooled=True)[4])


def test_too_few_to_tell() -> None:
    nobody = moments([], [], [], [])
    assert nobody.n == 0
    assert math.isnan(nobody.mean)
    assert math.isnan(nobody.interval()[0])
    assert math.isnan(plain([3.0]).sd)
    assert math.isnan(compare_means(plain([3.0]), plain([1.0, 2.0]))[4])


def test_the_interval_is_students() -> None:
    values = [2.0, 4.0, 4.0, 7.0]
    low, high = plain(values).interval()
    theirs = stats.ttest_1samp(values, 0).confidence_interval()
    assert (low, high) == pytest.approx(tuple(theirs))


@given(st.lists(numbers, min_size=2, max_size=4))
def test_many_cohorts_at_once_are_scipys(cohorts: list[list[float]]) -> None:
    assume(all(np.std(cohort) > 0 for cohort in cohorts))
    theirs = stats.f_oneway(*cohorts)
    assume(theirs.statistic > 1e-12)  # theirs rounds that of equal means to below 0, and has no p-value then
    assert anova([plain(cohort) for cohort in cohorts])[::3] == pytest.approx(tuple(theirs), rel=1e-8)
    values = sorted({value for cohort in cohorts for value in cohort})
    counts = [[cohort.count(value) for cohort in cohorts] for value in values]
    assert kruskal_wallis(values, counts)[::2] == pytest.approx(tuple(stats.kruskal(*cohorts)), rel=1e-8)


def test_many_cohorts_need_two() -> None:
    assert np.isnan(anova([plain([1, 2])])).all()
    assert np.isnan(anova([plain([1, 1]), plain([2, 2])])).all()
    assert np.isnan(kruskal_wallis([1, 2], [[1, 0], [1, 0]])).all()


def test_a_median_takes_the_middle_of_two_that_share_half_the_weight() -> None:
    assert weighted_median([1, 2], [0.1 + 0.2, 0.3]) == 1.5
    assert weighted_median([3, 1, 2], [0.0, 1, 0]) == 1


DRAWN = {
    "smooth": lambda chance, many: chance.normal(size=many),
    "few values": lambda chance, many: chance.integers(0, 6, many).astype(float),
    "skewed": lambda chance, many: np.exp(8 * chance.normal(size=many)),
    "two heaps": lambda chance, many: chance.integers(0, 2, many) * 1e9 + chance.normal(size=many),
    "one value": lambda _, many: np.full(many, 3.25),
}
WEIGHED = {
    "none": lambda _, many: None,
    "smooth": lambda chance, many: chance.uniform(0.1, 5, many),
    "zeros": lambda chance, many: chance.integers(0, 3, many).astype(float),
    "ties": lambda _, many: np.ones(many),
}


@pytest.mark.parametrize("weighed", WEIGHED)
@pytest.mark.parametrize("drawn", DRAWN)
def test_row_by_row_it_is_the_same_and_in_any_order_bit_for_bit(drawn: str, weighed: str) -> None:
    chance = np.random.default_rng(5)
    for many in (1, 2, 3, 10, 11, 400, 20_001):
        values, weights = DRAWN[drawn](chance, many), WEIGHED[weighed](chance, many)
        held = np.ones(many) if weights is None else weights
        expected = moments(values, np.ones(many), held, held * held)
        found = row_moments(values, weights)
        for name in Moments.__dataclass_fields__:
            close = pytest.approx(getattr(expected, name), rel=1e-10, abs=1e-6, nan_ok=True)
            assert getattr(found, name) == close, (many, name)
        assert found.median == pytest.approx(expected.median, rel=1e-15, nan_ok=True)
        order = chance.permutation(many)
        again = row_moments(values[order], None if weights is None else weights[order])
        assert repr(again) == repr(found)
