"""Prescription drug classes of the US agents: a donor's medicines, moved to the published use.

An agent takes over the medicines of its donor with the conditions that they are for. In each cell (sex, age
band) some agents then start or stop a medicine, as many as the published use requires: those with a reason
for it first. No agent takes a medicine that its conditions rule out. GLP-1 medicines have become common since
the survey: their users are drawn anew from recent figures.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import People, cell_of, expected_people
from voxpop.population.donors import donors
from voxpop.population.fitted import by_cell, fitted
from voxpop.population.gradients import Kinds, have, hazards, shift
from voxpop.population.health import BMI_BANDS
from voxpop.population.health_conditions import (
    CONDITIONS,
    DRUG_CLASSES,
    changed,
    unpacked,
)
from voxpop.population.reference import AGES, GENDERS, Floats, band_codes, in_band, rows

Bools = npt.NDArray[np.bool_]

NOT_FROM_SURVEY = {
    "glp1_agonist": "us_drug_class_recent",
    "oral_contraceptive": "women up to 49",
    "alpha_blocker_bph": "men only",
}
"""Drug classes whose use differs from the survey's, with the reason."""

GLP1 = "glp1_agonist"
GLP1_BANDS = ("18-49", "50-64", "65+")
GLP1_YEAR = "2025"
# Relative use of a GLP-1 medicine by BMI without diabetes: obese, overweight, others (an assumption).
_GLP1_BY_WEIGHT = (1.0, 0.3, 0.02)
_OBESE, _OVERWEIGHT = 300, 250

NEEDS = {
    "insulin": ("diabetes_t1", "diabetes_t2"),
    "sulfonylurea": ("diabetes_t2",),
    "dpp4_inhibitor": ("diabetes_t2",),
    "metformin": ("diabetes_t1", "diabetes_t2", "prediabetes"),
    "sglt2_inhibitor": ("diabetes_t1", "diabetes_t2", "heart_failure", "ckd"),
}
"""Drug classes that nobody starts without one of these conditions."""

RULED_OUT = ("insulin", "sulfonylurea", "dpp4_inhibitor")
"""Those among them that nobody takes without, whatever the donor took."""

NOT_TOGETHER = {"arb": "ace_inhibitor", "ace_inhibitor": "arb"}
_LAST_CONTRACEPTIVE = 49
# Reasons for the same medicine overlap: their log risks count by this power together.
_TOGETHER = 0.5
_MOST_RISK = 2.5
_WITH_REASON_STOPS = 0.5


def use() -> Floats:
    """Return the published share of users by (class, sex, single year of age)."""
    shares = np.zeros((len(DRUG_CLASSES), 2, AGES.size))
    for row in rows("us_drug_class_use"):
        if row["gender"] in GENDERS and row["age_band"] in BMI_BANDS:
            at = DRUG_CLASSES.index(row["drug_class"]), GENDERS.index(row["gender"])
            shares[(*at, in_band(row["age_band"]))] = float(row["share"])
    male, female = GENDERS.index("male"), GENDERS.index("female")
    glp1 = glp1_shares()[:, band_codes(GLP1_BANDS)]
    shares[DRUG_CLASSES.index(GLP1)] = glp1
    contraceptive = DRUG_CLASSES.index("oral_contraceptive")
    shares[contraceptive, male] = 0.0
    shares[contraceptive, female, _LAST_CONTRACEPTIVE < AGES] = 0.0
    shares[DRUG_CLASSES.index("alpha_blocker_bph"), female] = 0.0
    return shares


@cache
def glp1_shares() -> Floats:
    """Return the share of current users of a GLP-1 medicine by (sex, age band), from the latest poll.

    The poll has the sexes and the ages apart; the share under 50 is the remainder of all adults.
    """
    now = {
        row["group"]: float(row["value_pct"]) / 100
        for row in rows("us_drug_class_recent")
        if (row["drug_class"], row["measure"], row["year"]) == (GLP1, "currently taking", GLP1_YEAR)
    }
    years = expected_people().sum(axis=(2, 3))
    people = np.stack([np.bincount(band_codes(GLP1_BANDS), weights=sex) for sex in years]).astype(float)
    by_age = np.array([0.0, now["50-64"], now["65+"]]) * people.sum(axis=0)
    by_age[0] = now["adults 18+"] - by_age.sum()
    by_sex = np.array([now["men"], now["women"]]) * people.sum(axis=1)
    users = draw.fit(people, [((0,), by_sex * by_age.sum() / by_sex.sum()), ((1,), by_age)])
    return np.asarray(users / people)


@cache
def glp1_given_diabetes() -> float:
    """Return the share of current users among adults with diabetes, from the latest poll."""
    return next(
        float(row["value_pct"]) / 100
        for row in rows("us_drug_class_recent")
        if (row["drug_class"], row["group"], row["year"]) == (GLP1, "told diabetes", GLP1_YEAR)
        and row["measure"] == "currently taking"
    )


def targets(drug: str) -> Floats:
    """Return the published share of users of a class by (sex, band of the drug table)."""
    years = expected_people().sum(axis=(2, 3))
    codes = band_codes(BMI_BANDS)
    shares = use()[DRUG_CLASSES.index(drug)]
    users = np.stack([np.bincount(codes, weights=years[sex] * shares[sex]) for sex in range(2)])
    return np.asarray((users / np.stack([np.bincount(codes, weights=sex) for sex in years])).ravel())


