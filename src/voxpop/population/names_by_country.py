"""Names of agents outside the USA: lists by country, and by the category that the country publishes.

If most members of a category have other names than the country's common ones, lists are mixed; the shares are
an assumption of this project. The names are common ones and refer to no real person.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population.countries import ABROAD, PeopleAbroad, group_shares, groups
from voxpop.population.draw import Streams
from voxpop.population.names import slots
from voxpop.population.reference import GENDERS, rows

Codes = npt.NDArray[np.int16]
Mixture = Mapping[str, float]

_SLOTS = 1024
_YEAR, _YOUNGER_SINCE = 2025, 1970
_ADOPTED = 0.4
"""Share of people with another background whose given name is a common one of the country."""

_OF_GROUP: Mapping[tuple[str, str], Mixture] = {
    ("Canada", "South Asian"): {"india": 0.5, "india_sikh": 0.35, "india_muslim": 0.15},
    ("Canada", "Chinese"): {"chinese": 1.0},
    ("Canada", "Black"): {"african": 0.5, "canada": 0.5},
    ("Canada", "Filipino"): {"mexico": 0.6, "canada": 0.4},
    ("Canada", "Arab"): {"arab": 1.0},
    ("Canada", "Latin American"): {"mexico": 1.0},
    ("Canada", "Southeast Asian"): {"us_asian": 1.0},
    ("Canada", "West Asian"): {"arab": 1.0},
    ("Canada", "Korean"): {"us_asian": 1.0},
    ("Canada", "Japanese"): {"japan": 1.0},
    ("UK", "Asian: Indian"): {"india": 0.6, "india_sikh": 0.3, "india_muslim": 0.1},
    ("UK", "Asian: Pakistani"): {"india_muslim": 1.0},
    ("UK", "Asian: Bangladeshi"): {"india_muslim": 1.0},
    ("UK", "Asian: Chinese"): {"chinese": 1.0},
    ("UK", "Asian: Other"): {"us_asian": 0.6, "india": 0.4},
    ("UK", "Black: African"): {"african": 1.0},
    ("UK", "Black: Other"): {"african": 0.5, "uk": 0.5},
    ("UK", "Arab"): {"arab": 1.0},
    ("UK", "White: Other"): {"germany_migration": 0.35, "france": 0.15, "germany": 0.1, "uk": 0.4},
    ("Germany", "Migration background"): {"germany_migration": 0.6, "germany": 0.25, "arab": 0.15},
    ("France", "Immigrant"): {"france_immigrant": 0.85, "france": 0.15},
    ("Australia", "Born in Asia"): {"us_asian": 0.35, "chinese": 0.3, "india": 0.35},
    ("Australia", "Born in Europe"): {"uk": 0.6, "germany": 0.1, "germany_migration": 0.3},
    ("Australia", "Born elsewhere overseas"): {"uk": 0.5, "african": 0.25, "arab": 0.25},
    ("Japan", "Foreign nationals"): {"chinese": 0.5, "us_asian": 0.35, "brazil": 0.15},
    ("Brazil", "Amarela"): {"brazil": 0.5, "japan": 0.5},
    ("India", "Muslim"): {"india_muslim": 1.0},
    ("India", "Sikh"): {"india_sikh": 1.0},
    ("India", "Christian"): {"india_christian": 1.0},
}
_KEEP_BOTH = frozenset({"India"})
"""Countries whose categories use only their own list of given names if they have one."""


def mixture(country: str, group: str) -> tuple[Mixture, Mixture]:
    """Return the lists for given names and surnames of a category, with their shares.

    Examples
    --------
    >>> mixture("Germany", "No migration background")[1], mixture("Canada", "Chinese")[1]
    ({'germany': 1.0}, {'chinese': 1.0})
    """
    usual = country.lower().replace(" ", "_")
    surnames = _OF_GROUP.get((country, group))
    if surnames is None:
        return {usual: 1.0}, {usual: 1.0}
    if country in _KEEP_BOTH:
        return surnames, surnames
    given = {pool: part * (1 - _ADOPTED) for pool, part in surnames.items()}
    return given | {usual: given.get(usual, 0.0) + _ADOPTED}, surnames


def _lists() -> tuple[dict[tuple[str, str, bool], list[str]], dict[str, list[str]]]:
    """Return the given names by (list, gender, younger) and the surnames by list, most common first."""
    given: dict[tuple[str, str, bool], list[str]] = {}
    surnames: dict[str, list[str]] = {}
    tables = (("", "intl_given_names_assumed"), ("us_", "us_given_names_assumed"))
    for before, name in tables:
        for row in rows(name):
            if not before or row["pool"] == "asian":
                younger = row["born"].startswith(str(_YOUNGER_SINCE))
                given.setdefault((before + row["pool"], row["gender"], younger), []).append(row["name"])
    for before, name in (("", "intl_surnames_assumed"), ("us_", "us_surnames_assumed")):
        for row in rows(name):
            if not before or row["pool"] == "asian":
                surnames.setdefault(before + row["pool"], []).append(row["name"])
    return given, surnames


@dataclass(frozen=True, slots=True)
class _Shelves:
    """Slots of names by pair of country and category, and the names that they index.

    Attributes
    ----------
    given : array (pair, sex, younger, slot)
    surnames : array (pair, slot)
    pair : array (country, category + 1)
        Pair of each category; the last one stands for an unknown category.
    """

    given: Codes
    surnames: Codes
    pair: Codes
    given_names: tuple[str, ...]
    surname_names: tuple[str, ...]


@cache
def _shelves() -> _Shelves:
    lists, families = _lists()
    names: dict[str, int] = {}
    surnames: dict[str, int] = {}
    known = group_shares() > 0
    pair = np.full((len(ABROAD), len(groups()) + 1), -1, dtype=np.int16)
    given: list[Codes] = []
    last: list[Codes] = []
    for of, country in enumerate(ABROAD):
        for group in (*np.flatnonzero(known[of]).tolist(), -1):
            mix, family = mixture(country, groups()[group] if group >= 0 else "")
            pair[of, group] = len(given)
            last.append(slots([(part, families[pool]) for pool, part in family.items()], surnames))
            given.append(np.empty((len(GENDERS), 2, _SLOTS), dtype=np.int16))
            for sex, gender in enumerate(GENDERS):
                for younger in (False, True):
                    found = [(part, lists[pool, gender, younger]) for pool, part in mix.items()]
                    given[-1][sex, int(younger)] = slots(found, names)
    return _Shelves(np.stack(given), np.stack(last), pair, tuple(names), tuple(surnames))


def draw_names_abroad(
    streams: Streams, people: PeopleAbroad
) -> tuple[tuple[Codes, tuple[str, ...]], tuple[Codes, tuple[str, ...]]]:
    """Draw given name and surname of a block's agents outside the USA (stages 215 and 216).

    Returns
    -------
    pair of (codes, names)
        The names are the same in every block.
    """
    shelves, size = _shelves(), people.age.size
    pair = shelves.pair[people.country, people.ethnicity]
    born = (_YEAR - people.age >= _YOUNGER_SINCE).astype(np.int16)
    slot = streams.stage(215).integers(0, _SLOTS, size, dtype=np.int16)
    first = shelves.given[pair, people.sex, born, slot]
    last = shelves.surnames[pair, streams.stage(216).integers(0, _SLOTS, size, dtype=np.int16)]
    return (first, shelves.given_names), (last, shelves.surname_names)
