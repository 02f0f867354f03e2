"""Prediction-powered quantiles: the combined distribution function, inverted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from voxpop.stats.predictions import Combined, Floats, Sides, combined_share, standardized

_POINTS = 400
"""Largest number of values at which the distribution function is evaluated."""


def weighted_quantile(values: Floats, weights: Floats | None, q: float) -> float:
    """Return the lowest value at which the weighted distribution function reaches q.

    Examples
    --------
    >>> weighted_quantile(np.array([3.0, 1.0, 2.0]), None, 0.5)
    2.0
    """
    order = np.argsort(values, kind="stable")
    up_to = np.cumsum(standardized(weights, values.size)[order])
    place = int(np.searchsorted(up_to, q * (1 - 1e-12)))
    return float(values[order][min(place, values.size - 1)])


def combined_quantile(
    sides: Sides, q: float = 0.5, *, lam: float | None = None, level: float = 0.95
) -> Combined:
    """Estimate a quantile from people's answers and predictions.

    At each value t, the share of answers up to t is estimated by :func:`combined_share`; the quantile is the
    lowest t at which it reaches q, and the interval holds every t whose interval of the share includes q (R.
    S. Woodruff, *JASA* 47, 1952; Angelopoulos and others, 2023, section on quantiles). λ is tuned at the
    people's own quantile and kept.

    Parameters
    ----------
    sides : Sides
        People and pool.
    q : float, default 0.5
        The quantile, above 0 and below 1.
    lam, level
        As for :func:`voxpop.stats.predictions.combined_mean`.

    Returns
    -------
    Combined
        ``se`` is half the interval over the normal quantile, and ``spread`` that of the share at the people's
        quantile.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> y, pool = rng.normal(5, 2, 100), rng.normal(5, 2, 2_000)
    >>> found = combined_quantile(Sides(y, y, pool))
    >>> found.high - found.low < 0.6 * (found.people_high - found.people_low)
    True
    """
    from scipy.special import ndtri  # imported where used

    people = weighted_quantile(sides.outcomes, sides.weights, q)
    pool = weighted_quantile(sides.pool, sides.pool_weights, q)
    tuned = combined_share(_up_to(sides, people), lam=lam, level=level)
    grid = _grid(sides)
    own = [combined_share(_up_to(sides, t), lam=0.0, level=level) for t in grid]
    people_low, people_high = _inverted(grid, own, q)
    z = float(ndtri(0.5 + level / 2))
    found = replace(
        tuned,
        people=people,
        people_low=people_low,
        people_high=people_high,
        people_se=(people_high - people_low) / 2 / z,
        pool=pool,
    )
    if tuned.lam == 0:
        return replace(found, estimate=people, low=people_low, high=people_high, se=found.people_se)
    made = [combined_share(_up_to(sides, t), lam=tuned.lam, level=level, tuned=lam is None) for t in grid]
    low, high = _inverted(grid, made, q)
    reached = np.maximum.accumulate([one.estimate for one in made])
    estimate = float(grid[min(int(np.searchsorted(reached, q * (1 - 1e-12))), grid.size - 1)])
    return replace(found, estimate=estimate, low=low, high=high, se=(high - low) / 2 / z)


def _up_to(sides: Sides, t: float) -> Sides:
    """Return whether answers and predictions are at most t."""
    told = [
        np.asarray(held <= t, dtype=np.float64) for held in (sides.outcomes, sides.predictions, sides.pool)
    ]
    return replace(sides, outcomes=told[0], predictions=told[1], pool=told[2])


def _grid(sides: Sides) -> Floats:
    """Return the values at which the function is evaluated: all, or so many at equal steps of the ranks."""
    values = np.unique(np.concatenate([sides.outcomes, sides.predictions, sides.pool]))
    if values.size <= _POINTS:
        return values
    own = np.unique(sides.outcomes)
    spread = values[np.linspace(0, values.size - 1, _POINTS).astype(np.intp)]
    if own.size > _POINTS:
        own = own[np.linspace(0, own.size - 1, _POINTS).astype(np.intp)]
    return np.unique(np.concatenate([own, spread]))


def _inverted(grid: Floats, shares: list[Combined], q: float) -> tuple[float, float]:
    """Return the lowest and highest value whose share may be q."""
    inside = np.array([one.low <= q <= one.high for one in shares])
    above = np.array([one.low > q for one in shares])
    first = int(np.argmax(inside)) if inside.any() else int(np.argmax(above))
    last = grid.size - 1 - int(np.argmax(inside[::-1])) if inside.any() else first
    return float(grid[first]), float(grid[min(last + 1, grid.size - 1)])
