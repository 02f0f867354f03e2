"""Linear and logistic regression with weights, and covariances that do not assume the model's variance.

Coefficients solve the weighted score equations by Newton's method; their covariance is that of the scores
(the sandwich). Cross-products are used throughout, so a million rows take seconds; columns are centred, and
each step starts from the residuals, which restores the digits that cross-products lose. Sources: D. A.
Binder, *Int. Stat. Rev.* 51 (1983); R: ``survey::svyglm``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from voxpop.errors import UsageError

Floats = npt.NDArray[np.float64]
Covariance = Callable[[Floats], Floats]
"""The covariance of the totals of scores: rows by coefficients in, coefficients by coefficients out."""

Family = Literal["gaussian", "binomial"]

_STEPS = 60
_FLAT = 1e-9
_FAR = 30.0
"""Largest linear predictor; beyond it a logistic model predicts some answers with certainty."""


_FEW = 20_000
"""Rows that the first coefficients of many more are taken from."""


class Separated(UsageError):
    """Answers that a combination of variables predicts with certainty, so that coefficients are infinite.

    Attributes
    ----------
    slopes : array of float
        The coefficients when the fit was given up, for centred variables.
    """

    def __init__(self, slopes: Floats) -> None:
        self.slopes = slopes
        super().__init__("Some combination of variables predicts answers with certainty.")


@dataclass(frozen=True, eq=False, slots=True)
class Fitted:
    """A fitted regression.

    Attributes
    ----------
    values : array of float
        The coefficients, in the order of the columns; thresholds come last.
    covariance : array (coefficients, coefficients)
        Their covariance.
    explained : float
        Share of the variance (R²) of a linear model, McFadden's pseudo R² of others.
    log_likelihood : float
        Of weights with mean 1; missing (NaN) for a linear model.
    """

    values: Floats
    covariance: Floats
    explained: float
    log_likelihood: float

    @property
    def se(self) -> Floats:
        """Return the standard errors."""
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))

    def wald(self, places: slice) -> float:
        """Return the F statistic of the test that several coefficients are all 0."""
        own = self.values[places]
        return float(own @ np.linalg.solve(self.covariance[places, places], own)) / own.size


def independent(sums: Floats, squares: Floats, count: float) -> Covariance:
    """Return the covariance function of respondents drawn independently.

    Parameters
    ----------
    sums, squares : array of float
        Weights and squared weights; their sums if a row stands for several respondents with equal variables.
    count : float
        Respondents with a weight.

    Examples
    --------
    >>> ones = np.ones(4)
    >>> independent(ones, ones, 4.0)(np.array([[1.0], [-1.0], [2.0], [-2.0]])).round(4).tolist()
    [[13.3333]]
    """
    ratio = np.divide(squares, sums * sums, out=np.zeros_like(sums), where=sums > 0)

    def covariance(scores: Floats) -> Floats:
        total = scores.sum(axis=0)
        spread = (scores * ratio[:, None]).T @ scores - np.outer(total, total) / count
        return np.asarray(spread * count / (count - 1))

    return covariance


def collinear(matrix: Floats, weights: Floats) -> tuple[int, list[int]] | None:
    """Return the first column that others before it make up, and these columns; None if there is none.

    Examples
    --------
    >>> x = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 1.0, 2.0]])
    >>> collinear(x, np.ones(4))
    (2, [0, 1])
    """
    centred = matrix - (weights @ matrix) / weights.sum()
    cross = (centred * weights[:, None]).T @ centred
    size = np.sqrt(np.maximum(np.diagonal(cross), 0.0))
    constant = size <= 1e-12 * np.sqrt(weights @ (matrix * matrix))
    if constant.any():
        return int(np.flatnonzero(constant)[0]), []
    related = cross / np.outer(size, size)
    for place in range(1, related.shape[0]):
        slopes = np.linalg.solve(related[:place, :place], related[:place, place])
        if 1 - slopes @ related[:place, place] < _FLAT:
            return place, [int(other) for other in np.flatnonzero(np.abs(slopes) > 1e-6)]
    return None


def regression(
    matrix: Floats, outcome: Floats, weights: Floats, family: Family, covariance: Covariance
) -> Fitted:
    """Fit a linear or logistic regression with a constant.

    Parameters
    ----------
    matrix : array (rows, variables)
        The variables without the constant, none of them collinear.
    outcome : array of float
        Numbers; 0 and 1 for ``binomial``.
    weights : array of float
        Weights above 0.
    family : {"gaussian", "binomial"}
        Identity or logit link.
    covariance : callable
        The covariance of the totals of scores, such as :func:`independent`, or that of a sample design.

    Returns
    -------
    Fitted
        The constant is the first coefficient.

    Raises
    ------
    Separated
        If variables predict answers of a logistic model with certainty.

    Examples
    --------
    >>> ones = np.ones(4)
    >>> x, y = np.array([[0.0], [1.0], [2.0], [4.0]]), np.array([1.0, 3.0, 4.0, 9.0])
    >>> found = regression(x, y, ones, "gaussian", independent(ones, ones, 4.0))
    >>> found.values.round(4).tolist(), found.se.round(4).tolist(), round(found.explained, 4)
    ([0.8, 1.9714], [0.255, 0.1093], 0.9786)
    """
    scaled = weights / weights.mean()
    centre = (scaled @ matrix) / scaled.sum()
    x = np.column_stack((np.ones(outcome.size), matrix - centre))
    solve = _linear if family == "gaussian" else logistic_slopes
    found, mean, slope = solve(x, outcome, scaled)
    bread = np.linalg.inv((x * (weights * slope)[:, None]).T @ x)
    meat = covariance(x * (weights * (outcome - mean))[:, None])
    back = np.eye(found.size)
    back[0, 1:] = -centre
    spread = back @ bread @ meat @ bread @ back.T
    plain = float(scaled @ outcome) / float(scaled.sum())
    if family == "gaussian":
        left, whole = scaled @ (outcome - mean) ** 2, scaled @ (outcome - plain) ** 2
        return Fitted(back @ found, spread, float(1 - left / whole), math.nan)
    reached = likelihood(outcome, x @ found, scaled)
    nothing = likelihood(outcome, np.full(outcome.size, math.log(plain / (1 - plain))), scaled)
    return Fitted(back @ found, spread, 1 - reached / nothing, reached)


def likelihood(outcome: Floats, linear: Floats, weights: Floats) -> float:
    """Return the log-likelihood of a logistic model."""
    return float(weights @ (outcome * linear - np.logaddexp(0.0, linear)))


def _linear(x: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Return coefficients, fitted means and the slopes of the mean."""
    inverse = np.linalg.inv((x * weights[:, None]).T @ x)
    found = np.zeros(x.shape[1])
    for _ in range(3):  # each solves for what the one before left
        found = found + inverse @ (x.T @ (weights * (y - x @ found)))
    return found, x @ found, np.ones_like(y)


