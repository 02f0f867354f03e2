"""Planning a comparison: sample size, detectable difference and cost."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from voxpop.analysis import power
from voxpop.errors import UsageError
from voxpop.stats import two_proportions


def test_the_published_examples_of_r() -> None:
    """R 4.2: power.prop.test(p1 = .50, p2 = .75, power = .90), power.t.test(delta = 1, power = .90)."""
    assert power(0.50, 0.75, power=0.9).n == math.ceil(76.7)
    assert power(difference=1, sd=1, power=0.9).n == math.ceil(22.02110)
    assert power(difference=1, sd=1, n=20).power == pytest.approx(0.8689528, abs=1e-6)
    assert power(0.50, 0.75, n=50).power == pytest.approx(0.7401659, abs=1e-6)


def test_what_is_planned_is_found_as_often_as_promised() -> None:
    plan = power(0.3, 0.4)
    draw = np.random.default_rng(11)
    a, b = (draw.binomial(plan.n, share, 20_000) for share in (0.3, 0.4))
    p = two_proportions(a, plan.n, b, plan.n)[2]
    assert np.mean(p < 0.05) == pytest.approx(0.8, abs=0.015)
    assert plan.power == pytest.approx(0.8, abs=0.005)


def test_a_design_costs_one_unit_per_agent_and_question() -> None:
    plan = power(0.3, 0.4, cohorts=3, questions=5)
    assert (plan.agents, plan.answers, plan.units) == (3 * plan.n, 15 * plan.n, 15 * plan.n)
    assert f"costs {plan.units:,} quota units" in repr(plan)


def test_what_a_given_size_can_tell() -> None:
    plan = power(0.5, n=100)
    assert math.isnan(plan.power)
    again = power(0.5, 0.5 + plan.detectable, n=100)
    assert again.power == pytest.approx(0.8, abs=1e-9)
    means = power(sd=2.0, n=100)
    assert power(difference=means.detectable, sd=2.0, n=100).power == pytest.approx(0.8, abs=1e-9)
    assert "differences from 19." in repr(plan)
    assert "no difference can be told" in repr(power(0.5, n=3))


def test_weighting_and_many_pairs_take_more_agents() -> None:
    plain = power(0.3, 0.4)
    assert power(0.3, 0.4, deff=1.5).n == pytest.approx(1.5 * plain.n, abs=1)
    assert "design effect of weighting 1.5" in repr(power(0.3, 0.4, deff=1.5))
    many = power(0.3, 0.4, cohorts=4, correct=True)
    assert many.tests == 6
    assert many.level == pytest.approx(0.05 / 6)
    assert many.n == power(0.3, 0.4, level=0.05 / 6).n
    assert "Bonferroni over 6 tests" in repr(many)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "power needs two shares"),
        ({"share_a": 0.3}, "needs the other share"),
        ({"share_a": 30, "share_b": 40}, "30 % is 0.3"),
        ({"share_b": 0.3}, "share_b needs share_a"),
        ({"share_a": 0.3, "share_b": 0.3}, "Both shares are 0.3; they must differ"),
        ({"difference": 0, "sd": 1}, "difference must not be 0"),
        ({"difference": 1, "sd": 0}, "sd must be above 0"),
        ({"difference": 1}, "power needs two shares, or the difference"),
        ({"share_a": 0.3, "sd": 1}, "not both at once"),
        ({"share_a": 0.3, "share_b": 0.4, "power": 80}, "power must lie between 0 and 1"),
        ({"share_a": 0.3, "share_b": 0.4, "level": 0}, "level must lie between 0 and 1"),
        ({"share_a": 0.3, "share_b": 0.4, "deff": 0.5}, "deff must be 1 or more"),
        ({"share_a": 0.3, "share_b": 0.4, "cohorts": 1}, "cohorts must be 2 or more"),
        ({"share_a": 0.3, "n": 2, "deff": 3}, "at most one effective agent"),
    ],
)
def test_a_plan_that_cannot_be_meant_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        power(**asked)
