"""Quota samples of the agents that pass a screening, with their weights.

The candidates of each cell are asked in random order until enough have passed. The number who would pass is
known only where all were asked, so that the inclusion probability is not. Asking until the m-th passes at
place k estimates it without bias as N (m - 1) / (k - 1) of the N candidates (Mikulski and Smith, 1976), and
this does not depend on who passes first. A total weighted with it is therefore unbiased.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from voxpop.population.designs import Bools, Drawn, Line
from voxpop.population.sampling import Ints

LEAST = 2
"""Least number of agents that must pass in a cell for an estimate of how many would."""

ESTIMATED = (
    "Members passed a screening. How many agents of a quota would pass is estimated from the number that had "
    "to be asked; the weights rest on this estimate, and a missing probability is not known."
)
ALL_ASKED = "Members passed a screening that all candidates were asked; the weights describe those who pass."
STOPPED = (
    "Members passed a screening that ended before its quotas were full; their probability is not known, and "
    "they have no weights."
)
FRACTIONS = (
    "Members passed a screening within quotas by margins, whose cells have random sizes; their probability "
    "is not known, and they have no weights."
)


@dataclass(frozen=True, slots=True)
class Cells:
    """The candidates of each cell in the order in which they are asked.

    Attributes
    ----------
    ids : list of array
        The candidates.
    wanted : list of int
        Number of members wanted.
    """

    ids: list[Ints]
    wanted: list[int]

    @property
    def least(self) -> list[int]:
        """The number that must pass: the members, and at least two where the weight is estimated."""
        return [max(one, LEAST) if one else 0 for one in self.wanted]


def cells_of(line: Line) -> Cells:
    """Return the cells of a design; those without a quota have no candidates."""
    ids = [
        line.ids[own if number else own[:0]] for own, number in zip(_by_cell(line), line.quota, strict=True)
    ]
    return Cells(ids, [int(number) for number in line.quota])


def screened(line: Line, asked: Sequence[int], passed: Collection[int]) -> Drawn:
    """Return the members of a quota sample, given who passed the screening.

    Parameters
    ----------
    line : Line
        The candidates and the quotas.
    asked : sequence of int
        Number of candidates of each cell that were asked, in the order of the line.
    passed : collection of int
        Ids of all agents that passed.

    Returns
    -------
    Drawn
        Its ``covered`` is the number of agents that would pass, as far as it is known or estimated.
    """
    passes = np.isin(line.ids, np.fromiter(passed, dtype=np.int64))
    places = _by_cell(line)
    found: list[tuple[int, float | None, float]] = []  # place, probability and weight of each member
    numbers = []
    for own, number, out in zip(places, line.quota, asked, strict=True):
        ranks = np.flatnonzero(passes[own])
        taken = own[ranks[: int(number)]]
        passing, sure = _passing(ranks, own.size, int(out), int(number))
        numbers.append(passing)
        share = taken.size / passing if passing else 0.0
        found += [(int(place), share if sure else None, 1 / share if share else 0.0) for place in taken]
    found.sort()
    chosen = np.array([place for place, _, _ in found], dtype=np.int64)
    ids = [int(one) for one in line.ids[chosen]]
    reports, many = _reports(line, places, asked, passes, chosen), int(line.ids.size)
    known = [number for number in numbers if number is not None]
    fixed = bool(np.allclose(line.expected, np.rint(line.expected), atol=1e-9))
    if len(known) < len(numbers) or not fixed:
        return Drawn(ids, None, None, many, many, STOPPED if fixed else FRACTIONS, reports)
    return Drawn(
        ids,
        [None if share is None else _short(share) for _, share, _ in found],
        [_short(weight) for _, _, weight in found],
        many,
        round(sum(known)),
        ALL_ASKED if all(share is not None for _, share, _ in found) else ESTIMATED,
        reports,
    )


def _passing(ranks: Ints, many: int, asked: int, wanted: int) -> tuple[float | None, bool]:
    """Return how many agents of a cell would pass, None if it is not known, and whether it is exact."""
    if not wanted:
        return 0.0, True
    least = max(wanted, LEAST)
    if ranks.size < least or many <= wanted:
        return (float(ranks.size), True) if asked >= many else (None, False)
    return many * (least - 1) / float(ranks[least - 1]), False


def _by_cell(line: Line) -> list[Ints]:
    """Return the places of the candidates of each cell, in the order of the line."""
    return np.split(np.argsort(line.cell, kind="stable"), np.cumsum(line.sizes)[:-1])


def _reports(
    line: Line, places: Sequence[Ints], asked: Sequence[int], passes: Bools, chosen: Ints
) -> list[dict[str, Any]]:
    """Return the reports of the quotas, with the numbers asked and passed."""
    out = np.zeros(line.ids.size, dtype=bool)
    for own, number in zip(places, asked, strict=True):
        out[own[:number]] = True
    return [
        report | {"screened": int((flag & out).sum()), "passed": int((flag & passes).sum())}
        for report, flag in zip(line.counted(chosen), line.inside, strict=True)
    ]


def _short(number: float) -> float:
    return float(f"{number:.12g}")
