"""Prediction-powered regression: linear and logistic coefficients from people's answers and predictions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from voxpop.stats.predictions import Floats, jackknife_factors, standardized

Family = Literal["linear", "logistic"]
FAMILIES: tuple[Family, ...] = ("linear", "logistic")

_ROUNDS = 50


@dataclass(frozen=True, eq=False, slots=True)
class Design:
    """Rows of explanatory variables, with answers or predictions and weights with sum 1."""

    rows: Floats
    answers: Floats
    shares: Floats

    def score(self, theta: Floats, family: Family) -> Floats:
        """Return the weighted sum of ``x (mean - answer)``."""
        return np.asarray(self.rows.T @ (self.shares * (means(self.rows @ theta, family) - self.answers)))

    def curvature(self, theta: Floats, family: Family) -> Floats:
        """Return the weighted sum of ``x x' mean'``."""
        at = means(self.rows @ theta, family)
        slope = np.ones_like(at) if family == "linear" else at * (1 - at)
        return np.asarray(self.rows.T @ (self.rows * (self.shares * slope)[:, None]))


@dataclass(frozen=True, eq=False, slots=True)
class Coefficient:
    """A coefficient from people alone, from the pool's predictions alone, and combined.

    Attributes
    ----------
    people, people_se, people_low, people_high, pool, estimate, se, low, high, lam, worth, df : float
        As for :class:`voxpop.stats.predictions.Combined`.
    """

    people: float
    people_se: float
    people_low: float
    people_high: float
    pool: float
    estimate: float
    se: float
    low: float
    high: float
    lam: float
    worth: float
    df: float


def means(linear: Floats, family: Family) -> Floats:
    """Return the mean for a linear predictor."""
    if family == "linear":
        return linear
    from scipy.special import expit  # imported where used

    return np.asarray(expit(linear), dtype=np.float64)


def combined_coefficients(
    people: Design,
    predicted: Floats,
    pool: Design,
    family: Family,
    *,
    lam: float | None = None,
    level: float = 0.95,
) -> list[Coefficient]:
    """Estimate regression coefficients from people's answers and predictions.

    The linear coefficients are ``OLS(pool, λf) + OLS(people, y - λf)``; the logistic ones minimise the
    rectified loss ``λL(pool, f) + L(people, y) - λL(people, f)`` (Angelopoulos, Duchi, Zrnic, *PPI++*, 2023,
    as in the package ``ppi_py``). Every coefficient has its own λ. Variances are those of the sandwich with
    the Hessian of people and pool and the leverage of each person (HC3); a tuned λ costs a degree of freedom.

    Parameters
    ----------
    people : Design
        People's explanatory variables (with a column of ones for the intercept), answers and weights.
    predicted : array of float
        Predictions for the same people; 0 to 1 for a logistic model.
    pool : Design
        Explanatory variables and predictions of the pool.
    family : {"linear", "logistic"}
        The model.
    lam, level
        As for :func:`voxpop.stats.predictions.combined_mean`.

    Raises
    ------
    ValueError
        If there are too few people, the columns are linearly dependent, or a logistic model has no finite
        solution because some combination of columns separates the answers.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x, more = (np.column_stack([np.ones(size), rng.normal(0, 1, size)]) for size in (100, 2_000))
    >>> f, pool = x @ [1, 2], more @ [1, 2] + rng.normal(0, 1, 2_000)
    >>> y = f + rng.normal(0, 1, 100)
    >>> designs = Design(x, y, np.full(100, 0.01)), Design(more, pool, np.full(2_000, 0.0005))
    >>> found = combined_coefficients(designs[0], y, designs[1], "linear")
    >>> [one.se < 0.5 * one.people_se for one in found]
    [True, True]
    """
    from scipy.special import stdtrit  # imported where used

    n, p = people.rows.shape
    n_eff = 1 / float(people.shares @ people.shares)
    if n_eff <= p + 2:
        raise ValueError(
            f"{p} coefficients need more than {p + 2} people, effectively; there are {n_eff:.1f}."
        )
    given = Design(people.rows, predicted, people.shares)
    alone, at_pool = solved(people, given, pool, family, 0.0), _pool_alone(pool, family)
    halves = [float(stdtrit(n_eff - p - less, 0.5 + level / 2)) for less in (0, 1)]
    made = []
    for k in range(p):
        own = variances(people, given, pool, family, alone, k, pooled=False, leverage=True)
        people_se = math.sqrt(own[0])
        side = (alone[k], people_se, alone[k] - halves[0] * people_se, alone[k] + halves[0] * people_se)
        chosen = (
            lam
            if lam is not None
            else _best(variances(people, given, pool, family, alone, k, pooled=True, leverage=True))
        )
        if chosen > 0:
            theta = solved(people, given, pool, family, chosen)
            a, b, c, d = variances(people, given, pool, family, theta, k, pooled=True, leverage=True)
            left = max(a - 2 * chosen * b + chosen**2 * c, 0.0)
            cost = 1.0 if lam is not None else (n_eff - p) / (n_eff - p - 1)
            variance = left * cost + chosen**2 * d
            if lam is not None or variance < people_se**2:
                se, half = math.sqrt(variance), halves[0 if lam is not None else 1]
                figures = (theta[k], se, theta[k] - half * se, theta[k] + half * se)
                worth = n * (people_se**2 / variance - 1)
                made.append(Coefficient(*side, at_pool[k], *figures, chosen, worth, n_eff - p - 1))
                continue
        made.append(Coefficient(*side, at_pool[k], *side, 0.0, 0.0, n_eff - p))
    return made


def solved(people: Design, given: Design, pool: Design, family: Family, lam: float) -> Floats:
    """Return all coefficients for one λ."""
    if family == "linear":
        rest = Design(people.rows, people.answers - lam * given.answers, people.shares)
        theta = _least_squares(rest)
        return theta if lam == 0 else theta + lam * _least_squares(pool)
    parts = [(1.0, people)] if lam == 0 else [(1.0, people), (-lam, given), (lam, pool)]
    return _newton(parts, family)


def _pool_alone(pool: Design, family: Family) -> Floats:
    if family == "linear":
        return _least_squares(pool)
    try:
        return _newton([(1.0, pool)], family)
    except ValueError:  # predictions that a combination of columns separates have no finite coefficients
        return np.full(pool.rows.shape[1], math.nan)


def _least_squares(design: Design) -> Floats:
    root = np.sqrt(design.shares)
    theta, _, rank, _ = np.linalg.lstsq(design.rows * root[:, None], design.answers * root, rcond=None)
    if rank < design.rows.shape[1]:
        raise ValueError("the columns are linearly dependent.")
    return np.asarray(theta, dtype=np.float64)


def _newton(parts: list[tuple[float, Design]], family: Family) -> Floats:
    """Minimise a weighted sum of losses by Newton's method with step halving."""
    theta = np.zeros(parts[0][1].rows.shape[1])
    for _ in range(_ROUNDS):
        score = sum(part * one.score(theta, family) for part, one in parts)
        curve = sum(part * one.curvature(theta, family) for part, one in parts)
        try:
            step = np.linalg.solve(np.asarray(curve), np.asarray(score))
        except np.linalg.LinAlgError:
            raise ValueError("the columns are linearly dependent, or separate the answers.") from None
        largest = float(np.abs(step).max())
        theta = theta - step * min(1.0, 5 / largest if largest > 0 else 1.0)
        if largest < 1e-12 * (1 + float(np.abs(theta).max())):
            return np.asarray(theta, dtype=np.float64)
    raise ValueError("the logistic model has no finite solution: the columns separate the answers.")


