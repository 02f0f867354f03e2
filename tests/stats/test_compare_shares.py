"""Two columns' shares: pooled and unpooled, on effective bases, with members in common."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxpop.stats import compare_shares, two_proportions


def columns() -> st.SearchStrategy[tuple[float, float, float]]:
    """Draw a weighted count, its base, and an effective base."""
    return st.tuples(st.floats(0.01, 0.99), st.floats(2, 1e6), st.floats(2.5, 1e4)).map(
        lambda drawn: (drawn[0] * drawn[1], drawn[1], drawn[2])
    )


@given(columns(), columns())
def test_the_test_is_symmetric_and_ignores_the_scale_of_weights(
    a: tuple[float, float, float], b: tuple[float, float, float]
) -> None:
    pairs = tuple(zip(a, b, strict=True))
    one = compare_shares(*pairs)
    other = compare_shares(*[(right, left) for left, right in pairs])
    scaled = compare_shares(*[(7 * left, 7 * right) for left, right in pairs[:2]], pairs[2])
    np.testing.assert_allclose([-one[0], one[1], -one[2], one[3], one[4]], other, rtol=1e-9)
    np.testing.assert_allclose(one, scaled, rtol=1e-8, atol=1e-12)


@given(st.integers(1, 99), st.integers(100, 200), st.integers(1, 99), st.integers(100, 200))
def test_on_counts_it_is_the_two_proportion_test(x_1: int, n_1: int, x_2: int, n_2: int) -> None:
    bases = (n_1, n_2)
    difference, _, z, df, p = compare_shares((x_1, x_2), bases, bases, normal=True)
    np.testing.assert_allclose((difference, z, p), two_proportions(x_1, n_1, x_2, n_2), rtol=1e-12)
    assert math.isinf(df)


def test_members_in_common_make_the_difference_surer() -> None:
    alone = compare_shares((30, 40), (100, 100), (100, 100))
    shared = compare_shares((30, 40), (100, 100), (100, 100), overlap=50)
    assert shared[1] < alone[1]
    assert shared[3] == 148
    assert shared[1] == pytest.approx(math.sqrt(0.35 * 0.65 * (1 / 100 + 1 / 100 - 2 * 50 / 100**2)))
    same = compare_shares((30, 30), (100, 100), (100, 100), overlap=100)
    assert np.isnan(same[4])


@pytest.mark.parametrize("counts", [(0, 5), (10, 5), (5, 0), (5, 10)])
def test_a_share_of_nobody_or_everybody_is_not_tested(counts: tuple[int, int]) -> None:
    found = compare_shares(counts, (10, 10), (10, 10))
    assert np.isnan(found[1:]).all()
    assert found[0] == pytest.approx((counts[0] - counts[1]) / 10)


def test_an_effective_base_below_two_is_not_tested() -> None:
    assert np.isnan(compare_shares((5, 5), (10, 20), (1.9, 20))[4])
    assert not np.isnan(compare_shares((5, 5), (10, 20), (2.0, 20))[4])
