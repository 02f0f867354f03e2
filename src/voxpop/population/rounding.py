"""Tables of quotas: fitted to margins, and rounded at random to integers with the same expected values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from voxpop.population.sampling import Floats, Ints

_CLOSE = 1e-9
_MOST_ROUNDS = 2_000


def apportioned(shares: Floats, total: int, most: Ints | None = None) -> Ints:
    """Divide a total in proportion to shares, by largest remainders, each up to a limit.

    Examples
    --------
    >>> apportioned(np.array([0.5, 0.25, 0.25]), 6).tolist()
    [3, 2, 1]
    """
    exact = shares / shares.sum() * total
    found = np.floor(exact + _CLOSE).astype(np.int64)
    if most is not None:
        found = np.minimum(found, most)
    for at in np.argsort(found - exact, kind="stable"):
        if found.sum() < total and (most is None or found[at] < most[at]):
            found[at] += 1
    return np.asarray(found)


def level(sizes: Floats, wanted: float) -> Floats:
    """Return the same number for each stratum up to its size, with a given sum.

    Examples
    --------
    >>> level(np.array([1.0, 9.0, 9.0]), 4).tolist()
    [1.0, 1.5, 1.5]
    """
    order = np.argsort(sizes, kind="stable")
    found, left = np.zeros(sizes.size), wanted
    for place, at in enumerate(order):
        found[at] = min(float(sizes[at]), left / (sizes.size - place))
        left -= found[at]
    return found


def fitted(sizes: Ints, codes: Sequence[Ints], margins: Sequence[Ints]) -> Floats | None:
    """Return expected numbers per cell with given margins, as near to proportional as possible.

    Iterative proportional fitting (Deming and Stephan, 1940) from the sizes of the cells, in which no cell
    exceeds its size.

    Parameters
    ----------
    sizes : array (cells,)
        Number of agents in each cell.
    codes : sequence of array (cells,)
        Level of each cell, for each margin.
    margins : sequence of array (levels,)
        Wanted number of each level, with the same sum for all margins.

    Returns
    -------
    array or None
        None if no table of these cells has the margins.
    """
    table = sizes.astype(np.float64)
    for _ in range(_MOST_ROUNDS):
        for code, margin in zip(codes, margins, strict=True):
            for place, wanted in enumerate(margin):
                inside = np.flatnonzero(code == place)
                if not _scale(table, sizes, inside, float(wanted)):
                    return None
        wrong = max(
            float(np.abs(np.bincount(code, table, margin.size) - margin).max())
            for code, margin in zip(codes, margins, strict=True)
        )
        if wrong < 1e-11 * max(float(margins[0].sum()), 1.0):
            return table
    return None


def _scale(table: Floats, sizes: Ints, inside: Ints, wanted: float) -> bool:
    """Scale some cells to a sum, none above its size; False if they cannot reach it."""
    if float(sizes[inside].sum()) < wanted - _CLOSE:
        return False
    open_, left = inside[sizes[inside] > 0], wanted
    while open_.size:
        now = float(table[open_].sum())
        if now <= 0:
            return left <= _CLOSE
        scaled = table[open_] * (left / now)
        above = scaled > sizes[open_]
        if not above.any():
            table[open_] = scaled
            return True
        full = open_[above]
        table[full] = sizes[full]
        left -= float(sizes[full].sum())
        open_ = open_[~above]
    return abs(left) <= 1e-6


def systematic(rng: np.random.Generator, expected: Floats) -> Ints:
    """Round expected numbers with an integer sum at random, each up or down by less than 1.

    Sums over consecutive cells are less than 1 from their expected values too.
    """
    ends = np.round(np.cumsum(expected), 9) + rng.random()
    upto = np.floor(ends).astype(np.int64)
    if upto.size:
        upto[-1] = round(float(expected.sum()))
    return np.asarray(np.diff(upto, prepend=0))


def controlled(rng: np.random.Generator, expected: Floats, rows: npt.NDArray[np.bool_]) -> Ints:
    """Round expected numbers at random, keeping their sums over sets of cells.

    The flight phase of the cube method (Deville and Tillé, 2004): random steps within the null space of the
    sums, until no further step exists, which keeps every expected value. For one or two margins all cells
    are then integers. Otherwise the last rows are given up one by one, and their sums may be off by a few.

    Parameters
    ----------
    rng : numpy.random.Generator
    expected : array (cells,)
    rows : array (sums, cells)
        Cells of each sum; the sums of the expected numbers are integers. Less important ones are last.
    """
    base = np.floor(expected + _CLOSE)
    part = np.clip(expected - base, 0, 1)
    part[part < _CLOSE] = 0
    order = rng.permutation(part.size)
    for kept in range(rows.shape[0], 0, -1):
        _fly(rng, part, order, rows[:kept].astype(np.float64))
        if not _open(part).any():
            break
    part[_open(part)] = rng.random(int(_open(part).sum())) < part[_open(part)]
    return np.asarray(np.rint(base + part).astype(np.int64))


def _open(part: Floats) -> npt.NDArray[np.bool_]:
    return (part > _CLOSE) & (part < 1 - _CLOSE)


def _fly(rng: np.random.Generator, part: Floats, order: Ints, rows: Floats) -> None:
    """Move fractional parts at random to 0 or 1, as far as the sums allow."""
    while True:
        active = order[_open(part)[order]][: rows.shape[0] + 1]
        step = _null_vector(rows[:, active])
        if step is None:
            return
        up, down = _room(part[active], step), _room(part[active], -step)
        move = up if rng.random() * (up + down) < down else -down
        moved = part[active] + move * step
        moved[np.abs(moved) < _CLOSE] = 0
        moved[np.abs(moved - 1) < _CLOSE] = 1
        part[active] = moved


def _room(part: Floats, step: Floats) -> float:
    """Return how far parts can move along a step within 0 and 1."""
    moves = np.abs(step) > _CLOSE
    limit = np.where(step[moves] > 0, 1 - part[moves], part[moves])
    return float((limit / np.abs(step[moves])).min())


def _null_vector(rows: Floats) -> Floats | None:
    """Return a vector that all rows map to 0, by Gaussian elimination; None if there is none."""
    work, many = rows.copy(), rows.shape[1]
    pivots: list[int] = []
    for column in range(many):
        line = len(pivots)
        if line == work.shape[0] or not (np.abs(work[line:, column]) > _CLOSE).any():
            found = np.zeros(many)
            found[column] = 1.0
            for place, pivot in enumerate(pivots):
                found[pivot] = -work[place, column]
            return found
        best = line + int(np.argmax(np.abs(work[line:, column])))
        work[[line, best]] = work[[best, line]]
        work[line] = work[line] / work[line, column]
        others = np.arange(work.shape[0]) != line
        work[others] = work[others] - work[others, column][:, None] * work[line]
        pivots.append(column)
    return None
