"""Chi-square and its relatives, against scipy; Rao-Scott where weights do not matter."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from voxpop.stats import chi_square, rao_scott

tables = arrays(np.int64, st.tuples(st.integers(2, 5), st.integers(2, 5)), elements=st.integers(1, 60))


@given(tables)
def test_chi_square_is_scipys(counts: np.ndarray) -> None:
    theirs = stats.chi2_contingency(counts, correction=False)
    found = chi_square(counts)
    assert (found.chi2, found.df, found.p) == pytest.approx(
        (theirs.statistic, theirs.dof, theirs.pvalue), rel=1e-8, abs=1e-12
    )
    g2 = stats.chi2_contingency(counts, correction=False, lambda_="log-likelihood").statistic
    assert found.g2 == pytest.approx(g2, abs=1e-9)
    np.testing.assert_allclose(found.expected, theirs.expected_freq)
    yates = chi_square(counts[:2, :2], yates=True)
    assert yates.chi2 == pytest.approx(stats.chi2_contingency(counts[:2, :2]).statistic, abs=1e-9)


@given(tables, st.randoms(use_true_random=False))
def test_order_of_levels_and_empty_ones_do_not_matter(counts: np.ndarray, chance: object) -> None:
    order = list(range(counts.shape[0]))
    chance.shuffle(order)  # type: ignore[attr-defined]
    found, other = chi_square(counts), chi_square(np.pad(counts[order], 1).T)
    assert (found.chi2, found.p, found.cramers_v, found.cramers_v_corrected) == pytest.approx(
        (other.chi2, other.p, other.cramers_v, other.cramers_v_corrected)
    )
    assert other.columns.tolist() == [False, *[True] * counts.shape[0], False]


@given(tables)
def test_v_is_between_0_and_1_and_its_correction_below_it(counts: np.ndarray) -> None:
    found = chi_square(counts)
    assert 0 <= found.cramers_v_corrected <= found.cramers_v + 1e-9 <= 1 + 1e-8


@given(tables)
def test_squared_residuals_of_a_two_by_two_are_its_chi_square(counts: np.ndarray) -> None:
    found = chi_square(counts[:2, :2])
    np.testing.assert_allclose(found.residuals**2, found.chi2, rtol=1e-7, atol=1e-10)


@given(tables)
def test_with_equal_weights_rao_scott_is_close_to_pearson(counts: np.ndarray) -> None:
    n = counts.sum()
    found = rao_scott(counts * 3.0, counts * 9.0, n)
    assert found.x2 == pytest.approx(chi_square(counts).chi2, abs=1e-8)
    assert found.first_df == (counts.shape[0] - 1) * (counts.shape[1] - 1)
    assert 0 <= found.p <= 1
    scaled = rao_scott(counts * 1e6, counts * 1e12, n)
    assert (found.f, found.ndf, found.p) == pytest.approx((scaled.f, scaled.ndf, scaled.p), rel=1e-6)


def test_a_table_of_one_row_has_nothing_to_test() -> None:
    assert math.isnan(chi_square([[3, 4]]).chi2)
    assert math.isnan(chi_square([[3, 4], [0, 0]]).p)
    assert math.isnan(rao_scott([[3.0, 4.0]], [[3.0, 4.0]], 7).p)
    assert math.isnan(rao_scott([[5, 0], [0, 0]], [[5, 0], [0, 0]], 5).p)
