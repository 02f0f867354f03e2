"""Body mass index, PHQ-9 and habits of the US agents: a donor's values, moved to the published levels.

An agent takes over the values of its donor (:mod:`voxpop.population.hot_deck`), so that they go together as
they do in one person. In each cell (age band and sex, for BMI with the ethnic group) the donors' distribution
is then mapped to the published one, rank by rank, after the ranks have been moved to the published gradients
between kinds of people (:mod:`voxpop.population.gradients`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.special import logit, ndtri

from voxpop.population import draw
from voxpop.population.demographics import ETHNICITIES, People, cell_of, expected_people
from voxpop.population.donors import GROUP_OF, GROUPS, donors
from voxpop.population.fitted import by_cell_and_level, fitted
from voxpop.population.gradients import POVERTY_CUTS, Kinds, shift
from voxpop.population.households import Household
from voxpop.population.income import Income
from voxpop.population.reference import GENDERS, MIN_AGE, Floats, band_codes, rows
from voxpop.vocabulary.fields import FIELDS

Codes = npt.NDArray[np.int16]

ASSIGNED_SHARE = 0.85
"""Share of the agents with health data."""

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

BMI_GRID = (16.0, 18.5, 20.0, 21.5, 23.0, 25.0, 26.5, 28.0, 30.0, 32.5, 35.0, 37.5, 40.0, 45.0, 50.0)
"""Body mass indices at which the donors of a cell are counted."""

BMI_GROUPS = {name: name for name in ETHNICITIES[:4]} | dict.fromkeys(ETHNICITIES[4:], "Other or multiracial")
"""Groups of the BMI table, for each ethnic group of the agents; they are the groups of the donors."""

BMI_CELLS = 2 * len(BMI_BANDS) * len(GROUPS)

BMI_NOISE = 0.3
"""Standard deviation of the noise that keeps copies of a donor apart, in kg/m²."""

LEANING_GRID = np.concatenate([[0.0005, 0.003, 0.01], np.arange(0.03, 0.98, 0.03), [0.985, 0.997, 0.9995]])
"""Shares at which the quantiles of moved ranks are stored."""

MOST_PHQ = 27
_LEAST_BMI, _MOST_BMI = 14.0, 70.0
_RATED = 5

# Effect of a drink on a recall day on the log odds of drinking more (an assumption of this project).
_DRANK = 2.2
_DRINKING_UNIONS = (0, 0, 1, 1, 1, 2)

ALCOHOL_TERMS = {
    "age_band": 5,
    "gender": 2,
    "ethnicity": 5,
    "education": 5,
    "poverty_ratio": 4,
    "marital_status": 3,
}
"""Terms of the model of drinking, with their numbers of levels."""


@dataclass(frozen=True, slots=True)
class Health:
    """Health fields of the agents, one entry per agent."""

    bmi_tenths: Codes
    bmi_class: Codes
    phq9_score: Codes
    phq9_severity: Codes
    smoking: Codes
    alcohol: Codes
    activity: Codes
    sleep: Codes
    diet: Codes
    rated: Codes


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


@dataclass(frozen=True, slots=True)
class Ranked:
    """A field with levels that is moved from the donors' shares to the published ones.

    Attributes
    ----------
    bands : tuple of str
        Age bands of the cells; the empty tuple for a single cell of all adults.
    have_levels : int
        Number of levels among the donors.
    want : array (cells, levels)
        Published shares.
    """

    bands: tuple[str, ...]
    have_levels: int
    want: Floats

    def cell(self, people: People) -> Codes:
        """Return the cell of each agent."""
        return cell_of(people, self.bands) if self.bands else np.zeros(people.age.size, dtype=np.int16)


@cache
def ranked() -> dict[str, Ranked]:
    """Return the fields that are moved level by level."""
    activity = cells("us_physical_activity", "physical_activity_level", PHQ_BANDS, ACTIVITY)
    sleep = cells("us_sleep_quality", "sleep_quality", PHQ_BANDS, SLEEP)
    model = {
        row["suggested_diet_quality"]: float(row["value"])
        for row in rows("us_diet_quality")
        if row["measure"].startswith("model split")
    }
    diet = np.array([[model[level] for level in DIET]])
    return {
        "phq9": Ranked(PHQ_BANDS, MOST_PHQ + 1, _phq9_shares()),
        "smoking": Ranked(SMOKING_BANDS, len(SMOKING), _smoking_shares()),
        "activity": Ranked(PHQ_BANDS, len(ACTIVITY), activity),
        "sleep": Ranked(PHQ_BANDS, len(SLEEP), sleep),
        "diet": Ranked((), _RATED, diet / diet.sum()),
        "rated": Ranked(PHQ_BANDS, _RATED, _rated_shares()),
    }


def _rated_shares() -> Floats:
    """Return the survey's share of each level of self-rated health by (sex and band); none is newer."""
    table = donors()
    cell = table.sex * len(PHQ_BANDS) + band_codes(PHQ_BANDS)[table.age - MIN_AGE]
    shares = np.bincount(
        cell * _RATED + table.rated, weights=table.weight, minlength=2 * len(PHQ_BANDS) * _RATED
    )
    return np.asarray(shares.reshape(-1, _RATED) / shares.reshape(-1, _RATED).sum(axis=1, keepdims=True))


