"""Labour status of the US agents, in expectation over all adults.

The published statuses by age and sex hold exactly. Within them, people of an ethnic group work and look for
work at the group's published rates by age; schooling, children and old age tilt the odds by assumptions.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import (
    AGE_BANDS_5,
    EDUCATION,
    ETHNICITIES,
    expected_people,
    parent_shares,
)
from voxpop.population.employment import EMPLOYED, LABOUR, WORK_BANDS
from voxpop.population.reference import GENDERS, Floats, band, band_codes, rows

Codes = npt.NDArray[np.int16]

GROUPED_ETHNICITIES = (
    "Hispanic or Latino",
    "White, non-Hispanic",
    "Black or African American",
    "Asian",
    "other",
)
"""Ethnic groups with labour figures of their own; the smaller groups share one."""

GROUPED = np.array([0, 1, 2, 3, 4, 4, 4], dtype=np.int16)
"""Index into :data:`GROUPED_ETHNICITIES` of each of the ethnicities of the agents."""

OLDEST = (0, 80, 85, 90)
_STILL_WORKING = (1.0, 0.4, 0.12, 0.0)
"""The last published band is 75 and over: relative odds of working, from each of these ages on."""

# Relative odds of a status by education, lowest first, and for parents (assumptions of this project).
_BY_EDUCATION = {
    "employed": (0.7, 0.75, 0.95, 1.05, 1.25),
    "unemployed": (1.6, 1.7, 1.2, 1.0, 0.7),
    "disabled": (2.5, 2.2, 1.3, 0.9, 0.4),
    "student": (0.02, 0.6, 1.0, 2.0, 0.4),
}
_PARENTS = {"homemaker": 3.0, "student": 0.4}
_YOUNGEST_RETIRED = 45
_UNEMPLOYED = LABOUR.index("unemployed")
_RACES = {
    "White (any ethnicity)": 1,
    "Black or African American (any ethnicity)": 2,
    "Asian (any ethnicity)": 3,
}
_COUNTS = ("employed_thousands", "unemployed_thousands", "not_in_labor_force_thousands")
_ROUNDS = 60

SHAPE = (2, len(AGE_BANDS_5), len(OLDEST), len(GROUPED_ETHNICITIES), 2, len(EDUCATION))
"""Cells that have a labour status in common: sex, band, oldest, grouped ethnicity, parent, education."""


def _adults() -> Floats:
    """Return the expected adults by (sex, single year, grouped ethnicity, parent, education)."""
    people = expected_people()
    grouped = np.zeros((*people.shape[:2], len(GROUPED_ETHNICITIES), people.shape[3]))
    for at in range(len(ETHNICITIES)):
        grouped[:, :, GROUPED[at]] += people[:, :, at]
    parents = parent_shares()
    split = np.stack([1 - parents, parents], axis=2)
    return grouped[:, :, :, None, :] * split[:, :, None, :, None]


def _years() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the band and the step of old age of each single year of age from 18."""
    return band_codes(AGE_BANDS_5), band_codes([f"{max(first, 18)}+" for first in OLDEST])


def _cells() -> Floats:
    """Return the expected adults by the cells of :data:`SHAPE`."""
    cells, adults = np.zeros(SHAPE), _adults()
    for year, (of_band, oldest) in enumerate(zip(*_years(), strict=True)):
        cells[:, of_band, oldest] += adults[:, year]
    return cells


def _published_status() -> Floats:
    """Return the share of each status by (sex, band); the young have no retired in any case."""
    published = np.zeros((2, len(AGE_BANDS_5), len(LABOUR)))
    for row in rows("us_labour_status_age_sex"):
        status = row["labour_status"]
        if status == "retired" and band(row["age_band"])[0] < _YOUNGEST_RETIRED:
            status = "other_not_in_labour_force"
        at = GENDERS.index(row["gender"]), AGE_BANDS_5.index(row["age_band"]), LABOUR.index(status)
        published[at] += float(row["share"])
    return np.asarray(published / published.sum(axis=2, keepdims=True))


