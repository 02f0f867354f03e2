"""The groups of people of the joint tables, as parts of the combinations of fields that DuckDB counts.

A factor divides agents by one field; a grouping has one to three factors, whose groups are joined by " | ".
The income groups of a survey are in dollars of its years, so they are read as ranks: a group holds the same
part of the population as of the survey, from the lowest income up, and a band of income that spans a limit is
divided in proportion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from voxpop.population.employment import OCCUPATIONS
from voxpop.population.reference import Floats, Ints, rows
from voxpop.population.tallies import Crossed
from voxpop.vocabulary.levels import EDUCATION, HOUSEHOLD_INCOME
from voxpop.vocabulary.places import DIVISIONS, US_STATES

JOINED = " | "

Fold = Callable[[Floats, Sequence[str], Ints], Floats]
"""Codes, their labels and the agents of each combination -> the part of each in each group."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A division of agents by one field.

    Attributes
    ----------
    field : str
        Field of the agents.
    groups : tuple of str
        Names of the groups, as in the reference tables.
    fold : callable
        Returns an array (combinations, groups) of parts from 0 to 1.
    """

    field: str
    groups: tuple[str, ...]
    fold: Fold


def weights(names: Sequence[str], crossed: Crossed) -> tuple[tuple[str, ...], Floats]:
    """Return the groups of a grouping, and the part of each combination that belongs to each.

    Parameters
    ----------
    names : sequence of str
        Names of factors.
    crossed : Crossed
        Counts by at least the fields of the factors; the first part is all agents.

    Returns
    -------
    (tuple of str, array (groups, combinations))
    """
    labels: tuple[str, ...] = ("",)
    parts = np.ones((crossed.numbers.shape[0], 1))
    for name in names:
        factor = factors()[name]
        held = factor.fold(
            crossed.codes[factor.field], crossed.labels.get(factor.field, ()), crossed.numbers[:, 0]
        )
        labels = tuple(
            f"{first}{JOINED if first else ''}{last}" for first in labels for last in factor.groups
        )
        parts = (parts[:, :, None] * held[:, None, :]).reshape(len(parts), -1)
    return labels, parts.T


@cache
def factors() -> Mapping[str, Factor]:
    """Return all factors by name."""
    found = {
        "age_band": by_start("age", {"18-29": 18, "30-44": 30, "45-59": 45, "60-74": 60, "75+": 75}),
        "age3": by_start("age", {"18-44": 18, "45-59": 45, "60+": 60}),
        "age4": by_start("age", dict(zip(BRFSS_AGES, (18, 25, 45, 65), strict=True))),
        "gender": by_label("gender", {"male": ["male"], "female": ["female"]}),
        "education": by_label("education", {name: [name] for name in EDUCATION}),
        "education4": by_label("education", {"No HS diploma": EDUCATION[:2], **_same(EDUCATION[2:])}),
        "education3": by_label("education", dict(zip(BRFSS_SCHOOL, _SCHOOL, strict=True))),
        "ethnicity": by_label("ethnicity", {**_same(_ETHNICITIES), "Two or more races": _OTHERS}),
        "ethnicity4": by_label("ethnicity", {**_same(_ETHNICITIES[:3]), "Other": ("Asian", *_OTHERS)}),
        "race": by_label("ethnicity", RACES),
        "marital": by_label("marital_status", {**_same(_NOW), "previously_married": _BEFORE}),
        "marital3": by_label("marital_status", _MARITAL_3),
        "marital_gss": by_label("marital_status", {"married": ["married"], **_MARITAL_GSS}),
        "poverty": by_start("poverty_ratio", {"under_1": 0, "1_to_2": 1, "2_to_4": 2, "4_plus": 4}),
        "insurance": by_label("insurance", INSURANCE),
        "state": by_label("state", {code: [code] for code in US_STATES}),
        "region": by_label("state", {name: codes.split() for name, codes in DIVISIONS.items()}),
        "occupation": by_label("occupation", _same(OCCUPATIONS)),
        "income_third": by_rank({name: (at / 3, (at + 1) / 3) for at, name in enumerate(THIRDS)}),
    }
    for survey in ("nhanes", "gss"):
        limits = {
            row["group"]: (float(row["rank_from"]), float(row["rank_to"]))
            for row in rows("us_income_group_ranks")
            if row["survey"] == survey
        }
        found[f"income_{survey}"] = by_rank(limits)
    return found


def by_label(field: str, groups: Mapping[str, Sequence[str]]) -> Factor:
    """Return the factor that puts labels of a category into groups; other labels are in none."""

    def fold(codes: Floats, labels: Sequence[str], number: Ints) -> Floats:
        inside = np.array([[label in members for members in groups.values()] for label in [*labels, ""]])
        return np.asarray(inside, dtype=np.float64)[codes.astype(np.int64)]  # -1 is the row of nobody

    return Factor(field, tuple(groups), fold)


def by_start(field: str, starts: Mapping[str, float]) -> Factor:
    """Return the factor that puts a number into bands, each up to the start of the next."""

    def fold(codes: Floats, labels: Sequence[str], number: Ints) -> Floats:
        at = np.searchsorted(list(starts.values()), codes, side="right") - 1
        return np.asarray(at[:, None] == np.arange(len(starts)), dtype=np.float64)

    return Factor(field, tuple(starts), fold)


def by_rank(limits: Mapping[str, tuple[float, float]]) -> Factor:
    """Return the factor that divides agents by the rank of their household income.

    Parameters
    ----------
    limits : mapping
        Group -> the part of people below its first and up to its last income, 0 to 1.
    """

    def fold(codes: Floats, labels: Sequence[str], number: Ints) -> Floats:
        sizes = np.array(
            [number[codes == labels.index(band)].sum() if band in labels else 0 for band in _BANDS]
        )
        upper = np.cumsum(sizes) / max(sizes.sum(), 1)
        lower = upper - sizes / max(sizes.sum(), 1)
        parts = np.zeros((len(labels) + 1, len(limits)))
        for at, band in enumerate(_BANDS):
            if sizes[at]:
                for group, (first, last) in enumerate(limits.values()):
                    inside = min(upper[at], last) - max(lower[at], first)
                    parts[labels.index(band), group] = max(inside, 0.0) / (upper[at] - lower[at])
        return np.asarray(parts[codes.astype(np.int64)])

    return Factor("household_income", tuple(limits), fold)


def _same(names: Sequence[str]) -> dict[str, Sequence[str]]:
    return {name: (name,) for name in names}


BRFSS_AGES = ("18 to 24 Years", "25 to 44 Years", "45 to 64 Years", "65 Years and Older")
BRFSS_SCHOOL = ("< 12th Grade", "12th Grade", "> 12th Grade")
THIRDS = ("lowest_third", "middle_third", "highest_third")

RACES: Mapping[str, Sequence[str]] = {
    "Total": (
        *("White, non-Hispanic", "Black or African American", "Asian", "Hispanic or Latino"),
        *("American Indian or Alaska Native", "Native Hawaiian or Other Pacific Islander"),
        "Two or more races",
    ),
    "Black Or African American": ("Black or African American",),
    "Asian": ("Asian",),
    "Hispanic Or Latino Ethnicity": ("Hispanic or Latino",),
}
"""Groups of the Current Population Survey. Its Whites include most Hispanics, so they have no counterpart."""

INSURANCE: Mapping[str, Sequence[str]] = {
    "medicare_any": ("medicare", "medicare_and_private", "medicare_and_medicaid"),
    "private": ("private",),
    "medicaid": ("medicaid",),
    "other_public": ("military_va", "other"),
    "uninsured": ("uninsured",),
}

_BANDS = HOUSEHOLD_INCOME
_SCHOOL = (EDUCATION[:2], EDUCATION[2:3], EDUCATION[3:])
_ETHNICITIES = ("White, non-Hispanic", "Black or African American", "Hispanic or Latino", "Asian")
_OTHERS = (
    "American Indian or Alaska Native",
    "Native Hawaiian or Other Pacific Islander",
    "Two or more races",
)
_NOW = ("married", "living_with_partner", "never_married")
_BEFORE = ("widowed", "divorced", "separated")
_MARITAL_GSS = {"never_married": ("never_married",), "previously_married": _BEFORE}
"""The survey has no code for unmarried partners, so agents with one are in no group."""
_MARITAL_3 = {"married_or_partner": _NOW[:2], **_MARITAL_GSS}
