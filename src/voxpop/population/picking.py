"""Draws of one level per agent from a table of shares that is computed once for all blocks.

``table.draw(rng, cells)`` spreads the draws evenly, so that totals are near their expectation;
``table.at(rng.random(cells.size), cells)`` draws independently.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int16]
Cells = npt.NDArray[np.integer]


_GOLDEN = (5**0.5 - 1) / 2


def evenly(rng: np.random.Generator, cells: Cells) -> Floats:
    """Return one number in [0, 1) per agent, evenly spread within its cell and within neighbouring cells.

    The agents are lined up by cell, in random order within each, and take the steps of the golden ratio from
    a random start, whose every run is evenly spread (a Kronecker sequence). Each number alone is uniform, so
    that the smallest cells are drawn without bias.

    Examples
    --------
    >>> np.sort(evenly(np.random.default_rng(1), np.array([5, 5, 5, 5]))).round(2).tolist()
    [0.14, 0.38, 0.76, 1.0]
    """
    order = rng.permutation(cells.size)
    order = order[np.argsort(cells[order], kind="stable")]
    even = np.empty(cells.size)
    even[order] = (rng.random() + _GOLDEN * np.arange(cells.size)) % 1.0
    return even


@dataclass(frozen=True, slots=True)
class Table:
    """Shares of levels by cell, in the form that draws are made from.

    Attributes
    ----------
    upto : array (cells * levels,)
        Cumulative shares of each cell plus the number of the cell.
    last : array (cells,)
        Last level of each cell with a share.
    """

    upto: Floats
    last: Codes

    @classmethod
    def of(cls, shares: Floats) -> Table:
        """Return the table of an array whose last axis is the levels; rows need not sum to 1.

        A cell without any share stands for agents that do not exist; it gives its first level.

        Examples
        --------
        >>> table = Table.of(np.array([[0.0, 1.0], [3.0, 0.0]]))
        >>> table.draw(np.random.default_rng(1), np.array([0, 1, 1])).tolist()
        [1, 0, 0]
        """
        flat = shares.reshape(-1, shares.shape[-1])
        total = flat.sum(axis=1, keepdims=True)
        parts = np.divide(flat, total, out=np.zeros_like(flat), where=total > 0)
        last = flat.shape[1] - 1 - np.argmax(flat[:, ::-1] > 0, axis=1)
        last = np.where(total[:, 0] > 0, last, 0).astype(np.int16)
        # rounded, so that the order of additions on a machine decides no draw
        upto = np.minimum(np.cumsum(parts, axis=1).round(10), 1.0)
        return cls((upto + np.arange(len(flat))[:, None]).ravel(), last)

    def draw(self, rng: np.random.Generator, cells: Cells) -> Codes:
        """Draw a level for each agent, evenly within each cell and within neighbouring cells.

        Parameters
        ----------
        rng : numpy.random.Generator
        cells : array (agents,)
            Cell of each agent: the index into all axes but the last, flattened.
        """
        return self.at(evenly(rng, cells), cells)

    def at(self, uniform: Floats, cells: Cells) -> Codes:
        """Return the level at which the cumulative share of each cell passes a number in [0, 1)."""
        width = self.upto.size // self.last.size
        found = np.searchsorted(self.upto, cells + uniform, side="right") - cells.astype(np.int64) * width
        return np.asarray(np.minimum(found, self.last[cells]), dtype=np.int16)
