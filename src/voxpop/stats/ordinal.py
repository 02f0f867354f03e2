"""Proportional odds models with weights, and their covariance under a sample design.

The chance of an answer at or below level k is ``1/(1 + exp(x'β - ζ_k))``. Sources: P. McCullagh, *J. R. Stat.
Soc. B* 42 (1980); D. A. Binder, *Int. Stat. Rev.* 51 (1983); R: ``survey::svyolr``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voxpop.errors import UsageError
from voxpop.stats.bases import exact_sum
from voxpop.stats.estimates import AnySample

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]
_ROUNDS = 200


@dataclass(frozen=True, eq=False, slots=True)
class OrdinalFit:
    """A fitted proportional odds model.

    Attributes
    ----------
    coefficients, thresholds : array of float
        The coefficients (above 0: higher answers are likelier), and the thresholds between levels.
    covariance : array (parameters, parameters)
        Covariance of the coefficients and, after them, the thresholds.
    df : float
        Degrees of freedom of the t tests: those of the design minus the coefficients.
    log_likelihood : float
        Of the sample, with weights of mean 1.
    count : float
        Respondents with a weight and no missing number.
    """

    coefficients: Floats
    thresholds: Floats
    covariance: Floats
    df: float
    log_likelihood: float
    count: float

    @property
    def se(self) -> Floats:
        """Return the standard errors of coefficients and thresholds."""
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))


def ordinal(
    sample: AnySample,
    matrix: npt.ArrayLike,
    levels: npt.ArrayLike,
    *,
    inside: npt.NDArray[np.bool_] | None = None,
) -> OrdinalFit:
    """Fit a proportional odds model.

    Parameters
    ----------
    sample : Sample or ReplicateSample
        The sample.
    matrix : array_like (rows, coefficients)
        The variables without a constant. Rows with a missing number (NaN) are left out.
    levels : array_like of int
        The level of each answer from 0, in order; -1 if missing. Every level has a respondent.
    inside : array of bool, optional
        The rows of a subpopulation.

    Raises
    ------
    UsageError
        If a level has no respondent, there are fewer than three, or the fit does not converge.

    Examples
    --------
    >>> from voxpop.stats.sampling import sample_of
    >>> x = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> found = ordinal(sample_of(np.ones(6)), x, [0, 1, 0, 2, 1, 2])
    >>> found.coefficients.round(3).tolist(), found.thresholds.round(3).tolist()
    ([1.06], [1.447, 3.851])
    """
    x, y = np.asarray(matrix, dtype=np.float64), np.asarray(levels, dtype=np.intp)
    degrees = sample.degrees(inside)
    held = np.ones(y.size, dtype=np.bool_) if inside is None else inside
    held = held & ~np.isnan(x).any(axis=1) & (y >= 0)
    x, y = x[held], y[held]
    weights = sample.weights[held]
    used = np.bincount(y[weights > 0], minlength=int(y.max(initial=-1)) + 1)
    if used.size < 3 or (used == 0).any():
        raise UsageError(
            "An ordinal model needs three or more levels with respondents each; combine levels, or use a "
            "logistic model for two."
        )
    mean = exact_sum(weights) / int((weights > 0).sum())
    found = _fitted(x, y, weights / mean, used.size - 1)
    width = x.shape[1]

    def scores() -> Floats:
        inverse = np.linalg.inv(_curvature(x, y, weights, found, used.size - 1))
        made = np.zeros((sample.weights.size, found.size))
        made[held] = (_gradients(x, y, found, used.size - 1) * weights[:, None]) @ inverse
        return made

    def again(replicate: Floats) -> Floats:
        own = replicate[held]
        if (np.bincount(y[own > 0], minlength=used.size) == 0).any():
            return np.full(found.size, math.nan)
        return _fitted(x, y, own / (exact_sum(own) / own.size), used.size - 1, found)

    covariance = sample.covariance(scores, again, found)
    _, _, _, _, chance = _parts(x, y, found, used.size - 1)
    likelihood = exact_sum(weights / mean * np.log(chance))
    return OrdinalFit(
        found[:width],
        found[width:],
        covariance,
        degrees - width,
        likelihood,
        float(sample.counts[held].sum()),
    )


def _parts(
    x: Floats, y: Codes, values: Floats, thresholds: int
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Return the distribution function at both ends of each answer, its densities, and the chance between."""
    from scipy.special import expit  # imported where used

    width = x.shape[1]
    ends = np.concatenate(([-np.inf], values[width : width + thresholds], [np.inf]))
    linear = x @ values[:width]
    top, bottom = expit(ends[y + 1] - linear), expit(ends[y] - linear)
    rest = expit(linear - ends[y]) - expit(linear - ends[y + 1])  # the same, exact where both are near 1
    chance = np.where(bottom > 0.5, rest, top - bottom)
    return top, bottom, top * (1 - top), bottom * (1 - bottom), np.maximum(chance, 1e-300)


