"""Bases: counts, sums that do not depend on order, Kish's effective base, shares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxpop.stats import effective_base, group_sums, shares

weights = st.lists(st.floats(0.001, 1e6), min_size=1, max_size=40)


def test_sums_of_no_values_are_zero() -> None:
    assert group_sums([], [], 3).tolist() == [0, 0, 0]


@given(weights, st.randoms(use_true_random=False))
def test_sums_do_not_depend_on_the_order_of_respondents(values: list[float], chance: object) -> None:
    codes = [place % 3 for place in range(len(values))]
    pairs = list(zip(values, codes, strict=True))
    chance.shuffle(pairs)  # type: ignore[attr-defined]
    shuffled = group_sums([value for value, _ in pairs], [code for _, code in pairs], 3)
    assert shuffled.tolist() == group_sums(values, codes, 3).tolist()


def test_effective_base_of_equal_weights_is_the_number_of_respondents() -> None:
    assert float(effective_base(10 * 2.5, 10 * 2.5**2)) == pytest.approx(10, rel=1e-12)


@given(weights, st.floats(0.01, 100))
def test_effective_base_does_not_depend_on_the_scale_of_weights(values: list[float], scale: float) -> None:
    w = np.array(values)
    one = float(effective_base(w.sum(), (w * w).sum()))
    other = float(effective_base((scale * w).sum(), (scale * w * scale * w).sum()))
    assert one == pytest.approx(other, rel=1e-9)
    assert 1 - 1e-9 <= one <= len(values) * (1 + 1e-9)


def test_a_share_of_nobody_is_missing_and_never_zero() -> None:
    found = shares([0, 0, 3], [0, 5, 4])
    assert np.isnan(found[0])
    assert found[1:].tolist() == [0, 0.75]
