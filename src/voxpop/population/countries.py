"""Demographics of the nine countries outside the USA: country, region, age, sex and ethnic group.

The figures are in the ``intl_`` tables: national figures, recalled or approximate, and not verified. Region,
age with sex, and group are drawn independently because no joint figures are available. Fields without figures
(education, income, urban or rural, parenthood) have no value.

``state`` is a 2-letter code in Canada and the name of the region elsewhere. ``ethnicity`` is the category
that the country publishes: migration in Germany and France, nationality in Japan and religion in India.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import People, single_years
from voxpop.population.reference import AGES, GENDERS, MIN_AGE, Floats, Ints, in_band, rows
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
}
"""Country -> code in the reference tables."""

ABROAD = tuple(ISO)

LEAST_PART, ABROAD_PART = 0.02, 0.40
"""Minimum share of a population for each country, and the total share of all nine."""

_SMOOTHED_ROUNDS = 6


def parts() -> dict[str, float]:
    """Return the share of a population for each country; the remaining 60 % are the USA.

    Each country gets 2 %, and the rest is allocated by the square root of its number of people. Small
    countries are thus large enough to survey, and large ones do not dominate.

    Examples
    --------
    >>> {name: round(part, 3) for name, part in parts().items() if name in ("Australia", "India")}
    {'Australia': 0.03, 'India': 0.091}
    """
    people = dict.fromkeys(ISO.values(), 0.0)
    for row in rows("intl_region_population"):
        people[row["country"]] += float(row["population"])
    roots = {name: people[code] ** 0.5 for name, code in ISO.items()}
    free = ABROAD_PART - LEAST_PART * len(ISO)
    return {name: LEAST_PART + free * root / sum(roots.values()) for name, root in roots.items()}


def sizes(agents: int) -> Ints:
    """Return the number of a population's agents in each country of :data:`ABROAD`.

    Examples
    --------
    >>> int(sizes(100_000).sum()), int(sizes(1).sum())
    (39996, 0)
    """
    return np.array([int(part * agents) for part in parts().values()], dtype=np.int64)


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


def region_shares() -> Floats:
    """Return the published number of people by (country, region)."""
    shares = np.zeros((len(ABROAD), len(regions())))
    codes = list(ISO.values())
    for row in rows("intl_region_population"):
        at = regions().index(region_of(row["country"], row["region_code"]))
        shares[codes.index(row["country"]), at] = float(row["population"])
    return shares


def group_shares() -> Floats:
    """Return the published percentage by (country, category)."""
    shares = np.zeros((len(ABROAD), len(groups())))
    codes = list(ISO.values())
    for row in rows("intl_ethnicity"):
        shares[codes.index(row["country"]), groups().index(row["category"])] += float(row["share_pct"])
    return shares


def sex_age_shares() -> Floats:
    """Return adults by (country, sex, single year of age), smoothed within the published bands.

    Within the open band the numbers decline as in the USA.
    """
    usa = single_years()
    shares = np.zeros((len(ABROAD), 2, AGES.size))
    published = rows("intl_age_sex")
    codes = list(ISO.values())
    for row in published:
        at, inside = (codes.index(row["country"]), GENDERS.index(row["gender"])), in_band(row["age_band"])
        shape = usa[at[1], inside] if row["age_band"].endswith("+") else np.ones(int(inside.sum()))
        shares[(*at, inside)] = float(row["share_18plus"]) * shape / shape.sum()
    smooth = shares.copy()
    for _ in range(_SMOOTHED_ROUNDS):
        padded = np.pad(smooth, ((0, 0), (0, 0), (1, 1)), mode="edge")
        smooth = (padded[..., :-2] + padded[..., 1:-1] + padded[..., 2:]) / 3
    for row in published:
        at, inside = (codes.index(row["country"]), GENDERS.index(row["gender"])), in_band(row["age_band"])
        smooth[(*at, inside)] *= float(row["share_18plus"]) / smooth[(*at, inside)].sum()
    return smooth


def draw_people_abroad(seed: int, counts: Ints) -> tuple[Codes, People]:
    """Draw the people of the nine countries, country by country, in random order within each.

    Parameters
    ----------
    seed : int
    counts : array
        Number of agents per country of :data:`ABROAD`.

    Returns
    -------
    country : array (agents,)
        Index into :data:`ABROAD`.
    people : People
        ``state`` and ``ethnicity`` are indices into :func:`regions` and :func:`groups`; ``urban_rural`` and
        ``education`` are -1 (missing), and ``parent`` is unknown.
    """
    country = np.repeat(np.arange(len(ABROAD), dtype=np.int16), counts)
    cell = draw.levels(draw.generator(seed, 1), country, sex_age_shares().reshape(len(ABROAD), -1))
    sex, year = np.divmod(cell, np.int16(AGES.size))
    region = draw.levels(draw.generator(seed, 2), country, region_shares())
    group = draw.levels(draw.generator(seed, 3), country, group_shares())
    none = np.full(country.size, -1, dtype=np.int16)
    unknown = np.zeros(country.size, dtype=bool)
    return country, People(region, year + np.int16(MIN_AGE), sex, group, none, unknown, none)
