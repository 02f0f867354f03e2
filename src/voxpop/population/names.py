"""Names that match sex, year of birth and ethnicity, drawn from lists compiled for this project.

A pool is a mixture of lists. Every agent of a pool takes one of 1,024 slots, so drawing a name is one lookup.
The names are common ones and refer to no real person.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import ETHNICITIES, People
from voxpop.population.reference import GENDERS, MAX_AGE, rows

Codes = npt.NDArray[np.int16]

_SLOTS = 1024
_YEAR = 2025  # ages refer to this year
_COHORTS = (1900, 1950, 1970, 1990)
# Share of each list per ethnic group, in the order of ETHNICITIES (an assumption of this project).
_GIVEN = (
    {"common": 0.35, "hispanic": 0.65},
    {"common": 1.0},
    {"common": 0.72, "black": 0.28},
    {"common": 0.45, "asian": 0.55},
    {"common": 1.0},
    {"common": 0.55, "pacific": 0.45},
    {"common": 0.8, "hispanic": 0.06, "black": 0.08, "asian": 0.06},
)
_SURNAMES = (
    {"hispanic": 0.93, "white": 0.07},
    {"white": 1.0},
    {"black": 1.0},
    {"asian": 0.93, "white": 0.07},
    {"native": 0.65, "white": 0.35},
    {"pacific": 0.75, "white": 0.25},
    {"white": 0.55, "black": 0.15, "hispanic": 0.15, "asian": 0.15},
)


def slots(mixture: Sequence[tuple[float, Sequence[str]]], known: dict[str, int]) -> Codes:
    """Return the names of a pool as 1,024 slots; earlier names of a list get more slots."""
    weights: dict[str, float] = {}
    for part, names in mixture:
        falling = 1 / (np.arange(len(names)) + 8.0)
        for name, weight in zip(names, part * falling / falling.sum(), strict=True):
            weights[name] = weights.get(name, 0.0) + float(weight)
    upto = np.round(np.cumsum(list(weights.values())) / sum(weights.values()) * _SLOTS).astype(int)
    codes = np.array([known.setdefault(name, len(known)) for name in weights], dtype=np.int16)
    return np.repeat(codes, np.diff(upto, prepend=0))


def _covers(born: str, year: int) -> bool:
    first, last = born.split("-")
    return int(first or 0) <= year <= int(last or 9999)


@cache
def _given() -> tuple[Codes, tuple[str, ...]]:
    """Return the given names in 1,024 slots by (ethnicity, sex, cohort), and the names that they index."""
    lists: dict[tuple[str, str, str], list[str]] = {}
    for row in rows("us_given_names_assumed"):
        lists.setdefault((row["pool"], row["gender"], row["born"]), []).append(row["name"])
    given: dict[str, int] = {}
    pools = np.zeros((len(ETHNICITIES), 2, len(_COHORTS), _SLOTS), dtype=np.int16)
    for group, mixture in enumerate(_GIVEN):
        for sex, gender in enumerate(GENDERS):
            for cohort, year in enumerate(_COHORTS):
                found = [
                    (mixture[pool], names)
                    for (pool, of, born), names in lists.items()
                    if pool in mixture and of == gender and _covers(born, max(year, _YEAR - MAX_AGE))
                ]
                pools[group, sex, cohort] = slots(found, given)
    return pools, tuple(given)


@cache
def _families() -> tuple[Codes, tuple[str, ...]]:
    """Return the surnames in 1,024 slots by ethnicity, and the names that they index."""
    families: dict[str, list[str]] = {}
    for row in rows("us_surnames_assumed"):
        families.setdefault(row["pool"], []).append(row["name"])
    surname: dict[str, int] = {}
    shelves = [slots([(part, families[pool]) for pool, part in mix.items()], surname) for mix in _SURNAMES]
    return np.stack(shelves), tuple(surname)


def draw_names(
    streams: draw.Streams, people: People
) -> tuple[tuple[Codes, tuple[str, ...]], tuple[Codes, tuple[str, ...]]]:
    """Draw given names and surnames of the US agents of a block, as codes and the names that they index."""
    rng = streams.stage(15)
    (pools, given), (shelves, surnames) = _given(), _families()
    born = np.searchsorted(np.array(_COHORTS[1:]), _YEAR - people.age, side="right")
    slot = rng.integers(0, _SLOTS, people.age.size, dtype=np.int16)
    first = pools[people.ethnicity, people.sex, born, slot]
    last = shelves[people.ethnicity, rng.integers(0, _SLOTS, people.age.size, dtype=np.int16)]
    return (first, given), (last, surnames)
