"""Demographics of the US agents: state, age, sex, ethnicity, area and education.

All shares are expected shares of the population, computed once; a block of agents is drawn from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from voxpop.population import draw
from voxpop.population.held_out import held_out
from voxpop.population.picking import Table
from voxpop.population.reference import (
    AGES,
    GENDERS,
    MAX_AGE,
    MIN_AGE,
    Floats,
    Row,
    band_codes,
    by_age,
    in_band,
    rows,
)
from voxpop.vocabulary.fields import FIELDS

Codes = npt.NDArray[np.int16]

ETHNICITIES = (
    "Hispanic or Latino",
    "White, non-Hispanic",
    "Black or African American",
    "Asian",
    "American Indian or Alaska Native",
    "Native Hawaiian or Other Pacific Islander",
    "Two or more races",
)
STATES = tuple(sorted({row["state"] for row in rows("us_state_age_sex")}))
EDUCATION = FIELDS["education"].levels
URBAN_RURAL = ("urban", "rural")

AGE_BANDS_5 = (
    "18-19",
    "20-24",
    "25-29",
    "30-34",
    "35-39",
    "40-44",
    "45-49",
    "50-54",
    "55-59",
    "60-64",
    "65-69",
    "70-74",
    "75+",
)
"""Age bands of the labour force tables."""

# Multiracial adults are much younger than others; the tilt is an assumption of this project.
_MULTIRACIAL_TILT = (1.45, 1.4, 1.2, 1.1, 1.0, 0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45)
# The race groups of the CPS include Hispanics; these shares of them are not Hispanic (an assumption of this
# project).
NOT_HISPANIC = {"Black or African American (any ethnicity)": 0.93, "Asian (any ethnicity)": 0.97}
# Rural odds of these groups relative to the others in the same state (an assumption of this project).
_RURAL_TILT = {"White, non-Hispanic": 2.2, "American Indian or Alaska Native": 3.0}
# There are no figures below age 20: many at 18 are still at school, and nobody has finished college.
_EDUCATION_18_19 = (0.01, 0.25, 0.45, 0.29, 0.0)
# Progress of graduates towards the rate of their band, 20-29, by age.
_GRADUATES_BY_AGE = {20: 0.0, 21: 0.04, 22: 0.45, 23: 0.8}
# The figures on the graduates of a state begin at this age.
_GRADUATES_FROM = 25
_EDUCATION_ROUNDS = 25
# Weights of the graduate odds by ethnicity for each level of education (an assumption of this project).
_EDUCATION_STEPS = (-1.0, -0.6, -0.2, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class People:
    """Codes of the demographic fields, one entry per agent."""

    state: Codes
    age: Codes
    sex: Codes
    ethnicity: Codes
    urban_rural: Codes
    education: Codes

    @property
    def year(self) -> Codes:
        """Index of the age among the single years from 18."""
        return self.age - np.int16(MIN_AGE)


def single_years() -> Floats:
    """Return the adults of the country by (sex, single year of age), smoothed within the published bands."""
    people = np.zeros((2, AGES.size))
    published = rows("us_age_sex")
    for row in published:
        sex, first = GENDERS.index(row["gender"]), int(row["age_min"])
        last = MAX_AGE if row["age_band"].endswith("+") else int(row["age_max"])
        years = np.arange(last - first + 1)
        decline = 0.86**years if last == MAX_AGE else np.ones(years.size)
        people[sex, first - MIN_AGE : last - MIN_AGE + 1] = float(row["population"]) * decline / decline.sum()
    smooth = people.copy()
    for _ in range(4):
        padded = np.pad(smooth, ((0, 0), (1, 1)), mode="edge")
        smooth = (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / 3
    for row in published:
        sex, inside = GENDERS.index(row["gender"]), in_band(row["age_band"])
        smooth[sex, inside] *= float(row["population"]) / smooth[sex, inside].sum()
    return smooth


def state_sex_age() -> Floats:
    """Return adults by (state, sex, single year of age): state figures by band, national shape within."""
    shape = single_years()
    people = np.zeros((len(STATES), 2, AGES.size))
    for row in rows("us_state_age_sex"):
        inside = in_band(row["age_band"])
        for sex, gender in enumerate(GENDERS):
            within = shape[sex, inside] / shape[sex, inside].sum()
            people[STATES.index(row["state"]), sex, inside] = float(row[gender]) * within
    return people


def state_ethnicity() -> Floats:
    """Return published people of all ages by (state, group); other single races count as multiracial."""
    people = np.zeros((len(STATES), len(ETHNICITIES)))
    for row in rows("us_state_ethnicity"):
        name = "Two or more races" if row["ethnicity"] == "Some other race" else row["ethnicity"]
        if row["state"] in STATES:  # the table also includes Puerto Rico
            people[STATES.index(row["state"]), ETHNICITIES.index(name)] += float(row["population"])
    return people


def ethnicity_by_age(people: Floats) -> Floats:
    """Return the adults of the whole country by (band of the labour force tables, group)."""
    national = state_ethnicity().sum(axis=0)
    national /= national.sum()
    published = {
        (row["ethnicity"], row["age_band"]): float(row["share_of_age_band"])
        for row in rows("us_ethnicity_age_labour")
    }
    shares = np.zeros((len(AGE_BANDS_5), len(ETHNICITIES)))
    for at, text in enumerate(AGE_BANDS_5):
        shares[at, 0] = published["Hispanic or Latino", text]
        for column, (name, part) in zip((2, 3), NOT_HISPANIC.items(), strict=True):
            shares[at, column] = published[name, text] * part
        shares[at, 4:6] = national[4:6]
        shares[at, 6] = national[6] * _MULTIRACIAL_TILT[at]
        shares[at, 1] = 1 - shares[at].sum()
    totals = np.bincount(band_codes(AGE_BANDS_5), weights=people.sum(axis=(0, 1)))
    return shares * totals[:, None]


def state_age_ethnicity(people: Floats) -> Floats:
    """Return adults by (state, band, group): the groups of each state, adjusted by age.

    The published groups of a state count all ages, so only the differences between states are used.
    """
    start = state_ethnicity()[:, None, :]
    by_band = np.zeros((len(STATES), len(AGE_BANDS_5)))
    codes = band_codes(AGE_BANDS_5)
    for at in range(len(AGE_BANDS_5)):
        by_band[:, at] = people[:, :, codes == at].sum(axis=(1, 2))
    national = ethnicity_by_age(people)
    tilt = national / national.sum(axis=1, keepdims=True)
    tilt = tilt / tilt.mean(axis=0)
    return draw.fit(start * tilt[None], [((1, 2), national), ((0, 1), by_band)])


def urban_shares(counts: Floats) -> Floats:
    """Return the urban and rural shares of (state, group) cells with the given counts."""
    urban = {row["state"]: float(row["urban_share"]) for row in rows("us_urban_by_state_assumed")}
    wanted = float(rows("us_urban_rural")[0]["share_of_population"])
    share = np.array([urban[state] for state in STATES])
    size = counts.sum(axis=1)
    rural = (1 - share) * (1 - wanted) / ((1 - share) @ size / size.sum())
    start = np.ones((*counts.shape, 2))
    for name, tilt in _RURAL_TILT.items():
        start[:, ETHNICITIES.index(name), 1] = tilt
    by_state = np.stack([(1 - rural) * size, rural * size], axis=1)
    fitted = draw.fit(start, [((0, 2), by_state), ((0, 1), counts)])
    return np.asarray(fitted / np.maximum(fitted.sum(axis=2, keepdims=True), 1e-12))


def education_shares(people: Floats) -> Floats:
    """Return the shares of the education levels by (sex, single year of age)."""
    shares = by_age("us_education_age_sex", "education", EDUCATION)
    for sex in range(2):
        shares[sex, in_band("18-19")] = _EDUCATION_18_19
        inside = np.flatnonzero(in_band("20-29"))
        published = shares[sex, inside[0]].copy()
        progress = np.array([_GRADUATES_BY_AGE.get(age, 1.0) for age in AGES[inside]])
        weights = people[sex, inside] / people[sex, inside].sum()
        graduates = published[-1] * progress / (progress @ weights)
        shares[sex, inside, :-1] = published[:-1] / published[:-1].sum() * (1 - graduates)[:, None]
        shares[sex, inside, -1] = graduates
    return shares


def education_by_ethnicity(counts: Floats, shares: Floats) -> Floats:
    """Return agents by (sex and age, ethnicity, education).

    Parameters
    ----------
    counts : array (sex and age, ethnicity)
        Number of agents.
    shares : array (sex and age, education)
        Shares to reproduce; the graduate odds by ethnicity distribute the levels within them.
    """
    graduates = {
        row["ethnicity"]: float(row["graduate_share"]) for row in rows("us_education_by_ethnicity_assumed")
    }
    share = np.array([graduates[name] for name in ETHNICITIES])
    odds = np.log(share / (1 - share))
    tilt = np.exp(np.outer(odds - odds.mean(), _EDUCATION_STEPS))
    wanted = shares * counts.sum(axis=1, keepdims=True)
    return draw.fit(shares[:, None, :] * tilt[None], [((0, 2), wanted), ((0, 1), counts)])


def _state_graduates() -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return log odds of (at least a high school diploma, a college degree) by state, less those of the USA.

    A figure that is set aside counts as unknown: the second array marks those in use.
    """
    columns = "pct_hs_graduate_or_above_25plus", "pct_bachelors_or_above_25plus"
    share = np.array([[float(row[name]) / 100 for name in columns] for row in _by_state("us_state_ses")])
    people = state_sex_age()[:, :, AGES >= _GRADUATES_FROM].sum(axis=(1, 2))
    usa = people @ share / people.sum()
    used = np.array([[not held_out(f"us_state_ses/{state}/{name}") for name in columns] for state in STATES])
    return np.asarray(logit(share) - logit(usa)), used


