"""Differences between groups, and the parts of the variance, against brute force and what must hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxpop.stats.gaps import compare_gaps, variance_parts

GAPS = st.lists(st.floats(-1, 1), min_size=1, max_size=12)
BOTH = st.integers(1, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.floats(-1, 1), min_size=n, max_size=n)] * 2)
)
TABLES = st.tuples(st.integers(1, 5), st.integers(2, 5)).flatmap(
    lambda size: st.tuples(
        st.lists(
            st.lists(st.floats(0.01, 1), min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        ),
        st.lists(st.floats(0.1, 1), min_size=size[0], max_size=size[0]),
    )
)


@settings(deadline=None, derandomize=True)
@given(BOTH)
def test_gaps_are_counted_one_by_one(both: tuple[list[float], list[float]]) -> None:
    human, other = both
    held = [(h, o) for h, o in zip(human, other, strict=True) if abs(h) >= 0.08]
    found = compare_gaps(human, other)
    assert found.number == len(held)
    assert found.right == sum((h > 0 and o > 0) or (h < 0 and o < 0) for h, o in held)
    if held:
        along = sum(o if h > 0 else -o for h, o in held)
        assert found.ratio == pytest.approx(along / sum(abs(h) for h, _ in held), abs=1e-9)


@settings(deadline=None, derandomize=True)
@given(GAPS)
def test_the_same_gaps_are_all_right_and_turned_ones_all_wrong(human: list[float]) -> None:
    same, turned = compare_gaps(human, human), compare_gaps(human, [-one for one in human])
    if same.number:
        assert (same.sign_share, turned.sign_share) == (1, 0)
        assert (same.ratio, turned.ratio) == (pytest.approx(1), pytest.approx(-1))
        assert compare_gaps(human, [0.0] * len(human)).sign_share == 0  # no difference has no sign


def test_unknown_gaps_do_not_count_and_no_gaps_have_no_score() -> None:
    assert compare_gaps([math.nan, 0.5, 0.5], [0.5, math.nan, 0.1]).number == 1
    none = compare_gaps([0.01], [0.5])
    assert math.isnan(none.sign_share)
    assert math.isnan(none.ratio)


@settings(deadline=None, derandomize=True)
@given(TABLES)
def test_the_parts_of_the_variance_add_up(table: tuple[list[list[float]], list[float]]) -> None:
    rows = np.array([np.array(row) / sum(row) for row in table[0]])
    weights = np.array(table[1]) / sum(table[1])
    between, within = variance_parts(rows, weights)
    whole = weights @ rows
    assert between + within == pytest.approx((whole * (1 - whole)).sum(), abs=1e-12)
    assert between >= -1e-12


def test_groups_that_are_alike_have_no_variance_between_them() -> None:
    assert variance_parts([[0.7, 0.3], [0.7, 0.3]], [1, 3])[0] == pytest.approx(0, abs=1e-12)


def test_the_part_that_sampling_adds_is_taken_off_on_average() -> None:
    rng = np.random.default_rng(7)
    truth = np.array([[0.6, 0.4], [0.45, 0.55], [0.5, 0.5]])
    weights, people = np.array([0.5, 0.3, 0.2]), np.array([60, 40, 30])
    drawn = [
        variance_parts(
            [rng.multinomial(n, row) / n for n, row in zip(people, truth, strict=True)], weights, people
        )
        for _ in range(4_000)
    ]
    assert np.mean(drawn, axis=0) == pytest.approx(variance_parts(truth, weights), abs=0.0015)
    assert min(between for between, _ in drawn) < 0
