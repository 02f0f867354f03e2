"""Bases: how many respondents a figure rests on, unweighted, weighted and effective.

Sums are rounded once, like those of ``math.fsum``, so they do not depend on the order of the respondents.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_BLOCK = 1 << 14
"""Block size of a summation, chosen to fit the processor cache."""


def group_sums(values: npt.ArrayLike, codes: npt.ArrayLike, groups: int) -> Floats:
    """Add up finite values within groups, rounding once per group.

    Each sum is the one of ``math.fsum``, whatever the order of the values. Every value is cut into parts that
    are multiples of one power of two, large enough for the sums of these parts to need no rounding: adding
    and subtracting ``1.5 * 2**e`` rounds a number to a multiple of ``2**(e - 52)`` (T. J. Dekker, *Numerische
    Mathematik* 18, 1971).

    Parameters
    ----------
    values : array_like of float
        What is added up.
    codes : array_like of int
        The group of each value, from 0.
    groups : int
        How many groups there are.

    Raises
    ------
    OverflowError
        When a value is not finite, or so large that a sum may not be.

    Examples
    --------
    >>> group_sums([0.1, 0.2, 5.0, 0.3], [0, 0, 1, 0], 3).tolist()
    [0.6, 5.0, 0.0]
    """
    given, place = np.asarray(values, dtype=np.float64), np.asarray(codes, dtype=np.intp)
    parts = [
        np.asarray(np.bincount(place, weights=part, minlength=groups), dtype=np.float64)
        for part in _parts(given)
    ]
    if len(parts) < 3:  # one addition rounds once
        return parts[0] if len(parts) == 1 else parts[0] + parts[1]
    return np.array([math.fsum(own) for own in zip(*(part.tolist() for part in parts), strict=True)])


def exact_sum(values: npt.ArrayLike) -> float:
    """Add up finite values, rounding once, as ``math.fsum`` does and faster.

    Examples
    --------
    >>> exact_sum([0.1] * 10)
    1.0
    """
    given = np.asarray(values, dtype=np.float64)
    blocks = (given[start : start + _BLOCK] for start in range(0, given.size, _BLOCK))
    return math.fsum(float(part.sum()) for block in blocks for part in _parts(block))


def _parts(values: Floats) -> Iterator[Floats]:
    """Cut values into parts that add up to them and whose own sums need no rounding."""
    rows = max(values.size, 1).bit_length()
    largest = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    if not largest < math.ldexp(1.0, 1020 - rows):
        raise OverflowError("the numbers are too large to be added up")
    rest, scale = values.copy(), math.frexp(largest)[1] + rows
    while True:
        if scale < -1021:  # small multiples of the smallest double: their sums need no rounding
            yield rest
            return
        far = math.ldexp(1.5, scale)
        part = rest + far
        part -= far
        yield part
        rest -= part
        if not rest.any():
            return
        scale += rows - 53


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
