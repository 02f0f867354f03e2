"""Planning figures against statsmodels and each other."""

from __future__ import annotations

import math
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxpop.stats.power import (
    detectable_difference,
    detectable_share,
    n_for_means,
    n_for_shares,
    power_means,
    power_shares,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # statsmodels' own, of its import
    from statsmodels.stats.power import TTestIndPower

shares = st.floats(0.02, 0.98)


@given(shares, shares)
def test_the_size_for_two_shares_has_the_power_asked_for(a: float, b: float) -> None:
    if abs(a - b) < 0.01:
        return
    n = n_for_shares(a, b, power=0.9)
    assert power_shares(a, b, n) == pytest.approx(0.9)
    assert n_for_shares(b, a, power=0.9) == pytest.approx(n)


@given(st.floats(0.1, 2), st.floats(1, 5))
def test_the_size_for_two_means_has_the_power_asked_for(difference: float, sd: float) -> None:
    n = n_for_means(difference, sd)
    assert power_means(difference, sd, n) >= 0.8 - 1e-9
    theirs = TTestIndPower().power(difference / sd, n, 0.05)  # with the other tail, which is next to nothing
    assert power_means(difference, sd, n) == pytest.approx(theirs, abs=1e-3)


def test_what_a_size_can_tell_is_the_inverse() -> None:
    assert n_for_shares(0.3, detectable_share(0.3, 150)) == pytest.approx(150)
    assert detectable_share(0.8, 150) < 0.8
    assert n_for_means(detectable_difference(2.0, 60), 2.0) == pytest.approx(60)
    assert math.isnan(detectable_share(0.5, 2))


def test_equal_ones_are_never_told_apart() -> None:
    with pytest.raises(ValueError, match="must differ"):
        n_for_shares(0.3, 0.3)
    with pytest.raises(ValueError, match="must not be 0"):
        n_for_means(0, 1)


def test_published_figures_of_r() -> None:
    """The examples of ``power.prop.test`` and ``power.t.test``, as their help pages show them."""
    assert power_shares(0.5, 0.75, 50) == pytest.approx(0.740, abs=5e-4)
    assert n_for_shares(0.5, 0.75, power=0.9) == pytest.approx(76.7, abs=0.05)
    assert power_means(1, 1, 20) == pytest.approx(0.8689528, abs=1e-7)
    assert n_for_means(1, 1, power=0.9) == pytest.approx(22.02110, abs=1e-5)
