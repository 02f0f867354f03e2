"""The root of a function between two ends, by the method of Brent as R's ``uniroot`` takes it.

Steps of a test statistic have no exact root: where the search ends depends on its steps, so they are those
of R. Source: R. P. Brent, *Algorithms for Minimization without Derivatives* (1973), ``zeroin``.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

_EPS = sys.float_info.epsilon


def root_between(
    function: Callable[[float], float], low: float, high: float, tol: float, *, most: int = 1000
) -> float:
    """Return where a function is 0; NaN if its ends have the same sign.

    Parameters
    ----------
    function : callable
        The function.
    low, high : float
        The ends, whose values have opposite signs.
    tol : float
        Largest error of the root.
    most : int, default 1000
        Steps at most.

    Examples
    --------
    >>> round(root_between(lambda x: x * x - 2, 0.0, 2.0, 1e-9), 6)
    1.414214
    """
    a, b = low, high
    fa, fb = function(a), function(b)
    if math.isnan(fa) or math.isnan(fb) or fa * fb > 0:
        return math.nan
    c, fc = a, fa
    if fa == 0:
        return a
    if fb == 0:
        return b
    for _ in range(most + 1):
        previous = b - a
        if abs(fc) < abs(fb):
            a, b, c = b, c, b
            fa, fb, fc = fb, fc, fb
        close = 2 * _EPS * abs(b) + tol / 2
        step = (c - b) / 2
        if abs(step) <= close or fb == 0:
            return b
        if abs(previous) >= close and abs(fa) > abs(fb):
            step = _interpolated((a, b, c), (fa, fb, fc), previous, close, step)
        if abs(step) < close:
            step = close if step > 0 else -close
        a, fa = b, fb
        b += step
        fb = function(b)
        if (fb > 0 and fc > 0) or (fb < 0 and fc < 0):
            c, fc = a, fa
    return b


def _interpolated(
    points: tuple[float, float, float],
    values: tuple[float, float, float],
    previous: float,
    close: float,
    step: float,
) -> float:
    """Return the step of linear or inverse quadratic interpolation, or the given one if that is no better."""
    (a, b, c), (fa, fb, fc) = points, values
    across = c - b
    if a == c:
        ratio = fb / fa
        p, q = across * ratio, 1 - ratio
    else:
        first, second, third = fa / fc, fb / fc, fb / fa
        p = third * (across * first * (first - second) - (b - a) * (second - 1))
        q = (first - 1) * (second - 1) * (third - 1)
    if p > 0:
        q = -q
    else:
        p = -p
    if p < 0.75 * across * q - abs(close * q) / 2 and p < abs(previous * q / 2):
        return p / q
    return step
