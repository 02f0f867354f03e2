"""Demographics of the countries outside the USA: region, age, sex, ethnic group, area.

The figures are in the ``intl_`` tables, with source and year on each row. Region, age with sex, group and
area are drawn independently because no joint figures are available.

``state`` is a 2-letter code in Canada and the name of the region elsewhere. ``ethnicity`` is the category
that the country publishes: migration in Germany and France, nationality in Japan and religion in India. It is
unknown in the countries without a row in ``intl_ethnicity.csv``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population.demographics import single_years
from voxpop.population.picking import Table
from voxpop.population.reference import AGES, GENDERS, MIN_AGE, Floats, Ints, band_codes, in_band, rows
from voxpop.vocabulary.places import CANADIAN_PROVINCES
from voxpop.vocabulary.regions import REGIONS

Codes = npt.NDArray[np.int16]

ISO = {
    "Canada": "CA",
    "UK": "GB",
    "Germany": "DE",
    "France": "FR",
    "Australia": "AU",
    "Japan": "JP",
    "Brazil": "BR",
    "India": "IN",
    "Mexico": "MX",
    "Italy": "IT",
    "Spain": "ES",
    "Netherlands": "NL",
    "South Korea": "KR",
}
"""Country -> code in the reference tables."""

ABROAD = tuple(ISO)

LEAST_PART, ABROAD_PART = 0.02, 0.40
"""Minimum share of a population for each country, and the total share of all of them."""

URBAN, RURAL = 0, 1

_SMOOTHED_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class PeopleAbroad:
    """Codes of the fields of a block's agents outside the USA, one entry per agent.

    Attributes
    ----------
    country, state : array
        Index into :data:`ABROAD` and :func:`regions`.
    age : array
        Years.
    sex : array
        Index into ``GENDERS``.
    ethnicity : array
        Index into :func:`groups`; -1 where the country has no figure.
    urban_rural : array
        :data:`URBAN` or :data:`RURAL`.
    education : array
        Index into the levels of ``education``.
    children : array
        Own children under 18 at home.
    youngest : array
        Age of the youngest of them; -1 without any.
    """

    country: Codes
    state: Codes
    age: Codes
    sex: Codes
    ethnicity: Codes
    urban_rural: Codes
    education: Codes
    children: Codes
    youngest: Codes

    @property
    def year(self) -> Codes:
        """Index of the age among the single years from 18."""
        return self.age - np.int16(MIN_AGE)

    @property
    def parent(self) -> npt.NDArray[np.bool_]:
        """Whether a child of their own under 18 lives with them."""
        return self.children > 0

    def band(self, bands: tuple[str, ...]) -> Ints:
        """Return the index of the age band of each agent."""
        return band_codes(bands)[self.year]


def parts() -> dict[str, float]:
    """Return the share of a population for each country; the remaining 60 % are the USA.

    Each country gets 2 %, and the rest is allocated by the square root of its number of people. Small
    countries are thus large enough to survey, and large ones do not dominate.

    Examples
    --------
    >>> {name: round(part, 3) for name, part in parts().items() if name in ("Netherlands", "India")}
    {'India': 0.056, 'Netherlands': 0.024}
    """
    people = dict.fromkeys(ISO.values(), 0.0)
    for row in rows("intl_region_population"):
        people[row["country"]] += float(row["population"])
    roots = {name: people[code] ** 0.5 for name, code in ISO.items()}
    free = ABROAD_PART - LEAST_PART * len(ISO)
    return {name: LEAST_PART + free * root / sum(roots.values()) for name, root in roots.items()}


@cache
def regions() -> tuple[str, ...]:
    """Return the regions of all countries as ``state`` values, in table order."""
    return tuple(
        dict.fromkeys(region_of(row["country"], row["region_code"]) for row in rows("intl_region_population"))
    )


@cache
def groups() -> tuple[str, ...]:
    """Return the categories of all countries as ``ethnicity`` values; countries may share a name."""
    return tuple(dict.fromkeys(row["category"] for row in rows("intl_ethnicity")))


def region_of(country: str, code: str) -> str:
    """Return the ``state`` value for codes of the reference table.

    Examples
    --------
    >>> region_of("CA", "ON"), region_of("DE", "BY")
    ('ON', 'Bavaria')
    """
    name = next(name for name, iso in ISO.items() if iso == country)
    if name == "Canada":
        return code if code in CANADIAN_PROVINCES else ""
    return REGIONS[name][code][0]


def index_of(iso: str) -> int:
    """Return the index of a country in :data:`ABROAD`.

    Examples
    --------
    >>> ABROAD[index_of("KR")]
    'South Korea'
    """
    return list(ISO.values()).index(iso)


def region_shares() -> Floats:
    """Return the published number of people by (country, region)."""
    shares = np.zeros((len(ABROAD), len(regions())))
    for row in rows("intl_region_population"):
        at = regions().index(region_of(row["country"], row["region_code"]))
        shares[index_of(row["country"]), at] = float(row["population"])
    return shares


def group_shares() -> Floats:
    """Return the published percentage by (country, category); a row of zeros where there is no figure."""
    shares = np.zeros((len(ABROAD), len(groups())))
    for row in rows("intl_ethnicity"):
        shares[index_of(row["country"]), groups().index(row["category"])] += float(row["share_pct"])
    return shares


def urban_shares() -> Floats:
    """Return the shares of :data:`URBAN` and :data:`RURAL` by country, of people of all ages."""
    shares = np.zeros((len(ABROAD), 2))
    for row in rows("intl_urban"):
        urban = float(row["share"])
        shares[index_of(row["country"])] = urban, 1 - urban
    return shares


@cache
def sex_age_shares() -> Floats:
    """Return the adults of each country by (country, sex, single year of age), which sum to 1.

    They are smoothed within the published bands. Within the open band the numbers decline as in the USA.
    """
    usa = single_years()
    shares = np.zeros((len(ABROAD), 2, AGES.size))
    published = rows("intl_age_sex")
    for row in published:
        at, inside = (index_of(row["country"]), GENDERS.index(row["gender"])), in_band(row["age_band"])
        shape = usa[at[1], inside] if row["age_band"].endswith("+") else np.ones(int(inside.sum()))
        shares[(*at, inside)] = float(row["share_18plus"]) * shape / shape.sum()
    smooth = shares.copy()
    for _ in range(_SMOOTHED_ROUNDS):
        padded = np.pad(smooth, ((0, 0), (0, 0), (1, 1)), mode="edge")
        smooth = (padded[..., :-2] + padded[..., 1:-1] + padded[..., 2:]) / 3
    for row in published:
        at, inside = (index_of(row["country"]), GENDERS.index(row["gender"])), in_band(row["age_band"])
        smooth[(*at, inside)] *= float(row["share_18plus"]) / smooth[(*at, inside)].sum()
    return np.asarray(smooth / smooth.sum(axis=(1, 2), keepdims=True))


def adults() -> Floats:
    """Return the number of adults of each country in the table of ages, in persons."""
    found = np.zeros(len(ABROAD))
    for row in rows("intl_age_sex"):
        found[index_of(row["country"])] += float(row["persons"])
    return found


@cache
def tables() -> dict[str, Table]:
    """Return the tables of age with sex, region, group and area by country."""
    shares = {
        "age": sex_age_shares().reshape(len(ABROAD), -1),
        "region": region_shares(),
        "group": group_shares(),
        "area": urban_shares(),
    }
    return {name: Table.of(found) for name, found in shares.items()}