def _by_state(name: str) -> list[Row]:
    found = {row["state"]: row for row in rows(name)}
    return [found[state] for state in STATES]


@cache
def education_by_place() -> Floats:
    """Return the share of each level by (state, sex, year, ethnicity).

    National levels by age, sex and ethnicity are kept; states differ as their graduates of 25 and over do.
    """
    people = state_sex_age()
    people /= people.sum()
    group = state_age_ethnicity(people)
    group /= group.sum(axis=2, keepdims=True)
    cells = people[..., None] * group[:, band_codes(AGE_BANDS_5)][:, None]
    national = cells.sum(axis=0).reshape(-1, len(ETHNICITIES))
    fitted = education_by_ethnicity(
        national, education_shares(people.sum(axis=0)).reshape(-1, len(EDUCATION))
    )
    within = fitted / fitted.sum(axis=2, keepdims=True)
    flat = cells.reshape(len(STATES), -1)
    wanted = within.reshape(-1, len(EDUCATION)) * flat.sum(axis=0)[:, None]
    shares = np.repeat(within.reshape(1, -1, len(EDUCATION)), len(STATES), axis=0)
    older = np.tile(np.repeat(AGES >= _GRADUATES_FROM, len(ETHNICITIES)), 2)
    shift, used = _state_graduates()
    steps = np.array([[0, 0, 1, 1, 1], [0, 0, 0, 0, 1]], dtype=float)
    weight = flat * older
    weight /= weight.sum(axis=1, keepdims=True)
    total = (flat * older).sum(axis=1) / (flat * older).sum()
    for _ in range(_EDUCATION_ROUNDS):
        now = np.einsum("sc,sce,ke->sk", weight, shares, steps)
        target = expit(logit(total @ now) + shift)
        ratio = np.where(used, target / now, 1.0), np.where(used, (1 - target) / (1 - now), 1.0)
        graduates, school = ratio[0][:, 1], ratio[0][:, 0]
        between = (target[:, 0] - target[:, 1]) / (now[:, 0] - now[:, 1])
        middle = np.where(used.all(axis=1), between, np.where(used[:, 0], school, 1.0))
        none = np.where(used[:, 0], ratio[1][:, 0], 1.0)
        shares *= np.stack([none, none, middle, middle, graduates], axis=1)[:, None, :]
        shares /= shares.sum(axis=2, keepdims=True)
        shares *= draw.ratio(wanted, np.einsum("sc,sce->ce", flat, shares))[None]
        shares /= shares.sum(axis=2, keepdims=True)
    return shares.reshape(*cells.shape, len(EDUCATION))


