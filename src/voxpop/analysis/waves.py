"""Waves as columns: the agents that answered in two of them, matched by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.analysis.cohort import names_of
from voxpop.analysis.columns import Bools
from voxpop.analysis.counter import Counter
from voxpop.analysis.figures import Banner, Group
from voxpop.analysis.frames import Key, Variable
from voxpop.errors import UsageError
from voxpop.stats.overlap import Overlap, overlap_of
from voxpop.survey.bands import Bands
from voxpop.survey.provenance import Provenance

WAVE = "wave"
"""Name of the column of waves."""

_PERSONS = ("agent_uuid", "agent_id")
_STAY = (
    "Agents do not change by themselves between waves: differences come from fresh agents, from those who "
    "left, and from what was asked in between."
)
_STACKED = (
    "Rows of waves {} are counted together, so an agent may stand in a column several times, and intervals "
    "and tests are too narrow; choose one wave with where=, or compare them with by='wave'."
)
_UNMATCHED = (
    "The data do not tell which rows are of the same agent (no column agent_uuid), so waves are compared as "
    "independent samples."
)

Floats = npt.NDArray[np.float64]


def person_column(data: Any, keys: Iterable[Key | Bands]) -> str | None:
    """Return the column that identifies agents, if waves are compared and the data have one."""
    if WAVE not in [key for key in keys if isinstance(key, str)]:
        return None
    names = [str(name) for name in names_of(data)]
    return next((name for name in _PERSONS if name in names), None)


def with_overlaps(
    banner: Banner, counter: Counter, question: Variable, numbers: Floats | None = None
) -> Banner:
    """Return a banner whose group of waves knows the agents that waves have in common.

    Parameters
    ----------
    banner, counter
        The columns, and the counter of their agents.
    question
        The question, with rows for nets and boxes.
    numbers
        The number of each row, if the question is numeric.

    Raises
    ------
    UsageError
        An agent has two rows in a wave.
    """
    persons = counter.frame.persons()
    if persons is None:
        return banner
    groups = tuple(
        replace(
            group,
            overlaps=_overlaps(counter, persons, question, banner.members[group.places], numbers),
        )
        if group.name == WAVE
        else group
        for group in banner.groups
    )
    return replace(banner, groups=groups)


def with_correlations(groups: Sequence[Group], measured: Sequence[Group]) -> tuple[Group, ...]:
    """Return groups with the correlations that the same groups have for another number."""
    made = []
    for group, other in zip(groups, measured, strict=True):
        if group.overlaps is not None and other.overlaps is not None:
            plain, weighted = (
                replace(mine, correlation=told.correlation)
                for mine, told in zip(group.overlaps, other.overlaps, strict=True)
            )
            made.append(replace(group, overlaps=(plain, weighted)))
        else:
            made.append(group)
    return tuple(made)


def waves_told(
    groups: Sequence[Group], provenance: Provenance, together: Sequence[int] = ()
) -> tuple[str, ...]:
    """Return notes on waves: how many agents answered in two, and why simulated waves differ.

    Parameters
    ----------
    groups
        The groups of columns.
    provenance
        Provenance of the answers.
    together
        The waves whose rows are counted together, if waves are no columns.
    """
    group = next((one for one in groups if one.name == WAVE), None)
    if group is None:
        return (_STACKED.format(", ".join(map(str, together))),) if len(together) > 1 else ()
    if group.overlaps is None:
        return (_UNMATCHED,)
    matched = int(np.triu(group.overlaps[0].members).max(initial=0))
    if not matched:
        return ()
    told = (
        f"Agents that answered in two waves (up to {matched:,}) are matched; tests account for the "
        "covariance of their answers. The total counts them once per wave, so its interval is too narrow."
    )
    return (told, _STAY) if provenance == "simulated" else (told,)


def _overlaps(
    counter: Counter,
    persons: npt.NDArray[np.intp],
    question: Variable,
    columns: Sequence[Bools],
    numbers: Floats | None,
) -> tuple[Overlap, Overlap]:
    """Return the unweighted and the weighted overlap of some columns."""
    frame = counter.frame
    held = np.zeros((frame.rows, len(question.levels)), dtype=np.bool_)
    held[question.agents, question.codes] = True
    inside = [np.flatnonzero(members & question.answered & counter.mask) for members in columns]
    members = [persons[rows].astype(np.int64) for rows in inside]
    for rows, own in zip(inside, members, strict=True):
        if (frame.counts[rows] > 1).any() or np.unique(own).size < own.size:
            raise UsageError("An agent has two rows in one wave; keep one row per agent and wave.")
    rows_of = [held[rows] for rows in inside]
    values = None if numbers is None else [numbers[rows] for rows in inside]
    plain = overlap_of(members, [np.ones(rows.size) for rows in inside], rows_of, values)
    if not counter.weighted:
        return plain, plain
    return plain, overlap_of(members, [frame.sums[rows] for rows in inside], rows_of, values)
