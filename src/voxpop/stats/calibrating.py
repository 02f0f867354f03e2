"""Calibration: weights that meet known totals, and what that does to the variance.

A calibrated estimate varies only as far as the known totals do not explain it, so scores are replaced by
their residuals. Sources: J.-C. Deville, C.-E. Särndal, *JASA* 87 (1992); J.-C. Deville, C.-E. Särndal,
O. Sautory, *JASA* 88 (1993); T. Lumley, *Complex Surveys* (2010), chapter 7; R: ``survey::postStratify``,
``survey::rake`` and ``survey::calibrate``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from voxpop.errors import UsageError
from voxpop.stats.bases import group_sums
from voxpop.stats.raking import rake
from voxpop.stats.sampling import Projection

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]
Calibrated = tuple[Floats, Projection]
"""Calibrated weights, and the residuals of scores."""

_ROUNDS = 200
_SWEEPS = 10
"""Rounds over the margins when scores are freed from raked margins (as in R)."""
_FAR = 20.0
"""Weights are first scaled up if all totals are further away than this factor (as in R)."""


def poststratified(weights: Floats, codes: Codes, totals: Floats) -> Calibrated:
    """Return weights whose sums per cell are known totals.

    Parameters
    ----------
    weights : array of float
        Weights before.
    codes : array of int
        The cell of each row, from 0.
    totals : array of float
        The total of each cell.

    Raises
    ------
    UsageError
        If a cell with a total has no respondents.

    Examples
    --------
    >>> made, _ = poststratified(np.ones(3), np.array([0, 0, 1]), np.array([6.0, 5.0]))
    >>> made.tolist()
    [3.0, 3.0, 5.0]
    """
    sums = group_sums(weights, codes, totals.size)
    if ((sums == 0) & (totals > 0)).any():
        raise UsageError("A cell of the population has no respondents with a weight; combine cells.")
    made = weights * np.divide(totals, sums, out=np.zeros_like(totals), where=sums > 0)[codes]

    def residuals(scores: Floats) -> Floats:
        safe = np.where((made == 0) & (weights == 0), 1.0, made)
        share = np.divide(weights, safe, out=np.zeros_like(made), where=safe != 0)
        left = np.empty_like(scores)
        for k in range(scores.shape[1]):
            top = group_sums(scores[:, k] * share, codes, totals.size)
            mean = np.divide(top, sums, out=np.zeros_like(top), where=sums > 0)
            left[:, k] = scores[:, k] - mean[codes] * made
        return left

    return made, residuals


def raked(weights: Floats, codes: Sequence[Codes], totals: Sequence[Floats]) -> Calibrated:
    """Return weights raked to margins.

    Parameters
    ----------
    weights : array of float
        Weights before.
    codes, totals : sequences of arrays
        Per margin, the level of each row and the total of each level.

    Raises
    ------
    UsageError
        If raking does not converge.
    """
    found = rake(codes, totals, weights, tol=1e-13, max_iter=5000)
    if not found.converged and not rake(codes, totals, weights, max_iter=5000).converged:
        raise UsageError("Raking did not converge; some combination of levels may have no respondents.")
    made = found.weights

    def residuals(scores: Floats) -> Floats:
        safe = np.where(made > 0, made, 1.0)
        left = scores / safe[:, None]
        for _ in range(_SWEEPS):
            for code, total in zip(codes, totals, strict=True):
                count = np.maximum(np.bincount(code, minlength=total.size), 1)
                for k in range(left.shape[1]):
                    left[:, k] -= (group_sums(left[:, k], code, total.size) / count)[code]
        return left * safe[:, None]

    return made, residuals


def generalized(
    weights: Floats,
    matrix: Floats,
    totals: Floats,
    *,
    method: str = "linear",
    bounds: tuple[float, float] | None = None,
) -> Calibrated:
    """Return weights that meet the totals of several variables, nearest to the given ones by a distance.

    Parameters
    ----------
    weights : array of float
        Weights before.
    matrix : array (rows, variables)
        The variables; one or more of them make up a constant.
    totals : array of float
        Their totals over the population.
    method : {"linear", "raking", "logit"}
        The distance: squared (generalized regression), that of raking, or logit.
    bounds : (float, float), optional
        Smallest and largest factor; needed by ``logit``.

    Raises
    ------
    UsageError
        If the totals cannot be met, within the bounds if there are any.

    Examples
    --------
    >>> x = np.array([[1.0, 1.0], [1.0, 2.0], [1.0, 4.0]])
    >>> made, _ = generalized(np.ones(3), x, np.array([6.0, 15.0]))
    >>> (made @ x).round(9).tolist()
    [6.0, 15.0]
    """
    if method == "linear" and bounds is None:
        gram = (matrix * weights[:, None]).T @ matrix
        found = np.linalg.lstsq(gram, totals - weights @ matrix, rcond=1e-12)[0]
        factors = 1 + matrix @ found
    else:
        factors = _iterated(weights, matrix, totals, method, bounds or (-np.inf, np.inf))
    made = weights * factors
    if not np.allclose(made @ matrix, totals, rtol=1e-8, atol=1e-8 * float(np.abs(totals).max())):
        within = "" if bounds is None else f" within the bounds {bounds[0]:g} and {bounds[1]:g}"
        raise UsageError(
            f"The calibration ({method}) cannot meet its totals{within}; relax the bounds or drop a margin."
        )
    half = np.sqrt(weights)
    orthogonal = _orthogonal(matrix * half[:, None])

    def residuals(scores: Floats) -> Floats:
        scale = factors * half
        safe = np.where(scale != 0, scale, 1.0)
        plain = scores / safe[:, None]
        return np.asarray((plain - orthogonal @ (orthogonal.T @ plain)) * scale[:, None])

    return made, residuals


def _orthogonal(matrix: Floats) -> Floats:
    """Return an orthogonal base of the columns, dependent ones left out."""
    left, size, _ = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray(left[:, size > 1e-10 * size.max(initial=0.0)], dtype=np.float64)


def _iterated(
    weights: Floats, matrix: Floats, totals: Floats, method: str, bounds: tuple[float, float]
) -> Floats:
    """Return the factors of weights by Newton's method (Deville, Särndal and Sautory 1993)."""
    sums = weights @ matrix
    ratios = np.divide(totals, sums, out=np.full_like(totals, np.inf), where=sums != 0)
    scale = float(ratios.mean()) if ratios.min() > _FAR and np.isfinite(ratios).all() else 1.0
    start = weights * scale
    eta = np.zeros(matrix.shape[1])
    factors, slopes = _factors(matrix @ eta, method, bounds)
    for _ in range(_ROUNDS):
        missed = totals - (start * factors) @ matrix
        if float(np.max(np.abs(missed) / (1 + np.abs(totals)))) < 1e-13:
            break
        gram = (matrix * (start * slopes)[:, None]).T @ matrix
        step = np.linalg.pinv(gram, rcond=256 * np.finfo(float).eps) @ missed
        for _ in range(60):
            factors, slopes = _factors(matrix @ (eta + step), method, bounds)
            if np.isfinite(factors).all() and np.isfinite(slopes).all():
                break
            step = step / 2
        eta = eta + step
    return factors * scale


def _factors(linear: Floats, method: str, bounds: tuple[float, float]) -> tuple[Floats, Floats]:
    """Return the factor of each weight and its slope, at a linear predictor."""
    low, high = bounds
    if method == "logit":
        steep = (high - low) / ((1 - low) * (high - 1))
        with np.errstate(over="ignore", invalid="ignore"):
            grown = np.exp(linear * steep)
            below = high - 1 + (1 - low) * grown
            factors = np.where(np.isinf(grown), high, (low * (high - 1) + high * (1 - low) * grown) / below)
            slopes = grown * (1 - low) * (high - 1) * steep * (high - low) / below**2
        return factors, np.where(np.isinf(grown), 0.0, slopes)
    with np.errstate(over="ignore"):
        plain = 1 + linear if method == "linear" else np.exp(linear)
        slopes = np.ones_like(linear) if method == "linear" else np.exp(linear)
    inside = (plain > low) & (plain < high)
    return np.clip(plain, low, high), np.where(inside, slopes, 0.0)
