"""Kappa and alpha against published examples and the krippendorff package."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxpop.stats.agreement import (
    LEVELS,
    alpha_interval,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
)

_ = math.nan
# K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section D: four coders, twelve units
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
# J. L. Fleiss, Psychological Bulletin 76 (1971) in its usual short form: ten subjects, fourteen raters
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
FIRST = [1, 1, 1, 2, 2, 2, 3, 3, 3, 1, 1, 2, 2, 3, 3, 1, 2, 3, 1, 2]
SECOND = [1, 1, 1, 2, 2, 3, 3, 3, 3, 1, 1, 2, 2, 3, 2, 1, 2, 3, 1, 1]


@pytest.mark.parametrize(
    ("level", "published", "exact"),
    [
        ("nominal", 0.743, 113 / 152),
        ("ordinal", 0.815, 0.8153875037548814),
        ("interval", 0.849, 0.8491071428571428),
    ],
)
def test_alpha_of_krippendorffs_own_example(level: Any, published: float, exact: float) -> None:
    alpha = krippendorff_alpha(KRIPPENDORFF, level)
    assert alpha == pytest.approx(exact, rel=1e-9)
    assert round(alpha, 3) == published


@settings(deadline=None, derandomize=True)
@given(
    st.lists(
        st.lists(st.sampled_from([1.0, 2.0, 3.0, 5.0, math.nan]), min_size=3, max_size=3),
        min_size=2,
        max_size=12,
    ),
    st.sampled_from(LEVELS),
)
def test_alpha_equals_the_krippendorff_package(units: list[list[float]], level: Any) -> None:
    values = np.array(units).T
    ours = krippendorff_alpha(values, level)
    shared = values[:, (~np.isnan(values)).sum(axis=0) >= 2]
    if np.unique(shared[~np.isnan(shared)]).size < 2:
        assert math.isnan(ours)
        return
    package = pytest.importorskip("krippendorff")
    assert ours == pytest.approx(package.alpha(shared, level_of_measurement=level), rel=1e-9, abs=1e-12)


def test_cohens_kappa_plain_and_weighted() -> None:
    assert cohen_kappa(FIRST, SECOND) == pytest.approx(0.7744360902255639, rel=1e-9)
    assert cohen_kappa(FIRST, SECOND, "linear") == pytest.approx(0.8314606741573034, rel=1e-9)
    assert cohen_kappa(FIRST, SECOND, "quadratic") == pytest.approx(0.8880597014925373, rel=1e-9)
    assert percent_agreement([FIRST, SECOND]) == pytest.approx(85)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_cohens_kappa_equals_scikit_learn(weights: Any) -> None:
    metrics = import_module("sklearn.metrics")
    draw = np.random.default_rng(3)
    one = draw.integers(0, 4, 200)
    two = np.where(draw.random(200) < 0.6, one, draw.integers(0, 4, 200))
    assert cohen_kappa(one, two, weights) == pytest.approx(
        metrics.cohen_kappa_score(one, two, weights=weights), rel=1e-9
    )


def test_fleiss_kappa_as_published() -> None:
    assert fleiss_kappa(FLEISS) == pytest.approx(0.20993070442195522, rel=1e-9)
    assert round(fleiss_kappa(FLEISS), 2) == 0.21


def test_fleiss_kappa_takes_the_same_number_of_coders_everywhere() -> None:
    assert math.isnan(fleiss_kappa([[2, 0], [3, 0]]))


@pytest.mark.parametrize("level", LEVELS)
def test_without_variation_agreement_is_missing_never_one(level: Any) -> None:
    alike = [[1, 1, 1], [1, 1, 1]]
    assert math.isnan(krippendorff_alpha(alike, level))
    assert math.isnan(cohen_kappa(*alike))
    assert math.isnan(fleiss_kappa([[2], [2]]))
    assert all(math.isnan(end) for end in alpha_interval(alike, level, seed=1))


def test_interval_is_seeded_and_holds_alpha() -> None:
    low, high = alpha_interval([FIRST, SECOND], seed=5)
    assert (low, high) == alpha_interval([FIRST, SECOND], seed=5)
    assert (low, high) != alpha_interval([FIRST, SECOND], seed=6)
    assert low < krippendorff_alpha([FIRST, SECOND]) < high


def test_interval_covers_the_large_sample_error_of_kappa() -> None:
    """Alpha and kappa nearly agree on two coders; kappa's asymptotic 95 % interval is 0.541 to 1.008."""
    low, high = alpha_interval([FIRST * 25, SECOND * 25], seed=2)
    assert high - low == pytest.approx(2 * 1.96 * 0.11898466257570374 / 5, rel=0.1)
