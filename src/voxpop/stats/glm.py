"""Generalized linear models with weights, and their covariance under a sample design.

Coefficients solve the weighted score equations by iterated least squares; their covariance is that of the
scores (the sandwich), or the spread over replicate weights. Sources: D. A. Binder, *Int. Stat. Rev.* 51
(1983); P. McCullagh, J. A. Nelder, *Generalized Linear Models* (1989); R: ``survey::svyglm``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from voxpop.errors import UsageError
from voxpop.stats.bases import exact_sum
from voxpop.stats.estimates import AnySample

Floats = npt.NDArray[np.float64]
Family = Literal["gaussian", "binomial", "poisson"]
FAMILIES: tuple[str, ...] = get_args(Family)
_ROUNDS = 100


@dataclass(frozen=True, eq=False, slots=True)
class Fit:
    """A fitted model.

    Attributes
    ----------
    coefficients, se, t, p : array of float
        The coefficients with their standard errors and t tests.
    covariance : array (coefficients, coefficients)
        Their covariance.
    df : float
        Degrees of freedom of the t tests: those of the design + 1 - coefficients.
    fitted : array of float
        The fitted mean of each row.
    null_deviance, deviance : float
        Weighted deviance of the model with a constant alone, and of this model; weights of mean 1.
    dispersion : float
        Variance of the Pearson residuals.
    count : float
        Respondents with a weight and no missing number.
    """

    coefficients: Floats
    covariance: Floats
    df: float
    fitted: Floats
    null_deviance: float
    deviance: float
    dispersion: float
    count: float

    @property
    def se(self) -> Floats:
        """Return the standard errors."""
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))

    @property
    def t(self) -> Floats:
        """Return the coefficients over their standard errors."""
        return np.asarray(self.coefficients / self.se)

    @property
    def p(self) -> Floats:
        """Return the p-values of the t tests; missing if no degree of freedom is left."""
        from scipy.special import stdtr  # imported where used

        if not self.df > 0:
            return np.full(self.coefficients.size, math.nan)
        return np.asarray(2 * stdtr(self.df, -np.abs(self.t)))

    def intervals(self, level: float = 0.95) -> Floats:
        """Return the lower and upper ends of the confidence intervals: coefficients by 2."""
        from scipy.special import stdtrit  # imported where used

        t = float(stdtrit(self.df, (1 + level) / 2)) if self.df > 0 else math.nan
        return np.column_stack((self.coefficients - t * self.se, self.coefficients + t * self.se))


def glm(
    sample: AnySample,
    matrix: npt.ArrayLike,
    outcome: npt.ArrayLike,
    family: Family = "gaussian",
    *,
    inside: npt.NDArray[np.bool_] | None = None,
    offset: npt.ArrayLike | None = None,
) -> Fit:
    """Fit a generalized linear model with its canonical link.

    Parameters
    ----------
    sample : Sample or ReplicateSample
        The sample.
    matrix : array_like (rows, coefficients)
        The variables, the constant included. Rows with a missing number (NaN) are left out.
    outcome : array_like of float
        Numbers; for ``binomial`` from 0 to 1, for ``poisson`` at least 0.
    family : {"gaussian", "binomial", "poisson"}
        Identity, logit or log link. Standard errors do not assume the family's variance, so these are R's
        ``quasibinomial`` and ``quasipoisson`` as well.
    inside : array of bool, optional
        The rows of a subpopulation.
    offset : array_like of float, optional
        Added to the linear predictor.

    Raises
    ------
    UsageError
        If variables are collinear, the outcome does not suit the family, or the fit does not converge (in a
        binomial model, when some combination of variables separates the answers).

    Examples
    --------
    >>> from voxpop.stats.sampling import sample_of
    >>> x = np.column_stack((np.ones(4), [0.0, 1.0, 2.0, 4.0]))
    >>> found = glm(sample_of(np.ones(4)), x, [1.0, 3.0, 4.0, 9.0])
    >>> found.coefficients.round(4).tolist(), found.se.round(4).tolist(), found.df
    ([0.8, 1.9714], [0.255, 0.1093], 2.0)
    """
    x, y = np.asarray(matrix, dtype=np.float64), np.asarray(outcome, dtype=np.float64)
    shift = np.zeros(y.size) if offset is None else np.asarray(offset, dtype=np.float64)
    held = np.ones(y.size, dtype=np.bool_) if inside is None else inside
    held = held & ~(np.isnan(x).any(axis=1) | np.isnan(y) | np.isnan(shift))
    used = held & (sample.weights > 0)
    if not used.any():
        raise UsageError("No respondent has an answer to every variable of the model.")
    degrees = sample.degrees(inside if sample.is_replicated else _some(held))
    x, y, shift = x[held], y[held], shift[held]
    _check(x[used[held]], y[used[held]], family)
    weights = sample.weights[held]
    mean = exact_sum(weights) / int(used.sum())
    found = _fitted(x, y, weights / mean, shift, family)
    coefficients, fitted, slopes = found
    bread = _inverse(x, weights * slopes)

    def scores() -> Floats:
        made = np.zeros((sample.weights.size, x.shape[1]))
        made[held] = ((y - fitted) * weights)[:, None] * (x @ bread)
        return made

    def again(replicate: Floats) -> Floats:
        own = replicate[held]
        if not _is_full(x[own > 0]):
            return np.full(x.shape[1], math.nan)
        return _fitted(x, y, own / (exact_sum(own) / own.size), shift, family, coefficients)[0]

    covariance = sample.covariance(scores, again, coefficients)
    scaled = weights / mean
    plain = exact_sum(y * scaled) / exact_sum(scaled) * np.ones_like(y)
    pearson = (y - fitted) / np.sqrt(np.maximum(_variance(fitted, family), 1e-300))
    count = float(sample.counts[held].sum())
    return Fit(
        coefficients,
        covariance,
        degrees + 1 - coefficients.size,
        np.where(held, _placed(fitted, held), math.nan),
        _deviance(y, plain, scaled, family),
        _deviance(y, fitted, scaled, family),
        _spread(pearson, weights, count),
        count,
    )


def _some(held: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_] | None:
    """Return a mask, or None if it holds every row."""
    return None if held.all() else held


def _placed(values: Floats, held: npt.NDArray[np.bool_]) -> Floats:
    made = np.full(held.size, math.nan)
    made[held] = values
    return made


def _spread(values: Floats, weights: Floats, count: float) -> float:
    total = exact_sum(weights)
    mean = exact_sum(values * weights) / total
    if count < 2:
        return math.nan
    return exact_sum((values - mean) ** 2 * weights) / total * count / (count - 1)


def _check(x: Floats, y: Floats, family: str) -> None:
    if family not in FAMILIES:
        raise UsageError(f"family must be one of {', '.join(FAMILIES)}, not {family!r}.")
    if family == "binomial" and not ((y >= 0) & (y <= 1)).all():
        raise UsageError("A binomial model needs an outcome of 0 and 1.")
    if family == "poisson" and not (y >= 0).all():
        raise UsageError("A Poisson model needs an outcome of 0 or more.")
    if not np.isfinite(x).all():
        raise UsageError("A variable of the model has an infinite number.")
    if not _is_full(x):
        raise UsageError(
            "The variables of the model are collinear: one of them is made up by the others. Leave "
            "one out, or "
            "combine levels without respondents."
        )


def _is_full(x: Floats) -> bool:
    """Return whether no variable is made up by the others."""
    norms = np.sqrt((x * x).sum(axis=0))
    if not x.shape[0] or (norms == 0).any():
        return False
    return bool(np.linalg.matrix_rank(x / norms, tol=1e-9 * math.sqrt(x.shape[1])) == x.shape[1])


def _inverse(x: Floats, weights: Floats) -> Floats:
    """Return the inverse of ``X'WX`` by a QR factorization, which keeps more digits than the product."""
    _, upper = np.linalg.qr(x * np.sqrt(weights)[:, None])
    half = np.linalg.solve(upper, np.eye(upper.shape[0]))
    return np.asarray(half @ half.T)


