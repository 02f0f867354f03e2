"""Agreement of coders beyond chance: Cohen's and Fleiss' kappa, Krippendorff's alpha with its interval.

An agreement is missing (NaN), never 1, where every coder gave every unit the same value: chance alone would
agree as well, and there is nothing to measure.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

Level = Literal["nominal", "ordinal", "interval"]
Floats = npt.NDArray[np.float64]

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


def percent_agreement(values: npt.ArrayLike) -> float:
    """Return how often two coders of a unit agree, 0 to 100, every unit with two or more codings alike.

    Parameters
    ----------
    values : array_like of float (coders, units)
        One number per value; NaN where a coder did not code the unit.

    Examples
    --------
    >>> percent_agreement([[1, 2, 2, 1], [1, 2, 1, np.nan]]).__round__(2)
    66.67
    """
    counts = unit_counts(values)
    coders = counts.sum(axis=1)
    shared = counts[coders >= 2]
    if not shared.size:
        return math.nan
    pairs = coders[coders >= 2] * (coders[coders >= 2] - 1)
    return 100 * math.fsum((shared * (shared - 1)).sum(axis=1) / pairs) / len(shared)


def unit_counts(values: npt.ArrayLike) -> Floats:
    """Count per unit how many coders gave each value, values in ascending order.

    Examples
    --------
    >>> unit_counts([[1, 5], [1, 1]]).tolist()
    [[2.0, 0.0], [1.0, 1.0]]
    """
    return _counted(values)[1]


def _counted(values: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return the values that occur, and per unit how many coders gave each."""
    given = np.atleast_2d(np.asarray(values, dtype=np.float64))
    coders, units = np.nonzero(~np.isnan(given))
    known, place = np.unique(given[coders, units], return_inverse=True)
    counts = np.zeros((given.shape[1], known.size))
    np.add.at(counts, (units, place), 1.0)
    return known, counts


def cohen_kappa(
    first: npt.ArrayLike, second: npt.ArrayLike, weights: Literal["linear", "quadratic"] | None = None
) -> float:
    """Return Cohen's kappa of two coders over the units that both coded.

    ``1 - Σ w·O / Σ w·E``; the weight of a disagreement is 1, or grows with its steps or their square.
    Sources: J. Cohen, *Educational and Psychological Measurement* 20 (1960), *Psychological Bulletin* 70
    (1968).

    Parameters
    ----------
    first, second : array_like of float
        One number per value and unit; NaN where a coder did not code it.
    weights : {"linear", "quadratic"}, optional
        For ordered values.

    Examples
    --------
    >>> round(cohen_kappa([1, 1, 2, 2, 2], [1, 2, 2, 2, 2]), 4)
    0.5455
    """
    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    both = ~np.isnan(one) & ~np.isnan(two)
    if not both.any():
        return math.nan
    known, place = np.unique(np.concatenate((one[both], two[both])), return_inverse=True)
    rows, columns = np.split(place, 2)
    table = np.zeros((known.size, known.size))
    np.add.at(table, (rows, columns), 1.0)
    steps = np.abs(np.subtract.outer(np.arange(known.size), np.arange(known.size))).astype(np.float64)
    weight = {None: (steps > 0).astype(np.float64), "linear": steps, "quadratic": steps**2}[weights]
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / both.sum()
    chance = math.fsum((weight * expected).ravel())
    return 1 - math.fsum((weight * table).ravel()) / chance if chance > 0 else math.nan


def fleiss_kappa(counts: npt.ArrayLike) -> float:
    """Return Fleiss' kappa of units that were each coded by the same number of coders.

    Source: J. L. Fleiss, *Psychological Bulletin* 76 (1971).

    Parameters
    ----------
    counts : array_like of int (units, values)
        How many coders gave each value.

    Returns
    -------
    float
        NaN when the units differ in their number of coders, or it is below 2.

    Examples
    --------
    >>> round(fleiss_kappa([[2, 0], [1, 1], [0, 2]]), 4)
    0.3333
    """
    table = np.asarray(counts, dtype=np.float64)
    coders = table.sum(axis=1)
    if not table.size or coders[0] < 2 or (coders != coders[0]).any():
        return math.nan
    n = coders[0]
    chance = math.fsum((table.sum(axis=0) / table.sum()) ** 2)
    observed = math.fsum((table * (table - 1)).sum(axis=1) / (n * (n - 1))) / len(table)
    return (observed - chance) / (1 - chance) if chance < 1 else math.nan


