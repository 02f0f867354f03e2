"""Health conditions of the US agents: a donor's conditions, moved to the published prevalences.

An agent takes over the conditions of its donor, so that they occur together as they do in people. In each
cell (sex, age band) some agents then gain or lose a condition, as many as the published prevalence requires.
Who does follows the published gradients by kind of people (:mod:`voxpop.population.gradients`); those with
related conditions gain it sooner (``us_comorbidity_odds_ratios``), and those who take a medicine for it lose
it later. ``obesity`` is a BMI of 30 or more.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import People, cell_of, single_years
from voxpop.population.donors import donors
from voxpop.population.fitted import by_cell
from voxpop.population.gradients import Kinds, have, hazards, shift
from voxpop.population.health import BMI_CLASSES
from voxpop.population.reference import AGES, GENDERS, Floats, Row, band_codes, by_age, in_band, rows
from voxpop.vocabulary.fields import FIELDS

Bools = npt.NDArray[np.bool_]

CONDITIONS = FIELDS["health_conditions"].levels
DRUG_CLASSES = FIELDS["health_drug_classes"].levels
CELL_BANDS = ("18-24", "25-29", "30-34", "35-39", "40-44", "45-49", "50-59", "60-64", "65-69", "70-74", "75+")

_SURVEY = "us_condition_nhanes_1718"
_DIAGNOSED, _TREATED = "self_reported_diagnosis", "treated_with_rx_past_30d"
_BY_SURVEY = {
    **dict.fromkeys(("hypertension", "high_cholesterol", "diabetes_t2", "diabetes_t1"), _DIAGNOSED),
    **dict.fromkeys(
        ("bipolar", "adhd", "insomnia", "gout", "hypothyroidism", "gerd", "allergic_rhinitis"), _TREATED
    ),
    **dict.fromkeys(("bph", "overactive_bladder", "epilepsy", "glaucoma", "psoriasis"), _TREATED),
}
_ALL_ADULTS = ("18+", "20+", "50+")
# If several definitions are published, use what a person knows, not what a laboratory finds.
_DEFINITION = {"ckd": "told weak or failing kidneys (aware)", "sleep_apnea": "diagnosed, all adults"}
# Published without ages: the age pattern comes from treated or measured cases.
_SHAPED_BY_TREATED = ("heart_failure", "atrial_fibrillation", "ckd")
_SLEEP_APNEA_MEASURED = "moderate to severe, AHI>=15"
_YOUNG_SLEEP_APNEA = 0.3


def survey(condition: str, measure: str) -> Floats:
    """Return the share with a condition by (sex, single year of age) in the 2017-2018 survey."""
    shares = np.zeros((2, AGES.size))
    for row in rows(_SURVEY):
        bounded = row["gender"] in GENDERS and row["age_band"] != "18+"
        if bounded and row["condition"] == condition and row["measure"] == measure:
            shares[GENDERS.index(row["gender"]), in_band(row["age_band"])] = float(row["share"])
    return shares


def survey_measure(condition: str) -> str | None:
    """Return the measure of the 2017-2018 survey for a condition, or None."""
    return _BY_SURVEY.get(condition)


def definition_of(condition: str, published: str) -> str:
    """Return the definition used for a published condition, or else the given one."""
    return _DEFINITION.get(condition, published)


def published_rows(condition: str) -> list[Row]:
    """Return the published figures used for a condition."""
    return [
        row
        for row in rows("us_condition_published")
        if row["condition"] == condition and row["definition"] == definition_of(condition, row["definition"])
    ]


def precedence(row: Row) -> tuple[bool, bool]:
    """Return the weight of a figure in a contradiction: verified figures first, then figures by age."""
    return row["verified"] == "True", row["age_band"] not in _ALL_ADULTS


def odds_ratios() -> dict[tuple[str, str], tuple[float, str, bool]]:
    """Return the known odds ratio of each pair, its table, and whether it is verified."""
    pairs: dict[tuple[str, str], tuple[float, str, bool]] = {}
    for name, column in (
        ("us_comorbidity_assumed", "odds_ratio"),
        ("us_comorbidity_odds_ratios", "odds_ratio_age_sex_adjusted"),
    ):
        for row in rows(name):
            key = row["condition_a"], row["condition_b"]
            pairs[key] = float(row[column]), name, row["verified"] == "True"
    return pairs


def _rake(shape: Floats, targets: list[tuple[Bools, float]], people: Floats) -> Floats:
    """Scale prevalences by (sex, age) until each published group has its published prevalence."""
    fitted = shape.copy()
    for _ in range(40):
        for region, wanted in targets:
            now = (fitted * people)[region].sum() / people[region].sum()
            if now > 0:
                fitted[region] *= wanted / now
    return np.clip(fitted, 0.0, 0.97)


def _published(condition: str, people: Floats) -> Floats:
    """Return the prevalence by (sex, single year of age) that fits all published groups of a condition."""
    shape, targets = np.ones((2, AGES.size)), []
    if condition in _SHAPED_BY_TREATED:
        shape = survey(condition, _TREATED) + 1e-4
    if condition == "sleep_apnea":
        for row in rows("us_condition_published"):
            if row["definition"] == _SLEEP_APNEA_MEASURED:
                older = in_band(row["age_band"][:2] + "+")
                shape[GENDERS.index(row["gender"]), older] = float(row["prevalence_pct"])
                if row["age_band"].startswith("30"):
                    shape[GENDERS.index(row["gender"]), ~older] = (
                        float(row["prevalence_pct"]) * _YOUNG_SLEEP_APNEA
                    )
    if condition == "osteoporosis":
        shape[:, AGES < 50] = 0.0  # figures begin at 50
    for row in sorted(published_rows(condition), key=precedence):
        region = np.zeros((2, AGES.size), dtype=bool)
        sexes = [GENDERS.index(row["gender"])] if row["gender"] in GENDERS else [0, 1]
        region[sexes] = in_band(row["age_band"])
        targets.append((region, float(row["prevalence_pct"]) / 100))
    return _rake(shape, targets, people)


def prevalence() -> Floats:
    """Return the prevalence of each condition in each cell: (condition, cell)."""
    people = single_years()
    codes = band_codes(CELL_BANDS)
    weight = np.stack([np.bincount(codes, weights=people[sex]) for sex in range(2)])
    table = np.zeros((len(CONDITIONS), 2, len(CELL_BANDS)))
    for at, condition in enumerate(CONDITIONS):
        if condition == "obesity":
            classes = by_age("us_bmi_class", "bmi_class", BMI_CLASSES)
            shares = classes[:, :, BMI_CLASSES.index("obese_1") :].sum(axis=2)
        elif condition in _BY_SURVEY:
            shares = survey(condition, _BY_SURVEY[condition])
        else:
            shares = _published(condition, people)
        if condition == "bph":
            shares[GENDERS.index("female")] = 0.0
        sums = np.stack([np.bincount(codes, weights=(shares * people)[sex]) for sex in range(2)])
        table[at] = sums / weight
    return table.reshape(len(CONDITIONS), -1)


DIABETES = ("diabetes_t1", "diabetes_t2", "prediabetes")
"""Conditions of which an agent has at most one, the first that applies."""

_OTHERS = tuple(name for name in CONDITIONS if name not in (*DIABETES, "obesity"))
ORDER = (*DIABETES, *_OTHERS)
"""The conditions in the order in which they are settled; obesity comes first, from BMI."""

# Odds ratios of several conditions are multiplied, but overlap: they count by this power together.
_TOGETHER = 0.4
_MOST_RISK = 2.0
_TREATED_LOSES = 0.3


@cache
def _with_others(condition: str) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return the conditions that go with a condition, and their log odds ratios."""
    found = {
        CONDITIONS.index(b if a == condition else a): np.log(ratio)
        for (a, b), (ratio, _, _) in odds_ratios().items()
        if condition in (a, b)
    }
    return np.array(sorted(found), dtype=np.intp), np.array([found[at] for at in sorted(found)])


