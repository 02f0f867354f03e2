"""Bootstrap over clusters: draws, and intervals against a direct loop."""

from __future__ import annotations

import math

import numpy as np
import pytest

from voxpop.stats.bootstrap import cluster_counts, interval_of, ratio_interval

FAMILIES = ["a", "a", "b", "c", "c", "c"]


def test_items_of_a_cluster_are_drawn_together_and_as_many_clusters_as_there_are() -> None:
    drawn = cluster_counts(FAMILIES, seed=1, resamples=200)
    assert drawn.shape == (200, 6)
    assert (drawn[:, 0] == drawn[:, 1]).all()
    assert (drawn[:, 3] == drawn[:, 5]).all()
    assert (drawn[:, [0, 2, 3]].sum(axis=1) == 3).all()
    assert drawn[:, 0].mean() == pytest.approx(1, abs=0.2)


def test_the_interval_is_that_of_the_ratios_of_all_draws() -> None:
    above, below = np.array([1.0, 2, 3, 4, 5, 6]), np.array([1.0, 1, 2, 2, 3, 3])
    drawn = cluster_counts(FAMILIES, seed=2, resamples=300)
    ratios = [(row @ above) / (row @ below) for row in drawn]
    assert ratio_interval(above, below, drawn) == pytest.approx(tuple(np.quantile(ratios, [0.025, 0.975])))
    assert interval_of(lambda row: float((row @ above) / (row @ below)), drawn) == pytest.approx(
        ratio_interval(above, below, drawn)
    )


def test_the_interval_covers_the_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    hits = 0
    for trial in range(200):
        values = rng.normal(2, 1, 60)
        low, high = ratio_interval(
            values, np.ones(60), cluster_counts([str(i) for i in range(60)], seed=trial)
        )
        hits += low <= 2 <= high
    assert 180 <= hits <= 198


def test_too_few_draws_with_a_value_have_no_interval() -> None:
    drawn = cluster_counts(["a", "b"], seed=4, resamples=100)
    assert all(math.isnan(end) for end in ratio_interval([1, 1], [0, 1], drawn))
