"""Body mass index, PHQ-9 and habits of the agents with health data.

A random 85 % of the agents (:data:`ASSIGNED_SHARE`) have health data. Every draw reproduces the published
figures of its cells (age band and sex). Within a cell, values depend on related fields (ethnicity and BMI,
BMI class and PHQ-9, PHQ-9 and sleep).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from voxpop.population import draw
from voxpop.population.demographics import ETHNICITIES, People, cell_of
from voxpop.population.reference import GENDERS, Floats, rows
from voxpop.vocabulary.fields import FIELDS

Codes = npt.NDArray[np.int16]

ASSIGNED_SHARE = 0.85

BMI_BANDS = ("18-29", "30-39", "40-49", "50-59", "60-69", "70+")
PHQ_BANDS = ("18-29", "30-44", "45-59", "60-74", "75+")
SMOKING_BANDS = ("18-24", "25-44", "45-64", "65+")

BMI_CUTS = (18.5, 25.0, 30.0, 35.0, 40.0)
PHQ_CUTS = (5, 10, 15, 20)
BMI_CLASSES = FIELDS["bmi_class"].levels
PHQ_CLASSES = FIELDS["phq9_severity"].levels
SMOKING = FIELDS["smoking_status"].levels
ALCOHOL = FIELDS["alcohol_use"].levels
ACTIVITY = FIELDS["physical_activity_level"].levels
SLEEP = FIELDS["sleep_quality"].levels
DIET = FIELDS["diet_quality"].levels

_LEAST_BMI, _MOST_BMI = 14.0, 70.0
# Groups of the BMI table, for each ethnicity of the agents.
BMI_GROUPS = {name: name for name in ETHNICITIES[:4]} | dict.fromkeys(ETHNICITIES[4:], "Other or multiracial")
_BMI_GROUP_NAMES = tuple(dict.fromkeys(BMI_GROUPS.values()))
# Correlations, from -1 to 1, of other fields with these (assumptions of this project).
_ACTIVITY_ON_BMI, _SLEEP_ON_PHQ, _DIET_ON_ACTIVITY = -0.25, -0.55, 0.3


@dataclass(frozen=True, slots=True)
class Health:
    """Health fields of the agents at ``positions`` in the population, one entry per agent."""

    positions: npt.NDArray[np.int64]
    people: People
    bmi_tenths: Codes
    bmi_class: Codes
    bmi_normal: Floats
    phq9_score: Codes
    phq9_severity: Codes
    phq9_normal: Floats
    smoking: Codes
    alcohol: Codes
    activity: Codes
    sleep: Codes
    diet: Codes


def cells(
    name: str, key: str, bands: tuple[str, ...], levels: tuple[str, ...], value: str = "share"
) -> Floats:
    """Return published shares as (sex and band, level)."""
    table = np.zeros((2, len(bands), len(levels)))
    for row in rows(name):
        if row["gender"] in GENDERS and row["age_band"] in bands and row[key] in levels:
            at = GENDERS.index(row["gender"]), bands.index(row["age_band"]), levels.index(row[key])
            table[at] += float(row[value])
    flat = table.reshape(-1, len(levels))
    return np.asarray(flat / flat.sum(axis=1, keepdims=True))


def choose(seed: int, people: People) -> tuple[npt.NDArray[np.int64], People]:
    """Choose the agents with health data."""
    rng = draw.generator(seed, 20)
    size = people.age.size
    wanted = int(ASSIGNED_SHARE * size + rng.random())
    at = np.sort(rng.permutation(size)[:wanted])
    parts = (getattr(people, name)[at] for name in People.__slots__)
    return at, People(*parts)


def _agreeing(wanted: Floats, levels: Floats, groups: Floats) -> Floats:
    """Return consistent totals by (group, level) close to the targets: rows and columns add up."""
    return draw.fit(wanted, [((1,), levels), ((0,), groups)])


def bmi_class_shares(counts: Floats) -> Floats:
    """Return agents by (sex, band, ethnicity, class), given the agents by (sex, band, ethnicity).

    Classes by age band and sex are exact; classes by ethnicity and sex are as close as these permit.
    """
    by_age = cells("us_bmi_class", "bmi_class", BMI_BANDS, BMI_CLASSES).reshape(2, len(BMI_BANDS), -1)
    by_group = np.zeros((2, len(_BMI_GROUP_NAMES), len(BMI_CLASSES)))
    for row in rows("us_bmi_class_by_ethnicity"):
        at = GENDERS.index(row["gender"]), _BMI_GROUP_NAMES.index(row["ethnicity"])
        by_group[(*at, BMI_CLASSES.index(row["bmi_class"]))] = float(row["share"])
    belongs = np.array([[BMI_GROUPS[name] == group for group in _BMI_GROUP_NAMES] for name in ETHNICITIES])
    grouped = counts @ belongs
    wanted = by_age * counts.sum(axis=2, keepdims=True)
    fitted = np.zeros((2, len(BMI_BANDS), len(ETHNICITIES), len(BMI_CLASSES)))
    for sex in range(2):
        size = grouped[sex].sum(axis=0)
        of_groups = _agreeing(by_group[sex] * size[:, None], wanted[sex].sum(axis=0), size)
        start = by_age[sex][:, None, :] * by_group[sex][None]
        parts = draw.fit(start, [((1, 2), of_groups), ((0, 2), wanted[sex]), ((0, 1), grouped[sex])])
        inside = parts / np.maximum(parts.sum(axis=2, keepdims=True), 1e-12)
        fitted[sex] = inside[:, belongs.argmax(axis=1)] * counts[sex][..., None]
    return fitted


def draw_bmi(seed: int, people: People) -> tuple[Codes, Floats]:
    """Draw BMI in tenths of kg/m² and its normal score within (sex, band).

    The class is drawn first. The logarithm of BMI is then piecewise linear in the normal score, through the
    class limits; the tails have the published standard deviation of the logarithm.
    """
    rng = draw.generator(seed, 21)
    cell = cell_of(people, BMI_BANDS)
    n_cells = 2 * len(BMI_BANDS)
    both = cell * np.int16(len(ETHNICITIES)) + people.ethnicity
    shape = (2, len(BMI_BANDS), len(ETHNICITIES))
    counts = np.bincount(both, minlength=int(np.prod(shape))).reshape(shape).astype(float)
    drawn = draw.levels(rng, both, bmi_class_shares(counts).reshape(-1, len(BMI_CLASSES)))
    normal = ndtri(draw.spread(rng, cell, n_cells, drawn + rng.random(drawn.size)))
    found = np.bincount(cell * np.int16(len(BMI_CLASSES)) + drawn, minlength=n_cells * len(BMI_CLASSES))
    shares = found.reshape(n_cells, -1) / np.maximum(found.reshape(n_cells, -1).sum(axis=1, keepdims=True), 1)
    spreads = {(row["gender"], row["age_band"]): float(row["log_bmi_sd"]) for row in rows("us_bmi_moments")}
    bmi = np.empty(cell.size)
    for number, at in enumerate(draw.split(cell, n_cells)):
        sd = spreads[GENDERS[number // len(BMI_BANDS)], BMI_BANDS[number % len(BMI_BANDS)]]
        upto = np.clip(np.cumsum(shares[number])[:-1], 1e-6, 1 - 1e-6)
        knots, logs = ndtri(upto), np.log(BMI_CUTS)
        knots = np.concatenate([[knots[0] - 4], knots, [knots[-1] + 4]])
        logs = np.concatenate([[logs[0] - 4 * sd / 2], logs, [logs[-1] + 4 * sd]])
        bmi[at] = np.interp(normal[at], knots, logs)
    bmi = np.clip(np.exp(bmi), _LEAST_BMI, _MOST_BMI)
    return np.floor(bmi * 10).astype(np.int16), normal


def _severity_shares(counts: Floats, severity: Floats) -> Floats:
    """Return shares of severity by (cell, BMI class), exact by cell and nearly exact by class."""
    by_class = np.zeros((len(BMI_CLASSES), len(PHQ_CLASSES)))
    for row in rows("us_phq9_by_bmi_class"):
        at = BMI_CLASSES.index(row["bmi_class"]), PHQ_CLASSES.index(row["phq9_severity"])
        by_class[at] = float(row["share"])
    wanted = severity * counts.sum(axis=1, keepdims=True)
    of_class = counts.sum(axis=0)
    of_classes = _agreeing(by_class * of_class[:, None], wanted.sum(axis=0), of_class)
    start = severity[:, None, :] * by_class[None, :, :]
    return draw.fit(start, [((1, 2), of_classes), ((0, 2), wanted), ((0, 1), counts)])


def draw_phq9(seed: int, people: People, bmi_class: Codes) -> tuple[Codes, Floats]:
    """Draw PHQ-9 scores from age, sex and BMI class, and their normal scores within (sex, band)."""
    rng = draw.generator(seed, 22)
    cell = cell_of(people, PHQ_BANDS)
    n_cells, n_classes = 2 * len(PHQ_BANDS), len(BMI_CLASSES)
    severity = cells("us_phq9_severity", "phq9_severity", PHQ_BANDS, PHQ_CLASSES)
    both = cell * np.int16(n_classes) + bmi_class
    counts = np.bincount(both, minlength=n_cells * n_classes).reshape(n_cells, n_classes).astype(float)
    tilted = _severity_shares(counts, severity)
    within = np.array([float(row["share"]) for row in rows("us_phq9_score_distribution")])
    zero = {
        (row["gender"], row["age_band"]): float(row["share_zero"]) for row in rows("us_phq9_score_moments")
    }
    grade = np.searchsorted(PHQ_CUTS, np.arange(within.size), side="right")
    scores = np.zeros((n_cells, n_classes, within.size))
    for number in range(n_cells):
        inside = within.copy()
        none = (
            zero[GENDERS[number // len(PHQ_BANDS)], PHQ_BANDS[number % len(PHQ_BANDS)]] / severity[number, 0]
        )
        inside[0] = none * within[1:5].sum() / (1 - none)
        inside /= np.bincount(grade, weights=inside)[grade]
        scores[number] = tilted[number][:, grade] * inside
    score = draw.levels(rng, both, scores.reshape(-1, within.size))
    normal = ndtri(draw.spread(rng, cell, n_cells, score + rng.random(score.size)))
    return score, normal


def draw_smoking(rng: np.random.Generator, people: People) -> Codes:
    """Draw smoking status from age and sex, with current smoking adjusted for ethnicity."""
    table = np.zeros((2, len(SMOKING_BANDS), len(SMOKING)))
    for row in rows("us_smoking"):
        if row["gender"] in GENDERS and row["age_band"] in SMOKING_BANDS:
            cell_at = GENDERS.index(row["gender"]), SMOKING_BANDS.index(row["age_band"])
            table[cell_at] = [float(row[f"share_{status}"]) for status in SMOKING]
    cell = cell_of(people, SMOKING_BANDS)
    shares = _smoking_shares(table, np.bincount(cell, minlength=2 * len(SMOKING_BANDS)).astype(float))
    current = {row["group"]: float(row["value_pct"]) for row in rows("us_smoking_other")}
    tilt = np.ones((len(ETHNICITIES), len(SMOKING)))
    for at, name in enumerate(ETHNICITIES):
        found = [
            pct for group, pct in current.items() if group.startswith(name.split(",")[0]) and "2023" in group
        ]
        tilt[at, SMOKING.index("current")] = (found[0] if found else 11.0) / 11.0
    both = cell * np.int16(len(ETHNICITIES)) + people.ethnicity
    shape = (shares.shape[0], len(ETHNICITIES))
    counts = np.bincount(both, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
    wanted = shares * counts.sum(axis=1, keepdims=True)
    start = shares[:, None, :] * tilt[None]
    fitted = draw.fit(start, [((0, 2), wanted), ((0, 1), counts)])
    return draw.levels(rng, both, fitted.reshape(-1, len(SMOKING)))


def _smoking_shares(table: Floats, counts: Floats) -> Floats:
    """Return shares by (sex and band, status): verified rows are exact, the others fill the gaps."""
    size = counts.reshape(2, -1)
    found = {
        (row["age_band"], row["gender"]): np.array([float(row[f"share_{status}"]) for status in SMOKING])
        for row in rows("us_smoking")
    }
    by_sex = np.stack([found["18+", gender] for gender in GENDERS]) * size.sum(axis=1)[:, None]
    by_band = np.stack([found[text, "all"] for text in SMOKING_BANDS]) * size.sum(axis=0)[:, None]
    by_sex *= by_band.sum(axis=0) / np.maximum(by_sex.sum(axis=0), 1e-12)
    by_sex = draw.fit(by_sex, [((1,), by_band.sum(axis=0)), ((0,), size.sum(axis=1))])
    fitted = draw.fit(table, [((0, 2), by_sex), ((1, 2), by_band), ((0, 1), size)]).reshape(-1, len(SMOKING))
    return np.asarray(fitted / np.maximum(fitted.sum(axis=1, keepdims=True), 1e-12))


def draw_alcohol(rng: np.random.Generator, people: People) -> Codes:
    """Draw alcohol use from the published ages and sexes, without interaction between them."""
    columns = ("pct_none_past_year", "pct_light", "pct_moderate", "pct_heavy")
    found = {
        (row["age_band"], row["gender"]): np.array([float(row[c]) for c in columns])
        for row in rows("us_alcohol")
    }
    cell = cell_of(people, SMOKING_BANDS)
    counts = np.bincount(cell, minlength=2 * len(SMOKING_BANDS)).reshape(2, -1).astype(float)
    by_sex = np.stack([found["18+", gender] for gender in GENDERS])
    by_age = np.stack([found[text, "all"] for text in SMOKING_BANDS])
    by_sex = by_sex / by_sex.sum(axis=1, keepdims=True) * counts.sum(axis=1)[:, None]
    by_age = by_age / by_age.sum(axis=1, keepdims=True) * counts.sum(axis=0)[:, None]
    whole = found["18+", "all"] / found["18+", "all"].sum() * counts.sum()  # the only verified row
    by_age = _agreeing(by_age, whole, counts.sum(axis=0))
    by_sex = _agreeing(by_sex, whole, counts.sum(axis=1))
    start = np.ones((2, len(SMOKING_BANDS), len(ALCOHOL)))
    fitted = draw.fit(start, [((1, 2), by_age), ((0, 2), by_sex), ((0, 1), counts)])
    return draw.levels(rng, cell, fitted.reshape(-1, len(ALCOHOL)))


def _lean(rng: np.random.Generator, on: Floats, strength: float) -> Floats:
    """Return noise with a correlation of ``strength`` to another field."""
    noise = rng.standard_normal(on.size)
    return np.asarray(strength * on + (1 - strength**2) ** 0.5 * noise)


def draw_health(seed: int, everybody: People) -> Health:
    """Choose the agents with health data and draw their BMI, PHQ-9 and habits."""
    positions, people = choose(seed, everybody)
    bmi, bmi_normal = draw_bmi(seed, people)
    bmi_class = np.searchsorted(np.array(BMI_CUTS) * 10, bmi, side="right").astype(np.int16)
    score, phq_normal = draw_phq9(seed, people, bmi_class)
    severity = np.searchsorted(PHQ_CUTS, score, side="right").astype(np.int16)
    rng = draw.generator(seed, 23)
    smoking = draw_smoking(rng, people)
    alcohol = draw_alcohol(rng, people)
    cell = cell_of(people, PHQ_BANDS)
    shares = cells("us_physical_activity", "physical_activity_level", PHQ_BANDS, ACTIVITY)
    moving = _lean(rng, bmi_normal, _ACTIVITY_ON_BMI)
    activity = draw.levels(rng, cell, shares, moving)
    shares = cells("us_sleep_quality", "sleep_quality", PHQ_BANDS, SLEEP)
    sleep = draw.levels(rng, cell, shares, _lean(rng, phq_normal, _SLEEP_ON_PHQ))
    model = {
        row["suggested_diet_quality"]: float(row["value"])
        for row in rows("us_diet_quality")
        if row["measure"].startswith("model split")
    }
    eating = _lean(rng, moving, _DIET_ON_ACTIVITY)
    diet = draw.levels(
        rng, cell, np.tile([model[level] for level in DIET], (cell.max(initial=0) + 1, 1)), eating
    )
    return Health(
        positions,
        people,
        bmi,
        bmi_class,
        bmi_normal,
        score,
        severity,
        phq_normal,
        smoking,
        alcohol,
        activity,
        sleep,
        diet,
    )
