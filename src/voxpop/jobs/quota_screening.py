"""Screening within quotas: whom to ask of each cell, how many that will be, and which cells stay short."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from voxpop.jobs.prospects import Outlook
from voxpop.jobs.screening import MOST_CANDIDATES, Listen, Screening
from voxpop.population.designs import Drawn, Line
from voxpop.population.screened import Cells, cells_of
from voxpop.population.screened import screened as drawn_from
from voxpop.vocabulary.parse import parse

Note = Callable[[list[int], list[int]], None]
"""Called after each batch with the number asked in each cell, and all agents that passed."""

_BATCH = (100, 1_000)
_PER_MEMBER = 2  # candidates per missing agent
_GROWTH = 4  # a batch may be as large as this part of those asked so far
_SEEN = 20
"""Least number of candidates looked at in a cell for a share of its own."""


class QuotaScreening:
    """Asks the candidates of each cell of a design until its quota is full.

    Parameters
    ----------
    screening
        Asks the questions.
    line
        The candidates and the quotas.
    """

    def __init__(self, screening: Screening, line: Line) -> None:
        self._screening = screening
        self._line = line
        self._cells = cells_of(line)

    def run(
        self, *, asked: Sequence[int], kept: Sequence[int], note: Note, listen: Listen = iter
    ) -> tuple[list[int], list[int]]:
        """Ask until every quota is full, all candidates were asked, or as many as one request may ask.

        Parameters
        ----------
        asked, kept
            Number of candidates of each cell asked before, and all agents that passed so far.
        note
            Called after each batch; its saved state is where the next call continues.
        listen
            Receives the stream of replies.

        Returns
        -------
        asked, kept : list of int
        """
        out = list(asked) or [0] * len(self._cells.ids)
        found = list(kept)
        while sum(out) < MOST_CANDIDATES:
            sizes = self._batch(out, self._passed(out, found))
            if not any(sizes):
                break
            batch = [
                int(one)
                for ids, begun, size in zip(self._cells.ids, out, sizes, strict=True)
                for one in ids[begun : begun + size]
            ]
            found += self._screening.passing(batch, listen)
            out = [begun + size for begun, size in zip(out, sizes, strict=True)]
            note(out, found)
        return out, found

    def filled(self, asked: Sequence[int], kept: Sequence[int]) -> int:
        """Return the number of members so far."""
        passed = self._passed(list(asked) or [0] * len(self._cells.ids), kept)
        return sum(map(min, passed, self._cells.wanted))

    def _passed(self, asked: Sequence[int], kept: Sequence[int]) -> list[int]:
        passing = np.array(kept, dtype=np.int64)
        return [
            int(np.isin(ids[:out], passing).sum()) for ids, out in zip(self._cells.ids, asked, strict=True)
        ]

    def _batch(self, asked: Sequence[int], passed: Sequence[int]) -> list[int]:
        """Return how many candidates of each cell to ask next."""
        cells, (low, high) = self._cells, _BATCH
        missing = [max(least - got, 0) for least, got in zip(cells.least, passed, strict=True)]
        left = [len(ids) - out for ids, out in zip(cells.ids, asked, strict=True)]
        opened = sum(lack > 0 and rest > 0 for lack, rest in zip(missing, left, strict=True))
        wanted = [
            min(max(_PER_MEMBER * lack, out // _GROWTH, low // opened), rest) if lack and rest else 0
            for lack, out, rest in zip(missing, asked, left, strict=True)
        ]
        total, most = sum(wanted), min(high, MOST_CANDIDATES - sum(asked))
        if total <= most:
            return wanted
        scaled = [one * most // total for one in wanted]
        return scaled if any(scaled) else [int(at == wanted.index(max(wanted))) for at in range(len(wanted))]


def named(report: dict[str, Any]) -> str:
    """Return the name of a quota.

    Examples
    --------
    >>> named({"field": "age", "level": "18-34"}), named({"filters": {"gender": "female"}})
    ('age 18-34', 'women')
    """
    if report.get("filters") is None:
        return f"{report['field']} {report['level']}"
    return parse(report["filters"]).sentence()


def told(line: Line, seen: Outlook) -> str:
    """Return how many candidates are likely to be asked, and which quotas are likely to stay short."""
    many, cells = int(line.ids.size), cells_of(line)
    if not seen.share:
        return seen.told(sum(cells.wanted), many)
    shares = _shares(line, seen, seen.share)
    needed = _needed(cells, shares)
    found = [
        min(number, len(ids) * share)
        for number, ids, share in zip(cells.wanted, cells.ids, shares, strict=True)
    ]
    parts = [
        f"About {seen.share:.1%} pass, so about {needed:,} of the {many:,} who match will be asked to fill "
        "the quotas."
    ]
    firsts = np.unique(line.cell, return_index=True) if many else (np.zeros(0, int), np.zeros(0, int))
    for report, flag in zip(line.reports, line.inside, strict=True):
        own = [int(cell) for cell, first in zip(*firsts, strict=True) if flag[first]]
        likely = math.floor(sum(found[cell] for cell in own) + 1e-6)
        if likely < report["size"]:
            parts.append(f"About {likely:,} of {report['size']:,} are expected of {named(report)!r}.")
    return " ".join(parts)


def short_of(drawn: Drawn) -> list[str]:
    """Return, for each quota that is not full, what was found."""
    return [
        f"{named(cell)}: {cell['drawn']:,} of {cell['size']:,} "
        f"({cell['passed']:,} of {cell['screened']:,} screened passed)"
        for cell in drawn.cells
        if cell["drawn"] < cell["size"]
    ]


def members(line: Line, asked: Sequence[int], kept: Sequence[int]) -> Drawn:
    """Return the members of the group."""
    return drawn_from(line, list(asked) or [0] * line.sizes.size, kept)


def _shares(line: Line, seen: Outlook, overall: float) -> list[float]:
    """Return the share that passes in each cell, that of all where few were looked at."""
    looked = line.cell[np.isin(line.ids, np.array(sorted(seen.looked), dtype=np.int64))]
    passed = line.cell[np.isin(line.ids, np.array(sorted(seen.passing), dtype=np.int64))]
    size = line.sizes.size
    numbers, passes = np.bincount(looked, minlength=size), np.bincount(passed, minlength=size)
    return [passes[at] / numbers[at] if numbers[at] >= _SEEN else overall for at in range(size)]


def _needed(cells: Cells, shares: Sequence[float]) -> int:
    """Return the number of candidates that are likely to be asked."""
    return sum(
        min(len(ids), math.ceil(least / share) if share else len(ids))
        for ids, least, share in zip(cells.ids, cells.least, shares, strict=True)
    )
