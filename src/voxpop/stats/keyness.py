"""Keyness: words that one cohort uses more than another, with shrinkage for rare words."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class LogOdds:
    """Log-odds ratios of words, above 0 where the first cohort uses the word more.

    Attributes
    ----------
    delta, variance, z : arrays of float
        The ratio (natural logarithm), its variance, and ``delta / sqrt(variance)``.
    """

    delta: Floats
    variance: Floats
    z: Floats


def informative_prior(a: npt.ArrayLike, b: npt.ArrayLike, size: float) -> Floats:
    """Spread a prior of some words over the vocabulary, as the two cohorts together use it.

    Parameters
    ----------
    a, b : array_like of float
        How often each word of the vocabulary is used in the two cohorts.
    size : float
        Prior sample size in words, above 0.

    Examples
    --------
    >>> informative_prior([3, 1], [3, 1], 10).tolist()
    [7.5, 2.5]
    """
    both = np.asarray(a, dtype=np.float64) + np.asarray(b, dtype=np.float64)
    return both * (size / math.fsum(both))


def log_odds(a: npt.ArrayLike, b: npt.ArrayLike, prior: npt.ArrayLike) -> LogOdds:
    """Compare the use of each word by log-odds with an informative Dirichlet prior.

    ``δ = log((y+α)/(n+α₀-y-α))`` of the first cohort less that of the second, ``α₀ = Σα``, with the variance
    ``1/(y_a+α) + 1/(y_b+α)``. Source: B. L. Monroe, M. P. Colaresi, K. M. Quinn, "Fightin' Words",
    *Political Analysis* 16 (2008), equations 16 and 20 to 22.

    Parameters
    ----------
    a, b : array_like of float
        How often each word of the whole vocabulary is used.
    prior : array_like of float
        The prior ``α`` of each word, above 0; see :func:`informative_prior`.

    Examples
    --------
    >>> found = log_odds([6, 21], [1, 26], [0.01, 0.01])
    >>> found.delta.round(3).tolist(), found.z.round(3).tolist()
    ([1.997, -1.997], [1.857, -6.808])
    """
    first, second, alpha = (np.asarray(part, dtype=np.float64) for part in (a, b, prior))
    whole = math.fsum(alpha)
    delta = _logit(first, alpha, whole) - _logit(second, alpha, whole)
    variance = 1 / (first + alpha) + 1 / (second + alpha)
    return LogOdds(delta, variance, delta / np.sqrt(variance))


def _logit(counts: Floats, prior: Floats, whole: float) -> Floats:
    shown = counts + prior
    # a vocabulary of one word leaves nothing over: its odds are endless in both cohorts
    others = np.maximum(math.fsum(counts) + whole - shown, np.finfo(np.float64).tiny)
    return np.asarray(np.log(shown) - np.log(others))


def log_likelihood(a: npt.ArrayLike, b: npt.ArrayLike, total_a: float, total_b: float) -> Floats:
    """Return the log-likelihood ratio G² of each word's use in two cohorts, over all four cells.

    ``2·Σ O·log(O/E)`` of word and other words, cohort by cohort. Source: T. Dunning, *Computational
    Linguistics* 19 (1993).

    Parameters
    ----------
    a, b : array_like of float
        How often each word is used in the two cohorts.
    total_a, total_b : float
        All words of the two cohorts.

    Examples
    --------
    >>> log_likelihood([6, 1], [1, 1], 27, 27).round(4).tolist()
    [4.4954, 0.0]
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    whole = total_a + total_b
    share = (first + second) / whole
    found = np.zeros(first.shape)
    for counts, total in ((first, total_a), (second, total_b)):
        for seen, expected in ((counts, total * share), (total - counts, total * (1 - share))):
            safe = np.where((seen > 0) & (expected > 0), seen, 1.0)
            below = np.where((seen > 0) & (expected > 0), expected, 1.0)
            found += np.where(seen > 0, seen * np.log(safe / below), 0.0)
    return 2 * np.maximum(found, 0.0)


def log_ratio(a: npt.ArrayLike, b: npt.ArrayLike, total_a: float, total_b: float) -> Floats:
    """Return the log2 ratio of a word's shares in two cohorts, with half a use added to each count.

    Parameters
    ----------
    a, b : array_like of float
        How often each word is used in the two cohorts.
    total_a, total_b : float
        All words of the two cohorts, above 0.

    Examples
    --------
    >>> log_ratio([6], [1], 27, 27).round(4).tolist()
    [2.1155]
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    return np.asarray(np.log2((first + 0.5) / total_a) - np.log2((second + 0.5) / total_b))
