"""Means: weighted moments of a cohort with their errors, and the tests that compare cohorts.

Values come compressed: each different value once, with how often it was given and the sums of weights and of
squared weights behind it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voxpop.stats.bases import effective_base, exact_sum, group_sums

Floats = npt.NDArray[np.float64]

_BINS = 4_096
"""Parts of the range of values that are weighed to find the one with the weighted median."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Moments of a cohort; NaN where they are undefined.

    Attributes
    ----------
    n : int
        Respondents.
    sum_w, n_eff : float
        Their weighted and effective base.
    mean, sd, se, median : float
        ``sd² = Σw(x-m)²/Σw · e/(e-1)``, ``se = sd/sqrt(e)``.
    """

    n: int
    sum_w: float
    n_eff: float
    mean: float
    sd: float
    se: float
    median: float

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of the mean, by Student's t with ``e - 1`` degrees of freedom."""
        from scipy.special import stdtrit  # imported where used

        if not self.n_eff > 1 or math.isnan(self.se):
            return math.nan, math.nan
        half = float(stdtrit(self.n_eff - 1, 0.5 + level / 2)) * self.se
        return self.mean - half, self.mean + half


def moments(
    values: npt.ArrayLike, counts: npt.ArrayLike, sums: npt.ArrayLike, squares: npt.ArrayLike
) -> Moments:
    """Compute the moments of a cohort.

    Sources: mean and Kish's effective base as everywhere; the variance is that of the weighted distribution
    with the sample correction of the effective base, ``e/(e-1)``. Without weights this is the usual standard
    deviation and error.

    Parameters
    ----------
    values : array_like of float
        The values that were given; one may stand there several times.
    counts, sums, squares : array_like of float
        Per value: respondents, and the sums of their weights and squared weights (1 each without weights).

    Examples
    --------
    >>> found = moments([1, 2, 9], [2, 1, 1], [2, 1, 1], [2, 1, 1])
    >>> found.n, found.mean, round(found.sd, 4), found.median
    (4, 3.25, 3.8622, 1.5)
    """
    different, number, weight = _different(np.asarray(values, dtype=np.float64), counts, sums)
    total = float(number.sum()) if sums is counts else exact_sum(weight)  # counts are whole numbers
    n_eff = effective_base(total, total if squares is sums else exact_sum(squares)).item()
    n = int(number.sum())
    if not total > 0:
        return Moments(n, total, n_eff, math.nan, math.nan, math.nan, math.nan)
    mean = exact_sum(weight * different) / total
    sd = math.nan
    if n_eff > 1 + 1e-9:
        spread = exact_sum(weight * (different - mean) ** 2) / total
        sd = math.sqrt(spread * n_eff / (n_eff - 1))
    return Moments(n, total, n_eff, mean, sd, sd / math.sqrt(n_eff), _middle(different, weight))


