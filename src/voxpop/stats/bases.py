"""Bases: how many respondents a figure rests on, unweighted, weighted and effective.

Sums are exact to the last digit (``math.fsum``), so they do not depend on the order of the respondents.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def group_sums(values: npt.ArrayLike, codes: npt.ArrayLike, groups: int) -> Floats:
    """Add up values within groups, rounding once per group.

    Parameters
    ----------
    values : array_like of float
        What is added up.
    codes : array_like of int
        The group of each value, from 0.
    groups : int
        How many groups there are.

    Examples
    --------
    >>> group_sums([0.1, 0.2, 5.0, 0.3], [0, 0, 1, 0], 3).tolist()
    [0.6, 5.0, 0.0]
    """
    given, place = np.asarray(values, dtype=np.float64), np.asarray(codes, dtype=np.intp)
    ordered = given[np.argsort(place, kind="stable")]
    counts = np.bincount(place, minlength=groups)
    ends = np.cumsum(counts)
    sums = [math.fsum(ordered[end - count : end]) for count, end in zip(counts, ends, strict=True)]
    return np.array(sums, dtype=np.float64)


def effective_base(weight_sum: npt.ArrayLike, square_sum: npt.ArrayLike) -> Floats:
    """Return Kish's effective base, ``(Σw)² / Σw²``: the unweighted sample that would be as precise.

    Source: L. Kish, *Survey Sampling* (1965). It is 0 where nobody has a weight.

    Parameters
    ----------
    weight_sum, square_sum : array_like of float
        Sum of weights and of squared weights, at least 0.

    Examples
    --------
    >>> effective_base([4.0, 3.0, 0.0], [4.0, 5.0, 0.0]).tolist()
    [4.0, 1.8, 0.0]
    """
    total = np.asarray(weight_sum, dtype=np.float64)
    squares = np.asarray(square_sum, dtype=np.float64)
    return np.divide(
        total * total, squares, out=np.zeros(np.broadcast(total, squares).shape), where=squares > 0
    )


def shares(part: npt.ArrayLike, base: npt.ArrayLike) -> Floats:
    """Divide parts by their bases; a share of nobody is missing (NaN), never 0.

    Parameters
    ----------
    part, base : array_like of float
        Weighted counts and the weighted bases they are part of. Arrays are broadcast together.

    Examples
    --------
    >>> shares([1, 0, 0], [4, 4, 0]).tolist()
    [0.25, 0.0, nan]
    """
    above, below = np.broadcast_arrays(np.asarray(part, dtype=np.float64), np.asarray(base, dtype=np.float64))
    whole = np.full(above.shape, np.nan)
    np.divide(above, below, out=whole, where=below > 0)
    return whole


def design_effect(count: npt.ArrayLike, effective: npt.ArrayLike) -> Floats:
    """Return Kish's design effect of weighting, ``n·Σw²/(Σw)² = n/e``; NaN where nobody has a weight.

    Its inverse, times 100, is the weighting efficiency in percent. Source: L. Kish, *J. Off. Stat.* 8 (1992).

    Parameters
    ----------
    count, effective : array_like of float
        Respondents, and their effective base.

    Examples
    --------
    >>> design_effect(944, 710.810223037816).round(6).item()
    1.328062
    """
    return shares(count, effective)
