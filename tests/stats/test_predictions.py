"""Prediction-powered estimates: equal to ppi_py where it covers them, and to people alone without help."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from voxpop.stats.intervals import wilson
from voxpop.stats.means import moments
from voxpop.stats.prediction_models import (
    Design,
    combined_coefficients,
    design_of,
    solved,
    variances,
)
from voxpop.stats.prediction_quantiles import combined_quantile
from voxpop.stats.predictions import Combined, Sides, combined_mean, combined_share, combined_shares

Floats = npt.NDArray[np.float64]
REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "combine_ppi_py.json").read_text())
PEOPLE = {name: np.array(values) for name, values in REFERENCE["people"].items()}
AGENTS = {name: np.array(values) for name, values in REFERENCE["agents"].items()}
FIGURES = REFERENCE["figures"]
Z = 1.959963984540054


def numbers(**more: Any) -> Sides:
    return Sides(PEOPLE["y"], PEOPLE["f"], AGENTS["f"], **more)


def shares(**more: Any) -> Sides:
    return Sides(PEOPLE["yes"], PEOPLE["said"], AGENTS["said"], **more)


@pytest.mark.parametrize("lam", [0.0, 0.35, 0.8, 1.0])
@pytest.mark.parametrize(("name", "sides"), [("mean", numbers()), ("share", shares())])
def test_means_are_those_of_ppi_py(lam: float, name: str, sides: Sides) -> None:
    found, (estimate, low, high) = combined_mean(sides, lam=lam), FIGURES[f"{name} {lam}"]
    assert found.estimate == pytest.approx(estimate, abs=1e-12)
    y, f, g = sides.outcomes, sides.predictions, sides.pool
    # ppi_py divides by n, we divide by n - 1
    variance = np.var(y - lam * f) / (y.size - 1) + lam**2 * np.var(g) / (g.size - 1)
    assert found.se == pytest.approx(math.sqrt(variance), abs=1e-12)
    theirs = math.sqrt(np.var(y - lam * f) / y.size + lam**2 * np.var(g) / g.size)
    assert (high - low) / 2 / Z == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("lam", [0.35, 0.8, 1.0])
def test_linear_coefficients_are_those_of_ppi_py(lam: float) -> None:
    check_coefficients("linear", lam, ("y", "f"))


def test_logistic_coefficients_are_those_of_ppi_py() -> None:
    check_coefficients("logistic", 0.35, ("yes", "said"))


def check_coefficients(family: Any, lam: float, names: tuple[str, str]) -> None:
    rows, more = (np.column_stack([np.ones(held["x"].size), held["x"]]) for held in (PEOPLE, AGENTS))
    people, pool = design_of(rows, PEOPLE[names[0]], None), design_of(more, AGENTS[names[1]], None)
    found = combined_coefficients(people, PEOPLE[names[1]], pool, family, lam=lam)
    estimate, low, high = FIGURES[f"{family} {lam}"]
    # their optimiser stops at a gradient of 1e-5 or so; ours is Newton's method
    near = 1e-9 if family == "linear" else 1e-5
    assert [one.estimate for one in found] == pytest.approx(estimate, abs=near)
    # theirs is the sandwich, before the corrections for the number of coefficients
    given = Design(people.rows, PEOPLE[names[1]], people.shares)
    theta = solved(people, given, pool, family, lam)
    for k, width in enumerate(np.array(high) - np.array(low)):
        a, b, c, d = variances(people, given, pool, family, theta, k, pooled=True)
        sandwich = a - 2 * lam * b + lam**2 * c + lam**2 * d
        assert math.sqrt(sandwich) == pytest.approx(width / 2 / Z, abs=near)


def test_weighted_estimates_are_those_of_ppi_py() -> None:
    sides = numbers(weights=PEOPLE["w"], pool_weights=AGENTS["w"])
    assert combined_mean(sides, lam=0.6).estimate == pytest.approx(FIGURES["weighted mean 0.6"], abs=1e-12)
    rows, more = (np.column_stack([np.ones(held["x"].size), held["x"]]) for held in (PEOPLE, AGENTS))
    people = design_of(rows, PEOPLE["y"], PEOPLE["w"])
    found = combined_coefficients(
        people, PEOPLE["f"], design_of(more, AGENTS["f"], AGENTS["w"]), "linear", lam=0.6
    )
    assert [one.estimate for one in found] == pytest.approx(FIGURES["weighted linear 0.6"], abs=1e-9)


def test_a_quantile_lies_where_ppi_py_finds_it() -> None:
    found, (estimate, low, high) = combined_quantile(numbers(), lam=1.0), FIGURES["quantile 1.0"]
    # they take the value whose share is nearest, we the first that reaches it; and intervals of shares differ
    assert found.estimate == pytest.approx(estimate, abs=0.05)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.2)


def test_useless_predictions_give_the_figures_of_people_alone() -> None:
    y = np.tile([0.0, 1.0, 1.0, 1.0], 20)
    away = Sides(y, np.tile([1.0, 0.0, 0.0, 0.0], 20), np.tile([1.0, 0.0, 0.0, 0.0], 200))
    found = combined_share(away)
    assert (found.lam, found.worth) == (0.0, 0.0)
    assert (found.estimate, found.low, found.high) == (found.people, found.people_low, found.people_high)
    assert (found.low, found.high) == pytest.approx([float(end) for end in wilson(0.75, 80)], abs=1e-12)
    mean = combined_mean(away)
    one = moments([0, 1], [20, 60], [20, 60], [20, 60])
    assert (mean.estimate, mean.low, mean.high) == pytest.approx((one.mean, *one.interval()), abs=1e-12)


def test_the_variance_of_people_is_that_of_the_jackknife() -> None:
    w, y = PEOPLE["w"], PEOPLE["y"]
    left_out = [np.average(np.delete(y, i), weights=np.delete(w, i)) for i in range(y.size)]
    variance = (y.size - 1) / y.size * np.sum((np.array(left_out) - np.average(y, weights=w)) ** 2)
    found = combined_mean(numbers(weights=w))
    assert found.people_se == pytest.approx(math.sqrt(variance), abs=1e-12)


def test_a_constant_or_shifted_prediction_changes_nothing() -> None:
    still = Sides(PEOPLE["y"], np.full(60, 3.0), np.full(400, 3.0))
    assert combined_mean(still).lam == 0.0
    moved = Sides(PEOPLE["y"], PEOPLE["f"] + 7, AGENTS["f"] + 7)
    plain = combined_mean(numbers())
    assert combined_mean(moved).estimate == pytest.approx(plain.estimate, abs=1e-9)
    assert combined_mean(moved).se == pytest.approx(plain.se, abs=1e-9)


def test_shares_of_all_levels_add_up_to_one() -> None:
    rng = np.random.default_rng(4)
    y, pool = rng.integers(0, 3, 90), rng.integers(0, 3, 500)
    f = np.where(rng.random(90) < 0.7, y, rng.integers(0, 3, 90))
    found = combined_shares([Sides((y == k) * 1.0, (f == k) * 1.0, (pool == k) * 1.0) for k in range(3)])
    assert sum(one.estimate for one in found) == pytest.approx(1)
    assert len({one.lam for one in found}) == 1
    assert found[0].lam > 0.5


def test_strata_take_the_mix_of_the_people_whatever_the_mix_of_the_pool() -> None:
    rng = np.random.default_rng(5)
    strata, pool_strata = rng.integers(0, 2, 200), (rng.random(3_000) < 0.9).astype(np.intp)
    y = rng.normal(3 * strata, 1)
    f, pool = y + rng.normal(0, 0.5, 200), rng.normal(3 * pool_strata, 1) + rng.normal(0, 0.5, 3_000)
    plain = combined_mean(Sides(y, f, pool))
    held = combined_mean(Sides(y, f, pool, strata=strata, pool_strata=pool_strata))
    assert abs(plain.shift_z) > 8
    assert abs(held.shift_z) < 4
    assert abs(held.estimate - held.people) < 3 * held.people_se
    assert held.se < held.people_se
    one = combined_mean(
        Sides(y, f, pool, strata=np.zeros(200, np.intp), pool_strata=np.zeros(3_000, np.intp))
    )
    assert one.estimate == pytest.approx(plain.estimate, abs=1e-12)
    assert one.se == pytest.approx(plain.se, abs=1e-12)


def test_more_people_make_the_planned_variance_smaller() -> None:
    spread = combined_mean(numbers()).spread
    assert spread.variance(1) > spread.variance(4) > spread.variance(100)
    assert spread.variance(1) == pytest.approx(combined_mean(numbers()).se ** 2, rel=0.1)


QUALITIES = ("perfect", "good", "weak", "noise", "biased", "adversarial", "one-sided")


def seen(quality: str, y: Floats, rng: np.random.Generator) -> Floats:
    """Return yes and no of agents of a given quality."""
    if quality == "perfect":
        return y
    if quality == "noise":
        return (rng.random(y.shape) < 0.5) * 1.0
    if quality == "biased":
        return np.maximum(y, rng.random(y.shape) < 0.5)
    if quality == "one-sided":
        return np.maximum(y, rng.random(y.shape) < 0.05)
    errs = {"good": 0.15, "weak": 0.35, "adversarial": 0.9}[quality]
    return np.where(rng.random(y.shape) < errs, 1 - y, y)


@pytest.mark.parametrize("quality", QUALITIES)
def test_intervals_cover_whatever_the_agents_say(quality: str) -> None:
    assert covered(quality, people=40, share=0.3, repeats=400) >= 0.92


def covered(quality: str, *, people: int, share: float, repeats: int) -> float:
    """Return how often the interval of a share holds the truth."""
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(repeats):
        y, more = ((rng.random(size) < share) * 1.0 for size in (people, 500))
        found: Combined = combined_share(Sides(y, seen(quality, y, rng), seen(quality, more, rng)))
        hits += found.low <= share <= found.high
    return hits / repeats