def krippendorff_alpha(values: npt.ArrayLike, level: Level = "nominal") -> float:
    """Return Krippendorff's alpha: any number of coders, any values missing.

    ``1 - D_o/D_e`` from the coincidences of values within units. Source: K. Krippendorff, *Computing
    Krippendorff's Alpha-Reliability* (2011).

    Parameters
    ----------
    values : array_like of float (coders, units)
        One number per value; NaN where a coder did not code the unit.
    level : {"nominal", "ordinal", "interval"}
        Distance of two values: equal or not, ranks between them, or their difference.

    Returns
    -------
    float
        1 for perfect agreement, 0 for agreement by chance; NaN when fewer than two values occur in units that
        two coders share.

    Examples
    --------
    >>> coders = [[1, 2, 3, 3, 2, 1, 4, 1, 2, np.nan], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5]]
    >>> round(krippendorff_alpha(coders), 4)
    0.8522
    """
    known, counts = _counted(values)
    return _alpha(known, counts, np.ones(len(counts)), level)


def _alpha(known: Floats, counts: Floats, weights: Floats, level: Level) -> float:
    """Compute alpha; each row of counts stands for as many units as its weight."""
    coders = counts.sum(axis=1)
    shared = (coders >= 2) & (weights > 0)
    counts, scale = counts[shared], weights[shared] / (coders[shared] - 1)
    totals = (counts * weights[shared, None]).sum(axis=0)
    coincidences = counts.T @ (counts * scale[:, None]) - np.diag(counts.T @ scale)
    apart = _distances(known, totals, level)
    n = float(totals.sum())
    expected = math.fsum((np.outer(totals, totals) * apart).ravel())
    if not expected > 0:
        return math.nan
    return 1 - (n - 1) * math.fsum((coincidences * apart).ravel()) / expected


def _distances(known: Floats, totals: Floats, level: Level) -> Floats:
    if level == "nominal":
        return 1.0 - np.eye(known.size)
    if level == "interval":
        return np.asarray(np.subtract.outer(known, known) ** 2)
    middles = np.cumsum(totals) - totals / 2
    return np.asarray(np.subtract.outer(middles, middles) ** 2)


def alpha_interval(
    values: npt.ArrayLike,
    level: Level = "nominal",
    *,
    seed: int,
    confidence: float = 0.95,
    resamples: int = 1000,
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of Krippendorff's alpha, units drawn with replacement.

    Source of the method: B. Efron, R. Tibshirani, *An Introduction to the Bootstrap* (1993), chapter 13.

    Parameters
    ----------
    values : array_like of float (coders, units)
        As for :func:`krippendorff_alpha`.
    level : {"nominal", "ordinal", "interval"}
        As there.
    seed : int
        The same seed gives the same interval.
    confidence : float, default 0.95
        Between 0 and 1.
    resamples : int, default 1000
        How often the units are drawn.

    Returns
    -------
    (float, float)
        NaN where alpha itself is, and where more than ``1 - confidence`` of the draws have none.

    Examples
    --------
    >>> coders = [[1, 2, 1, 2, 2, 1, 1, 2], [1, 2, 1, 2, 1, 1, 2, 2]]
    >>> alpha_interval(coders, seed=7) == alpha_interval(coders, seed=7)
    True
    """
    known, counts = _counted(values)
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts) or math.isnan(_alpha(known, counts, np.ones(len(counts)), level)):
        return math.nan, math.nan
    kinds, times = np.unique(counts, axis=0, return_counts=True)  # units coded alike are drawn together
    draw, units = np.random.default_rng(seed), times.sum()
    drawn = (draw.multinomial(units, times / units).astype(np.float64) for _ in range(resamples))
    found = np.array([_alpha(known, kinds, many, level) for many in drawn])
    held = found[~np.isnan(found)]
    if held.size < confidence * resamples:
        return math.nan, math.nan
    low, high = np.quantile(held, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
