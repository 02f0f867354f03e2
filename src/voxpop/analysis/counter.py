"""Counts, weights, effective bases and moments of sets of agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voxpop.analysis.columns import Bools
from voxpop.analysis.frames import Frame, Variable
from voxpop.analysis.levels import Codes
from voxpop.stats.bases import effective_base, group_sums
from voxpop.stats.means import Moments, moments, row_moments

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Counter:
    """Counts agents and sums their weights; without weights, each agent has weight 1.

    Sums have four parts: agents, weights, effective base, squared weights.
    """

    frame: Frame
    mask: Bools
    weighted: bool

    def count(self, members: Bools) -> int:
        """Return the number of agents in a set."""
        return int(self.frame.counts[members & self.mask].sum())

    def positive(self, members: Bools) -> int:
        """Return the number of agents with a positive weight in a set."""
        return int(self.frame.positive[members & self.mask].sum())

    def base(self, members: Bools) -> Floats:
        """Return the four sums of a set of agents."""
        inside = np.flatnonzero(members & self.mask)
        return self._sums(inside, np.zeros(inside.size, dtype=np.intp), 1)[:, 0]

    def cells(self, question: Variable, members: Bools) -> Floats:
        """Return the four sums per level of a set of agents."""
        inside = (members & self.mask)[question.agents]
        return self._sums(question.agents[inside], question.codes[inside], len(question.levels))

    def shared(self, members: Sequence[Bools]) -> Floats:
        """Return the number of agents that each two sets share: unweighted and effective."""
        made = np.zeros((2, len(members), len(members)))
        for one in range(len(members)):
            for other in range(one):
                common = self.base(members[one] & members[other])
                made[:, one, other] = made[:, other, one] = common[[0, 2]]
        return made

    def moments(self, name: str, members: Bools, *, weighted: bool = True) -> Moments:
        """Return the moments of a numeric column over the agents of a set that have a value."""
        if self.frame.apart:
            numbers = self.frame.numbers(name)
            rows = np.flatnonzero(members & self.mask & ~np.isnan(numbers))
            some = rows if rows.size < numbers.size else slice(None)
            return row_moments(numbers[some], self.frame.sums[some] if weighted and self.weighted else None)
        held = self.frame.ranked(name)
        inside = np.flatnonzero((members & self.mask)[held.rows])
        numbers, counts = held.numbers[inside], held.counts[inside]
        if not (weighted and self.weighted):
            return moments(numbers, counts, counts, counts)
        return moments(numbers, counts, held.sums[inside], held.squares[inside])

    def _sums(self, rows: Codes, codes: Codes, groups: int) -> Floats:
        counts = group_sums(self.frame.counts[rows], codes, groups)
        if not self.weighted:
            return np.stack([counts, counts, counts, counts])
        total = group_sums(self.frame.sums[rows], codes, groups)
        squares = group_sums(self.frame.squares[rows], codes, groups)
        return np.stack([counts, total, effective_base(total, squares), squares])
