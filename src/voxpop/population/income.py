"""Household income: a score from work, education and age, cut so that the published bands hold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import People
from voxpop.population.reference import rows
from voxpop.population.work import LABOUR, Work, wages

# Differences in the logarithm of household income; this project's choices, only their order matters.
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
_REST = 0.7
_PEAK_AGE = 50


def draw_income(seed: int, people: People, work: Work) -> npt.NDArray[np.int16]:
    """Draw the household income band. The published shares count households; here they count adults."""
    rng = draw.generator(seed, 14)
    score = rng.standard_normal(people.age.size) * _REST
    score += _BY_EDUCATION[people.education]
    score += np.array([_BY_STATUS[status] for status in LABOUR])[work.labour_status]
    score -= 0.00045 * (people.age.astype(float) - _PEAK_AGE) ** 2
    wage = np.append(np.log(wages() / 50_000), 0.0)  # the last entry is for those without a job
    score += _WAGE_PART * wage[work.occupation]
    return draw.cuts(score, [float(row["share_of_households"]) for row in rows("us_household_income")])
