"""Bootstrap intervals of ratios of sums, with clusters of items drawn together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def cluster_counts(clusters: Sequence[str], *, seed: int, resamples: int = 500) -> Floats:
    """Draw clusters with replacement, and return how often each item is in each draw.

    Parameters
    ----------
    clusters : sequence of str
        Cluster of each item; the items of a cluster are drawn together.
    seed : int
        The same seed gives the same draws.
    resamples : int, default 500
        Number of draws.

    Returns
    -------
    array (resamples, items)

    Examples
    --------
    >>> drawn = cluster_counts(["a", "a", "b"], seed=7, resamples=4)
    >>> bool((drawn[:, 0] == drawn[:, 1]).all()), drawn[:, [0, 2]].sum(axis=1).tolist()
    (True, [2.0, 2.0, 2.0, 2.0])
    """
    names, place = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(names.size, np.full(names.size, 1 / names.size), size=resamples)
    return np.asarray(drawn[:, place], dtype=np.float64)


def ratio_interval(
    above: npt.ArrayLike, below: npt.ArrayLike, counts: Floats, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of ``Σ above / Σ below`` over items.

    Source of the method: B. Efron, R. Tibshirani, *An Introduction to the Bootstrap* (1993), chapters 8, 13.

    Parameters
    ----------
    above, below : array_like of float
        One figure per item; for a mean, ``below`` is 1.
    counts : array (resamples, items)
        Draws, from :func:`cluster_counts`.
    confidence : float, default 0.95
        Between 0 and 1.

    Returns
    -------
    (float, float)
        NaN if too few draws have a ratio.

    Examples
    --------
    >>> drawn = cluster_counts(["a", "b", "c", "d"], seed=7)
    >>> low, high = ratio_interval([1, 2, 3, 4], [1, 1, 1, 1], drawn)
    >>> 1 <= low < 2.5 < high <= 4
    True
    """
    sums, sizes = counts @ np.asarray(above, dtype=np.float64), counts @ np.asarray(below, dtype=np.float64)
    held = sizes > 0
    return quantiles(sums[held] / sizes[held], len(counts), confidence)


def interval_of(
    statistic: Callable[[Floats], float], counts: Floats, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of any statistic of item counts.

    Examples
    --------
    >>> drawn = cluster_counts(["a", "b"], seed=7, resamples=50)
    >>> interval_of(lambda count: float(count[0]), drawn)
    (0.0, 2.0)
    """
    return quantiles(np.array([statistic(row) for row in counts]), len(counts), confidence)


def quantiles(found: Floats, resamples: int, confidence: float) -> tuple[float, float]:
    """Return the two ends of a percentile interval; NaN if too few resamples have a value."""
    held = found[~np.isnan(found)]
    if held.size == 0 or held.size < confidence * resamples:
        return math.nan, math.nan
    low, high = np.quantile(held, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
