"""Distances between two distributions over the same levels, and the evenness of one."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def distribution(values: npt.ArrayLike) -> Floats:
    """Scale figures of 0 or more to shares that add up to 1.

    Raises
    ------
    ValueError
        When a figure is negative or missing, or all are 0.

    Examples
    --------
    >>> distribution([50, 30, 20]).tolist()
    [0.5, 0.3, 0.2]
    """
    given = np.asarray(values, dtype=np.float64)
    total = math.fsum(given)
    if not np.isfinite(given).all() or (given < 0).any() or not total > 0:
        raise ValueError("shares are 0 or more, and not all 0.")
    return given / total


def total_variation(p: npt.ArrayLike, q: npt.ArrayLike) -> float:
    """Return the total variation distance: the share of answers that would have to change, 0 to 1.

    ``½·Σ|p-q|``, the most by which the two can differ on any set of levels.

    Parameters
    ----------
    p, q : array_like of float
        Shares of the same levels.

    Examples
    --------
    >>> round(total_variation([0.5, 0.3, 0.2], [0.4, 0.3, 0.3]), 3)
    0.1
    """
    return math.fsum(np.abs(distribution(p) - distribution(q))) / 2


def mean_absolute_error(p: npt.ArrayLike, q: npt.ArrayLike) -> float:
    """Return the mean absolute error of a share: ``Σ|p-q| / levels``, twice total variation over the levels.

    It is smaller the more levels there are; compare it only for the same questions.

    Parameters
    ----------
    p, q : array_like of float
        Shares of the same levels.

    Examples
    --------
    >>> round(mean_absolute_error([0.5, 0.3, 0.2], [0.4, 0.3, 0.3]), 4)
    0.0667
    """
    return 2 * total_variation(p, q) / np.asarray(p).size


def wasserstein(p: npt.ArrayLike, q: npt.ArrayLike) -> float:
    """Return the 1-Wasserstein (earth mover's) distance over ordered levels, scaled to 0 to 1.

    ``Σ|F-G| / (levels-1)`` for the distribution functions F and G: the mean distance that answers have to
    move, where the scale from its first to its last level has length 1. One minus this is the alignment score
    of S. Santurkar et al., *Whose Opinions Do Language Models Reflect?* (ICML 2023). Source of the closed
    form: S. S. Vallender, *Theory of Probability and Its Applications* 18 (1974).

    Parameters
    ----------
    p, q : array_like of float
        Shares of the same levels, in their order.

    Returns
    -------
    float
        NaN for a single level.

    Examples
    --------
    >>> wasserstein([1, 0, 0], [0, 0, 1]), round(wasserstein([0.2, 0.3, 0.5], [0.4, 0.3, 0.3]), 3)
    (1.0, 0.2)
    """
    first, second = distribution(p), distribution(q)
    if first.size < 2:
        return math.nan
    return math.fsum(np.abs(np.cumsum(first - second))[:-1]) / (first.size - 1)


def jensen_shannon(p: npt.ArrayLike, q: npt.ArrayLike) -> float:
    """Return the Jensen-Shannon divergence in bits: 0 for equal shares, 1 for no level in common.

    Its square root is a distance. Source: J. Lin, *IEEE Transactions on Information Theory* 37 (1991).

    Parameters
    ----------
    p, q : array_like of float
        Shares of the same levels.

    Examples
    --------
    >>> jensen_shannon([1, 0], [0, 1]), round(jensen_shannon([0.5, 0.5], [0.9, 0.1]), 4)
    (1.0, 0.1468)
    """
    first, second = distribution(p), distribution(q)
    middle = (first + second) / 2
    return max(0.0, entropy(middle) - (entropy(first) + entropy(second)) / 2)


def ks_distance(p: npt.ArrayLike, q: npt.ArrayLike) -> float:
    """Return the Kolmogorov-Smirnov distance of two distributions over ordered levels, 0 to 1.

    Parameters
    ----------
    p, q : array_like of float
        Shares of the same levels, in their order.

    Examples
    --------
    >>> round(ks_distance([0.2, 0.3, 0.5], [0.4, 0.3, 0.3]), 3)
    0.2
    """
    return float(np.abs(np.cumsum(distribution(p)) - np.cumsum(distribution(q))).max())


def rank_correlation(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Return Spearman's rank correlation, ties at their mean rank; NaN when one side is all alike.

    Source: C. Spearman, *American Journal of Psychology* 15 (1904).

    Examples
    --------
    >>> round(rank_correlation([1, 2, 3, 4], [1, 3, 2, 4]), 3)
    0.8
    """
    first, second = _ranks(x), _ranks(y)
    first, second = first - first.mean(), second - second.mean()
    spread = math.sqrt(math.fsum(first**2) * math.fsum(second**2))
    return math.fsum(first * second) / spread if spread > 0 else math.nan


def _ranks(values: npt.ArrayLike) -> Floats:
    _, place, counts = np.unique(
        np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True
    )
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[place], dtype=np.float64)


def entropy(p: npt.ArrayLike) -> float:
    """Return Shannon's entropy of shares, in bits.

    Examples
    --------
    >>> entropy([0.5, 0.5]), entropy([1, 0])
    (1.0, 0.0)
    """
    shares = distribution(p)
    held = shares[shares > 0]
    return max(0.0, -math.fsum(held * np.log2(held)))


def evenness(p: npt.ArrayLike) -> float:
    """Return how evenly answers spread over the levels: entropy over its maximum, 0 to 1 (Pielou's J).

    NaN for a single level. Source: E. C. Pielou, *Journal of Theoretical Biology* 13 (1966).

    Examples
    --------
    >>> evenness([25, 25, 25, 25]), evenness([1, 0, 0])
    (1.0, 0.0)
    """
    levels = np.asarray(p).size
    return entropy(p) / math.log2(levels) if levels > 1 else math.nan


def spread(p: npt.ArrayLike) -> tuple[float, float]:
    """Return mean and standard deviation of ordered levels, counted 1, 2, 3 and so on.

    Examples
    --------
    >>> spread([0.5, 0, 0.5])
    (2.0, 1.0)
    """
    shares = distribution(p)
    points = np.arange(1, shares.size + 1)
    mean = math.fsum(shares * points)
    return mean, math.sqrt(math.fsum(shares * (points - mean) ** 2))


def chance_distance(p: npt.ArrayLike, n: float) -> float:
    """Return the total variation distance that n respondents drawn from these very shares show on average.

    The mean absolute error of a share is about ``sqrt(2p(1-p)/(πn))``, that of a normal variable.

    Parameters
    ----------
    p : array_like of float
        The true shares.
    n : float
        Effective respondents.

    Returns
    -------
    float
        0 to 1; NaN without a respondent.

    Examples
    --------
    >>> round(chance_distance([0.5, 0.5], 400), 4)
    0.0199
    """
    if not n > 0:
        return math.nan
    shares = distribution(p)
    return min(1.0, math.fsum(np.sqrt(2 * shares * (1 - shares) / (math.pi * n))) / 2)
