"""Proportional odds regression with weights, and covariances that do not assume the model's variance.

The chance of an answer at or below level k is ``1/(1 + exp(x'β - ζ_k))``. Sources: P. McCullagh, *J. R. Stat.
Soc. B* 42 (1980); D. A. Binder, *Int. Stat. Rev.* 51 (1983); R: ``survey::svyolr``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voxpop.stats.regression import Covariance, Fitted, Separated

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]
_STEPS = 100
_FAR = 30.0
_FEW = 20_000


def ordinal_regression(matrix: Floats, levels: Codes, weights: Floats, covariance: Covariance) -> Fitted:
    """Fit a proportional odds model.

    Parameters
    ----------
    matrix : array (rows, variables)
        The variables without a constant, none of them collinear.
    levels : array of int
        The level of each answer, from 0; every level has a respondent.
    weights : array of float
        Weights above 0.
    covariance : callable
        The covariance of the totals of scores, as for :func:`voxpop.stats.regression.regression`.

    Returns
    -------
    Fitted
        The thresholds follow the coefficients. A coefficient above 0 makes higher answers likelier.

    Raises
    ------
    Separated
        If variables tell the levels apart with certainty.

    Examples
    --------
    >>> from voxpop.stats.regression import independent
    >>> x, y, ones = np.arange(6.0)[:, None], np.array([0, 1, 0, 2, 1, 2]), np.ones(6)
    >>> ordinal_regression(x, y, ones, independent(ones, ones, 6.0)).values.round(3).tolist()
    [1.06, 1.447, 3.851]
    """
    scaled = weights / weights.mean()
    centre = (scaled @ matrix) / scaled.sum()
    x, width = matrix - centre, matrix.shape[1]
    held = np.bincount(levels, weights=scaled)
    below = np.cumsum(held)[:-1] / held.sum()
    start = np.concatenate((np.zeros(width), np.log(below / (1 - below))))
    nothing = float(held @ np.log(held / held.sum()))
    if levels.size > 4 * _FEW:
        start = _of_some(x, levels, scaled, start)
    found = _climbed(x, levels, scaled, start)
    parts = _parts_of(x, levels, found)
    bread = np.linalg.inv(_curvature(x, levels, weights, parts, found.size - width))
    scores = np.zeros((levels.size, found.size))
    scores[:, :width] = x * (-weights * parts.slope)[:, None]
    rows, inner = np.arange(levels.size), levels < held.size - 1
    scores[rows[inner], width + levels[inner]] = (weights * parts.upper)[inner]
    outer = levels > 0
    scores[rows[outer], width + levels[outer] - 1] -= (weights * parts.lower)[outer]
    spread = bread @ covariance(scores) @ bread
    back = np.eye(found.size)
    back[width:, :width] = centre
    reached = float(scaled @ np.log(parts.chance))
    return Fitted(back @ found, back @ spread @ back.T, 1 - reached / nothing, reached)


@dataclass(frozen=True, eq=False, slots=True)
class _Parts:
    """Per row: the chance of its answer, and derivatives of its logarithm.

    ``upper`` and ``lower`` are the densities at the ends of the answer over its chance, ``slope`` their
    difference; ``above``, ``under`` are second derivatives in the two ends.
    """

    chance: Floats
    upper: Floats
    lower: Floats
    slope: Floats
    above: Floats
    under: Floats


def _ends(x: Floats, levels: Codes, values: Floats) -> tuple[Floats, Floats]:
    width = x.shape[1]
    ends = np.concatenate(([-np.inf], values[width:], [np.inf]))
    linear = x @ values[:width]
    return ends[levels + 1] - linear, ends[levels] - linear


def _chance(high: Floats, low: Floats) -> Floats:
    """Return the chance between two ends, exact in both tails."""
    from scipy.special import expit  # imported where used

    flip = low > 0
    return np.asarray(expit(np.where(flip, -low, high)) - expit(np.where(flip, -high, low)))


def _parts_of(x: Floats, levels: Codes, values: Floats) -> _Parts:
    from scipy.special import expit  # imported where used

    high, low = _ends(x, levels, values)
    chance = np.maximum(_chance(high, low), 1e-300)
    top, bottom = expit(high), expit(low)
    upper, lower = top * expit(-high) / chance, bottom * expit(-low) / chance
    above, under = upper * (1 - 2 * top) - upper**2, -lower * (1 - 2 * bottom) - lower**2
    return _Parts(chance, upper, lower, upper - lower, above, under)


def _gradient(x: Floats, levels: Codes, weights: Floats, parts: _Parts, thresholds: int) -> Floats:
    own = -(x.T @ (weights * parts.slope))
    upper = np.bincount(levels, weights=weights * parts.upper, minlength=thresholds + 1)
    lower = np.bincount(levels, weights=weights * parts.lower, minlength=thresholds + 1)
    return np.concatenate((own, upper[:-1] - lower[1:]))


def _curvature(x: Floats, levels: Codes, weights: Floats, parts: _Parts, thresholds: int) -> Floats:
    """Return minus the second derivatives of the log-likelihood."""
    width = x.shape[1]
    both = parts.upper * parts.lower
    made = np.zeros((width + thresholds, width + thresholds))
    made[:width, :width] = (x * (weights * (parts.above + parts.under + 2 * both))[:, None]).T @ x
    for level in range(thresholds + 1):
        own = levels == level
        w, rows = weights[own], x[own]
        if level < thresholds:
            k = width + level
            made[:width, k] -= rows.T @ (w * (parts.above[own] + both[own]))
            made[k, k] += w @ parts.above[own]
        if level > 0:
            k = width + level - 1
            made[:width, k] -= rows.T @ (w * (parts.under[own] + both[own]))
            made[k, k] += w @ parts.under[own]
        if 0 < level < thresholds:
            k = width + level
            made[k - 1, k] = made[k, k - 1] = w @ both[own]
    made[width:, :width] = made[:width, width:].T
    return -made


def _climbed(x: Floats, levels: Codes, weights: Floats, start: Floats) -> Floats:
    """Return coefficients and thresholds by Newton's method with shorter steps where needed."""
    values, width, thresholds = start, x.shape[1], start.size - x.shape[1]
    size = np.concatenate((np.sqrt((weights @ (x * x)) / weights.sum()), np.ones(thresholds)))

    def reached(at: Floats) -> float:
        if (np.diff(at[width:]) <= 0).any():
            return -np.inf
        return float(weights @ np.log(np.maximum(_chance(*_ends(x, levels, at)), 1e-300)))

    best = reached(values)
    for _ in range(_STEPS):
        parts = _parts_of(x, levels, values)
        gradient = _gradient(x, levels, weights, parts, thresholds)
        try:
            step = np.linalg.solve(_curvature(x, levels, weights, parts, thresholds), gradient)
        except np.linalg.LinAlgError:
            break
        now = reached(values + step)
        for _ in range(30):
            if now >= best - 1e-12 * abs(best):
                break
            step = step / 2
            now = reached(values + step)
        values, best = values + step, now
        if float(np.abs(x @ values[:width]).max(initial=0.0)) > _FAR:
            break
        if float(np.abs(step * size).max()) < 1e-11 * (1 + float(np.abs(values * size).max())):
            return values
    raise Separated(np.concatenate(([0.0], (values * size)[:width])))


def _of_some(x: Floats, levels: Codes, weights: Floats, start: Floats) -> Floats:
    """Return the parameters of evenly spread rows, from which few steps over all rows are left to go."""
    rows = slice(None, None, levels.size // _FEW)
    if np.unique(levels[rows]).size <= start.size - x.shape[1]:
        return start
    try:
        return _climbed(x[rows], levels[rows], weights[rows], start)
    except Separated:
        return start
