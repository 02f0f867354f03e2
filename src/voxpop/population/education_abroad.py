"""Education of agents outside the USA, in the five levels that the field ``education`` has.

The table has four exclusive levels by sex and age from 20, and parts of the highest one. They stand for the
levels of the field as follows: none or primary for "Less than 9th grade"; lower secondary for "9-11th grade";
upper secondary for "High school graduate/GED"; short post-secondary for "Some college or AA degree"; a
bachelor's degree or more for "College graduate or above". Outside the USA, "Some college" is thus a completed
course shorter than a bachelor's degree, not a degree course that was left.

Three parts are not in the table:

- Japan and India have no parts of post-secondary education. They take the mean share of short courses in the
  eleven other countries, by age and sex.
- A band has one figure for all its years. Graduates of 20 to 24 are spread over these ages as in the USA, up
  to the share of graduates of 25 to 34.
- There is no figure for ages 18 and 19: they have the none, primary and lower secondary education of 20 to
  24, some of the rest have not finished upper secondary school yet, and nobody has a degree.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from voxpop.population import draw
from voxpop.population.countries import ABROAD, index_of, sex_age_shares
from voxpop.population.demographics import EDUCATION
from voxpop.population.picking import Table
from voxpop.population.reference import AGES, GENDERS, Floats, in_band, rows

WITHOUT_PARTS = ("Japan", "India")
"""Countries whose table does not divide post-secondary education."""

FINISHED_SCHOOL = {18: 0.45, 19: 0.75}
"""Of those who have upper secondary education at 20 to 24, the part that has it at 18 and at 19: assumed."""

_PROGRESS = {20: 0.0, 21: 0.04, 22: 0.45, 23: 0.8, 24: 1.0}
_LEVELS = ("none_or_primary", "lower_secondary", "upper_secondary", "short_post_secondary")
_DEGREES = ("bachelor", "master_or_higher")


def published() -> tuple[tuple[str, ...], Floats]:
    """Return the age bands of the table, and shares by (country, sex, band, level of the field)."""
    table = rows("intl_education")
    bands = tuple(dict.fromkeys(row["age_band"] for row in table))
    shares = np.zeros((len(ABROAD), len(GENDERS), len(bands), len(EDUCATION)))
    higher = np.zeros(shares.shape[:3])
    for row in table:
        at = index_of(row["country"]), GENDERS.index(row["gender"]), bands.index(row["age_band"])
        shares[at][:3] = [float(row[name]) for name in _LEVELS[:3]]
        higher[at] = float(row["post_secondary"])
        if row["bachelor"]:
            degree = sum(float(row[name]) for name in _DEGREES)
            # the parts are rounded on their own; the four levels sum to 1
            short = float(row[_LEVELS[3]])
            shares[at][3:] = np.array([short, degree]) / (short + degree) * higher[at]
    divided = [at for at, name in enumerate(ABROAD) if name not in WITHOUT_PARTS]
    short = (shares[divided, ..., 3] / higher[divided]).mean(axis=0)
    for undivided in map(ABROAD.index, WITHOUT_PARTS):
        shares[undivided, ..., 3] = higher[undivided] * short
        shares[undivided, ..., 4] = higher[undivided] * (1 - short)
    return bands, shares


@cache
def education_shares() -> Floats:
    """Return the shares of the five levels by (country, sex, single year of age)."""
    bands, by_band = published()
    shares = np.zeros((len(ABROAD), len(GENDERS), AGES.size, len(EDUCATION)))
    for at, text in enumerate(bands):
        shares[:, :, in_band(text)] = by_band[:, :, at, None]
    people = sex_age_shares()
    young, later = in_band("20-24"), by_band[:, :, bands.index("25-34")]
    first = by_band[:, :, bands.index("20-24")]
    graduates = _by_year(first[..., -1], later[..., -1], people[:, :, young])
    rest = first[..., :-1] / first[..., :-1].sum(axis=-1, keepdims=True)
    shares[:, :, young, :-1] = rest[:, :, None] * (1 - graduates)[..., None]
    shares[:, :, young, -1] = graduates
    for age, part in FINISHED_SCHOOL.items():
        school = first[..., 2:].sum(axis=-1)
        now = np.stack([first[..., 0], first[..., 1] + school * (1 - part), school * part], axis=-1)
        shares[:, :, age - AGES[0], :3] = now
        shares[:, :, age - AGES[0], 3:] = 0.0
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def _by_year(wanted: Floats, most: Floats, people: Floats) -> Floats:
    """Return the share of graduates at 20 to 24 by (country, sex, year), with the mean of the band."""
    progress, ceiling = np.array(list(_PROGRESS.values())), np.maximum(most, wanted)[..., None]
    weights = people / people.sum(axis=-1, keepdims=True)

    def above(factor: Floats) -> Floats:
        reached = np.minimum(factor.reshape(wanted.shape)[..., None] * progress, ceiling)
        return np.asarray(((reached * weights).sum(axis=-1) - wanted).ravel())

    factor = draw.solve(above, np.zeros(wanted.size), np.full(wanted.size, 50.0))
    found = np.minimum(factor.reshape(wanted.shape)[..., None] * progress, ceiling)
    return np.asarray(found)


@cache
def by_band(bands: tuple[str, ...]) -> Floats:
    """Return the expected shares of the levels by (country, sex, age band) among the adults of a country."""
    people, shares = sex_age_shares(), education_shares()
    found = np.zeros((len(ABROAD), len(GENDERS), len(bands), len(EDUCATION)))
    for at, text in enumerate(bands):
        inside = in_band(text)
        weights = people[:, :, inside] / people[:, :, inside].sum(axis=-1, keepdims=True)
        found[:, :, at] = (shares[:, :, inside] * weights[..., None]).sum(axis=2)
    return found


@cache
def table() -> Table:
    """Return the table of education by country, sex and single year of age."""
    return Table.of(education_shares())