def variances(
    people: Design,
    given: Design,
    pool: Design,
    family: Family,
    theta: Floats,
    k: int,
    *,
    pooled: bool,
    leverage: bool = False,
) -> tuple[float, float, float, float]:
    """Return the variances that λ trades: of people, with predictions, of predictions, and of the pool."""
    n, many = people.rows.shape[0], pool.rows.shape[0]
    hessian = people.curvature(theta, family)
    if pooled:
        hessian = (n * hessian + many * pool.curvature(theta, family)) / (n + many)
    try:
        line = np.linalg.inv(hessian)[k]
    except np.linalg.LinAlgError:
        raise ValueError("the columns are linearly dependent.") from None
    at, there = means(people.rows @ theta, family), means(pool.rows @ theta, family)
    own = (people.rows @ line) * (people.answers - at)
    seen = (people.rows @ line) * (given.answers - at)
    far = (pool.rows @ line) * (pool.answers - there)
    h, g = jackknife_factors(people.shares), pool.shares**2 * many / (many - 1)
    if leverage:
        h = leverage_factors(people, family, theta)
    own, seen, far = own - people.shares @ own, seen - people.shares @ seen, far - pool.shares @ far
    return float(h @ own**2), float(h @ (own * seen)), float(h @ seen**2), float(g @ far**2)


def leverage_factors(people: Design, family: Family, theta: Floats) -> Floats:
    """Return the factor of each squared influence, with the leverage of the row instead of its weight.

    ``(n-1)/n · w²/(1-l)²`` with ``l = w x'H⁻¹x mean'``, the jackknife to first order (J. G. MacKinnon and H.
    White, *J. Econometrics* 29, 1985, HC3).
    """
    at = means(people.rows @ theta, family)
    slope = np.ones_like(at) if family == "linear" else at * (1 - at)
    inverse = np.linalg.inv(people.curvature(theta, family))
    lever = people.shares * slope * ((people.rows @ inverse) * people.rows).sum(axis=1)
    n = at.size
    return np.asarray((n - 1) / n * (people.shares / (1 - np.minimum(lever, 0.99))) ** 2)


def _best(parts: tuple[float, float, float, float]) -> float:
    _, cross, square, pool = parts
    return float(np.clip(cross / (square + pool), 0, 1)) if square + pool > 0 else 0.0


def design_of(rows: Floats, answers: Floats, weights: Floats | None) -> Design:
    """Return rows with answers and standardised weights."""
    return Design(rows, answers, standardized(weights, answers.size))
