"""The variance of samples in stages, computed a second time row by row in plain Python."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxpop.errors import UsageError
from voxpop.stats.calibrating import generalized, poststratified, raked
from voxpop.stats.estimates import means, ratios, totals
from voxpop.stats.replication import ReplicateSample
from voxpop.stats.resampling import replicated
from voxpop.stats.sampling import Sample, sample_of

Rows = list[dict[str, Any]]


def variance(rows: Rows, stage: int = 0) -> float:
    """Return the variance of the total of z: stratum by stratum, then within each unit."""
    strata: dict[int, Rows] = defaultdict(list)
    for row in rows:
        strata[row["strata"][stage]].append(row)
    total = 0.0
    for held in strata.values():
        units: dict[int, Rows] = defaultdict(list)
        for row in held:
            units[row["units"][stage]].append(row)
        sums = [sum(row["z"] for row in unit) for unit in units.values()]
        n, size = len(sums), held[0]["sizes"][stage]
        mean = sum(sums) / n
        drawn = 0.0 if size is None else n / size
        if n > 1:
            total += (1 - drawn) * n / (n - 1) * sum((one - mean) ** 2 for one in sums)
        if stage + 1 < len(held[0]["units"]) and size is not None:
            total += drawn * sum(variance(unit, stage + 1) for unit in units.values())
    return total


def drawn(seed: int, stages: int, finite: bool) -> tuple[Rows, Sample, npt.NDArray[np.float64]]:
    """Draw rows of a random design; some clusters have one unit at later stages, with a certain size."""
    draw = np.random.default_rng(seed)
    rows: Rows = []
    for stratum in range(draw.integers(1, 4)):
        size = int(draw.integers(6, 20)) if finite else None
        for unit in range(draw.integers(2, 5)):
            inner = draw.integers(1, 4)
            for second in range(inner):
                for third in range(2):
                    rows.append(
                        {
                            "strata": (stratum, unit, second)[:stages],
                            "units": (unit, second, third)[:stages],
                            "sizes": (size, int(inner + (inner > 1)), 4)[:stages]
                            if finite
                            else [None] * stages,
                        }
                    )
    y, weights = draw.normal(5, 3, len(rows)), draw.uniform(0.5, 4, len(rows))
    for row, number, weight in zip(rows, y, weights, strict=True):
        row |= {"y": number, "w": weight, "z": number * weight}
    made = sample_of(
        weights,
        [[row["strata"][0] for row in rows]],
        [[row["units"][stage] for row in rows] for stage in range(stages)],
        fpc=[[row["sizes"][stage] for row in rows] for stage in range(stages)] if finite else (),
        nest=True,
        single_psu="remove",
    )
    return rows, made, y


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.booleans())
def test_random_designs_are_those_of_the_plain_recursion(seed: int, stages: int, finite: bool) -> None:
    rows, sample, y = drawn(seed, stages, finite)
    found = totals(sample, y)
    assert found.values[0] == pytest.approx(sum(row["z"] for row in rows), rel=1e-12)
    assert found.covariance[0, 0] == pytest.approx(variance(rows), rel=1e-9)
    whole = sum(row["w"] for row in rows)
    centre = found.values[0] / whole
    for row in rows:
        row["z"] = row["w"] * (row["y"] - centre) / whole
    assert means(sample, y).covariance[0, 0] == pytest.approx(variance(rows), rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_a_subpopulation_has_zeros_outside_of_it(seed: int, finite: bool) -> None:
    rows, sample, y = drawn(seed, 2, finite)
    draw = np.random.default_rng(seed + 1)
    groups = draw.integers(-1, 3, len(rows))
    found = totals(sample, y, groups, 3)
    both = found.covariance[0, 0] + found.covariance[1, 1] + 2 * found.covariance[0, 1]
    for inside, expected in (
        (groups == 2, found.covariance[2, 2]),
        ((groups == 0) | (groups == 1), both),
    ):
        for row, held in zip(rows, inside, strict=True):
            row["z"] = row["w"] * row["y"] if held else 0.0
        assert expected == pytest.approx(variance(rows), rel=1e-9, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_rows_as_units_have_the_same_variance_one_by_one_and_grouped(seed: int) -> None:
    draw = np.random.default_rng(seed)
    size = 60
    strata = np.sort(draw.integers(0, 3, size))
    weights, y, groups = 1.0 + strata, draw.integers(0, 3, size).astype(float), draw.integers(-1, 2, size)
    sizes = 100.0 + strata
    plain = means(sample_of(weights, [strata], fpc=[sizes]), y, groups, 2)
    named = means(sample_of(weights, [strata], [np.arange(size)], fpc=[sizes]), y, groups, 2)
    keys, first, counts = np.unique(
        np.column_stack((strata, y, groups)), axis=0, return_index=True, return_counts=True
    )
    short = sample_of(weights[first] * counts, [strata[first]], fpc=[sizes[first]], counts=counts)
    grouped = means(short, keys[:, 1], keys[:, 2].astype(np.intp), 2)
    for other in (named, grouped):
        np.testing.assert_allclose(other.covariance, plain.covariance, rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose(other.deff, plain.deff, rtol=1e-9)
    assert short.degrees() == sample_of(weights, [strata]).degrees() == size - np.unique(strata).size


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_jackknife_and_half_samples_of_a_total_are_linear(seed: int) -> None:
    draw = np.random.default_rng(seed)
    strata = np.repeat(np.arange(5), 8)
    units = np.tile(np.repeat([0, 1], 4), 5)
    weights, y = draw.uniform(1, 3, 40), draw.normal(0, 1, 40)
    plain = sample_of(weights, [strata], [units], nest=True)
    expected = totals(plain, y).covariance[0, 0]
    for kind, rho in (("jkn", 0.0), ("brr", 0.0), ("fay", 0.4)):
        made = replicated(plain, kind, rho=rho)
        assert totals(made, y).covariance[0, 0] == pytest.approx(expected, rel=1e-9)
        assert means(made, y).se[0] == pytest.approx(means(plain, y).se[0], rel=0.2)


def test_a_bootstrap_is_that_of_its_seed_and_near_the_linear_variance() -> None:
    draw = np.random.default_rng(3)
    strata, units = np.repeat(np.arange(4), 60), np.tile(np.repeat(np.arange(12), 5), 4)
    plain = sample_of(draw.uniform(1, 2, 240), [strata], [units], nest=True)
    y = draw.normal(size=240)
    made = [means(replicated(plain, "bootstrap", times=2000, seed=seed), y).se[0] for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]
    assert made[0] == pytest.approx(means(plain, y).se[0], rel=0.06)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_calibrated_totals_vary_as_their_residuals(seed: int) -> None:
    draw = np.random.default_rng(seed)
    units, cells = np.repeat(np.arange(12), 5), draw.permutation(np.repeat([0, 1, 2], 20))
    y, x, start = draw.normal(10, 2, 60), draw.uniform(1, 9, 60), draw.uniform(1, 3, 60)
    plain = sample_of(start, clusters=[units])
    dummies = (cells[:, None] == np.arange(3)).astype(float)
    targets = np.array([70.0, 50.0, 40.0])
    matrix, sums = np.column_stack((dummies, x)), np.array([*targets, 800.0])
    for own, (weights, residuals), rel in (
        (dummies, poststratified(start, cells, targets), 1e-8),
        (dummies, raked(start, [cells], [targets]), 0.2),  # R takes plain means of margins, which are close
        (matrix, generalized(start, matrix, sums), 1e-8),
    ):
        assert weights @ own == pytest.approx(sums[: own.shape[1]], rel=1e-9)
        root = np.sqrt(start)[:, None]
        beta = np.linalg.lstsq(own * root, y * root[:, 0], rcond=None)[0]
        expected = totals(sample_of(weights, clusters=[units]), y - own @ beta).covariance[0, 0]
        found = totals(plain.calibrated(weights, residuals), y).covariance[0, 0]
        assert found == pytest.approx(expected, rel=rel)


def test_bounds_hold_or_are_refused() -> None:
    x = np.column_stack((np.ones(6), [1.0, 2, 3, 4, 5, 9]))
    made, _ = generalized(np.ones(6), x, np.array([6.0, 26.0]), method="logit", bounds=(0.6, 1.7))
    assert 0.6 < made.min() < made.max() < 1.7
    assert made @ x == pytest.approx([6.0, 26.0], rel=1e-9)
    with pytest.raises(UsageError, match=r"cannot meet its totals within the bounds 0\.9 and 1\.1"):
        generalized(np.ones(6), x, np.array([6.0, 40.0]), method="logit", bounds=(0.9, 1.1))


def test_a_replicate_without_anybody_of_a_group_is_left_out() -> None:
    replicates = np.array([[2.0, 0, 1, 1], [0.0, 2, 1, 1], [1.0, 1, 2, 0]])
    sample = ReplicateSample(np.ones(3), np.ones(3), replicates, 0.25, np.ones(4))
    found = means(sample, [1.0, 3.0, 5.0], [0, 1, 1], 2)
    assert found.se[0] == 0.0
    kept = np.array([(3 * 0 + 5 * 1) / 1, (6 + 5) / 3, (3 + 10) / 3, 3.0])
    assert found.covariance[1, 1] == pytest.approx(0.25 * ((kept - kept.mean()) ** 2).sum())


def test_a_group_without_respondents_is_missing() -> None:
    found = means(sample_of(np.ones(4)), [1.0, 2, 3, 4], [0, 0, 1, 1], 3)
    assert np.isnan(found.values[2])
    assert np.isnan(found.se[2])
    assert found.se[0] > 0
    empty = ratios(sample_of(np.ones(2)), [np.nan, np.nan], [1.0, 2.0])
    assert np.isnan(empty.values[0])
