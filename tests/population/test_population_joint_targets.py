"""Joint targets of the population: two-way shares and ratios, as `voxpop population report` compares them.

The targets are those for a million agents; here are a hundred thousand, so sampling takes a part of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from voxpop.population import joints
from voxpop.population.joints import JointReport
from voxpop.population.queries import Population
from voxpop.vocabulary.filters import between, where

USED, SET_ASIDE = "used for building", "not used for building"


@pytest.fixture(scope="module")
def report(large: Population) -> JointReport:
    return joints.compare(large)


def of(report: JointReport, section: str, *, ways: int) -> tuple[list[float], list[bool]]:
    """Return the errors of the shares, and whether the ratios that are clearly apart are kept."""
    cells = [one for one in report.cells if one.section == section and (one.ways == 2) == (ways == 2)]
    ratios = [one for one in report.ratios if one.section == section and (one.ways == 2) == (ways == 2)]
    clear = [one for one in ratios if one.sharp and joints.counts(one.real)]
    return [abs(one.achieved - one.expected) for one in cells], [joints.is_kept(one.kept) for one in clear]


def test_two_way_shares_of_figures_in_use_are_within_two_points_on_average(report: JointReport) -> None:
    errors, _ = of(report, USED, ways=2)
    assert len(errors) > 2_000
    assert np.mean(errors) < 0.02


def test_nine_in_ten_clear_ratios_of_figures_in_use_are_kept(report: JointReport) -> None:
    _, kept = of(report, USED, ways=2)
    assert len(kept) > 300
    assert np.mean(kept) > 0.88


def test_figures_that_were_set_aside_are_met_better_than_by_chance(
    report: JointReport,
) -> None:
    errors, kept = of(report, SET_ASIDE, ways=2)
    assert len(kept) > 80
    assert np.mean(errors) < 0.03
    assert np.mean(kept) > 0.7


@pytest.mark.parametrize(
    ("more", "less", "of_what", "ratio"),
    [
        # NHANES 2017-2018, us_health_by_ses: 33.4 and 6.9 % smoke
        (
            {"education": ["Less than 9th grade", "9-11th grade"]},
            {"education": "College graduate or above"},
            {"smoking_status": "current"},
            33.4 / 6.9,
        ),
        # CDC BRFSS 2023, us_state_health: 41.2 and 24.9 % are obese by their own account
        ({"state": "WV"}, {"state": "CO"}, {"bmi_class": "obese"}, 41.2 / 24.9),
        # BLS CPS 2024, Table 11: 36.8 % of software developers are Asian, 6.9 % of all employed
        (
            {"occupation": "Software Developers"},
            {"labour_status": "employed"},
            {"ethnicity": "Asian"},
            36.8 / 6.9,
        ),
    ],
)
def test_groups_that_a_reader_would_look_at_first_differ_as_published(
    large: Population, more: dict[str, Any], less: dict[str, Any], of_what: dict[str, Any], ratio: float
) -> None:
    def share(group: dict[str, Any]) -> float:
        known = (
            {"phq9_score": between(min=0)} if "smoking_status" in of_what or "bmi_class" in of_what else {}
        )
        whole = where(country="USA", **group, **known)
        return large.count(where(country="USA", **group, **known, **of_what)) / large.count(whole)

    kept = np.log(share(more) / share(less)) / np.log(ratio)
    assert 0.6 <= kept <= 1.4
