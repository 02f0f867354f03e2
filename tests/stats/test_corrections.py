"""Corrections for the number of tests, against their definitions and against statsmodels."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxpop.stats import CORRECTIONS, benjamini_hochberg, bonferroni, holm

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # statsmodels' own, of its import
    from statsmodels.stats.multitest import multipletests

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("method", "theirs"), [("bh", "fdr_bh"), ("holm", "holm"), ("bonferroni", "bonferroni")]
)
@settings(max_examples=20, deadline=None)
@given(p=p_values)
def test_agrees_with_statsmodels(method: str, theirs: str, p: list[float]) -> None:
    np.testing.assert_allclose(CORRECTIONS[method](p), multipletests(p, method=theirs)[1], rtol=1e-12)


@given(p_values, st.integers(0, 5))
def test_tests_that_were_not_made_do_not_count(p: list[float], missing: int) -> None:
    for correct in CORRECTIONS.values():
        padded = correct([*p, *[float("nan")] * missing])
        np.testing.assert_array_equal(padded[: len(p)], correct(p))
        assert np.isnan(padded[len(p) :]).all()


@given(p_values)
def test_each_correction_is_as_strict_as_it_says(p: list[float]) -> None:
    given_p = np.array(p)
    slack = 1e-12
    assert (benjamini_hochberg(p) >= given_p - slack).all()
    assert (holm(p) >= benjamini_hochberg(p) - slack).all()
    assert (bonferroni(p) >= holm(p) - slack).all()
    assert (bonferroni(p) <= 1).all()


def test_keeps_the_shape_of_what_it_is_given() -> None:
    assert holm([[0.01, 0.04], [0.03, float("nan")]]).round(3).tolist()[0] == [0.03, 0.06]
    assert benjamini_hochberg(np.empty((0, 3))).shape == (0, 3)
