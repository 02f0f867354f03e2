"""Sample-size planning: required respondents, detectable differences and power."""

from __future__ import annotations

import math
from collections.abc import Callable


def power_shares(share_a: float, share_b: float, n: float, level: float = 0.05) -> float:
    """Return the power to detect a difference of two shares with n respondents per cohort.

    ``Φ((|p1-p2|·sqrt(n) - z·sqrt((p1+p2)(2-p1-p2)/2)) / sqrt(p1q1 + p2q2))`` with z the two-sided normal
    quantile. Source: J. L. Fleiss, *Statistical Methods for Rates and Proportions* (1981); R:
    ``power.prop.test``.

    Parameters
    ----------
    share_a, share_b : float
        0 to 1.
    n : float
        Effective respondents in each cohort.
    level : float, default 0.05
        Two-sided level of the test.

    Examples
    --------
    >>> round(power_shares(0.5, 0.75, 50), 4)
    0.7402
    """
    from scipy.special import ndtr, ndtri  # imported where used

    z = float(ndtri(1 - level / 2))
    spread = math.sqrt((share_a + share_b) * (1 - (share_a + share_b) / 2))
    apart = math.sqrt(share_a * (1 - share_a) + share_b * (1 - share_b))
    if apart == 0:
        return 1.0 if share_a != share_b else level
    return float(ndtr((abs(share_a - share_b) * math.sqrt(n) - z * spread) / apart))


def n_for_shares(share_a: float, share_b: float, level: float = 0.05, power: float = 0.8) -> float:
    """Return the respondents per cohort needed to detect a difference of two shares.

    Parameters
    ----------
    share_a, share_b : float
        0 to 1, not equal.
    level, power : float
        Two-sided level of the test, and the power required.

    Raises
    ------
    ValueError
        When the shares are equal.

    Examples
    --------
    >>> round(n_for_shares(0.5, 0.75, power=0.9), 2)
    76.71
    """
    from scipy.special import ndtri  # imported where used

    if share_a == share_b:
        raise ValueError("share_a and share_b must differ; no sample size distinguishes equal shares.")
    z, w = float(ndtri(1 - level / 2)), float(ndtri(power))
    spread = math.sqrt((share_a + share_b) * (1 - (share_a + share_b) / 2))
    apart = math.sqrt(share_a * (1 - share_a) + share_b * (1 - share_b))
    return ((z * spread + w * apart) / (share_a - share_b)) ** 2


def detectable_share(share: float, n: float, level: float = 0.05, power: float = 0.8) -> float:
    """Return the nearest share that n respondents per cohort can distinguish from a given one.

    It lies above the given share, or below it if that is over a half.

    Returns
    -------
    float
        The other share; NaN if even 0 or 1 would not be detected.

    Examples
    --------
    >>> round(detectable_share(0.5, 76.707, power=0.9), 4)
    0.75
    """
    end = 1.0 if share <= 0.5 else 0.0
    if power_shares(share, end, n, level) < power:
        return math.nan
    return _root(lambda other: power_shares(share, other, n, level) - power, share, end)


def power_means(difference: float, sd: float, n: float, level: float = 0.05) -> float:
    """Return the power to detect a difference of two means with n per cohort, by the noncentral t.

    ``1 - T(t(1-level/2; 2n-2); 2n-2, sqrt(n/2)·difference/sd)``. Source: J. Cohen, *Statistical Power
    Analysis* (1988); R: ``power.t.test``.

    Parameters
    ----------
    difference, sd : float
        Difference of the means, and the standard deviation within cohorts, above 0.
    n : float
        Effective respondents in each cohort, above 1.
    level : float, default 0.05
        Two-sided level of the test.

    Examples
    --------
    >>> round(power_means(1, 1, 20), 6)
    0.868953
    """
    from scipy.special import nctdtr, stdtrit  # imported where used

    df = 2 * (n - 1)
    limit = float(stdtrit(df, 1 - level / 2))
    return 1 - float(nctdtr(df, math.sqrt(n / 2) * abs(difference) / sd, limit))


def n_for_means(difference: float, sd: float, level: float = 0.05, power: float = 0.8) -> float:
    """Return the respondents per cohort needed to detect a difference of two means.

    Raises
    ------
    ValueError
        When the difference is 0.

    Examples
    --------
    >>> round(n_for_means(1, 1, power=0.9), 3)
    22.021
    """
    if difference == 0:
        raise ValueError("difference must not be 0; no sample size distinguishes equal means.")
    high = 4.0
    while power_means(difference, sd, high, level) < power:
        high *= 2
    if power_means(difference, sd, 2.0, level) >= power:
        return 2.0
    return _root(lambda n: power_means(difference, sd, n, level) - power, 2.0, high)


def detectable_difference(sd: float, n: float, level: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest difference of two means that n respondents per cohort can detect.

    Examples
    --------
    >>> round(detectable_difference(1, 22.02110, power=0.9), 4)
    1.0
    """
    high = sd
    while power_means(high, sd, n, level) < power:
        high *= 2
    return _root(lambda difference: power_means(difference, sd, n, level) - power, 0.0, high)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    from scipy.optimize import brentq  # imported where used

    return float(brentq(function, low, high, xtol=1e-12, rtol=1e-13))
