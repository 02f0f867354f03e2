"""Household income: a score from work, education and age, cut to reproduce the published bands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import ETHNICITIES, STATES, People
from voxpop.population.employment import LABOUR, Work, wages
from voxpop.population.reference import Floats, rows

# Differences in the logarithm of household income; assumptions of this project, only their order matters.
_BY_EDUCATION = np.array([-0.5, -0.4, -0.12, 0.0, 0.38])
_BY_STATUS = {
    "employed": 0.25,
    "unemployed": -0.45,
    "retired": -0.2,
    "student": -0.1,
    "homemaker": 0.05,
    "disabled": -0.85,
    "other_not_in_labour_force": -0.4,
}
_WAGE_PART = 0.55
# Work and schooling already explain part of the differences between states and between groups.
_STATE_PART, _ETHNICITY_PART = 0.8, 0.5
_REST = 0.7
_PEAK_AGE = 50


def tilts(field: str, labels: Sequence[str]) -> Floats:
    """Return the deviation of each label's log income from that of the middle label."""
    median = {
        row["value"]: float(row["median_usd"])
        for row in rows("us_income_tilts_assumed")
        if row["field"] == field
    }
    logs = np.log([median[label] for label in labels])
    return np.asarray(logs - np.median(logs))


def draw_income(seed: int, people: People, work: Work) -> npt.NDArray[np.int16]:
    """Draw the household income band. Published shares of households are used as shares of adults."""
    rng = draw.generator(seed, 14)
    score = rng.standard_normal(people.age.size) * _REST
    score += _BY_EDUCATION[people.education]
    score += np.array([_BY_STATUS[status] for status in LABOUR])[work.labour_status]
    score -= 0.00045 * (people.age.astype(float) - _PEAK_AGE) ** 2
    score += _STATE_PART * tilts("state", STATES)[people.state]
    score += _ETHNICITY_PART * tilts("ethnicity", ETHNICITIES)[people.ethnicity]
    wage = np.append(np.log(wages() / 50_000), 0.0)  # the last entry is for agents without a job
    score += _WAGE_PART * wage[work.occupation]
    return draw.cuts(score, [float(row["share_of_households"]) for row in rows("us_household_income")])
