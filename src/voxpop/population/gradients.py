"""Social gradients of health: prevalence by group, among the donors and as published.

A donor is like an agent, but never quite: matched health differs less between kinds of people than real
health does. For each outcome, the fitted table has two models in log odds: what the matching gives (``have``,
by age and sex, ethnic group, education, income and marital status) and what has to be added to reach the
published shares by group (``shift``, by the groupings of the joint tables). Groupings that are set aside for
testing (:mod:`voxpop.population.held_out`) have no shift.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from voxpop.population.demographics import EDUCATION, People, band_of
from voxpop.population.donors import GROUP_OF, GROUPS, donors
from voxpop.population.fitted import fitted
from voxpop.population.households import Household
from voxpop.population.income import Income
from voxpop.population.reference import Floats

Codes = npt.NDArray[np.integer]

PHASES = ("18-29", "30-44", "45-59", "60-74", "75+")
INCOMES = ("under_25k", "25k_55k", "55k_100k", "100k_plus")
UNIONS = ("married", "living_with_partner", "previously_married", "never_married")
POVERTY = ("under_1", "1_to_2", "2_to_4", "4_plus")
COVER = ("private", "medicare_any", "medicaid", "other_public", "uninsured")
AGES_3 = ("18-44", "45-59", "60+")

_INCOME_OF_BAND = np.array([0, 0, 1, 1, 2, 2, 3])
UNION_OF_STATUS = np.array([0, 1, 2, 2, 2, 3])
_COVER_OF_PLAN = np.array([0, 1, 1, 1, 2, 3, 3, 4])
_AGE_3_OF_PHASE = np.array([0, 0, 1, 2, 2])
POVERTY_CUTS = (1.0, 2.0, 4.0)
_SCHOOLS = ("No HS diploma", *EDUCATION[2:])
_SCHOOL_OF_LEVEL = np.array([0, 0, 1, 2, 3])

LEAST_HAZARD = 1e-4
"""Hazard of a change that no figure asks for, which leaves room to meet the published levels."""

_BACKGROUND = {
    "ethnicity": len(GROUPS),
    "education": len(EDUCATION),
    "household_income": len(INCOMES),
    "marital_status": len(UNIONS),
}
HAVE_TERMS = {"cell": 2 * len(PHASES), **_BACKGROUND}
"""Terms of the model of what the matching gives, with their numbers of levels."""

GROUPINGS: dict[str, tuple[str, ...]] = {
    "ethnicity": GROUPS,
    "education": EDUCATION,
    "household_income": INCOMES,
    "marital_status": UNIONS,
    "poverty_ratio": POVERTY,
    "insurance": COVER,
    "age3_x_education": tuple(f"{age} | {school}" for age in AGES_3 for school in _SCHOOLS),
    "age3_x_income": tuple(f"{age} | {income}" for age in AGES_3 for income in INCOMES),
}
"""Groupings of the joint tables, with their groups."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """Kinds of people, one entry per agent: codes of the terms of both models.

    Attributes
    ----------
    cell : array of int
        Sex and phase of life.
    ethnicity, education, household_income, marital_status, poverty_ratio, insurance : array of int
        Levels as in :data:`GROUPINGS`.
    """

    cell: Codes
    ethnicity: Codes
    education: Codes
    household_income: Codes
    marital_status: Codes
    poverty_ratio: Codes
    insurance: Codes

    @property
    def age_3(self) -> Codes:
        """Index of the age in three bands."""
        return np.asarray(_AGE_3_OF_PHASE[self.cell % len(PHASES)])

    @property
    def background(self) -> Codes:
        """One code for ethnic group, education, income and marital status together."""
        codes = tuple(getattr(self, term) for term in _BACKGROUND)
        return np.asarray(np.ravel_multi_index(codes, tuple(_BACKGROUND.values())))

    def of(self, grouping: str) -> Codes:
        """Return the group of each agent in a grouping of the joint tables."""
        if grouping == "age3_x_education":
            return np.asarray(self.age_3 * len(_SCHOOLS) + _SCHOOL_OF_LEVEL[self.education])
        if grouping == "age3_x_income":
            return self.age_3 * len(INCOMES) + self.household_income
        return np.asarray(getattr(self, grouping))


def kinds(people: People, home: Household, income: Income, donor: Codes) -> Kinds:
    """Return the kinds that the agents of a block are."""
    return Kinds(
        people.sex.astype(np.int64) * len(PHASES) + band_of(people, PHASES),
        GROUP_OF[people.ethnicity].astype(np.int64),
        people.education.astype(np.int64),
        _INCOME_OF_BAND[income.survey_band],
        UNION_OF_STATUS[home.marital],
        np.searchsorted(POVERTY_CUTS, income.poverty_ratio, side="right"),
        _COVER_OF_PLAN[donors().insurance[donor]],
    )


@cache
def _background_codes() -> dict[str, Codes]:
    """Return the levels of the terms that each code of the background stands for."""
    sizes = tuple(_BACKGROUND.values())
    return dict(zip(_BACKGROUND, np.unravel_index(np.arange(np.prod(sizes)), sizes), strict=True))


@cache
def _have(outcome: str) -> Floats:
    """Return the log odds among the donors by (cell, background)."""
    found = fitted(f"have {outcome}")

    def of(term: str) -> Floats:
        return np.array([found.get((term, str(level)), 0.0) for level in range(HAVE_TERMS[term])])

    codes = _background_codes()
    background = np.sum([of(term)[codes[term]] for term in codes], axis=0)
    return np.asarray(of("cell")[:, None] + background[None])


@cache
def _shift(outcome: str) -> tuple[Floats, Floats, Floats]:
    """Return the log odds to add by (age in three bands, background), by (poverty, cover) and by cell."""
    found = fitted(f"shift {outcome}")

    def of(grouping: str) -> Floats:
        return np.array([found.get((grouping, str(at)), 0.0) for at in range(len(GROUPINGS[grouping]))])

    codes = _background_codes()
    by_background = np.sum([of(term)[codes[term]] for term in codes], axis=0)
    schools = of("age3_x_education").reshape(len(AGES_3), -1)[:, _SCHOOL_OF_LEVEL[codes["education"]]]
    incomes = of("age3_x_income").reshape(len(AGES_3), -1)[:, codes["household_income"]]
    by_cell = np.array([found.get(("cell", str(at)), 0.0) for at in range(HAVE_TERMS["cell"])])
    return (
        by_background[None] + schools + incomes,
        of("poverty_ratio")[:, None] + of("insurance")[None],
        by_cell,
    )


def have(outcome: str, of: Kinds) -> Floats:
    """Return the log odds of an outcome that the matching gives to each agent's kind."""
    return np.asarray(_have(outcome)[of.cell, of.background])


def shift(outcome: str, of: Kinds) -> Floats:
    """Return the log odds that each agent's kind lacks to the published gradients."""
    by_background, by_cover, by_cell = _shift(outcome)
    found = (
        by_background[of.age_3, of.background] + by_cover[of.poverty_ratio, of.insurance] + by_cell[of.cell]
    )
    return np.asarray(found)


def hazards(has: npt.NDArray[np.bool_], have_odds: Floats, wanted_odds: Floats) -> Floats:
    """Return the hazards of change that turn what the matching gives into what is wanted.

    Parameters
    ----------
    has : array (agents,)
    have_odds, wanted_odds : array (agents,)
        Log odds given by the matching, and wanted.

    Returns
    -------
    array (agents,)
        Of gaining for those without, of losing for those with; the probability is ``1 - exp(-hazard)``.
    """
    have_share, wanted = expit(have_odds), expit(wanted_odds)
    lose = np.clip(1 - wanted / have_share, 0, 0.9999)
    gain = np.clip((wanted - have_share) / (1 - have_share), 0, 0.9999)
    return np.asarray(np.maximum(-np.log1p(-np.where(has, lose, gain)), LEAST_HAZARD))
