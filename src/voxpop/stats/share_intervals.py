"""Confidence intervals of a share under a sample design.

Sources: E. L. Korn, B. I. Graubard, *Survey Methodology* 24 (1998), for ``beta``, the interval of Clopper and
Pearson at the effective base; E. B. Wilson, *JASA* 22 (1927); R: ``survey::svyciprop``.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

ShareInterval = Literal["logit", "beta", "wilson", "xlogit", "asin", "mean"]
SHARE_INTERVALS: tuple[str, ...] = get_args(ShareInterval)


def share_interval(
    share: float,
    se: float,
    df: float,
    method: ShareInterval = "logit",
    *,
    count: float = math.inf,
    level: float = 0.95,
) -> tuple[float, float]:
    """Return the confidence interval of a share.

    Parameters
    ----------
    share, se : float
        The share, from 0 to 1, and its standard error; for ``logit`` with replicate weights, the standard
        error of its logit times p (1 - p).
    df : float
        Degrees of freedom of the design.
    method : {"logit", "beta", "wilson", "xlogit", "asin", "mean"}
        ``logit`` and ``xlogit`` (R's two names): symmetric on the logit scale; ``asin``: on the scale of the
        arc sine; ``beta`` and ``wilson``: exact and score intervals at the effective base; ``mean``: the
        share plus and minus t times its standard error.
    count : float
        Respondents of the design, which the effective base of ``beta`` is adjusted to.
    level : float, default 0.95
        Confidence level.

    Returns
    -------
    low, high : float
        Missing (NaN) where the method has no interval, such as the logit of 0.

    Examples
    --------
    >>> [round(end, 4) for end in share_interval(0.3, 0.05, 20, "logit")]
    [0.2069, 0.4132]
    >>> [round(end, 4) for end in share_interval(0.3, 0.05, 20, "beta", count=100)]
    [0.2002, 0.416]
    """
    from scipy.special import stdtrit  # imported where used

    if math.isnan(share) or math.isnan(se) or not df > 0:
        return math.nan, math.nan
    t = float(stdtrit(df, (1 + level) / 2))
    if method == "mean":
        return share - t * se, share + t * se
    if method == "beta":
        return _beta(share, se, df, count, level)
    if not 0 < share < 1:
        return math.nan, math.nan
    if method == "asin":
        centre, half = math.asin(math.sqrt(share)), t * se / (2 * math.sqrt(share * (1 - share)))
        return math.sin(centre - half) ** 2, math.sin(centre + half) ** 2
    if method == "wilson":
        return _wilson(share, se, t)
    centre, half = math.log(share / (1 - share)), t * se / (share * (1 - share))
    return _expit(centre - half), _expit(centre + half)


def _expit(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value >= 0 else math.exp(value) / (1 + math.exp(value))


def _wilson(share: float, se: float, t: float) -> tuple[float, float]:
    """Return Wilson's interval at the effective base, with t in place of z."""
    if not se > 0:
        return share, share
    base = share * (1 - share) / se**2
    centre = (share + t * t / (2 * base)) / (1 + t * t / base)
    half = t / (1 + t * t / base) * math.sqrt(share * (1 - share) / base + t * t / (4 * base * base))
    return centre - half, centre + half


def _beta(share: float, se: float, df: float, count: float, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv, ndtri, stdtrit  # imported where used

    if not 0 < share < 1 or not se > 0:
        return math.nan, math.nan
    tail = (1 - level) / 2
    usual = ndtri(tail) if math.isinf(count) else stdtrit(count - 1, tail)
    base = share * (1 - share) / se**2 * float(usual / stdtrit(df, tail)) ** 2
    low = betaincinv(base * share, base * (1 - share) + 1, tail)
    high = betaincinv(base * share + 1, base * (1 - share), 1 - tail)
    return float(low), float(high)
