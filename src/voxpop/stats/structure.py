"""The structure of answers: correlations of items, and how far two sets of correlations agree."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def pairwise_correlations(
    values: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """Return Pearson's correlation of each pair of items, and how many respondents answered both.

    Each pair uses the respondents who answered both items, with the means and variances of these respondents.

    Parameters
    ----------
    values : array_like of float (respondents, items)
        NaN where an item was not answered.
    weights : array_like of float, optional
        Weights of the respondents.

    Returns
    -------
    (array, array)
        Correlations (NaN where an item does not vary) and unweighted numbers, both (items, items).

    Examples
    --------
    >>> r, n = pairwise_correlations([[1, 2], [2, 4], [3, 6], [4, np.nan]])
    >>> round(float(r[0, 1]), 6), float(n[0, 1])
    (1.0, 3.0)
    """
    given = np.asarray(values, dtype=np.float64)
    held = ~np.isnan(given)
    size = np.ones(len(given)) if weights is None else np.asarray(weights, dtype=np.float64)
    middle = np.array(
        [given[held[:, item], item].mean() if held[:, item].any() else 0.0 for item in _of(given)]
    )
    x = np.where(held, given - middle, 0.0)  # near 0, so that squares keep their digits
    here = held.astype(np.float64)
    w = here * size[:, None]
    total = w.T @ here
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (w * x).T @ here / total  # of the row's item, over the pair
        square = (w * x * x).T @ here / total - mean**2
        both = (w * x).T @ x / total - mean * mean.T
        scale = np.sqrt(np.where(square > 1e-12, square, np.nan))
        r = both / (scale * scale.T)
    return np.clip(r, -1.0, 1.0), here.T @ here


def _of(given: Floats) -> range:
    return range(given.shape[1])


def agreement_of_correlations(
    human: npt.ArrayLike, other: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> float:
    """Return the correlation of two sets of correlations over the same pairs of items.

    Pearson's correlation of the entries, as of the Mantel test (N. Mantel, *Cancer Research* 27, 1967): 1 if
    the pairs that go together among people also do on the other side, 0 if that is unrelated. L. P. Argyle et
    al., *Political Analysis* 31 (2023), compare silicon samples with people by such patterns.

    Parameters
    ----------
    human, other : array_like of float
        Correlations, one per pair; NaN where one is not known.
    weights : array_like of float, optional
        How often each pair counts.

    Returns
    -------
    float
        NaN with fewer than three pairs, or if one side is all alike.

    Examples
    --------
    >>> round(agreement_of_correlations([0.1, 0.4, -0.2, 0.3], [0.2, 0.3, -0.1, 0.2]), 3)
    0.946
    """
    first, second = np.asarray(human, dtype=np.float64), np.asarray(other, dtype=np.float64)
    known = ~np.isnan(first) & ~np.isnan(second)
    size = np.ones(first.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    known &= size > 0
    if known.sum() < 3:
        return math.nan
    x, y, w = first[known], second[known], size[known] / size[known].sum()
    x, y = x - w @ x, y - w @ y
    scale = math.sqrt(float(w @ x**2) * float(w @ y**2))
    return float(w @ (x * y)) / scale if scale > 1e-15 else math.nan


def repeated_agreement(human: npt.ArrayLike, numbers: npt.ArrayLike, deff: float = 1.0) -> float:
    """Return the agreement of correlations that a second survey of the same size would show.

    The variance of the correlations over the pairs is that of the true ones plus that of sampling, on average
    ``(1-r²)²·deff/(n-1)``. A second survey has the same true part and another sampling part, so that the two
    correlate by true variance over total variance, the reliability of classical test theory (F. M. Lord, M.
    R. Novick, *Statistical Theories of Mental Test Scores*, 1968).

    Parameters
    ----------
    human : array_like of float
        Correlations, one per pair; NaN where one is not known.
    numbers : array_like of float
        People behind each.
    deff : float, default 1
        Design effect of the survey.

    Returns
    -------
    float
        0 to 1; NaN with fewer than three pairs.

    Examples
    --------
    >>> round(repeated_agreement([0.1, 0.4, -0.2, 0.3], [500, 500, 500, 500]), 3)
    0.967
    """
    r, n = np.asarray(human, dtype=np.float64), np.asarray(numbers, dtype=np.float64)
    known = ~np.isnan(r) & (n > 1)
    if known.sum() < 3:
        return math.nan
    r, n = r[known], n[known]
    total = float(np.var(r))
    noise = math.fsum((1 - r**2) ** 2 * deff / (n - 1)) / r.size
    return max(0.0, 1 - noise / total) if total > 0 else math.nan
