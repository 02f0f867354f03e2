"""Partly overlapping samples: the paired test at one end, the independent test at the other."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from voxpop.stats import compare_means, compare_shares
from voxpop.stats.means import Moments, row_moments
from voxpop.stats.overlap import Overlap, compare_overlapping_means, overlap_of

Sample = dict[int, float]


def overlap(first: Sample, second: Sample) -> Overlap:
    samples = [{key: own[key] for key in sorted(own)} for own in (first, second)]
    return overlap_of(
        [np.array(list(own)) for own in samples],
        [np.ones(len(own)) for own in samples],
        [np.array([[value > 0] for value in own.values()]) for own in samples],
        [np.array(list(own.values())) for own in samples],
    )


def share_test(first: Sample, second: Sample) -> tuple[float, float]:
    """Return the variance of the difference of two shares and the p-value, pooled."""
    found = overlap(first, second)
    x = [float(sum(value > 0 for value in own.values())) for own in (first, second)]
    n = [float(len(own)) for own in (first, second)]
    pooled = np.array([[sum(x) / sum(n)]])
    covariance = found.covariance([0], [1], pooled, pooled)[0]
    told = compare_shares((x[0], x[1]), (n[0], n[1]), (n[0], n[1]), covariance=covariance, normal=True)
    return float(told[1][0]) ** 2, float(told[4][0])


def means_of(first: Sample, second: Sample) -> tuple[Moments, Moments]:
    return row_moments(list(first.values())), row_moments(list(second.values()))


def drawn(rng: np.random.Generator, shared: int, alone: int) -> tuple[Sample, Sample]:
    """Draw two samples of numbers with a correlation of 0.8 between the answers of one member."""
    person = rng.normal(size=shared + 2 * alone)
    one, other = (0.8**0.5 * person + 0.2**0.5 * rng.normal(size=person.size) for _ in range(2))
    both, first = range(shared), range(shared, shared + alone)
    second = range(shared + alone, shared + 2 * alone)
    return {i: float(one[i]) for i in [*both, *first]}, {i: float(other[i]) for i in [*both, *second]}


def test_the_same_people_in_both_are_compared_as_mcnemar_does() -> None:
    answers = [(1, 1)] * 40 + [(1, 0)] * 18 + [(0, 1)] * 7 + [(0, 0)] * 35
    first, second = ({i: float(pair[at]) for i, pair in enumerate(answers)} for at in (0, 1))
    variance, p = share_test(first, second)
    assert variance == pytest.approx((18 + 7) / 100**2)
    assert p == pytest.approx(scipy_stats.chi2.sf((18 - 7) ** 2 / (18 + 7), 1))


def test_different_people_are_compared_as_independent() -> None:
    first = {i: float(i < 30) for i in range(100)}
    second = {i: float(i < 1045) for i in range(1000, 1080)}
    assert share_test(first, second)[1] == pytest.approx(
        float(compare_shares((30, 45), (100, 80), (100, 80), normal=True)[4])
    )
    one, other = means_of(first, second)
    found = overlap(first, second)
    assert compare_overlapping_means(
        one, other, found.factor[0, 1], found.correlation[0, 1]
    ) == pytest.approx(compare_means(one, other))
    assert compare_overlapping_means(one, other, 0.0, 0.0, pooled=True) == pytest.approx(
        compare_means(one, other, pooled=True)
    )


@pytest.mark.parametrize("pooled", [False, True])
def test_means_of_the_same_people_are_compared_as_pairs(pooled: bool) -> None:
    first, second = drawn(np.random.default_rng(4), 60, 0)
    found = overlap(first, second)
    told = compare_overlapping_means(
        *means_of(first, second), found.factor[0, 1], found.correlation[0, 1], pooled=pooled
    )
    paired = scipy_stats.ttest_rel(list(first.values()), list(second.values()))
    assert told[3] == pytest.approx(59)
    if not pooled:
        assert (told[2], told[4]) == pytest.approx((paired.statistic, paired.pvalue))


def test_the_variance_of_a_difference_is_that_of_repeated_draws() -> None:
    rng = np.random.default_rng(8)
    differences, variances, means, errors = [], [], [], []
    for _ in range(1500):
        first, second = drawn(rng, 60, 40)
        shares = [sum(value > 0 for value in own.values()) / 100 for own in (first, second)]
        differences.append(shares[0] - shares[1])
        variances.append(share_test(first, second)[0])
        found = overlap(first, second)
        told = compare_overlapping_means(
            *means_of(first, second), found.factor[0, 1], found.correlation[0, 1]
        )
        means.append(told[0])
        errors.append(told[1] ** 2)
    assert np.mean(variances) == pytest.approx(np.var(differences), rel=0.08)
    assert np.mean(errors) == pytest.approx(np.var(means), rel=0.08)
    assert np.mean(variances) < 0.75 * 0.5 * 0.5 * 2 / 100  # independent samples would have this without 0.75


def test_weights_give_the_sum_of_their_products() -> None:
    found = overlap_of(
        [np.array([1, 2]), np.array([2, 3])],
        [np.array([1.0, 3.0]), np.array([2.0, 2.0])],
        [np.array([[True], [False]]), np.array([[True], [True]])],
    )
    assert found.factor[0, 1] == pytest.approx(3 * 2 / (4 * 4))
    assert found.members.tolist() == [[0, 1], [1, 0]]
    assert (found.first[0, 0, 1], found.first[0, 1, 0], found.both[0, 0, 1]) == (0, 1, 0)