def row_moments(values: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Moments:
    """Compute the moments of a cohort from its respondents one by one, as :func:`moments` defines them.

    Nothing is sorted: sums are rounded once whatever the order, and the median is selected.

    Parameters
    ----------
    values : array_like of float
        What each respondent answered, in any order.
    weights : array_like of float, optional
        Their weights, at least 0; 1 each without them.

    Examples
    --------
    >>> found = row_moments([9, 1, 2, 1])
    >>> found.n, found.mean, round(found.sd, 4), found.median
    (4, 3.25, 3.8622, 1.5)
    """
    given = np.asarray(values, dtype=np.float64)
    if weights is None:
        total = n_eff = float(given.size)
        weight = None
    else:
        weight = np.asarray(weights, dtype=np.float64)
        total = exact_sum(weight)
        n_eff = effective_base(total, exact_sum(weight * weight)).item()
    if not total > 0:
        return Moments(given.size, total, n_eff, math.nan, math.nan, math.nan, math.nan)
    mean = exact_sum(given if weight is None else weight * given) / total
    sd = math.nan
    if n_eff > 1 + 1e-9:
        apart = given - mean
        apart *= apart
        if weight is not None:
            apart *= weight
        sd = math.sqrt(exact_sum(apart) / total * n_eff / (n_eff - 1))
    median = _median(given) if weight is None else _weighted_middle(given, weight, total)
    return Moments(given.size, total, n_eff, mean, sd, sd / math.sqrt(n_eff), median)


def _median(values: Floats) -> float:
    upper = values.size // 2
    if values.size % 2:
        return float(np.partition(values, upper)[upper]) + 0.0
    held = np.partition(values, (upper - 1, upper))
    return float(held[upper - 1] + held[upper]) / 2 + 0.0


def _weighted_middle(values: Floats, weight: Floats, total: float) -> float:
    """Return the weighted median of values in any order; only those around half the weight are sorted."""
    if not (weight > 0).all():
        values, weight = values[weight > 0], weight[weight > 0]
    low, high = float(values.min()), float(values.max())
    wide = (_BINS - 1) / (high - low) if high > low else 0.0
    if not 0 < wide < math.inf:
        return _middle(*_different(values, weight, weight)[:2])
    bins = ((values - low) * wide).astype(np.intp)
    up_to = np.cumsum(group_sums(weight, bins, _BINS))
    first, last = np.searchsorted(up_to, [total / 2 * (1 - 1e-9), total / 2 * (1 + 1e-9)])
    inside = (bins >= first) & (bins <= last)
    after = values[bins > last]
    nearest = [(values[inside], weight[inside])]
    if after.size:  # half the weight may lie right before the next value
        nearest.append((after.min(keepdims=True), np.ones(1)))
    around = np.concatenate([part for part, _ in nearest])
    weights = np.concatenate([part for _, part in nearest])
    held, _, own = _different(around, weights, weights)
    return _middle(held, own, before=float(up_to[first - 1]) if first else 0.0, half=total / 2)


def _different(values: Floats, counts: npt.ArrayLike, sums: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return the distinct values in order, with the count and weight of each."""
    number = np.asarray(counts, dtype=np.float64)
    weight = number if sums is counts else np.asarray(sums, dtype=np.float64)
    if (values[1:] < values[:-1]).any():
        order = np.argsort(values)
        values, number, weight = values[order], number[order], weight[order]
    first = np.ones(values.size, dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    if not first.all():
        places, groups = np.cumsum(first) - 1, int(np.count_nonzero(first))
        weight = group_sums(weight, places, groups)
        number = weight if sums is counts else group_sums(number, places, groups)
    return values[first] + 0.0, number, weight  # -0.0 becomes 0.0


def weighted_median(values: npt.ArrayLike, weights: npt.ArrayLike) -> float:
    """Return the weighted median; the midpoint if two values share it.

    Parameters
    ----------
    values, weights : array_like of float
        Values and their weights, at least 0.

    Examples
    --------
    >>> weighted_median([1, 2, 3, 10], [1, 1, 1, 1]), weighted_median([1, 2, 3], [1, 1, 5])
    (2.5, 3.0)
    """
    order = np.argsort(np.asarray(values, dtype=np.float64), kind="stable")
    return _middle(np.asarray(values, dtype=np.float64)[order], np.asarray(weights, dtype=np.float64)[order])


def _middle(given: Floats, weight: Floats, before: float = 0.0, half: float | None = None) -> float:
    """Return the weighted median of values in order, of which ``before`` weight was left out in front."""
    if not (weight > 0).all():
        given, weight = given[weight > 0], weight[weight > 0]
    if not given.size:
        return math.nan
    up_to = before + np.cumsum(weight)
    half = up_to[-1] / 2 if half is None else half
    place = int(np.searchsorted(up_to, half * (1 - 1e-12)))
    if math.isclose(up_to[place], half, rel_tol=1e-12) and place + 1 < given.size:
        return float(given[place] + given[place + 1]) / 2
    return float(given[place])


def compare_means(
    a: Moments, b: Moments, *, pooled: bool = False, overlap: float = 0.0
) -> tuple[float, float, float, float, float]:
    """Test whether two means differ: Welch's t, or Student's with one pooled variance.

    Welch: ``SE² = SE1² + SE2²``, ``df = SE⁴/(SE1⁴/(e1-1) + SE2⁴/(e2-1))`` (B. L. Welch, *Biometrika* 34,
    1947). Pooled: ``s² = ((e1-1)s1² + (e2-1)s2²)/(e1+e2-2)``, ``SE² = s²(1/e1 + 1/e2)``. Common members take
    ``2 e_o s1 s2/(e1 e2)`` (pooled: ``2 e_o s²/(e1 e2)``) off SE², as in the test of two shares.

    Parameters
    ----------
    a, b : Moments
        The two cohorts.
    pooled : bool, default False
        Whether both give one variance.
    overlap : float, default 0
        Effective base of those in both.

    Returns
    -------
    difference, se, t, df, p : float
        NaN where an effective base is below 2 or nothing varies.

    Examples
    --------
    >>> a = moments([1, 2, 3], [1, 1, 1], [1, 1, 1], [1, 1, 1])
    >>> b = moments([2, 4, 9], [1, 1, 1], [1, 1, 1], [1, 1, 1])
    >>> [round(part, 4) for part in compare_means(a, b)]
    [-3.0, 2.1602, -1.3887, 2.3059, 0.2838]
    """
    from scipy.special import stdtr  # imported where used

    e_1, e_2 = a.n_eff, b.n_eff
    difference = a.mean - b.mean
    nothing = (difference, math.nan, math.nan, math.nan, math.nan)
    if min(e_1, e_2) < 2 - 1e-9:
        return nothing
    if pooled:
        square = ((e_1 - 1) * a.sd**2 + (e_2 - 1) * b.sd**2) / (e_1 + e_2 - 2)
        alone, df = square * (1 / e_1 + 1 / e_2), e_1 + e_2 - overlap - 2
        common = 2 * overlap * square / (e_1 * e_2)
    else:
        alone = a.se**2 + b.se**2
        parts = a.se**4 / (e_1 - 1) + b.se**4 / (e_2 - 1)
        df = alone**2 / parts if parts > 0 else math.nan
        common = 2 * overlap * a.sd * b.sd / (e_1 * e_2)
    variance = alone - common
    if not variance > 1e-12 * alone or not df > 0:
        return nothing
    se = math.sqrt(variance)
    return difference, se, difference / se, df, 2 * float(stdtr(df, -abs(difference / se)))
