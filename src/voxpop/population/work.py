"""Draw labour status, occupation and industry of the US agents of one block.

All probabilities come from tables that are computed once per process (:mod:`voxpop.population.labour` and
:mod:`voxpop.population.occupations`), never from the agents of the block.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import AGE_BANDS_5, People, cell_of
from voxpop.population.employment import (
    EMPLOYED,
    GROUPS,
    INDUSTRIES,
    LABOUR,
    OCCUPATIONS,
    SOC,
    WORK_BANDS,
    Work,
    group_of,
    industry_shares,
)
from voxpop.population.labour import GROUPED, OLDEST, SHAPE, status_shares
from voxpop.population.occupations import occupation_shares
from voxpop.population.reference import Floats, band_codes

Codes = npt.NDArray[np.int16]

STATUS, OCCUPATION, INDUSTRY = 10, 11, 12
"""Stages of the random streams."""


@cache
def _status_line() -> Floats:
    return draw.lined_up(status_shares().reshape(-1, len(LABOUR)))


@cache
def _by_code() -> npt.NDArray[np.int64]:
    """Return the occupations ordered by code, so that similar ones are neighbours."""
    return np.argsort(np.array(SOC), kind="stable")


@cache
def _occupation_line() -> Floats:
    return draw.lined_up(occupation_shares().reshape(-1, len(OCCUPATIONS))[:, _by_code()])


@cache
def _industry_line() -> Floats:
    workers = occupation_shares().sum(axis=(1, 2, 3))
    return draw.lined_up(industry_shares(workers).reshape(-1, len(INDUSTRIES)))


def draw_status(streams: draw.Streams, people: People) -> Codes:
    """Draw the labour status of each agent.

    Parameters
    ----------
    streams : Streams
        Random streams of the block; stage 10 is used.
    people : People
        ``age``, ``sex``, ``ethnicity``, ``education`` and ``parent`` are read.

    Returns
    -------
    array (agents,)
        Index into the levels of ``labour_status``.
    """
    oldest = band_codes([f"{max(first, 18)}+" for first in OLDEST])[people.year]
    by_age = cell_of(people, AGE_BANDS_5)
    cell = by_age.astype(np.int32)
    parts = (oldest, GROUPED[people.ethnicity], people.parent, people.education)
    for part, size in zip(parts, SHAPE[2:], strict=True):
        cell = cell * np.int32(size) + part.astype(np.int32)
    uniform = draw.strata(streams.stage(STATUS), by_age, 2 * len(AGE_BANDS_5))
    return draw.pick_in_line(_status_line(), cell, uniform, len(LABOUR))


def draw_work(streams: draw.Streams, people: People) -> Work:
    """Draw labour status, and occupation and industry of the employed.

    Parameters
    ----------
    streams : Streams
        Random streams of the block; stages 10 to 12 are used.
    people : People
        ``age``, ``sex``, ``ethnicity``, ``education`` and ``parent`` are read.

    Returns
    -------
    Work
        Codes of the professional fields, -1 for agents without a job.
    """
    status = draw_status(streams, people)
    at = np.flatnonzero(status == EMPLOYED)
    shares = occupation_shares().shape
    sex, bands = people.sex[at].astype(np.int32), band_codes(WORK_BANDS)[people.year[at]]
    cell = (sex * shares[1] + GROUPED[people.ethnicity[at]]) * shares[2] + bands.astype(np.int32)
    cell = cell * shares[3] + people.education[at]
    uniform = draw.strata(streams.stage(OCCUPATION), cell, int(np.prod(shares[:4])))
    job = _by_code()[draw.pick_in_line(_occupation_line(), cell, uniform, shares[4])]

    holders = sex * len(OCCUPATIONS) + job
    in_group = sex * len(GROUPS) + group_of()[job]
    uniform = draw.strata(streams.stage(INDUSTRY), in_group, 2 * len(GROUPS))
    sector = draw.pick_in_line(_industry_line(), holders, uniform, len(INDUSTRIES))
    occupation, group, industry = (np.full(status.size, -1, dtype=np.int16) for _ in range(3))
    occupation[at], group[at], industry[at] = job, group_of()[job], sector
    return Work(status, occupation, group, industry)
