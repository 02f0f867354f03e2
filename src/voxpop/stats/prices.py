"""Price curves: where four opinions of a price cross, and what each price would bring in."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

POINTS = ("lowest", "optimal", "indifferent", "highest")
"""Lower end of the range (point of marginal cheapness), the price that fewest reject (optimal price point),
the one that as many call cheap as expensive (indifference price point), its upper end."""


@dataclass(frozen=True, eq=False, slots=True)
class PriceCurves:
    """Share of respondents, 0 to 1, who call each price too cheap, cheap, expensive or too expensive.

    Attributes
    ----------
    prices : array
        Every price that somebody named, ascending.
    too_cheap, cheap, expensive, too_expensive : arrays
        The first two fall with the price, the others rise.
    """

    prices: Floats
    too_cheap: Floats
    cheap: Floats
    expensive: Floats
    too_expensive: Floats

    def points(self) -> dict[str, float]:
        """Return the four prices where curves cross; see :data:`POINTS`.

        Source: P. H. van Westendorp, "NSS-Price Sensitivity Meter", *29th ESOMAR Congress* (1976): the ends
        of the range are where "too cheap" meets "not cheap", and "too expensive" meets "not expensive".
        """
        at = self.prices
        crossed = (
            crossing(at, self.too_cheap, 1 - self.cheap),
            crossing(at, self.too_cheap, self.too_expensive),
            crossing(at, self.cheap, self.expensive),
            crossing(at, 1 - self.expensive, self.too_expensive),
        )
        return dict(zip(POINTS, crossed, strict=True))


def price_curves(named: Floats, weights: npt.ArrayLike) -> PriceCurves:
    """Draw the four curves of the price sensitivity meter.

    Parameters
    ----------
    named : array (4, respondents)
        The prices that each calls too cheap, cheap, expensive and too expensive, in this order.
    weights : array_like (respondents)
        0 or more, not all 0.

    Examples
    --------
    >>> asked = np.array([[2.0, 4.0], [4.0, 6.0], [6.0, 8.0], [8.0, 10.0]])
    >>> curves = price_curves(asked, [1, 1])
    >>> curves.prices.tolist(), curves.too_cheap.tolist()
    ([2.0, 4.0, 6.0, 8.0, 10.0], [1.0, 0.5, 0.0, 0.0, 0.0])
    >>> curves.points()
    {'lowest': 5.0, 'optimal': 6.0, 'indifferent': 6.0, 'highest': 7.0}
    """
    prices, places = _places(named)
    return _drawn(prices, places, np.asarray(weights, dtype=np.float64))


def _places(named: Floats) -> tuple[Floats, Places]:
    """Return all prices named, and for each opinion the index of its price."""
    prices = np.unique(named)
    return prices, np.searchsorted(prices, named)


def _drawn(prices: Floats, places: Places, weights: Floats) -> PriceCurves:
    """Draw the curves from price indices.

    A price named only by respondents with weight 0 is not a point of the curves.
    """
    whole = math.fsum(weights)
    sums = np.array([np.bincount(own, weights=weights, minlength=prices.size) for own in places])
    used = sums.any(axis=0)
    made = []
    for opinion, at in enumerate(sums[:, used] / whole):
        upward = np.cumsum(at)
        made.append(1 - upward + at if opinion < 2 else upward)
    return PriceCurves(prices[used], *(np.clip(curve, 0.0, 1.0).round(12) for curve in made))


def crossing(at: npt.ArrayLike, falling: npt.ArrayLike, rising: npt.ArrayLike) -> float:
    """Return where a falling curve meets a rising one, on straight lines between the points given.

    Parameters
    ----------
    at : array_like of float
        Ascending.
    falling, rising : array_like of float
        The heights of the curves there.

    Returns
    -------
    float
        The middle where they run together; NaN where they never meet.

    Examples
    --------
    >>> crossing([1, 2, 3], [1, 0.5, 0], [0, 0.1, 0.9])
    2.3076923076923075
    >>> crossing([1, 2, 3, 4], [1, 0.5, 0.5, 0], [0, 0.5, 0.5, 1])
    2.5
    """
    places = np.asarray(at, dtype=np.float64)
    between = np.asarray(falling, dtype=np.float64) - np.asarray(rising, dtype=np.float64)
    together = places[between == 0]
    if together.size:
        return float((together[0] + together[-1]) / 2)
    below = np.flatnonzero(between < 0)
    if not below.size or below[0] == 0:
        return math.nan
    last = below[0]
    share = between[last - 1] / (between[last - 1] - between[last])
    return float(places[last - 1] + share * (places[last] - places[last - 1]))


def point_intervals(
    named: Floats, counts: Floats, weights: Floats, *, seed: int, resamples: int, level: float = 0.95
) -> dict[str, tuple[float, float]]:
    """Return percentile bootstrap intervals of the four prices.

    Whole respondents are drawn with replacement, each with its prices and its weight: a draw changes the
    sum of the weights as well as the answers. Averaging the weights of those who answer alike would make
    the intervals too narrow.

    Source of the method: B. Efron, R. Tibshirani, *An Introduction to the Bootstrap* (1993), chapter 13.

    Parameters
    ----------
    named : array (4, rows)
        As in :func:`price_curves`; a row may stand for several respondents.
    counts, weights : arrays (rows)
        How many respondents a row stands for, and the weight of each of them.
    seed, resamples : int
        The same seed gives the same intervals, whatever the order of the rows.
    level : float, default 0.95
        Between 0 and 1.

    Returns
    -------
    dict of str to (float, float)
        NaN for a price that too many draws are without: more than ``1 - level`` of them.

    Examples
    --------
    >>> asked = np.array([[2.0, 4.0], [4.0, 6.0], [6.0, 8.0], [8.0, 10.0]])
    >>> once = point_intervals(asked, np.array([9, 1]), np.array([1.0, 9.0]), seed=7, resamples=50)
    >>> turned = point_intervals(asked[:, ::-1], np.array([1, 9]), np.array([9.0, 1.0]), seed=7, resamples=50)
    >>> once == turned
    True
    """
    named, counts, weights = _kinds(named, counts, weights)
    prices, places = _places(named)
    draw, many = np.random.default_rng(seed), round(counts.sum())
    found = np.full((resamples, len(POINTS)), np.nan)
    for place in range(resamples):
        drawn = draw.multinomial(many, counts / counts.sum()) * weights
        if drawn.sum() > 0:
            found[place] = list(_drawn(prices, places, drawn).points().values())
    ends = [(1 - level) / 2, (1 + level) / 2]
    made = {}
    for name, column in zip(POINTS, found.T, strict=True):
        held = column[~np.isnan(column)]
        low, high = np.quantile(held, ends) if held.size >= level * resamples else (math.nan, math.nan)
        made[name] = (float(low), float(high))
    return made


def _kinds(named: Floats, counts: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the distinct respondents in a fixed order, each with its count."""
    every = np.vstack([named, weights])
    order = np.lexsort(every[::-1])
    every = every[:, order]
    first = np.concatenate(([True], (np.diff(every, axis=1) != 0).any(axis=0)))
    numbers = np.add.reduceat(np.asarray(counts, dtype=np.float64)[order], np.flatnonzero(first))
    return every[:-1, first], numbers, every[-1, first]