@cache
def places() -> Floats:
    """Return the share of all adults by (state, sex, year)."""
    people = state_sex_age()
    return np.asarray(people / people.sum())


@cache
def ethnicities() -> Floats:
    """Return the share of each group by (state, band of the labour force tables)."""
    groups = state_age_ethnicity(places())
    return np.asarray(groups / groups.sum(axis=2, keepdims=True))


@cache
def expected_people() -> Floats:
    """Return the expected share of all adults by (sex, year, ethnicity, education); the sum is 1."""
    cells = places()[..., None] * ethnicities()[:, band_codes(AGE_BANDS_5)][:, None]
    return np.asarray(np.einsum("syae,syaek->yaek", cells, education_by_place()))


@cache
def _tables() -> tuple[Floats, Table, Table, Table]:
    """Return the cumulative shares of places, and the tables of ethnic group, area and education."""
    urban = urban_shares(places().sum(axis=(1, 2))[:, None] * _groups_of_states())
    return (
        draw.cumulated(places().ravel()),
        Table.of(ethnicities()),
        Table.of(urban),
        Table.of(education_by_place()),
    )


def _groups_of_states() -> Floats:
    """Return the share of each group among the adults of each state."""
    by_band = np.zeros((len(STATES), len(AGE_BANDS_5)))
    np.add.at(by_band.T, band_codes(AGE_BANDS_5), places().sum(axis=1).T)
    by_band /= by_band.sum(axis=1, keepdims=True)
    return np.asarray(np.einsum("sb,sbe->se", by_band, ethnicities()))


