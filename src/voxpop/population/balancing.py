"""Draws of one level per agent whose totals within a block are near their expectation.

Independent draws leave the total of a rare level to chance. Here the agents first draw independently; then
levels with too many agents release some of them, and these draw again among the levels that lack agents.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.picking import Table
from voxpop.population.reference import Floats

Codes = npt.NDArray[np.integer]
Levels = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_STEPS = 2.0**30
_ROUNDS = 6
"""Rounds of drawing again; each one settles about two thirds of the agents that are left."""


class Balanced:
    """Shares of levels by cell, and the draws from them.

    Parameters
    ----------
    shares : array (cells, levels)
        Shares that are not negative; a row need not sum to 1.
    classes : array (cells,)
        Class of each cell. The totals of the levels hold in each class.
    """

    def __init__(self, shares: Floats, classes: Codes) -> None:
        self.table = Table.of(shares)
        shares = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
        # the last digits of a fit decide nothing
        self.shares = np.round(shares * _STEPS) / _STEPS
        self.classes = np.asarray(classes)
        self.n_classes = int(self.classes.max()) + 1

    def draw(self, rng: np.random.Generator, cells: Codes) -> Levels:
        """Draw a level for each agent.

        In each class the number of agents of a level differs from the sum of their shares by less than 1, but
        for the few agents to whom no level that lacks agents is open. A level with share 0 is never drawn.

        Parameters
        ----------
        rng : numpy.random.Generator
        cells : array (agents,)
        """
        n_levels = self.shares.shape[1]
        found = self.table.at(rng.random(cells.size), cells).astype(np.int64)
        classes = self.classes[cells]
        wanted = self._wanted(cells)
        sizes = np.bincount(classes, minlength=self.n_classes)
        lacking = draw.allot(rng, wanted, sizes).ravel().astype(np.int64)
        at = classes * n_levels + found
        lacking -= np.bincount(at, minlength=lacking.size)
        # someone moves from one level to another as readily as the other way round: in proportion to both
        # shares; without this, the differences between cells would shrink
        pull = draw.ratio(np.maximum(lacking, 0).reshape(wanted.shape).astype(float), wanted)
        pool = _surplus(rng, at, lacking, self._moving(cells, pull))
        pool = pool[np.argsort(classes[pool], kind="stable")]
        lacking += np.bincount(at[pool], minlength=lacking.size)
        for _ in range(_ROUNDS):
            if not pool.size:
                break
            drawn, settled, possible = self._again(rng, cells[pool], lacking)
            found[pool[settled]] = drawn[settled]
            taken = classes[pool[settled]] * n_levels + drawn[settled]
            lacking -= np.bincount(taken, minlength=lacking.size)
            pool = pool[possible & ~settled]
        return found

    def _wanted(self, cells: Codes) -> Floats:
        """Return the expected number of agents by (class, level)."""
        counts = np.bincount(cells, minlength=len(self.classes))
        present = np.flatnonzero(counts)
        present = present[np.argsort(self.classes[present], kind="stable")]
        starts = np.flatnonzero(np.diff(self.classes[present], prepend=-1))
        wanted = np.zeros((self.n_classes, self.shares.shape[1]))
        if present.size:
            expected = self.shares[present] * counts[present, None]
            wanted[self.classes[present[starts]]] = np.add.reduceat(expected, starts, axis=0)
        return wanted

    def _moving(self, cells: Codes, pull: Floats) -> Floats:
        """Return how readily each agent moves to the levels that pull, by (class, level)."""
        present, at = np.unique(cells, return_inverse=True)
        return np.asarray((self.shares[present] * pull[self.classes[present]]).sum(axis=1)[at])

    def _again(self, rng: np.random.Generator, cells: Codes, lacking: Levels) -> tuple[Levels, Bools, Bools]:
        """Draw again for released agents, sorted by class.

        Returns
        -------
        drawn : array (agents,)
            Level, which is not meant where none is open.
        settled : array (agents,)
            Whether there was room.
        possible : array (agents,)
            Whether any level that lacks agents is open.
        """
        n_levels = self.shares.shape[1]
        classes = self.classes[cells]
        room = np.maximum(lacking, 0).reshape(self.n_classes, n_levels)
        open_to = np.flatnonzero(room.any(axis=0))
        room = room[:, open_to].astype(float)
        weights = self.shares[cells][:, open_to]
        # those released of a class, together, should fill its room
        starts = np.flatnonzero(np.diff(classes, prepend=-1))
        total = np.zeros_like(room)
        for again in (True, False):
            total[classes[starts]] = np.add.reduceat(weights, starts, axis=0)
            weights *= draw.ratio(room, total)[classes]
            if again:
                weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        upto = np.cumsum(weights, axis=1)
        uniform = np.floor(rng.random(cells.size) * _STEPS) / _STEPS
        drawn = (upto <= (uniform * upto[:, -1])[:, None]).sum(axis=1)
        possible = drawn < open_to.size
        drawn = open_to[np.minimum(drawn, open_to.size - 1)]
        # no more settle in a level than there is room; the agents are in random order
        at = classes * n_levels + drawn
        order = np.argsort(at, kind="stable")
        sizes = np.bincount(at, minlength=lacking.size)
        rank = np.empty_like(at)
        rank[order] = np.arange(at.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return drawn, possible & (rank < lacking[at]), possible


def _surplus(rng: np.random.Generator, at: Levels, lacking: Levels, moving: Floats) -> Levels:
    """Return the agents released, in random order: those in excess in each place, drawn by their weights."""
    late = rng.exponential(size=at.size) / np.maximum(moving, 1e-300)
    order = np.lexsort((late, at))
    sizes = np.bincount(at, minlength=lacking.size)
    rank = np.arange(at.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    released = order[rank < -lacking[at[order]]]
    return np.asarray(rng.permutation(released))