def _phq9_shares() -> Floats:
    """Return the share of each score by (sex and band)."""
    severity = cells("us_phq9_severity", "phq9_severity", PHQ_BANDS, PHQ_CLASSES)
    within = np.array([float(row["share"]) for row in rows("us_phq9_score_distribution")])
    zero = {
        (row["gender"], row["age_band"]): float(row["share_zero"]) for row in rows("us_phq9_score_moments")
    }
    grade = np.searchsorted(PHQ_CUTS, np.arange(within.size), side="right")
    scores = np.zeros((len(severity), within.size))
    for number, shares in enumerate(severity):
        inside = within.copy()
        none = zero[GENDERS[number // len(PHQ_BANDS)], PHQ_BANDS[number % len(PHQ_BANDS)]] / shares[0]
        inside[0] = none * within[1:5].sum() / (1 - none)
        inside /= np.bincount(grade, weights=inside)[grade]
        scores[number] = shares[grade] * inside
    return scores


def _smoking_shares() -> Floats:
    """Return shares by (sex and band, status): verified rows are exact, the others fill the gaps."""
    table = np.zeros((2, len(SMOKING_BANDS), len(SMOKING)))
    found = {
        (row["age_band"], row["gender"]): np.array([float(row[f"share_{status}"]) for status in SMOKING])
        for row in rows("us_smoking")
    }
    for sex, gender in enumerate(GENDERS):
        for at, text in enumerate(SMOKING_BANDS):
            table[sex, at] = found[text, gender]
    size = _adults(SMOKING_BANDS)
    by_sex = np.stack([found["18+", gender] for gender in GENDERS]) * size.sum(axis=1)[:, None]
    by_band = np.stack([found[text, "all"] for text in SMOKING_BANDS]) * size.sum(axis=0)[:, None]
    by_sex *= by_band.sum(axis=0) / by_sex.sum(axis=0)
    by_sex = draw.fit(by_sex, [((1,), by_band.sum(axis=0)), ((0,), size.sum(axis=1))])
    fitted_to = draw.fit(table, [((0, 2), by_sex), ((1, 2), by_band), ((0, 1), size)]).reshape(
        -1, len(SMOKING)
    )
    return np.asarray(fitted_to / fitted_to.sum(axis=1, keepdims=True))


def _leaning(
    outcome: str, cell: npt.NDArray[np.integer], rank: Floats, of: Kinds, more: Floats | float = 0.0
) -> Floats:
    """Return ranks in each cell after adding what the agents' kinds lack to the published gradients.

    Ranks are moved in log odds and then made uniform again, through the fitted quantiles of the moved ranks.
    """
    logs = logit(np.clip(rank, 1e-6, 1 - 1e-6)) + shift(outcome, of) + more
    quantiles = _leanings(outcome)
    found = np.empty(rank.size)
    for number, row in enumerate(quantiles):
        inside = cell == number
        found[inside] = np.interp(logs[inside], row, LEANING_GRID)
    return found


@cache
def _leanings(outcome: str) -> Floats:
    """Return the quantiles of the moved ranks, in log odds, by cell."""
    cells_of = BMI_CELLS if outcome == "bmi" else len(ranked()[outcome].want)
    return by_cell_and_level("leaning", outcome, cells_of, len(LEANING_GRID))


@cache
def _mapping(name: str) -> tuple[Floats, Floats]:
    """Return the donors' cumulative shares, with 0 in front, and the published cumulative shares."""
    field = ranked()[name]
    have = by_cell_and_level("level", name, len(field.want), field.have_levels)
    upto = draw.cumulated(have)
    return np.concatenate([np.zeros((len(upto), 1)), upto], axis=1), draw.cumulated(field.want)


def ranks(rng: np.random.Generator, name: str, people: People, levels: Codes) -> Floats:
    """Return the rank of a donor's level in its cell, from 0 to 1; ties at random."""
    have, _ = _mapping(name)
    cell = ranked()[name].cell(people)
    low, high = have[cell, levels], have[cell, levels + 1]
    return np.asarray(low + rng.random(levels.size) * (high - low))


def moved(
    rng: np.random.Generator,
    name: str,
    people: People,
    levels: Codes,
    of: Kinds,
    *,
    more: Floats | float = 0.0,
) -> Codes:
    """Return the published level of the rank that a donor's level has in its cell.

    ``more`` is added to the log odds of the ranks.
    """
    cell = ranked()[name].cell(people)
    rank = _leaning(name, cell, ranks(rng, name, people, levels), of, more)
    found: Codes = (rank[:, None] >= _mapping(name)[1][cell][:, :-1]).sum(axis=1).astype(np.int16)
    return found


def bmi_cell(people: People) -> npt.NDArray[np.int64]:
    """Return the cell of each agent by sex, age band and ethnic group, in which its BMI is placed."""
    return cell_of(people, BMI_BANDS).astype(np.int64) * len(GROUPS) + GROUP_OF[people.ethnicity]


@cache
def bmi_shares() -> Floats:
    """Return the published share of each class by (sex and band and ethnic group).

    Classes by age band and sex are exact; classes by ethnic group and sex are as close as these permit.
    """
    by_age = cells("us_bmi_class", "bmi_class", BMI_BANDS, BMI_CLASSES).reshape(2, len(BMI_BANDS), -1)
    names = tuple(dict.fromkeys(BMI_GROUPS.values()))
    by_group = np.zeros((2, len(names), len(BMI_CLASSES)))
    for row in rows("us_bmi_class_by_ethnicity"):
        at = GENDERS.index(row["gender"]), names.index(row["ethnicity"])
        by_group[(*at, BMI_CLASSES.index(row["bmi_class"]))] = float(row["share"])
    people = expected_people().sum(axis=3)
    counts = np.zeros((2, len(BMI_BANDS), len(names)))
    for year, of_band in enumerate(band_codes(BMI_BANDS)):
        for group, into in enumerate(GROUP_OF):
            counts[:, of_band, into] += people[:, year, group]
    wanted = by_age * counts.sum(axis=2, keepdims=True)
    found = np.zeros((2, len(BMI_BANDS), len(names), len(BMI_CLASSES)))
    for sex in range(2):
        size = counts[sex].sum(axis=0)
        of_groups = draw.fit(by_group[sex] * size[:, None], [((1,), wanted[sex].sum(axis=0)), ((0,), size)])
        start = by_age[sex][:, None, :] * by_group[sex][None]
        found[sex] = draw.fit(start, [((1, 2), of_groups), ((0, 2), wanted[sex]), ((0, 1), counts[sex])])
    flat = found.reshape(-1, len(BMI_CLASSES))
    return np.asarray(flat / flat.sum(axis=1, keepdims=True))


@cache
def _bmi_mapping() -> tuple[Floats, Floats, Floats]:
    """Return, by cell, the donors' cumulative shares at the grid, and normal scores with log BMIs.

    The logarithm of BMI is piecewise linear in the normal score, through the published shares of the classes;
    the tails have the published standard deviation of the logarithm.
    """
    shares = bmi_shares()
    have = draw.cumulated(by_cell_and_level("level", "bmi", len(shares), len(BMI_GRID) + 1))
    spreads = {(row["gender"], row["age_band"]): float(row["log_bmi_sd"]) for row in rows("us_bmi_moments")}
    scores, logs = [], []
    for number, row in enumerate(shares):
        of_sex = number // len(GROUPS)
        sd = spreads[GENDERS[of_sex // len(BMI_BANDS)], BMI_BANDS[of_sex % len(BMI_BANDS)]]
        knots, edges = ndtri(np.clip(np.cumsum(row)[:-1], 1e-6, 1 - 1e-6)), np.log(BMI_CUTS)
        scores.append([knots[0] - 4, *knots, knots[-1] + 4])
        logs.append([edges[0] - 4 * sd / 2, *edges, edges[-1] + 4 * sd])
    return have, np.array(scores), np.array(logs)


def bmi_ranks(rng: np.random.Generator, people: People, bmi: Floats) -> Floats:
    """Return the rank of a donor's BMI in its cell, from 0 to 1."""
    have, _, _ = _bmi_mapping()
    cell = bmi_cell(people)
    edges = np.array([_LEAST_BMI, *BMI_GRID, _MOST_BMI])
    # spread the donors' rounded values over their tenth, so that copies of a donor differ
    value = np.clip(bmi + BMI_NOISE * rng.standard_normal(bmi.size), _LEAST_BMI + 0.01, _MOST_BMI - 0.01)
    at = np.searchsorted(edges, value, side="right") - 1
    part = (value - edges[at]) / (edges[at + 1] - edges[at])
    below = np.concatenate([np.zeros((len(have), 1)), have], axis=1)
    return np.asarray(below[cell, at] + part * (below[cell, at + 1] - below[cell, at]))


def moved_bmi(rng: np.random.Generator, people: People, bmi: Floats, of: Kinds) -> Codes:
    """Return BMI in tenths of kg/m², at the published place of the rank that a donor's has in its cell."""
    _, scores, logs = _bmi_mapping()
    cell = bmi_cell(people)
    rank = _leaning("bmi", cell, bmi_ranks(rng, people, bmi), of)
    normal = ndtri(np.clip(rank, 1e-6, 1 - 1e-6))
    found = np.empty(bmi.size)
    for number in range(len(scores)):
        inside = cell == number
        found[inside] = np.interp(normal[inside], scores[number], logs[number])
    tenths: Codes = np.floor(np.clip(np.exp(found), _LEAST_BMI, _MOST_BMI) * 10).astype(np.int16)
    return tenths


def bmi_class(tenths: Codes) -> Codes:
    """Return the index of the class of each BMI in tenths of kg/m²."""
    return np.searchsorted(np.array(BMI_CUTS) * 10, tenths, side="right").astype(np.int16)


@cache
def mood_by_weight() -> Floats:
    """Return what each BMI class adds to the log odds of a rank in the PHQ-9."""
    found = fitted("mood")
    return np.array([found["bmi_class", str(at)] for at in range(len(BMI_CLASSES))])


def alcohol_scores(
    people: People,
    home: Household,
    income: Income,
    donor: npt.NDArray[np.integer],
    effects: dict[str, Floats],
) -> Floats:
    """Return log odds of drinking more, up to a constant."""
    codes = alcohol_codes(people, home, income)
    return np.asarray(
        sum(effects[term][codes[term]] for term in ALCOHOL_TERMS) + _DRANK * donors().drank[donor]
    )


def alcohol_codes(people: People, home: Household, income: Income) -> dict[str, npt.NDArray[np.integer]]:
    """Return the level of each agent in each term of the model of drinking."""
    return {
        "age_band": band_codes(PHQ_BANDS)[people.year],
        "gender": people.sex,
        "ethnicity": GROUP_OF[people.ethnicity],
        "education": people.education,
        "poverty_ratio": np.searchsorted(POVERTY_CUTS, income.poverty_ratio, side="right"),
        "marital_status": np.array(_DRINKING_UNIONS)[home.marital],
    }


@cache
def _alcohol() -> tuple[dict[str, Floats], Floats]:
    """Return the effects on drinking by term, and the scores between its levels by cell."""
    found = fitted("alcohol")
    effects = {
        term: np.array([found[term, str(level)] for level in range(count)])
        for term, count in ALCOHOL_TERMS.items()
    }
    return effects, by_cell_and_level("cut", "alcohol", 2 * len(SMOKING_BANDS), len(ALCOHOL) - 1)


def alcohol_shares() -> Floats:
    """Return the published share of each level by (sex and band), without interaction of age and sex."""
    columns = ("pct_none_past_year", "pct_light", "pct_moderate", "pct_heavy")
    found = {
        (row["age_band"], row["gender"]): np.array([float(row[c]) for c in columns])
        for row in rows("us_alcohol")
    }
    counts = _adults(SMOKING_BANDS)
    by_sex = np.stack([found["18+", gender] for gender in GENDERS])
    by_age = np.stack([found[text, "all"] for text in SMOKING_BANDS])
    by_sex = by_sex / by_sex.sum(axis=1, keepdims=True) * counts.sum(axis=1)[:, None]
    by_age = by_age / by_age.sum(axis=1, keepdims=True) * counts.sum(axis=0)[:, None]
    whole = found["18+", "all"] / found["18+", "all"].sum() * counts.sum()  # the only verified row
    by_age = draw.fit(by_age, [((1,), whole), ((0,), counts.sum(axis=0))])
    by_sex = draw.fit(by_sex, [((1,), whole), ((0,), counts.sum(axis=1))])
    start = np.ones((2, len(SMOKING_BANDS), len(ALCOHOL)))
    fit = draw.fit(start, [((1, 2), by_age), ((0, 2), by_sex), ((0, 1), counts)]).reshape(-1, len(ALCOHOL))
    return np.asarray(fit / fit.sum(axis=1, keepdims=True))


def _adults(bands: tuple[str, ...]) -> Floats:
    """Return the expected share of all adults by (sex, band)."""
    years = expected_people().sum(axis=(2, 3))
    return np.stack([np.bincount(band_codes(bands), weights=sex) for sex in years])


def draw_alcohol(
    rng: np.random.Generator,
    people: People,
    home: Household,
    income: Income,
    donor: npt.NDArray[np.integer],
) -> Codes:
    """Draw alcohol use."""
    effects, cuts = _alcohol()
    score = alcohol_scores(people, home, income, donor, effects) + rng.logistic(size=people.age.size)
    found: Codes = (score[:, None] >= cuts[cell_of(people, SMOKING_BANDS)]).sum(axis=1).astype(np.int16)
    return found


def draw_health(
    streams: draw.Streams,
    people: People,
    home: Household,
    income: Income,
    donor: npt.NDArray[np.integer],
    of: Kinds,
) -> Health:
    """Draw the body, mood and habits of the US agents of a block."""
    table = donors()
    bmi = moved_bmi(streams.stage(31), people, table.bmi[donor], of)
    weight = bmi_class(bmi)
    score = moved(streams.stage(32), "phq9", people, table.phq9[donor], of, more=mood_by_weight()[weight])
    return Health(
        bmi,
        weight,
        score,
        np.searchsorted(PHQ_CUTS, score, side="right").astype(np.int16),
        moved(streams.stage(33), "smoking", people, table.smoking[donor], of),
        draw_alcohol(streams.stage(34), people, home, income, donor),
        moved(streams.stage(35), "activity", people, table.activity[donor], of),
        moved(streams.stage(36), "sleep", people, table.sleep[donor], of),
        moved(streams.stage(37), "diet", people, table.diet[donor], of),
        moved(streams.stage(38), "rated", people, table.rated[donor], of),
    )