def rates_by_ethnicity(white: Floats) -> Floats:
    """Return the shares of employed, unemployed and others by (band, grouped ethnicity).

    The published races include Hispanics, and together with the rest they are everybody. The Hispanics among
    the White are those by which the published White adults exceed the White non-Hispanic ones of the
    population; they work at the rates of all Hispanics.

    Parameters
    ----------
    white : array (bands,)
        Share of White non-Hispanic adults in the population's bands.
    """
    found = np.zeros((len(AGE_BANDS_5), len(GROUPED_ETHNICITIES), len(_COUNTS)))
    for row in rows("us_ethnicity_age_labour"):
        at = AGE_BANDS_5.index(row["age_band"])
        counts = np.array([float(row[column]) for column in _COUNTS])
        if row["ethnicity"] == "all":
            found[at, 4] += counts
        elif row["ethnicity"] in _RACES:
            found[at, _RACES[row["ethnicity"]]] = counts
            found[at, 4] -= counts
        else:
            found[at, 0] = counts
    everybody = found[:, 1:].sum(axis=(1, 2))
    hispanic = found[:, 0] / found[:, 0].sum(axis=1, keepdims=True)
    excess = found[:, 1].sum(axis=1) - white * everybody
    found[:, 1] -= excess[:, None] * hispanic
    return np.asarray(found / found.sum(axis=2, keepdims=True))


def _start() -> Floats:
    """Return the relative odds of each status in the cells, before any margin."""
    start = np.ones((*SHAPE, len(LABOUR)))
    for status, tilts in _BY_EDUCATION.items():
        start[..., LABOUR.index(status)] *= tilts
    for status, tilt in _PARENTS.items():
        start[..., 1, :, LABOUR.index(status)] *= tilt
    for at in (EMPLOYED, _UNEMPLOYED):
        start[..., at] *= np.array(_STILL_WORKING)[:, None, None, None]
    return start


@cache
def status_shares() -> Floats:
    """Return the share of each labour status in the cells of :data:`SHAPE` (last axis: statuses)."""
    cells = _cells()
    by_status = _published_status() * cells.sum(axis=(2, 3, 4, 5))[..., None]
    by_group = cells.sum(axis=(0, 2, 4, 5))
    kind = np.array([0 if at == EMPLOYED else 1 if at == _UNEMPLOYED else 2 for at in range(len(LABOUR))])
    totals = np.stack([by_status[..., kind == at].sum(axis=(0, 2)) for at in range(3)], axis=1)
    rates = rates_by_ethnicity(by_group[:, 1] / by_group.sum(axis=1))
    wanted = draw.fit(rates * by_group[..., None], [((0, 2), totals), ((0, 1), by_group)])
    fitted = _start()
    for _ in range(_ROUNDS):
        now = np.stack([fitted[..., kind == at].sum(axis=(0, 2, 4, 5, 6)) for at in range(3)], axis=2)
        ratio = draw.ratio(wanted, now)[:, :, kind]
        fitted *= ratio[None, :, None, :, None, None, :]
        fitted *= draw.ratio(by_status, fitted.sum(axis=(2, 3, 4, 5)))[:, :, None, None, None, None, :]
        fitted *= draw.ratio(cells, fitted.sum(axis=6))[..., None]
    # nobody is expected in some cells (parents of 90): they have the statuses of their age and sex
    usual = _published_status()[:, :, None, :] * np.ones((len(OLDEST), 1))
    usual[..., (EMPLOYED, _UNEMPLOYED)] *= np.array(_STILL_WORKING)[:, None]
    usual = np.broadcast_to(usual[:, :, :, None, None, None, :], fitted.shape)
    shares = np.where(cells[..., None] > 0, fitted, usual)
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


@cache
def employed_people() -> Floats:
    """Return the expected share of all adults who are employed.

    Returns
    -------
    array (sex, grouped ethnicity, age band of :data:`WORK_BANDS`, education)
    """
    working = status_shares()[..., EMPLOYED]
    adults = _adults()
    found = np.zeros((2, len(GROUPED_ETHNICITIES), len(WORK_BANDS), len(EDUCATION)))
    at_work = band_codes(WORK_BANDS)
    for year, (of_band, oldest) in enumerate(zip(*_years(), strict=True)):
        found[:, :, at_work[year]] += (adults[:, year] * working[:, of_band, oldest]).sum(axis=2)
    return found
