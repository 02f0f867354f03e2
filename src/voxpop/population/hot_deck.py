"""A donor for each agent: the adult of NHANES whose whole health an agent takes over.

Donors are drawn with their survey weight, the likelier the nearer they are in age, education, income rank,
household and ethnic group; sex is always the same. Within that, states tilt the draw to their obesity,
inactivity, smoking, cover and veterans, and labour status tilts it to self-rated health and to Medicare
before 65. The tilts are in the fitted table ``us_health_fitted`` (``data/fit_health.py``).
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import EDUCATION, STATES, People
from voxpop.population.donors import GROUP_OF, GROUPS, INCOMES, OLDEST, donors
from voxpop.population.employment import LABOUR, Work
from voxpop.population.fitted import fitted
from voxpop.population.gradients import UNION_OF_STATUS, UNIONS
from voxpop.population.households import Household
from voxpop.population.income import Income
from voxpop.population.reference import Floats
from voxpop.vocabulary.fields import FIELDS

Codes = npt.NDArray[np.integer]

_AGE_STARTS = (18, 21, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80)
_AGE_MIDDLES = (19, 22.5, 27, 32, 37, 42, 47, 52, 57, 62, 67, 72, 77, 80)
_HOUSEHOLDS = (1, 2, 3, 5)
"""Least sizes of the groups of households."""

# Distances: the weight of a donor falls by a factor e for each unit.
_YEARS = 4.0
_STEP_OF_EDUCATION, _STEP_OF_INCOME, _STEP_OF_HOUSEHOLD = 2.2, 0.9, 0.5
_OTHER_GROUP, _OTHER_UNION, _PARTNER_OR_NEVER = 5.0, 1.5, 0.8
_OTHER_SIDE_OF_MEDICARE = 6.0
_NEAREST = 48
_PRECISION = 2.0**20

FEATURES = ("obese", "inactive", "smoker", "unwell", "early_medicare", "uninsured", "veteran")
"""Features of donors that states or labour statuses tilt."""

_PLANS = FIELDS["insurance"].levels
_MEDICARE = [at for at, plan in enumerate(_PLANS) if plan.startswith("medicare")]
_UNINSURED = _PLANS.index("uninsured")
_MEDICARE_AGE = 65


def _shape() -> tuple[int, ...]:
    return 2, len(_AGE_STARTS), len(GROUPS), len(EDUCATION), INCOMES, len(UNIONS), len(_HOUSEHOLDS)


def _union_distances() -> Floats:
    apart = np.full((len(UNIONS), len(UNIONS)), _OTHER_UNION)
    np.fill_diagonal(apart, 0.0)
    pair = UNIONS.index("living_with_partner"), UNIONS.index("never_married")
    apart[pair] = apart[pair[::-1]] = _PARTNER_OR_NEVER
    return apart


@cache
def _neighbours() -> tuple[npt.NDArray[np.int16], npt.NDArray[np.float32]]:
    """Return the nearest donors of each cell and their weights, as arrays (cells, donors)."""
    shape = _shape()
    table = donors()
    nearest = np.empty((int(np.prod(shape)), _NEAREST), dtype=np.int16)
    weights = np.empty(nearest.shape, dtype=np.float32)
    row = 0
    for sex in range(2):
        at = np.flatnonzero(table.sex == sex)
        age = ((np.minimum(table.age[at], OLDEST)[None] - np.array(_AGE_MIDDLES)[:, None]) / _YEARS) ** 2 / 2
        older = np.array(_AGE_STARTS)[:, None] >= _MEDICARE_AGE
        age += _OTHER_SIDE_OF_MEDICARE * (older != (table.age[at] >= _MEDICARE_AGE)[None])
        group = _OTHER_GROUP * (table.ethnicity[at][None] != np.arange(len(GROUPS))[:, None])
        level = _STEP_OF_EDUCATION * abs(table.education[at][None] - np.arange(len(EDUCATION))[:, None])
        band = _STEP_OF_INCOME * abs(table.income[at][None] - np.arange(INCOMES)[:, None])
        union = _union_distances()[:, UNION_OF_STATUS[table.marital[at]]]
        own = (np.log(table.weight[at] / table.weight[at].mean())).astype(np.float32)
        # distances of the inner dimensions, reused for each age and group
        living = np.searchsorted(_HOUSEHOLDS, table.household[at], side="right") - 1
        home = _STEP_OF_HOUSEHOLD * abs(living[None] - np.arange(len(_HOUSEHOLDS))[:, None])
        inner = (level[:, None, None, None] + band[None, :, None, None]) + (union[:, None] + home[None])
        inner = inner.reshape(-1, at.size).astype(np.float32)
        for years in age.astype(np.float32):
            for other in group.astype(np.float32):
                score = own - years - other - inner
                kept = np.sort(_highest(score), axis=1)
                best = np.take_along_axis(score, kept, axis=1).astype(float)
                share = np.exp(best - best.max(axis=1, keepdims=True))
                nearest[row : row + len(inner)] = at[kept]
                weights[row : row + len(inner)] = np.floor(share * _PRECISION) / _PRECISION
                row += len(inner)
    return nearest, weights


def _highest(score: npt.NDArray[np.float32]) -> npt.NDArray[np.intp]:
    """Return the places of the highest scores of each row; of equal ones, the first, on every machine."""
    # bits of positive floats are ordered as the floats are; the place decides between equal ones
    far = (np.float32(score.max() + 1) - score).view(np.int32).astype(np.int64)
    far *= score.shape[1]  # in place: these arrays are large
    far += np.arange(score.shape[1])
    return np.argpartition(far, _NEAREST, axis=1)[:, :_NEAREST]


@cache
def features() -> Floats:
    """Return the features of the donors, as an array (donors, features) of 0 and 1."""
    table = donors()
    early = np.isin(table.insurance, _MEDICARE) & (table.age < _MEDICARE_AGE)
    return np.stack(
        [
            table.bmi >= 30,
            table.activity == 0,
            table.smoking == 2,
            table.rated <= 1,
            early,
            table.insurance == _UNINSURED,
            table.veteran == 1,
        ],
        axis=1,
    ).astype(float)


def tilt_factors(by_state: Floats, by_labour: Floats) -> npt.NDArray[np.float32]:
    """Return the factors of the donors' weights by (state, labour status, donor).

    Parameters
    ----------
    by_state, by_labour : array (states or statuses, features)
        Log factors of a donor with the feature.
    """
    logs = by_state[:, None] + by_labour[None]
    # whole steps, since the last digits of an exponential differ between machines
    return (np.floor(np.exp(logs @ features().T) * _PRECISION) / _PRECISION).astype(np.float32)


@cache
def _tilts() -> npt.NDArray[np.float32]:
    found = fitted("tilt")
    by_state = np.array([[found.get((name, state), 0.0) for name in FEATURES] for state in STATES])
    by_labour = np.array([[found.get((name, status), 0.0) for name in FEATURES] for status in LABOUR])
    return tilt_factors(by_state, by_labour)


def cells(people: People, home: Household, income: Income) -> Codes:
    """Return the cell of each agent among the kinds of people that donors are matched on."""
    age = np.searchsorted(_AGE_STARTS, people.age, side="right") - 1
    union = UNION_OF_STATUS[home.marital]
    living = np.searchsorted(_HOUSEHOLDS, home.size, side="right") - 1
    parts = (people.sex, age, GROUP_OF[people.ethnicity], people.education, income.survey_band, union, living)
    return np.ravel_multi_index(parts, _shape())


def shares(
    people: People, home: Household, work: Work, income: Income, tilts: npt.NDArray[np.float32] | None = None
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.float32]]:
    """Return the nearest donors of each agent and their weights, tilted by state and labour status."""
    cell = cells(people, home, income)
    nearest, weights = _neighbours()
    found = nearest[cell]
    factor = _tilts() if tilts is None else tilts
    return found, weights[cell] * factor[people.state[:, None], work.labour_status[:, None], found]


def draw_donors(
    streams: draw.Streams, people: People, home: Household, work: Work, income: Income
) -> npt.NDArray[np.int16]:
    """Draw a donor for each US agent of a block, as an index into the table of donors."""
    found, weight = shares(people, home, work, income)
    upto = np.cumsum(weight, axis=1, dtype=np.float64)
    wanted = streams.stage(30).random(len(found)) * upto[:, -1]
    at = np.minimum((upto <= wanted[:, None]).sum(axis=1), _NEAREST - 1)
    return np.take_along_axis(found, at[:, None], axis=1)[:, 0]
