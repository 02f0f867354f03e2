"""Random streams of blocks, fits of tables to margins, and whole agents from shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Streams:
    """Random streams of one block of agents, which depend on nothing but the seed and the block."""

    seed: int
    block: int

    def stage(self, number: int) -> np.random.Generator:
        """Return the random generator of one stage; the stages are independent."""
        return np.random.default_rng([self.seed, self.block, number])


def cumulated(shares: Floats) -> Floats:
    """Return the cumulative shares of the levels (last axis), the last one exactly 1.

    A row without any share gets its first level.
    """
    upto = np.cumsum(shares, axis=-1)
    total = upto[..., -1:]
    upto = np.where(total > 0, np.divide(upto, total, out=np.ones_like(upto), where=total > 0), 1.0)
    upto[..., -1] = 1.0
    return np.asarray(upto)


def allot(rng: np.random.Generator, shares: Floats, sizes: Codes) -> Codes:
    """Divide the size of each group among its levels.

    Parameters
    ----------
    rng : numpy.random.Generator
        Random generator for the rounding.
    shares : array (groups, levels)
        Shares with rows that sum to 1.
    sizes : array (groups,)
        Number of agents in each group.

    Returns
    -------
    array (groups, levels)
        Integers that sum to ``sizes``, each less than 1 away from its exact share.
    """
    cumulative = np.cumsum(shares, axis=1)
    # a group without shares is empty, so its row does not matter
    cumulative /= np.maximum(cumulative[:, -1:], 1e-300)
    offset = rng.random((len(sizes), 1))
    upto = np.floor(cumulative * np.asarray(sizes)[:, None] + offset)
    upto[:, -1] = sizes
    counts = np.diff(upto, axis=1, prepend=0.0)
    return counts.astype(np.int64)


def fit(start: Floats, margins: Sequence[tuple[tuple[int, ...], Floats]], *, rounds: int = 50) -> Floats:
    """Fit an array to margins by iterative proportional fitting; the last margin is exact.

    Parameters
    ----------
    start : array
        Non-negative start values; zeros stay zero.
    margins : sequence of (axes, totals)
        The axes that a margin keeps, and the totals over the others.

    Examples
    --------
    >>> fit(np.ones((2, 2)), [((0,), np.array([30.0, 70.0])), ((1,), np.array([40.0, 60.0]))])
    array([[12., 18.],
           [28., 42.]])
    """
    fitted = start.astype(float).copy()
    every = tuple(range(fitted.ndim))
    for _ in range(rounds):
        for axes, totals in margins:
            rest = tuple(axis for axis in every if axis not in axes)
            now = fitted.sum(axis=rest, keepdims=True)
            shape = tuple(fitted.shape[axis] if axis in axes else 1 for axis in every)
            wanted = totals.reshape(shape)
            fitted *= np.divide(wanted, now, out=np.zeros_like(now), where=now > 0)
    return fitted


def solve(function: Callable[[Floats], Floats], low: Floats, high: Floats, *, rounds: int = 40) -> Floats:
    """Return the root of an increasing function per entry, by bisection."""
    for _ in range(rounds):
        middle = (low + high) / 2
        below = function(middle) < 0
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray((low + high) / 2)


def ratio(wanted: Floats, now: Floats) -> Floats:
    """Return the factors that bring ``now`` to ``wanted``, 0 where there is nothing."""
    return np.divide(wanted, now, out=np.zeros_like(now), where=now > 0)