def draw_people(streams: draw.Streams, size: int) -> People:
    """Draw the demographic fields of the US agents of a block, in random order."""
    place, group, area, level = _tables()
    rng = streams.stage(1)
    at = (rng.permutation(size) + rng.random(size)) / size
    cell = np.minimum(np.searchsorted(place, at, side="right"), place.size - 1)
    rest, year = np.divmod(cell, AGES.size)
    state, sex = np.divmod(rest, 2)
    by_band = state * len(AGE_BANDS_5) + band_codes(AGE_BANDS_5)[year]
    ethnicity = group.at(streams.stage(2).random(size), by_band)
    urban = area.at(streams.stage(3).random(size), state * len(ETHNICITIES) + ethnicity)
    education = level.at(streams.stage(4).random(size), cell * len(ETHNICITIES) + ethnicity)
    small = np.int16
    return People(
        state.astype(small), (year + MIN_AGE).astype(small), sex.astype(small), ethnicity, urban, education
    )


def band_of(people: People, bands: tuple[str, ...]) -> Codes:
    """Return the index of each agent's age band."""
    return band_codes(bands).astype(np.int16)[people.year]


def cell_of(people: People, bands: tuple[str, ...]) -> Codes:
    """Return each agent's cell index (sex, band), with sex as the major index."""
    return people.sex * np.int16(len(bands)) + band_of(people, bands)