@cache
def _treatments() -> dict[str, npt.NDArray[np.intp]]:
    """Return the medicines of each condition, as indices of the drug classes."""
    found: dict[str, list[int]] = {name: [] for name in CONDITIONS}
    for row in rows("us_drug_indications_assumed"):
        found[row["condition"]].append(DRUG_CLASSES.index(row["drug_class"]))
    return {name: np.array(drugs, dtype=np.intp) for name, drugs in found.items()}


def unpacked(masks: npt.NDArray[np.int64], count: int) -> Bools:
    """Return bit masks as flags, an array (bits, agents)."""
    return ((masks[None, :] >> np.arange(count)[:, None]) & 1).astype(bool)


def risks(condition: str, has: Bools, takes: Bools, of: Kinds) -> Floats:
    """Return hazards: of gaining a condition without it, of losing it with it.

    Parameters
    ----------
    condition : str
    has, takes : array (conditions or drug classes, agents)
        Settled conditions, or those of the donor; medicines of the donor.
    of : Kinds
    """
    own = CONDITIONS.index(condition)
    outcome = f"condition:{condition}"
    odds = have(outcome, of)
    found = hazards(has[own], odds, odds + shift(outcome, of))
    others, ratios = _with_others(condition)
    if others.size:
        found = np.where(
            has[own], found, found * np.exp(np.minimum(_TOGETHER * (ratios @ has[others]), _MOST_RISK))
        )
    treated = takes[_treatments()[condition]].any(axis=0)
    found = np.where(has[own] & treated, found * _TREATED_LOSES, found)
    for name in DIABETES[: DIABETES.index(condition)] if condition in DIABETES else ():
        found[~has[own] & has[CONDITIONS.index(name)]] = 0.0
    return found


