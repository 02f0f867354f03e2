"""The adults of NHANES 2017-2018: 5,533 people with all health fields, household and insurance at once.

The table holds codes and bit masks; ``data/pack_donors.py`` writes it and names the levels. It is public
domain, for statistical use only: nobody may try to identify a person behind a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population.demographics import ETHNICITIES
from voxpop.population.reference import TABLES, Floats
from voxpop.text_files import columns_of

Codes = npt.NDArray[np.int64]

GROUPS = (
    "Hispanic or Latino",
    "White, non-Hispanic",
    "Black or African American",
    "Asian",
    "Two or more races",
)
"""Ethnic groups of the survey; the last one holds everybody outside the other four."""

GROUP_OF = np.array([min(at, len(GROUPS) - 1) for at in range(len(ETHNICITIES))], dtype=np.int16)
"""Group of the survey for each ethnic group of the agents."""

INCOMES = 7
"""Number of income bands of the survey; agents are compared with them by rank."""

OLDEST = 80
"""Age at which the survey stops telling ages apart."""


@dataclass(frozen=True, slots=True)
class Donors:
    """Columns of the table, one entry per adult."""

    weight: Floats
    age: Codes
    sex: Codes
    ethnicity: Codes
    education: Codes
    income: Codes
    marital: Codes
    household: Codes
    minors: Codes
    insurance: Codes
    rated: Codes
    veteran: Codes
    born_here: Codes
    smoking: Codes
    activity: Codes
    sleep: Codes
    diet: Codes
    bmi: Floats
    phq9: Codes
    drank: Codes
    medicines: Codes
    conditions: Codes
    drug_classes: Codes


@cache
def donors() -> Donors:
    """Return the adults of the survey."""
    columns = columns_of(TABLES / "us_nhanes_donors.csv")
    weight, bmi = (np.array(columns.pop(name), dtype=np.float64) for name in ("weight", "bmi"))
    whole = {name: np.array(cells, dtype=np.int64) for name, cells in columns.items()}
    return Donors(weight=weight, bmi=bmi, **whole)


@cache
def income_cuts() -> Floats:
    """Return the cumulative shares of adults below the upper end of each income band, the last one 1."""
    found = donors()
    upto = np.cumsum(np.bincount(found.income, weights=found.weight, minlength=INCOMES))
    return np.asarray(upto / upto[-1])
