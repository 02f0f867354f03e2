"""Correlations of items against numpy, and their agreement against what must hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxpop.stats.structure import agreement_of_correlations, pairwise_correlations, repeated_agreement

CORRELATIONS = st.lists(st.floats(-0.9, 0.9), min_size=3, max_size=30).filter(lambda r: np.std(r) > 0.01)


@pytest.fixture
def answers() -> np.ndarray:
    rng = np.random.default_rng(3)
    values = np.round(rng.normal(size=(300, 6)) @ rng.normal(size=(6, 6)) + 40)
    values[rng.random(values.shape) < 0.3] = np.nan
    return values


def test_each_pair_equals_numpy_over_those_who_answered_both(answers: np.ndarray) -> None:
    weights = np.random.default_rng(4).uniform(0.5, 2, len(answers))
    r, n = pairwise_correlations(answers, weights)
    for one in range(6):
        for two in range(6):
            both = ~np.isnan(answers[:, one]) & ~np.isnan(answers[:, two])
            cov = np.cov(answers[both][:, [one, two]].T, aweights=weights[both], ddof=0)
            assert r[one, two] == pytest.approx(cov[0, 1] / np.sqrt(cov[0, 0] * cov[1, 1]), abs=1e-10)
            assert n[one, two] == both.sum()


def test_equal_weights_change_nothing(answers: np.ndarray) -> None:
    same = pairwise_correlations(answers, np.full(len(answers), 5.0))[0]
    assert pairwise_correlations(answers)[0] == pytest.approx(same, abs=1e-10)


def test_an_item_that_does_not_vary_has_no_correlation() -> None:
    r, n = pairwise_correlations([[1, 2], [1, 3], [1, 4]])
    assert math.isnan(r[0, 1])
    assert n[0, 1] == 3
    assert pairwise_correlations([[np.nan, 1], [np.nan, 2]])[1].tolist() == [[0, 0], [0, 2]]


@settings(deadline=None, derandomize=True)
@given(CORRELATIONS)
def test_agreement_is_1_with_itself_and_turns_with_the_sign(human: list[float]) -> None:
    r = np.array(human)
    assert agreement_of_correlations(r, 0.5 * r + 0.1) == pytest.approx(1, abs=1e-9)
    assert agreement_of_correlations(r, -r) == pytest.approx(-1, abs=1e-9)


def test_agreement_equals_numpy_and_weights_are_repetitions() -> None:
    rng = np.random.default_rng(5)
    one, two, times = rng.normal(size=40), rng.normal(size=40), rng.integers(0, 4, 40)
    assert agreement_of_correlations(one, two) == pytest.approx(np.corrcoef(one, two)[0, 1])
    repeated = np.corrcoef(np.repeat(one, times), np.repeat(two, times))[0, 1]
    assert agreement_of_correlations(one, two, times) == pytest.approx(repeated)


def test_agreement_needs_three_pairs_that_differ() -> None:
    assert math.isnan(agreement_of_correlations([0.1, 0.2, math.nan], [0.1, 0.2, 0.3]))
    assert math.isnan(agreement_of_correlations([0.1, 0.2, 0.3], [0.2, 0.2, 0.2]))


def test_the_agreement_of_a_second_survey_is_the_one_that_two_surveys_show() -> None:
    rng = np.random.default_rng(6)
    items, people = 14, 400
    shape = rng.normal(size=(items, 3))
    truth = shape @ shape.T / 3 + np.eye(items)
    pairs = np.triu_indices(items, 1)
    expected, seen = [], []
    for _ in range(60):
        first, second = (
            np.corrcoef(rng.multivariate_normal(np.zeros(items), truth, people).T)[pairs] for _ in range(2)
        )
        expected.append(repeated_agreement(first, np.full(first.shape, people)))
        seen.append(agreement_of_correlations(first, second))
    assert np.mean(expected) == pytest.approx(np.mean(seen), abs=0.01)


def test_correlations_that_are_all_noise_have_no_agreement() -> None:
    assert repeated_agreement([0.01, -0.01, 0.0], [50, 50, 50]) == 0
    assert math.isnan(repeated_agreement([0.1, 0.2], [50, 50]))
