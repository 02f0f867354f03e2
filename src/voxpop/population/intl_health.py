"""Health of agents outside the USA: levels of each country, patterns borrowed from the USA.

The levels are those of ``intl_health_levels.csv``: seven classes of body mass index and diabetes (NCD-RisC),
tobacco, hypertension and abstinence from alcohol (WHO). Most are age-standardised: they say what share there
would be if the country had the ages of the WHO World Standard Population. A level is therefore met with the
weights of that standard, and the share among the agents, who have the ages of their country, follows from it.

Borrowed from the USA, and flagged so in :mod:`voxpop.population.countries_known`:

- the pattern by age (and by sex where the level is of both sexes), shifted in log odds to meet the level;
- the gradient by education of obesity, diabetes, hypertension and smoking (``us_education_gradient.csv``);
- the odds ratios between obesity, diabetes and hypertension;
- the split of people who do not smoke into former smokers and people who never did, by age and sex, with
  lower odds of former smoking where fewer people smoke now than in the USA;
- the split of drinkers into light, moderate and heavy.

``obesity`` is a body mass index of 30 or more. ``diabetes_t2`` stands for all diabetes, and like
``hypertension`` it includes people who were never told by a doctor: both figures rest on measurements. Other
conditions, medicines, PHQ-9, activity, sleep and diet are unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, ndtr, ndtri

from voxpop.population import draw, education_abroad
from voxpop.population.countries import ABROAD, ISO, PeopleAbroad, index_of, sex_age_shares
from voxpop.population.demographics import EDUCATION
from voxpop.population.draw import Streams
from voxpop.population.health import (
    ALCOHOL,
    ASSIGNED_SHARE,
    BMI_BANDS,
    BMI_CLASSES,
    BMI_CUTS,
    SMOKING,
    SMOKING_BANDS,
)
from voxpop.population.health_conditions import CONDITIONS
from voxpop.population.picking import Table, evenly
from voxpop.population.reference import GENDERS, Floats, band, in_band, rows

Codes = npt.NDArray[np.int16]
Flags = npt.NDArray[np.bool_]

METHOD_VERSION = "levels-borrowed-patterns-2"
CALIBRATION_VERSION = "who-ncdrisc-2"

BMI_LEVELS = (
    "under 18.5",
    "18.5 to under 20",
    "20 to under 25",
    "25 to under 30",
    "30 to under 35",
    "35 to under 40",
    "40 or more",
)
"""The published classes; the second and third together are the class "normal"."""

KNOWN_CONDITIONS = ("hypertension", "diabetes_t2", "obesity")

RECALLED_SMOKING = ("India",)
"""Countries whose smoking is a recalled national figure, because most of their tobacco is chewed."""

CLASS_OF = np.array([0, 1, 1, 2, 3, 4, 5], dtype=np.int16)
"""Level of ``bmi_class`` of each published class."""

_CUTS = np.array([BMI_CUTS[0], 20.0, *BMI_CUTS[1:]])
_LEAST_BMI, _MOST_BMI = 14.0, 70.0
_TAIL = 4.0
_LEAST_SHARE = 0.003
_STEP = {"No HS diploma": EDUCATION[:2]}


@dataclass(frozen=True, slots=True)
class HealthAbroad:
    """Health of the agents at ``positions``: BMI in tenths, flags (agent, condition), and codes."""

    positions: npt.NDArray[np.int64]
    bmi_tenths: Codes
    bmi_class: Codes
    conditions: Flags
    smoking: Codes
    alcohol: Codes


def sources() -> dict[str, str]:
    """Return the sources of the health data by country, for the provenance of an agent."""
    told = (
        "simulated from national levels of WHO and NCD-RisC (2016-2022); patterns by age and education, "
        "never and former smoking, and amounts of alcohol borrowed from the USA"
    )
    more = "; smoking recalled from GATS-2, not verified"
    return {name: told + (more if name in RECALLED_SMOKING else "") for name in ISO}


def levels(measure: str, level: str = "", rate: str = "standard") -> dict[tuple[int, str], float]:
    """Return the published shares of a measure by (country index, gender or "both")."""
    return {
        (index_of(row["country"]), row["gender"]): float(row["share"])
        for row in rows("intl_health_levels")
        if (row["measure"], row["level"], row["rate"]) == (measure, level, rate)
    }


def standard_weights(bands: tuple[str, ...], first: int, last: int) -> Floats:
    """Return the weights of age bands in the WHO World Standard Population between two ages; they sum to 1.

    Ages below 18 count for the first band.

    Examples
    --------
    >>> standard_weights(("18-44", "45+"), 20, 59).round(3).tolist()
    [0.701, 0.299]
    """
    single = np.zeros(100)
    for row in rows("who_standard_population"):
        start, end = band(row["age_band"])
        single[start : end + 1] = float(row["weight"]) / (end - start + 1)
    inside = (np.arange(100) >= first) & (np.arange(100) <= last)
    starts = np.array([band(text)[0] for text in bands])
    codes = np.maximum(np.searchsorted(starts, np.arange(100), side="right") - 1, 0)
    found = np.bincount(codes[inside], weights=single[inside], minlength=len(bands))
    return np.asarray(found / found.sum())


def own_weights(bands: tuple[str, ...]) -> Floats:
    """Return the shares of the bands among the adults of each (country, sex)."""
    people = sex_age_shares()
    found = np.stack([people[:, :, in_band(text)].sum(axis=2) for text in bands], axis=2)
    return np.asarray(found / found.sum(axis=2, keepdims=True))


@cache
def gradient(outcome: str) -> Floats:
    """Return the log odds of an outcome by education in the USA, up to a constant.

    Groups of the table by age are pooled with weights of 1 over the square of their errors, after the mean of
    each age is taken away.
    """
    found: dict[str, list[tuple[str, float, float]]] = {}
    for row in rows("us_education_gradient"):
        if row["outcome"] == outcome:
            cell = row["education"], float(row["log_odds"]), float(row["se"])
            found.setdefault(row["age_band"], []).append(cell)
    total, weight = np.zeros(len(EDUCATION)), np.zeros(len(EDUCATION))
    for cells in found.values():
        precision = np.array([error**-2 for _, _, error in cells])
        mean = (
            np.array([odds for _, odds, _ in cells]) @ precision / precision.sum() if len(found) > 1 else 0.0
        )
        for (level, odds, error), _ in zip(cells, precision, strict=True):
            for name in _STEP.get(level, (level,)):
                total[EDUCATION.index(name)] += (odds - mean) * error**-2
                weight[EDUCATION.index(name)] += error**-2
    # the reference level of the odds of smoking has no row
    return np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)


def shift(pattern: Floats, weights: Floats, wanted: float) -> Floats:
    """Return a pattern of shares shifted in log odds until its weighted mean is the level.

    Examples
    --------
    >>> shift(np.array([0.2, 0.4]), np.array([1.0, 1.0]), 0.3).round(2).tolist()
    [0.2, 0.4]
    """
    share = weights / weights.sum()

    def above(amount: Floats) -> Floats:
        return np.array([(share * expit(logit(pattern) + amount[0])).sum() - wanted])

    amount = draw.solve(above, np.array([-12.0]), np.array([12.0]))
    return np.asarray(expit(logit(pattern) + amount[0]))


def _us_bmi() -> Floats:
    """Return the published classes of the USA by (sex, band, level of BMI_LEVELS), normal weight twice."""
    found = np.zeros((len(GENDERS), len(BMI_BANDS), len(BMI_CLASSES)))
    for row in rows("us_bmi_class"):
        if row["gender"] in GENDERS and row["age_band"] in BMI_BANDS:
            at = GENDERS.index(row["gender"]), BMI_BANDS.index(row["age_band"])
            found[(*at, BMI_CLASSES.index(row["bmi_class"]))] = float(row["share"])
    return np.maximum(found, _LEAST_SHARE)[..., CLASS_OF]


@cache
def bmi_shares() -> Floats:
    """Return the shares of :data:`BMI_LEVELS` by (country, sex, band of BMI_BANDS, education).

    The age pattern of the USA times the gradient of obesity, times one factor for each class of a country and
    sex, which makes the published shares hold for the ages of the standard from 20 and the education of the
    country at each age.
    """
    obese = np.arange(len(BMI_LEVELS)) >= BMI_LEVELS.index("30 to under 35")
    tilt = np.exp(gradient("obesity")[:, None] * obese)
    standard, schooling = standard_weights(BMI_BANDS, 20, 99), education_abroad.by_band(BMI_BANDS)
    wanted = [levels("bmi_class", level) for level in BMI_LEVELS]
    start, found = _us_bmi(), np.zeros((*schooling.shape, len(BMI_LEVELS)))
    for at, sex in np.ndindex(schooling.shape[:2]):
        weights = standard[:, None] * schooling[at, sex]
        totals = np.array([each[at, GENDERS[sex]] for each in wanted])
        pattern = start[sex][:, None] * tilt * weights[..., None]
        fitted = draw.fit(pattern, [((2,), totals / totals.sum()), ((0, 1), weights)], rounds=80)
        found[at, sex] = fitted / np.maximum(fitted.sum(axis=-1, keepdims=True), 1e-300)
    empty = found.sum(axis=-1) == 0
    found[empty] = found.sum(axis=3)[np.nonzero(empty)[:3]]
    return np.asarray(found / found.sum(axis=-1, keepdims=True))


def obese_shares() -> Floats:
    """Return the share with a BMI of 30 or more by (country, sex, band, education)."""
    return np.asarray(bmi_shares()[..., BMI_LEVELS.index("30 to under 35") :].sum(axis=-1))


def _us_condition(condition: str) -> Floats:
    """Return self-reported prevalence in the USA by (sex, band of :data:`BMI_BANDS`)."""
    found = np.zeros((len(GENDERS), len(BMI_BANDS)))
    for row in rows("us_condition_nhanes_1718"):
        if (row["condition"], row["measure"]) != (condition, "self_reported_diagnosis"):
            continue
        if row["gender"] in GENDERS and row["age_band"] in BMI_BANDS:
            at = GENDERS.index(row["gender"]), BMI_BANDS.index(row["age_band"])
            found[at] = max(float(row["share"]), _LEAST_SHARE)  # no case in a small cell does not mean never
    return found


def _odds_ratio(first: str, second: str) -> float:
    return next(
        float(row["odds_ratio_age_sex_adjusted"])
        for row in rows("us_comorbidity_odds_ratios")
        if {row["condition_a"], row["condition_b"]} == {first, second}
    )


@cache
def diabetes_shares() -> Floats:
    """Return the share with diabetes by (country, sex, band, education, obese or not)."""
    wanted, schooling = levels("diabetes"), education_abroad.by_band(BMI_BANDS)
    standard, obese = standard_weights(BMI_BANDS, 18, 99), obese_shares()
    odds = np.log(_odds_ratio("obesity", "diabetes_t2")) * np.array([0.0, 1.0])
    tilt = gradient("diabetes_t2")[:, None] + odds
    found = np.zeros((*schooling.shape, 2))
    for at, sex in np.ndindex(schooling.shape[:2]):
        weights = standard[:, None] * schooling[at, sex]
        weights = np.stack([weights * (1 - obese[at, sex]), weights * obese[at, sex]], axis=-1)
        pattern = expit(logit(_us_condition("diabetes_t2")[sex])[:, None, None] + tilt)
        found[at, sex] = shift(pattern, weights, wanted[at, GENDERS[sex]])
    return found


@cache
def hypertension_shares() -> Floats:
    """Return the share with hypertension by (country, sex, band, education, obese, diabetes)."""
    wanted, schooling = levels("hypertension"), education_abroad.by_band(BMI_BANDS)
    standard, obese, diabetes = standard_weights(BMI_BANDS, 30, 79), obese_shares(), diabetes_shares()
    yes = np.array([0.0, 1.0])
    tilt = gradient("hypertension")[:, None, None]
    tilt = tilt + np.log(_odds_ratio("obesity", "hypertension")) * yes[:, None]
    tilt = tilt + np.log(_odds_ratio("diabetes_t2", "hypertension")) * yes
    found = np.zeros((*schooling.shape, 2, 2))
    for at in range(len(ABROAD)):
        # the level is of both sexes: each counts half
        weights = standard[None, :, None] * schooling[at]
        weights = np.stack([weights * (1 - obese[at]), weights * obese[at]], axis=-1)
        weights = np.stack([weights * (1 - diabetes[at]), weights * diabetes[at]], axis=-1)
        pattern = expit(logit(_us_condition("hypertension"))[:, :, None, None, None] + tilt)
        found[at] = shift(pattern, weights, wanted[at, "both"])
    return found


def _us_smoking() -> Floats:
    """Return smoking in the USA by (sex, band of :data:`SMOKING_BANDS`, level of SMOKING)."""
    found = np.zeros((len(GENDERS), len(SMOKING_BANDS), len(SMOKING)))
    for row in rows("us_smoking"):
        if row["gender"] in GENDERS and row["age_band"] in SMOKING_BANDS:
            at = GENDERS.index(row["gender"]), SMOKING_BANDS.index(row["age_band"])
            found[at] = [float(row[f"share_{level}"]) for level in SMOKING]
    return np.asarray(found / found.sum(axis=-1, keepdims=True))


@cache
def smoking_shares() -> Floats:
    """Return the shares of never, former and current by (country, sex, band of SMOKING_BANDS, education)."""
    schooling, own = education_abroad.by_band(SMOKING_BANDS), own_weights(SMOKING_BANDS)
    standard, usa = standard_weights(SMOKING_BANDS, 15, 99), _us_smoking()
    tobacco, recalled = levels("current_tobacco_use"), levels("current_smoking", rate="crude")
    never, former, current = (SMOKING.index(level) for level in ("never", "former", "current"))
    found = np.zeros((*schooling.shape, len(SMOKING)))
    for at, sex in np.ndindex(schooling.shape[:2]):
        key = at, GENDERS[sex]
        ages, wanted = (own[at, sex], recalled[key]) if key in recalled else (standard, tobacco[key])
        pattern = expit(logit(usa[sex, :, current])[:, None] + gradient("smoking_current"))
        now = shift(pattern, ages[:, None] * schooling[at, sex], wanted)
        by_age = (now * schooling[at, sex]).sum(axis=1)
        fewer = np.minimum(np.exp(logit(by_age) - logit(usa[sex, :, current])), 1.0)
        odds = usa[sex, :, former] / usa[sex, :, never] * fewer
        part = (odds / (1 + odds))[:, None]
        found[at, sex, ..., current] = now
        found[at, sex, ..., former] = (1 - now) * part
        found[at, sex, ..., never] = (1 - now) * (1 - part)
    return found


def _us_alcohol(group: str) -> Floats:
    columns = ("pct_none_past_year", "pct_light", "pct_moderate", "pct_heavy")
    row = next(row for row in rows("us_alcohol") if f"{row['age_band']}, {row['gender']}" == group)
    found = np.array([float(row[column]) for column in columns])
    return np.asarray(found / found.sum())


@cache
def alcohol_shares() -> Floats:
    """Return the shares of the levels of alcohol by (country, sex, band of SMOKING_BANDS).

    The level of those who did not drink in twelve months is a crude one of ages 15 and over.
    """
    wanted, own = levels("alcohol", rate="crude"), own_weights(SMOKING_BANDS)
    by_age = np.stack([_us_alcohol(f"{text}, all") for text in SMOKING_BANDS])
    by_sex = np.stack([_us_alcohol(f"18+, {gender}") for gender in GENDERS])
    everybody = _us_alcohol("18+, all")
    found = np.zeros((len(ABROAD), len(GENDERS), len(SMOKING_BANDS), len(ALCOHOL)))
    for at, sex in np.ndindex(found.shape[:2]):
        none = shift(by_age[:, 0], own[at, sex], wanted[at, GENDERS[sex]])
        drinks = by_age[:, 1:] * by_sex[sex, 1:] / everybody[1:]
        found[at, sex, :, 0] = none
        found[at, sex, :, 1:] = drinks / drinks.sum(axis=1, keepdims=True) * (1 - none)[:, None]
    return found


@cache
def tables() -> dict[str, Table]:
    """Return the tables of the health fields."""
    two = {
        "diabetes_t2": diabetes_shares(),
        "hypertension": hypertension_shares(),
    }
    found = {name: Table.of(np.stack([1 - shares, shares], axis=-1)) for name, shares in two.items()}
    assigned = np.tile([1 - ASSIGNED_SHARE, ASSIGNED_SHARE], (len(ABROAD), 1))
    found["assigned"] = Table.of(assigned)
    found["bmi"] = Table.of(bmi_shares())
    found["smoking"], found["alcohol"] = Table.of(smoking_shares()), Table.of(alcohol_shares())
    return found


@cache
def _knots() -> tuple[Floats, Floats]:
    """Return the log BMI and the normal scores at the limits of the levels, by cell of the BMI table.

    Within a level, the logarithm of BMI is linear in the normal score, as for the US agents; the outermost
    levels have the standard deviation of the logarithm of the USA.
    """
    shares = bmi_shares()
    upto = np.clip(np.cumsum(shares, axis=-1)[..., :-1], 1e-9, 1 - 1e-9)
    scores = ndtri(upto)
    scores = np.concatenate([scores[..., :1] - _TAIL, scores, scores[..., -1:] + _TAIL], axis=-1)
    spreads = {(row["gender"], row["age_band"]): float(row["log_bmi_sd"]) for row in rows("us_bmi_moments")}
    sd = np.array([[spreads[gender, text] for text in BMI_BANDS] for gender in GENDERS])
    sd = np.broadcast_to(sd[None, :, :, None], shares.shape[:-1])
    logs = np.broadcast_to(np.log(_CUTS), (*shares.shape[:-1], _CUTS.size))
    low, high = logs[..., :1] - _TAIL * sd[..., None] / 2, logs[..., -1:] + _TAIL * sd[..., None]
    logs = np.concatenate([low, logs, high], axis=-1)
    return logs.reshape(-1, logs.shape[-1]), scores.reshape(-1, scores.shape[-1])


def _bmi(uniform: Floats, cell: npt.NDArray[np.int64]) -> tuple[Codes, Codes]:
    """Return BMI in tenths and its published level, from numbers in (0, 1)."""
    level = tables()["bmi"].at(uniform, cell)
    logs, scores = _knots()
    low, high = scores[cell, level], scores[cell, level + 1]
    part = (ndtri(np.clip(uniform, ndtr(low), ndtr(high))) - low) / np.maximum(high - low, 1e-12)
    value = logs[cell, level] + np.clip(part, 0.0, 1.0) * (logs[cell, level + 1] - logs[cell, level])
    tenths = np.floor(np.clip(np.exp(value), _LEAST_BMI, _MOST_BMI) * 10 + 1e-6)
    limits = np.concatenate([[_LEAST_BMI], _CUTS, [_MOST_BMI + 0.1]]) * 10
    return np.clip(tenths, limits[level], limits[level + 1] - 1).astype(np.int16), level


def draw_health_abroad(streams: Streams, people: PeopleAbroad) -> HealthAbroad:
    """Choose the agents with health data, as many as in the USA, and draw the fields (stages 220-225)."""
    found = tables()
    at = np.flatnonzero(found["assigned"].draw(streams.stage(220), people.country))
    country, sex, education = people.country[at], people.sex[at], people.education[at]
    band_of = people.band(BMI_BANDS)[at]
    shape = bmi_shares().shape[:-1]
    cell = np.ravel_multi_index((country, sex, band_of, education), shape).astype(np.int64)
    bmi, level = _bmi(np.maximum(evenly(streams.stage(221), cell), 1e-12), cell)
    obese = (level >= BMI_LEVELS.index("30 to under 35")).astype(np.int64)
    diabetes = found["diabetes_t2"].draw(streams.stage(222), cell * 2 + obese)
    pressure = found["hypertension"].draw(streams.stage(223), (cell * 2 + obese) * 2 + diabetes)
    flags = np.zeros((at.size, len(CONDITIONS)), dtype=bool)
    for name, values in zip(KNOWN_CONDITIONS, (pressure, diabetes, obese), strict=True):
        flags[:, CONDITIONS.index(name)] = values
    band_of = people.band(SMOKING_BANDS)[at]
    habit = np.ravel_multi_index((country, sex, band_of), alcohol_shares().shape[:-1]).astype(np.int64)
    smoking = found["smoking"].draw(streams.stage(224), habit * len(EDUCATION) + education)
    alcohol = found["alcohol"].draw(streams.stage(225), habit)
    return HealthAbroad(at, bmi, CLASS_OF[level], flags, smoking, alcohol)
