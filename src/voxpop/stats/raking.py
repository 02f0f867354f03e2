"""Raking: weights whose sums meet the margins of a population, as near to equal as that allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voxpop.stats.bases import group_sums

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class Raked:
    """Raked weights, the number of rounds, and whether they converged."""

    weights: Floats
    rounds: int
    converged: bool


def rake(
    codes: Sequence[npt.ArrayLike],
    targets: Sequence[npt.ArrayLike],
    start: npt.ArrayLike,
    *,
    cap: float | None = None,
    tol: float = 1e-10,
    max_iter: int = 1000,
) -> Raked:
    """Rake weights to margins: ``w ← w · T_k / Σ_{i in k} w``, margin by margin, round by round.

    Source: W. E. Deming, F. F. Stephan, *Ann. Math. Stat.* 11 (1940); R: ``survey::rake``. With a cap,
    weights above ``cap`` times the mean are cut to it in each round, and the next round rakes again.
    Respondents that share levels and starting weight share their weight, so the work grows with the different
    ones, and the order of respondents changes no digit.

    Parameters
    ----------
    codes : sequence of array_like of int
        Per margin, the level of each respondent from 0; -1: in no level of this margin.
    targets : sequence of array_like of float
        Per margin, the sum of weights that each level shall have; totals must agree.
    start : array_like of float
        Starting weights, at least 0.
    cap : float, optional
        The largest weight, in means; above 1.
    tol : float, default 1e-10
        Raking ends when no weight changed by more than this, relatively, in one round.
    max_iter : int, default 1000
        Rounds at most.

    Examples
    --------
    >>> made = rake([[0, 0, 0, 1], [0, 1, 1, 1]], [[2, 2], [1, 3]], [1, 1, 1, 1])
    >>> made.weights.round(6).tolist(), made.converged
    ([1.0, 0.5, 0.5, 2.0], True)
    """
    given = np.asarray(start, dtype=np.float64)
    margins = np.stack([np.asarray(code, dtype=np.intp) for code in codes])
    keys = np.column_stack([*margins.astype(np.float64), given])
    different, places, many = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    weights = different[:, -1].copy()
    levels = different[:, :-1].T.astype(np.intp)
    mean = float(np.asarray(targets[0], dtype=np.float64).sum()) / given.size
    most = math.inf if cap is None else cap * mean
    change, rounds = math.inf, 0
    while rounds < max_iter and not change < tol:
        before = weights
        for code, target in zip(levels, targets, strict=True):
            weights = weights * _factors(code, np.asarray(target, dtype=np.float64), weights * many)
        weights = np.minimum(weights, most)
        used = before > 0
        change = float(np.max(np.abs(weights[used] / before[used] - 1), initial=0.0))
        rounds += 1
    missed = max(
        _missed(code, np.asarray(target, dtype=np.float64), weights * many)
        for code, target in zip(levels, targets, strict=True)
    )
    return Raked(weights[places.ravel()], rounds, change < tol and missed < max(1e-6, tol))


def _sums(code: Codes, levels: int, held: Floats) -> Floats:
    inside = code >= 0
    return group_sums(held[inside], code[inside], levels)


def _factors(code: Codes, target: Floats, held: Floats) -> Floats:
    """Return the factor of each weight that meets one margin."""
    sums = _sums(code, target.size, held)
    ratio = np.divide(target, sums, out=np.ones_like(target), where=sums > 0)
    return np.where(code >= 0, np.append(ratio, 1.0)[code], 1.0)


def _missed(code: Codes, target: Floats, held: Floats) -> float:
    """Return the largest deviation from a margin, relative to its total."""
    return float(np.max(np.abs(_sums(code, target.size, held) - target)) / target.sum())
