"""Vectorised draws that turn shares into whole agents with minimal rounding error.

Draws within groups are systematic: every group gets its share of each level rounded up or down, and the
assignment of levels to agents is random. Margins are therefore closer to the figures than with independent
draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]
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


def generator(seed: int, stage: int) -> np.random.Generator:
    """Return the random generator of one build stage; the stages are independent."""
    return np.random.default_rng([seed, stage])


def cumulated(shares: Floats) -> Floats:
    """Return the cumulative shares of the levels (last axis), the last one exactly 1.

    A row without any share gets its first level.
    """
    upto = np.cumsum(shares, axis=-1)
    total = upto[..., -1:]
    upto = np.where(total > 0, np.divide(upto, total, out=np.ones_like(upto), where=total > 0), 1.0)
    upto[..., -1] = 1.0
    return np.asarray(upto)


def pick(rng: np.random.Generator, upto: Floats, cells: Codes) -> npt.NDArray[np.int16]:
    """Draw one level for each agent, independently, from the cumulative shares of its cell.

    Parameters
    ----------
    rng : numpy.random.Generator
    upto : array (cells, levels)
        Result of :func:`cumulated`.
    cells : array (agents,)

    Examples
    --------
    >>> upto = cumulated(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> pick(np.random.default_rng(1), upto, np.array([0, 1, 0])).tolist()
    [1, 0, 1]
    """
    uniform = rng.random(cells.size)
    found = np.zeros(cells.size, dtype=np.int16)
    for level in range(upto.shape[1] - 1):
        found += uniform >= upto[cells, level]
    return found


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


def allot_carried(shares: Floats, sizes: Codes) -> Codes:
    """Divide group sizes among levels so that sums over neighbouring groups are exact too.

    Rounding errors of a level in one group are compensated in the next. A level with share 0 gets no agents.

    Examples
    --------
    >>> allot_carried(np.array([[0.7, 0.3], [0.7, 0.3], [0.7, 0.3]]), np.array([1, 1, 1]))
    array([[1, 0],
           [0, 1],
           [1, 0]])
    """
    exact = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-300) * np.asarray(sizes)[:, None]
    counts = np.zeros(shares.shape, dtype=np.int64)
    carried = np.zeros(shares.shape[1])
    for number, size in enumerate(sizes):
        if not size:
            continue
        possible = exact[number] > 0
        wanted = np.where(possible, exact[number] + carried, 0.0)
        whole = np.maximum(np.floor(wanted), 0.0)
        missing = int(size - whole.sum())
        order = np.argsort(np.where(possible, whole - wanted, np.inf), kind="stable")
        order = order[: int(possible.sum())]
        if missing >= 0:
            whole += np.bincount(order[np.arange(missing) % order.size], minlength=whole.size)
        while missing < 0:
            fullest = int(np.argmax(np.where(whole > 0, whole - wanted, -np.inf)))
            whole[fullest] -= 1
            missing += 1
        counts[number] = whole
        carried += exact[number] - whole
    return counts


def ordered(rng: np.random.Generator, groups: Codes, leaning: Array | None = None) -> Codes:
    """Return positions sorted by group, and within a group by ``leaning`` or at random."""
    first = rng.permutation(groups.size) if leaning is None else np.argsort(leaning, kind="stable")
    narrow = np.asarray(groups).astype(np.uint16)
    order: Codes = first[np.argsort(narrow[first], kind="stable")]
    return order


def levels(
    rng: np.random.Generator,
    groups: Codes,
    shares: Floats,
    leaning: Array | None = None,
    *,
    carry: Codes | None = None,
) -> npt.NDArray[np.int16]:
    """Draw one level per agent from the shares of its group.

    Parameters
    ----------
    rng : numpy.random.Generator
    groups : array (agents,)
        Group of each agent, below 65,536.
    shares : array (groups, levels)
        Shares per group; a row need not sum to 1.
    leaning : array (agents,), optional
        Agents with higher values get later levels within their group.
    carry : array (groups,), optional
        An order of the groups in which sums over neighbours are nearly as exact as the groups.
    """
    sizes = np.bincount(groups, minlength=shares.shape[0])
    if carry is None:
        counts = allot(rng, shares, sizes)
    else:
        counts = np.empty(shares.shape, dtype=np.int64)
        counts[carry] = allot_carried(shares[carry], sizes[carry])
    drawn = np.empty(groups.size, dtype=np.int16)
    values = np.tile(np.arange(shares.shape[1], dtype=np.int16), shares.shape[0])
    drawn[ordered(rng, groups, leaning)] = np.repeat(values, counts.ravel())
    return drawn


def chosen(rng: np.random.Generator, groups: Codes, shares: Floats) -> npt.NDArray[np.bool_]:
    """Choose a share of each group at random; sums over neighbouring groups are equally exact.

    Parameters
    ----------
    rng : numpy.random.Generator
    groups : array (agents,)
        Group of each agent, below 65,536.
    shares : array (groups,)
        Shares between 0 and 1.
    """
    sizes = np.bincount(groups, minlength=shares.size)
    upto = np.floor(np.cumsum(sizes * shares) + rng.random())
    counts = np.diff(upto, prepend=0.0)
    order = ordered(rng, groups)
    rank = np.arange(groups.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    found = np.zeros(groups.size, dtype=bool)
    found[order] = rank < np.repeat(counts, sizes)
    return found


def spread(rng: np.random.Generator, groups: Codes, n_groups: int, leaning: Array | None = None) -> Floats:
    """Return one number in (0, 1) per agent, evenly spaced within each group."""
    sizes = np.bincount(groups, minlength=n_groups)
    starts = np.cumsum(sizes) - sizes
    order = ordered(rng, groups, leaning)
    at = groups[order]
    even = np.empty(groups.size)
    even[order] = (np.arange(groups.size) - starts[at] + 0.5) / sizes[at]
    return even


def highest(
    rng: np.random.Generator, score: npt.NDArray[np.floating], bounds: Codes, shares: Floats
) -> npt.NDArray[np.bool_]:
    """Mark the agents with the highest scores in each group, up to the group's share.

    Parameters
    ----------
    rng : numpy.random.Generator
        Random generator for the rounding.
    score : array (agents,)
        Scores, sorted by group; ``-inf`` marks an agent that is never chosen.
    bounds : array (groups + 1,)
        Start index of each group, followed by the end.
    shares : array (groups,)
        Share to mark in each group.
    """
    chosen = np.zeros(score.size, dtype=bool)
    offsets = rng.random(len(shares))
    for first, last, share, offset in zip(bounds[:-1], bounds[1:], shares, offsets, strict=True):
        wanted = int(share * (last - first) + offset)
        if not wanted:
            continue
        inside = score[first:last]
        skipped = inside.size - wanted
        picked = np.argpartition(inside, skipped)[skipped:] if skipped > 0 else np.arange(inside.size)
        chosen[first + picked[inside[picked] > -np.inf]] = True
    return chosen


def split(groups: Codes, n_groups: int) -> list[Codes]:
    """Return the agent positions of each group."""
    order = np.argsort(np.asarray(groups).astype(np.uint16), kind="stable")
    sizes = np.bincount(groups, minlength=n_groups)
    return list(np.split(order, np.cumsum(sizes)[:-1]))


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


def cuts(score: Floats, shares: Sequence[float]) -> npt.NDArray[np.int16]:
    """Cut a score into ordered levels with the given shares."""
    order = np.argsort(score, kind="stable")
    upto = np.round(np.cumsum(shares) / np.sum(shares) * score.size).astype(np.int64)
    counts = np.diff(upto, prepend=0)
    drawn = np.empty(score.size, dtype=np.int16)
    drawn[order] = np.repeat(np.arange(len(shares), dtype=np.int16), counts)
    return drawn


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


_STEPS = 2.0**30
"""Cumulative shares are rounded to this many steps, so that the last digits of a fit decide nothing."""


def lined_up(shares: Floats) -> Floats:
    """Return the cumulative shares of all cells in one increasing line, for :func:`pick_in_line`.

    Parameters
    ----------
    shares : array (cells, levels)
        Shares that are not negative; a row need not sum to 1. A row without any share has no level.

    Returns
    -------
    array (cells * levels,)
        Number of the cell plus the cumulative shares, in steps of 2**-30.
    """
    upto = np.cumsum(shares, axis=1)
    upto /= np.maximum(upto[:, -1:], 1e-300)
    rounded = np.round(upto * _STEPS) / _STEPS
    # from the last possible level on, all is used up
    rounded[upto >= upto[:, -1:]] = 1.0
    return np.asarray(rounded + np.arange(len(shares))[:, None]).ravel()


def pick_in_line(line: Floats, cells: Codes, uniform: Floats, n_levels: int) -> npt.NDArray[np.int16]:
    """Return the level of each agent from a line of cumulative shares; a level with share 0 is never drawn.

    Parameters
    ----------
    line : array (cells * levels,)
        Result of :func:`lined_up`.
    cells : array (agents,)
    uniform : array (agents,)
        Random numbers in [0, 1).
    n_levels : int
        Number of levels per cell.

    Examples
    --------
    >>> line = lined_up(np.array([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]))
    >>> pick_in_line(line, np.array([0, 1, 1]), np.array([0.9, 0.1, 0.5]), 3).tolist()
    [1, 0, 2]
    """
    at = np.asarray(cells).astype(np.int64)
    order = np.argsort(at, kind="stable")
    wanted = at + np.floor(uniform * _STEPS) / _STEPS
    found = np.empty(at.size, dtype=np.int64)
    found[order] = np.searchsorted(line, wanted[order], side="right")
    return np.asarray(found - at * n_levels).astype(np.int16)