def changed(rng: np.random.Generator, has: Bools, hazard: Floats, pressure: Floats) -> Bools:
    """Return flags after some agents have gained, or lost, what they describe.

    Parameters
    ----------
    rng : numpy.random.Generator
    has : array (agents,)
    hazard : array (agents,)
        Hazard of a change.
    pressure : array (agents,)
        Factor of the hazards of gaining, and divisor of those of losing.
    """
    factor = np.where(has, 1 / pressure, pressure)
    return np.asarray(has ^ (rng.random(has.size) < -np.expm1(-factor * hazard)))


def settle(name: str, flags: Bools, has: Bools) -> None:
    """Write the settled flags of a condition, and what excludes it."""
    has[CONDITIONS.index(name)] = flags
    if name in DIABETES:
        for other in DIABETES[DIABETES.index(name) + 1 :]:
            has[CONDITIONS.index(other)] &= ~flags


@cache
def _pressure(name: str) -> Floats:
    return by_cell("pressure", f"condition:{name}", 2 * len(CELL_BANDS))


def draw_conditions(
    streams: draw.Streams,
    people: People,
    donor: npt.NDArray[np.integer],
    obese: Bools,
    of: Kinds,
) -> Bools:
    """Draw the conditions of the US agents of a block, as flags (condition, agent) in vocabulary order."""
    table = donors()
    has = unpacked(table.conditions[donor], len(CONDITIONS))
    takes = unpacked(table.drug_classes[donor], len(DRUG_CLASSES))
    has[CONDITIONS.index("obesity")] = obese
    cell = cell_of(people, CELL_BANDS)
    rng = streams.stage(40)
    for name in ORDER:
        flags, hazard = has[CONDITIONS.index(name)], risks(name, has, takes, of)
        settle(name, changed(rng, flags, hazard, _pressure(name)[cell]), has)
    return has
