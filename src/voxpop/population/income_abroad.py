"""Income fifth of the household, by rank within each country.

A fifth of the adults of each country is in each fifth, by definition. Who is in which is borrowed from the
USA: the fifths of NHANES 2017-2018 by age and education (the ratio of household income to the poverty line,
which ranks people as income per head does), and assumed odds by labour status. In a country with other levels
of education the pattern is shifted so that each fifth holds a fifth again.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.countries import PeopleAbroad
from voxpop.population.demographics import EDUCATION
from voxpop.population.draw import Streams
from voxpop.population.employment import LABOUR, Work
from voxpop.population.picking import Table
from voxpop.population.reference import Floats, band, rows
from voxpop.population.work_abroad import STATUS_BANDS, expected_statuses

QUINTILES = ("lowest", "second", "middle", "fourth", "highest")

_BANDS = ("18-44", "45-59", "60+")
# Change of the log odds from one fifth to the next, against somebody employed (assumptions of this project).
_STEPS = {
    "employed": 0.0,
    "unemployed": -0.5,
    "retired": -0.1,
    "student": -0.1,
    "homemaker": -0.3,
    "disabled": -0.5,
    "other_not_in_labour_force": -0.3,
}
_PRIOR = 10.0
"""Adults by which small groups of the survey are drawn towards an even spread."""


def american() -> Floats:
    """Return the shares of the fifths in the USA by (age band, education)."""
    found = np.zeros((len(_BANDS), len(EDUCATION), len(QUINTILES)))
    for row in rows("us_income_quintile_by_education"):
        at = _BANDS.index(row["age_band"]), EDUCATION.index(row["education"])
        size = float(row["n_unweighted"])
        shares = np.array([float(row[level]) for level in QUINTILES])
        found[at] = (shares * size + _PRIOR / len(QUINTILES)) / (size + _PRIOR)
    return found


@cache
def quintile_shares() -> Floats:
    """Return the shares of the fifths by (country, age band of STATUS_BANDS, education, labour status)."""
    counts = expected_statuses().sum(axis=1)
    wide = [next(at for at, text in enumerate(_BANDS) if _holds(text, each)) for each in STATUS_BANDS]
    steps = np.array([_STEPS[status] for status in LABOUR])
    tilt = np.exp(steps[:, None] * np.arange(len(QUINTILES)))
    start = american()[wide][None, :, :, None, :] * tilt
    start = np.repeat(start, len(counts), axis=0)
    fifth = np.repeat(counts.sum(axis=(1, 2, 3))[:, None] / len(QUINTILES), len(QUINTILES), axis=1)
    fitted = draw.fit(start, [((0, 4), fifth), ((0, 1, 2, 3), counts)])
    return np.asarray(fitted / np.maximum(fitted.sum(axis=-1, keepdims=True), 1e-300))


def _holds(wide: str, narrow: str) -> bool:
    return band(wide)[0] <= band(narrow)[0] <= band(wide)[1]


@cache
def table() -> Table:
    """Return the table of the fifths."""
    return Table.of(quintile_shares())


def draw_quintile_abroad(streams: Streams, people: PeopleAbroad, work: Work) -> npt.NDArray[np.int16]:
    """Draw the income fifth of a block's agents outside the USA (stage 214), as index of QUINTILES."""
    shape = quintile_shares().shape[:-1]
    parts = people.country, people.band(STATUS_BANDS), people.education, work.labour_status
    return table().draw(streams.stage(214), np.ravel_multi_index(parts, shape))