def _sides(x: Floats, y: Codes, thresholds: int) -> tuple[Floats, Floats]:
    """Return the slopes of the upper and lower end of each answer in the parameters."""
    place = np.arange(thresholds)
    upper = np.column_stack((-x, (y[:, None] == place).astype(np.float64)))
    lower = np.column_stack((-x, (y[:, None] - 1 == place).astype(np.float64)))
    return upper, lower


def _gradients(x: Floats, y: Codes, values: Floats, thresholds: int) -> Floats:
    _, _, high, low, chance = _parts(x, y, values, thresholds)
    upper, lower = _sides(x, y, thresholds)
    return np.asarray(upper * (high / chance)[:, None] - lower * (low / chance)[:, None])


def _curvature(x: Floats, y: Codes, weights: Floats, values: Floats, thresholds: int) -> Floats:
    """Return minus the second derivatives of the log-likelihood."""
    top, bottom, high, low, chance = _parts(x, y, values, thresholds)
    upper, lower = _sides(x, y, thresholds)
    a, b = high / chance, low / chance
    both = weights * a * b
    above = weights * (high * (1 - 2 * top) / chance - a * a)
    below = weights * (-low * (1 - 2 * bottom) / chance - b * b)
    cross = (upper * both[:, None]).T @ lower
    second = (upper * above[:, None]).T @ upper + (lower * below[:, None]).T @ lower + cross + cross.T
    return np.asarray(-second)


def _fitted(x: Floats, y: Codes, weights: Floats, thresholds: int, start: Floats | None = None) -> Floats:
    """Return coefficients and thresholds by Newton's method with shorter steps where needed."""
    if start is None:
        held = np.bincount(y, weights=weights, minlength=thresholds + 1)
        below = np.cumsum(held)[:-1] / held.sum()
        start = np.concatenate((np.zeros(x.shape[1]), np.log(below / (1 - below))))
    values, width = start.copy(), x.shape[1]

    def likelihood(at: Floats) -> float:
        if (np.diff(at[width:]) <= 0).any():
            return -math.inf
        return float(weights @ np.log(_parts(x, y, at, thresholds)[4]))

    best = likelihood(values)
    for _ in range(_ROUNDS):
        gradient = weights @ _gradients(x, y, values, thresholds)
        step = np.linalg.lstsq(_curvature(x, y, weights, values, thresholds), gradient, rcond=None)[0]
        change = float(np.max(np.abs(step) / (np.abs(values) + 1e-6)))
        reached = likelihood(values + step)
        for _ in range(60):
            if reached >= best - 1e-9 * abs(best):
                break
            step = step / 2
            reached = likelihood(values + step)
        values, best = values + step, reached
        if change < 1e-11:
            return values
        if not np.isfinite(values).all() or float(np.abs(values).max()) > 1e6:
            break
    raise UsageError(
        "The ordinal model does not converge; some combination of variables may tell the levels apart "
        "completely. Combine levels or leave a variable out."
    )