def logistic_slopes(
    x: Floats, y: Floats, weights: Floats, start: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """Return coefficients, fitted shares and the slopes of the share of a logistic model.

    Raises
    ------
    Separated
        If variables predict answers with certainty.

    Examples
    --------
    >>> x, y = np.column_stack((np.ones(4), [0.0, 1.0, 2.0, 4.0])), np.array([0.0, 1.0, 0.0, 1.0])
    >>> logistic_slopes(x, y, np.ones(4))[0].round(4).tolist()
    [-1.4138, 0.8424]
    """
    from scipy.special import expit  # imported where used

    share = float(weights @ y) / float(weights.sum())
    found = np.zeros(x.shape[1])
    found[0] = math.log(share / (1 - share))
    if start is None and y.size > 4 * _FEW:
        start = _of_some(x, y, weights)
    found = found if start is None else start
    linear = x @ found
    best = likelihood(y, linear, weights)
    size = np.sqrt((weights @ (x * x)) / weights.sum())
    for _ in range(_STEPS):
        mean = expit(linear)
        slope = mean * (1 - mean)
        try:
            step = np.linalg.solve((x * (weights * slope)[:, None]).T @ x, x.T @ (weights * (y - mean)))
        except np.linalg.LinAlgError:
            raise Separated(found * size) from None
        reached = likelihood(y, linear + x @ step, weights)
        for _ in range(30):
            if reached >= best - 1e-12 * abs(best):
                break
            step = step / 2
            reached = likelihood(y, linear + x @ step, weights)
        found, best = found + step, reached
        linear = x @ found
        if float(np.abs(linear).max()) > _FAR:
            raise Separated(found * size)
        if float(np.abs(step * size).max()) < 1e-11 * (1 + float(np.abs(found * size).max())):
            mean = expit(linear)
            return found, mean, mean * (1 - mean)
    raise Separated(found * size)


def _of_some(x: Floats, y: Floats, weights: Floats) -> Floats | None:
    """Return the coefficients of evenly spread rows, from which few steps over all rows are left to go."""
    rows = slice(None, None, y.size // _FEW)
    if y[rows].min() == y[rows].max():
        return None
    try:
        return logistic_slopes(x[rows], y[rows], weights[rows])[0]
    except Separated:
        return None