def _mean(linear: Floats, family: str) -> Floats:
    if family == "gaussian":
        return linear
    if family == "poisson":
        return np.exp(np.minimum(linear, 700))
    from scipy.special import expit  # imported where used

    return np.asarray(expit(linear))


def _variance(mean: Floats, family: str) -> Floats:
    if family == "gaussian":
        return np.ones_like(mean)
    return mean if family == "poisson" else mean * (1 - mean)


def _deviance(y: Floats, mean: Floats, weights: Floats, family: str) -> float:
    from scipy.special import xlogy  # imported where used

    if family == "gaussian":
        return exact_sum(weights * (y - mean) ** 2)
    low = np.maximum(mean, 1e-300)
    if family == "poisson":
        return 2 * exact_sum(weights * (xlogy(y, y) - xlogy(y, low) - (y - mean)))
    rest = np.maximum(1 - mean, 1e-300)
    unit = xlogy(y, y) - xlogy(y, low) + xlogy(1 - y, 1 - y) - xlogy(1 - y, rest)
    return 2 * exact_sum(weights * unit)


def _fitted(
    x: Floats, y: Floats, weights: Floats, shift: Floats, family: str, start: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """Return coefficients, fitted means and slopes of the mean, by iterated least squares."""
    half = np.sqrt(weights)
    if family == "gaussian":
        found: Floats = np.linalg.lstsq(x * half[:, None], (y - shift) * half, rcond=None)[0].astype(
            np.float64
        )
        return found, x @ found + shift, np.ones_like(y)
    linear = _start(y, family) if start is None else x @ start + shift
    held = np.zeros(x.shape[1]) if start is None else start
    for _ in range(_ROUNDS):
        mean = _mean(linear, family)
        slope = np.maximum(_variance(mean, family), 1e-300)
        working = linear - shift + (y - mean) / slope
        root = half * np.sqrt(slope)
        found = np.linalg.lstsq(x * root[:, None], working * root, rcond=None)[0].astype(np.float64)
        change = float(np.max(np.abs(found - held) / (np.abs(found) + 1e-6)))
        held, linear = found, x @ found + shift
        if not np.isfinite(found).all() or float(np.max(np.abs(linear[weights > 0]))) > 500:
            break
        if change < 1e-11:
            mean = _mean(linear, family)
            return found, mean, np.maximum(_variance(mean, family), 1e-300)
    raise UsageError(
        f"The {family} model does not converge; some combination of variables may tell the answers apart "
        "completely. Combine levels or leave a variable out."
    )


def _start(y: Floats, family: str) -> Floats:
    if family == "poisson":
        return np.log(y + 0.1)
    share = (y + 0.5) / 2
    return np.log(share / (1 - share))