@cache
def _reasons(drug: str) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return the conditions that a class is for, and the log risk of taking it with each against without."""
    published = {
        row["condition"]: np.log(
            float(row["share_using_given_condition"])
            / max(float(row["share_using_without_condition"]), 0.002)
        )
        for row in rows("us_drug_class_given_condition")
        if (row["drug_class"], row["age_band"]) == (drug, "18+")
    }
    usual = float(np.median(list(published.values()))) if published else 1.0
    named = [row["condition"] for row in rows("us_drug_indications_assumed") if row["drug_class"] == drug]
    found = {CONDITIONS.index(name): published.get(name, usual) for name in named}
    return np.array(sorted(found), dtype=np.intp), np.array([found[at] for at in sorted(found)])


def risks(drug: str, has: Bools, takes: Bools, of: Kinds) -> Floats:
    """Return hazards: of starting a class without it, of stopping it with it.

    Parameters
    ----------
    drug : str
    has : array (conditions, agents)
        Settled conditions.
    takes : array (classes, agents)
        Medicines so far.
    of : Kinds
    """
    own = takes[DRUG_CLASSES.index(drug)]
    outcome = f"drug_class:{drug}"
    odds = have(outcome, of)
    found = hazards(own, odds, odds + shift(outcome, of))
    reasons, ratios = _reasons(drug)
    if reasons.size:
        start = found * np.exp(np.minimum(_TOGETHER * (ratios @ has[reasons]), _MOST_RISK))
        stop = np.where(has[reasons].any(axis=0), found * _WITH_REASON_STOPS, found)
        found = np.where(own, stop, start)
    if drug in NEEDS:
        found[~own & ~_in_need(drug, has)] = 0.0
    if drug in NOT_TOGETHER:
        found[~own & takes[DRUG_CLASSES.index(NOT_TOGETHER[drug])]] = 0.0
    if drug == "insulin":
        found[own & _type_1(has)] = 0.0
    return found


def glp1_risk(has: Bools, bmi_tenths: npt.NDArray[np.integer], with_diabetes: float) -> Floats:
    """Return the relative risk of taking a GLP-1 medicine: 1 for the obese without diabetes."""
    weight = np.where(
        bmi_tenths >= _OBESE,
        _GLP1_BY_WEIGHT[0],
        np.where(bmi_tenths >= _OVERWEIGHT, _GLP1_BY_WEIGHT[1], _GLP1_BY_WEIGHT[2]),
    )
    diabetes = has[CONDITIONS.index("diabetes_t2")]
    return np.where(diabetes, with_diabetes * (0.6 + 0.4 * weight), np.where(_type_1(has), 0.0, weight))


def _in_need(drug: str, has: Bools) -> Bools:
    return np.asarray(has[[CONDITIONS.index(name) for name in NEEDS[drug]]].any(axis=0))


def _type_1(has: Bools) -> Bools:
    return np.asarray(has[CONDITIONS.index("diabetes_t1")])


def begin(donor: npt.NDArray[np.integer], has: Bools) -> Bools:
    """Return the medicines of the donors, as flags (class, agent), without what conditions rule out."""
    takes = unpacked(donors().drug_classes[donor], len(DRUG_CLASSES))
    for drug in RULED_OUT:
        takes[DRUG_CLASSES.index(drug)] &= _in_need(drug, has)
    takes[DRUG_CLASSES.index("insulin")] |= _type_1(has)
    takes[DRUG_CLASSES.index(GLP1)] = False
    return takes


@cache
def _pressure(drug: str) -> Floats:
    bands = GLP1_BANDS if drug == GLP1 else BMI_BANDS
    return by_cell("pressure", f"drug_class:{drug}", 2 * len(bands))


def forbidden(drug: str, people: People) -> Bools | None:
    """Return who never takes a class for sex or age, None if nobody is excluded."""
    if drug == "alpha_blocker_bph":
        return np.asarray(people.sex == GENDERS.index("female"))
    if drug == "oral_contraceptive":
        return np.asarray((people.sex == GENDERS.index("male")) | (people.age > _LAST_CONTRACEPTIVE))
    return None


def draw_medicines(
    streams: draw.Streams,
    people: People,
    donor: npt.NDArray[np.integer],
    has: Bools,
    bmi_tenths: npt.NDArray[np.integer],
    of: Kinds,
) -> Bools:
    """Draw the drug classes of the US agents of a block, as flags (class, agent) in vocabulary order."""
    takes = begin(donor, has)
    cell, wide = cell_of(people, BMI_BANDS), cell_of(people, GLP1_BANDS)
    rng = streams.stage(41)
    for at, drug in enumerate(DRUG_CLASSES):
        if drug == GLP1:
            risk = glp1_risk(has, bmi_tenths, fitted("glp1")["with_diabetes", ""])
            takes[at] = changed(rng, takes[at], risk, _pressure(drug)[wide])
        else:
            takes[at] = changed(rng, takes[at], risks(drug, has, takes, of), _pressure(drug)[cell])
        never = forbidden(drug, people)
        if never is not None:
            takes[at] &= ~never
    return takes
