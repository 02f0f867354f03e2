"""Draw labour status, occupation and industry of the US agents of one block.

All probabilities come from tables that are computed once per process (:mod:`voxpop.population.labour` and
:mod:`voxpop.population.occupations`), never from the agents of the block.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population.balancing import Balanced
from voxpop.population.demographics import AGE_BANDS_5, People, cell_of
from voxpop.population.draw import Streams
from voxpop.population.employment import (
    BROAD_JOBS,
    EMPLOYED,
    INDUSTRIES,
    LABOUR,
    OCCUPATIONS,
    SOC,
    WORK_BANDS,
    Work,
    broad_job_of,
    group_of,
    industry_shares,
)
from voxpop.population.labour import GROUPED, OLDEST, SHAPE, status_shares
from voxpop.population.occupations import occupation_shares
from voxpop.population.reference import band_codes

Codes = npt.NDArray[np.int16]

STATUS, OCCUPATION, INDUSTRY = 10, 11, 12
"""Stages of the random streams."""


@cache
def _statuses() -> Balanced:
    """Return the draws of the labour status, with totals by (sex, age band)."""
    shares = status_shares().reshape(-1, len(LABOUR))
    return Balanced(shares, np.arange(len(shares)) // int(np.prod(SHAPE[2:])))


@cache
def _by_code() -> npt.NDArray[np.int64]:
    """Return the occupations ordered by code, so that those of a major group are neighbours."""
    return np.argsort(np.array(SOC), kind="stable")


@cache
def _occupations() -> Balanced:
    """Return the draws of the occupation (as a rank by code), with totals by sex."""
    shares = occupation_shares().reshape(-1, len(OCCUPATIONS))[:, _by_code()]
    return Balanced(shares, np.arange(len(shares)) // (len(shares) // 2))


@cache
def _industries() -> Balanced:
    """Return the draws of the industry, with totals by sex and broad group of occupations."""
    shares = industry_shares(occupation_shares().sum(axis=(1, 2, 3)))
    classes = np.concatenate([broad_job_of(), broad_job_of() + len(BROAD_JOBS)])
    return Balanced(shares.reshape(-1, len(INDUSTRIES)), classes)


def draw_status(streams: Streams, people: People) -> Codes:
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
    by_age = cell_of(people, AGE_BANDS_5).astype(np.int64)
    parts = (by_age, oldest, GROUPED[people.ethnicity], people.parent.astype(np.int64), people.education)
    cell = np.ravel_multi_index(parts, (SHAPE[0] * SHAPE[1], *SHAPE[2:]))
    return _statuses().draw(streams.stage(STATUS), cell).astype(np.int16)


def draw_work(streams: Streams, people: People) -> Work:
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
    job = _by_code()[_occupations().draw(streams.stage(OCCUPATION), cell)]
    sector = _industries().draw(streams.stage(INDUSTRY), sex * len(OCCUPATIONS) + job)
    occupation, group, industry = (np.full(status.size, -1, dtype=np.int16) for _ in range(3))
    occupation[at], group[at], industry[at] = job, group_of()[job], sector
    return Work(status, occupation, group, industry)
