"""Occupations of the employed US agents, in expectation, by sex, ethnicity, age and education.

One array of (sex, grouped ethnicity, age band, education, occupation) is fitted to the employed adults of
each cell and, for each occupation, to its size, its women and men, its ethnic groups, its education from 25
on and its median age, and to the ages of each major group. Entry ages and entry education are zeros of that
array.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import EDUCATION
from voxpop.population.employment import (
    GROUPS,
    PUBLISHED_GROUP_BANDS,
    WORK_BANDS,
    entry,
    group_of,
)
from voxpop.population.labour import employed_people
from voxpop.population.occupation_figures import SCHOOLING, SCHOOLING_OF, ethnicities, schooling, sexes
from voxpop.population.reference import Floats, band, rows

_SCHOOLED = slice(WORK_BANDS.index("25-27"), None)
"""Working bands that the table of education by occupation is about."""

# Workers of 16 and 17 for each of 18 and 19: 5.66 million of 16 to 19 in the table of major groups, less the
# 3.56 million of 18 and 19 in us_ethnicity_age_labour.
_MINORS = 0.59
_NOBODY = 1e-12
# Change of an occupation's log odds per year of age for its deviation from the median, and the largest slope.
_GAIN, _STEEPEST = 0.1, 0.12
_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class _Targets:
    """Expected workers as shares of all adults."""

    employed: Floats
    """By (sex, grouped ethnicity, age band, education)."""
    by_sex: Floats
    """By (sex, occupation)."""
    by_ethnicity: Floats
    """By (grouped ethnicity, occupation)."""
    by_age: Floats
    """By (band of the table of major groups, major group)."""


def possible() -> npt.NDArray[np.bool_]:
    """Return which occupations are open to each (age band, education)."""
    least_education, least_age, most_age = entry()
    enough = np.arange(len(EDUCATION))[:, None] >= least_education[None, :]
    ages = np.array([band(text) for text in WORK_BANDS])
    right_age = (ages[:, :1] >= least_age[None, :]) & (ages[:, 1:] <= most_age[None, :])
    return np.asarray(right_age[:, None, :] & enough[None, :, :])


def _wide() -> npt.NDArray[np.int64]:
    """Return the band of the table of major groups that each working band lies in."""
    starts = [band(text)[0] for text in PUBLISHED_GROUP_BANDS.values()]
    return np.searchsorted(starts, [band(text)[0] for text in WORK_BANDS], side="right") - 1


def _in_groups(by_age: Floats) -> Floats:
    """Return sums by (band of the table of major groups, major group) of values by (age band, occupation)."""
    found = np.zeros((len(PUBLISHED_GROUP_BANDS), len(GROUPS)))
    for at, wide in enumerate(_wide()):
        found[wide] += np.bincount(group_of(), weights=by_age[at], minlength=len(GROUPS))
    return found


def _targets() -> _Targets:
    employed = employed_people()
    published = sexes()
    by_sex = published * (employed.sum(axis=(1, 2, 3)) / published.sum(axis=1))[:, None]
    size, of_ethnicity = by_sex.sum(axis=0), employed.sum(axis=(0, 2, 3))
    by_ethnicity = draw.fit(ethnicities().T * size, [((0,), of_ethnicity), ((1,), size)])

    ages = np.zeros((len(PUBLISHED_GROUP_BANDS), len(GROUPS)))
    for row in rows("us_occupation_major_group"):
        if row["men_thousands"]:
            at = GROUPS.index(row["occupation_major_group"])
            ages[:, at] = [float(row[column]) for column in PUBLISHED_GROUP_BANDS]
    ages *= _in_groups(possible().any(axis=1).astype(float)) > 0
    of_band = np.bincount(_wide(), weights=employed.sum(axis=(0, 1, 3))).astype(float)
    of_group = np.bincount(group_of(), weights=size, minlength=len(GROUPS)).astype(float)
    by_age = draw.fit(ages, [((0,), of_band), ((1,), of_group)])
    return _Targets(employed, by_sex, by_ethnicity, by_age)


def too_young(by_age: Floats, median: Floats) -> Floats:
    """Return by how much the share of workers up to the published median age exceeds a half.

    The published medians include workers of 16 and 17, who are not in the population; their number follows
    from the workers of 18 and 19.

    Parameters
    ----------
    by_age : array (age band, occupation)
    median : array (occupation,)
        Published median ages; 0 if there is none, for which the result is 0.
    """
    ages = np.array([band(text) for text in WORK_BANDS], dtype=float)
    width = np.minimum(ages[:, 1] + 1, 90.0) - ages[:, 0]
    within = np.clip((median[None, :] - ages[:, :1]) / width[:, None], 0, 1)
    minors = _MINORS * by_age[0]
    below = draw.ratio((by_age * within).sum(axis=0) + minors, by_age.sum(axis=0) + minors)
    return np.where(median > 0, below - 0.5, 0.0)


def _start(targets: _Targets, taught: Floats, usual: Floats) -> Floats:
    """Return the relative odds of each occupation in the cells: size x sex x ethnicity x education."""
    size = targets.by_sex.sum(axis=0)
    of_ethnicity = targets.by_ethnicity.sum(axis=1)
    fitted = np.ones(targets.employed.shape)[..., None] * possible()
    fitted *= (taught / usual[:, None])[SCHOOLING_OF]
    fitted *= targets.by_sex[:, None, None, None, :]
    fitted *= (targets.by_ethnicity / of_ethnicity[:, None] / size)[None, :, None, None, :]
    return np.asarray(fitted)


def _to_levels(values: Floats) -> Floats:
    """Return sums over the levels of education of the agents (first axis) by those of the table."""
    return np.stack([values[at == SCHOOLING_OF].sum(axis=0) for at in range(len(SCHOOLING))])


@cache
def occupation_shares() -> Floats:
    """Return the expected workers by (sex, grouped ethnicity, age band, education, occupation).

    The bands are those of :data:`~voxpop.population.employment.WORK_BANDS`, and occupations are in the order
    of ``us_occupations``. The array sums to the employed share of all adults; its cells are exact, and the
    other margins as near as the entry rules let them be. Cells where nobody is expected to work have tiny
    shares by size.
    """
    targets = _targets()
    wide, group = _wide(), group_of()
    median = np.array([float(row["cps_median_age"] or 0) for row in rows("us_occupations")])
    middle = np.array([(band(text)[0] + min(band(text)[1], 84)) / 2 for text in WORK_BANDS]) - 42
    schooled = _to_levels(targets.employed[:, :, _SCHOOLED].sum(axis=(0, 1, 2)))
    taught = schooling().T.copy()
    fitted = _start(targets, taught, schooled / schooled.sum())
    slope = np.zeros(median.size)
    for _ in range(_ROUNDS):
        by_band = fitted.sum(axis=(0, 1, 3))
        steeper = np.clip(slope + _GAIN * too_young(by_band, median), -_STEEPEST, _STEEPEST)
        tilt = np.exp(middle[:, None] * (steeper - slope))
        slope = steeper
        tilt *= draw.ratio(targets.by_age, _in_groups(by_band * tilt))[wide][:, group]
        fitted *= tilt[:, None, :]

        now = fitted.sum(axis=(0, 2, 3))
        fitted *= draw.ratio(targets.by_ethnicity, now)[None, :, None, None, :]

        now = _to_levels(fitted[:, :, _SCHOOLED].sum(axis=(0, 1, 2)))
        wanted = taught * now.sum(axis=0)
        # the table and the population disagree a little about the schooling of all workers
        taught *= (schooled / wanted.sum(axis=1))[:, None]
        taught /= taught.sum(axis=0)
        fitted[:, :, _SCHOOLED] *= draw.ratio(wanted, now)[SCHOOLING_OF]

        now = fitted.sum(axis=(1, 2, 3))
        fitted *= draw.ratio(targets.by_sex, now)[:, None, None, None, :]
        fitted *= draw.ratio(targets.employed, fitted.sum(axis=4))[..., None]
    by_size = targets.by_sex.sum(axis=0) * possible() * _NOBODY
    return np.where(targets.employed[..., None] > 0, fitted, by_size)
