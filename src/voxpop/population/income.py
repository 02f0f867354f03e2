"""Household income of the US agents: a score in log dollars, cut to reproduce the published bands.

The score is a linear predictor with normal noise. Its coefficients were fitted by interval regression to the
incomes of the GSS (work, schooling, marriage) and of NHANES (partners); states are shifted to the ratios of
their mean incomes, and the cuts are the quantiles of the expected population
(``data/fit_population.py``). Published shares of households count as shares of adults.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import EDUCATION, STATES, People
from voxpop.population.donors import GROUP_OF, GROUPS
from voxpop.population.employment import LABOUR, Work, wages
from voxpop.population.households import MARITAL, Household
from voxpop.population.reference import Floats, rows

Codes = npt.NDArray[np.int16]

AGE_STARTS = (18, 25, 35, 45, 55, 65, 75)
"""First ages of the bands of the regression."""

MOST_CHILDREN = 3
QUINTILES = 5

USUAL_WAGE = 50_000
"""Yearly wage in US dollars at which an occupation has no effect."""

# Poverty guideline of the Department of Health and Human Services for 2025, 48 states: one person, each more.
_GUIDELINE, _EACH_MORE = 15_650.0, 5_500.0
_RICHEST = 5.0
# Ends of the open bands, in US dollars, where only the ratio to the poverty guideline depends on them.
_LEAST, _MOST = 4_000.0, 600_000.0


@dataclass(frozen=True, slots=True)
class Income:
    """Income of the agents, one entry each.

    Attributes
    ----------
    band : array of int
        Index of the published band.
    quintile : array of int
        Fifth of the adults, 0 for the lowest.
    survey_band : array of int
        Band of the donors of the same rank.
    poverty_ratio : array of float
        Income as a multiple of the poverty guideline, 0 to 5 with one decimal; 5 means 5 or more.
    """

    band: Codes
    quintile: Codes
    survey_band: Codes
    poverty_ratio: Floats


@cache
def coefficients() -> dict[str, Floats]:
    """Return the fitted coefficients by term, in the order of the levels of the term."""
    levels = {
        "education": EDUCATION,
        "ethnicity": GROUPS,
        "marital_status": MARITAL,
        "age": tuple(map(str, AGE_STARTS)),
        "labour_status": LABOUR,
        "sex": ("male", "female"),
        "children": tuple(map(str, range(MOST_CHILDREN + 1))),
        "log_wage": ("",),
        "spread": ("",),
        "state": STATES,
    }
    found = {(row["term"], row["level"]): float(row["value"]) for row in rows("us_income_fitted")}
    return {
        term: np.array([found.get((term, level), 0.0) for level in named]) for term, named in levels.items()
    }


@cache
def cuts(name: str) -> Floats:
    """Return the scores between neighbouring bands: ``band``, ``quintile`` or ``survey_band``."""
    found = {
        int(row["level"]): float(row["value"])
        for row in rows("us_income_fitted")
        if row["term"] == f"cut {name}"
    }
    return np.array([found[at] for at in sorted(found)])


@cache
def _log_wages() -> Floats:
    """Return the log of each occupation's wage against the usual one; the last entry is for no job."""
    return np.append(np.log(wages() / USUAL_WAGE), 0.0)


def score(people: People, home: Household, work: Work, noise: Floats) -> Floats:
    """Return log incomes up to a constant, before the shifts of the states."""
    of = coefficients()
    age = np.searchsorted(AGE_STARTS, people.age, side="right") - 1
    found = of["education"][people.education] + of["ethnicity"][GROUP_OF[people.ethnicity]]
    found += of["marital_status"][home.marital] + of["age"][age] + of["sex"][people.sex]
    found += (
        of["children"][np.minimum(home.children, MOST_CHILDREN)] + of["labour_status"][work.labour_status]
    )
    found += of["log_wage"][0] * _log_wages()[work.occupation]
    return np.asarray(found + of["spread"][0] * noise)


@cache
def _dollars() -> tuple[Floats, Floats]:
    """Return scores and the logarithms of the incomes that belong to them."""
    edges = [float(row["low_usd"]) for row in rows("us_household_income")][1:]
    inner = cuts("band")
    ends = inner[0] - (np.log(edges[0]) - np.log(_LEAST)), inner[-1] + (np.log(_MOST) - np.log(edges[-1]))
    return np.array([ends[0], *inner, ends[1]]), np.log([_LEAST, *edges, _MOST])


def draw_income(streams: draw.Streams, people: People, home: Household, work: Work) -> Income:
    """Draw the household incomes of the US agents of a block."""
    noise = streams.stage(20).standard_normal(people.age.size)
    found = score(people, home, work, noise) + coefficients()["state"][people.state]
    band, quintile, survey_band = (
        np.searchsorted(cuts(name), found, side="right").astype(np.int16)
        for name in ("band", "quintile", "survey_band")
    )
    dollars = np.exp(np.interp(found, *_dollars()))
    ratio = dollars / (_GUIDELINE + _EACH_MORE * (home.size - 1))
    return Income(band, quintile, survey_band, np.minimum(np.floor(ratio * 10) / 10, _RICHEST))
