"""Quantiles of a sample design with their confidence intervals.

Woodruff's intervals turn the interval of a share around: the quantiles at the ends of the interval of the
share below the estimate. Sources: R. S. Woodruff, *JASA* 47 (1952); C. A. Francisco, W. A. Fuller, *Ann.
Stat.* 19 (1991), for ``score``; R: ``survey::svyquantile`` 4.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from voxpop.stats.estimates import AnySample, means
from voxpop.stats.quantile_rules import QuantileRule, weighted_quantile
from voxpop.stats.replication import ReplicateSample, spread
from voxpop.stats.root_finding import root_between
from voxpop.stats.share_intervals import ShareInterval, share_interval

Floats = npt.NDArray[np.float64]
QuantileInterval = Literal["mean", "beta", "xlogit", "asin", "score", "quantile"]
QUANTILE_INTERVALS: tuple[str, ...] = get_args(QuantileInterval)
_SHARES: dict[str, ShareInterval] = {"mean": "mean", "beta": "beta", "xlogit": "xlogit", "asin": "asin"}


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile with its interval; its standard error is the width of the interval over 2 t."""

    value: float
    low: float
    high: float
    se: float


def quantile(
    sample: AnySample,
    numbers: npt.ArrayLike,
    p: float,
    *,
    inside: npt.NDArray[np.bool_] | None = None,
    interval: QuantileInterval = "mean",
    rule: QuantileRule = "math",
    level: float = 0.95,
    df: float | None = None,
) -> Quantile:
    """Estimate a quantile.

    Parameters
    ----------
    sample : Sample or ReplicateSample
        The sample.
    numbers : array_like of float
        Numbers; missing ones (NaN) are left out.
    p : float
        From 0 to 1; 0.5 is the median.
    inside : array of bool, optional
        The rows of a subpopulation.
    interval : {"mean", "beta", "xlogit", "asin", "score", "quantile"}
        Woodruff's interval from one of a share, the inverted score test (linearized samples only), or the
        spread of the quantile over replicates (replicate weights only).
    rule : str
        The rule of :func:`voxpop.stats.quantile_rules.weighted_quantile`.
    level, df : float
        Confidence level, and degrees of freedom; by default those of the rows with a number.

    Examples
    --------
    >>> from voxpop.stats.sampling import sample_of
    >>> found = quantile(sample_of(np.ones(9)), np.arange(9.0), 0.5)
    >>> found.value, found.low, found.high
    (4.0, 1.0, 8.0)
    """
    from scipy.special import ndtri, stdtrit  # imported where used

    x = np.asarray(numbers, dtype=np.float64)
    every = np.ones(x.size, dtype=np.bool_) if inside is None else inside
    held = every & ~np.isnan(x)
    degrees = sample.degrees(held) if df is None else df
    value = weighted_quantile(x[held], sample.weights[held], p, rule)
    top = (1 + level) / 2
    t = float(ndtri(top)) if math.isinf(degrees) else float(stdtrit(degrees, top))
    if math.isnan(value) or not degrees > 0:
        return Quantile(value, math.nan, math.nan, math.nan)
    if interval == "quantile" and isinstance(sample, ReplicateSample):
        low, high = _replicated(sample, x, held, p, value, rule=rule, t=t)
    elif interval == "score":
        low, high = _scored(sample, x, held, p, rule, t)
    else:
        low, high = _woodruff(
            sample, x, held, value, rule=rule, level=level, df=degrees, method=_SHARES[interval]
        )
    return Quantile(value, low, high, (high - low) / (2 * t))


def _woodruff(
    sample: AnySample,
    x: Floats,
    held: npt.NDArray[np.bool_],
    value: float,
    *,
    rule: QuantileRule,
    level: float,
    df: float,
    method: ShareInterval,
) -> tuple[float, float]:
    below = np.where(held, (x <= value).astype(np.float64), math.nan)
    found = means(sample, below)
    share, se = float(found.values[0]), float(found.se[0])
    ends = share_interval(share, se, df, method, count=float(found.counts[0]), level=level)
    own, weights = x[held], sample.weights[held]
    low = math.nan if math.isnan(ends[0]) or ends[0] < 0 else weighted_quantile(own, weights, ends[0], rule)
    high = math.nan if math.isnan(ends[1]) or ends[1] > 1 else weighted_quantile(own, weights, ends[1], rule)
    return low, high


def _scored(
    sample: AnySample, x: Floats, held: npt.NDArray[np.bool_], p: float, rule: QuantileRule, t: float
) -> tuple[float, float]:
    used = held & (sample.weights > 0)
    own, weights = x[used], sample.weights[used]
    quarter = float(np.subtract(*np.percentile(own, [75, 25])))
    tol = 1 / (100 * math.sqrt(float((weights > 0).sum())))

    def statistic(theta: float) -> float:
        score = np.where(held, (x > theta) - (1 - p), math.nan)
        found = means(sample, score)
        mean, se = float(found.values[0]), float(found.se[0])
        return mean / se if se else math.copysign(math.inf, mean)

    start, end = float(own.min()) + quarter / 100, float(own.max()) - quarter / 100
    if not start < end:
        return math.nan, math.nan
    roots = [
        root_between(lambda theta: statistic(theta) - t, start, end, tol),
        root_between(lambda theta: statistic(theta) + t, start, end, tol),
    ]
    shares = [math.nan if math.isnan(root) else float((own <= root).mean()) for root in roots]
    ends = [weighted_quantile(own, weights, s, rule) if s == s else math.nan for s in shares]
    return ends[0], ends[1]


def _replicated(
    sample: ReplicateSample,
    x: Floats,
    held: npt.NDArray[np.bool_],
    p: float,
    value: float,
    *,
    rule: QuantileRule,
    t: float,
) -> tuple[float, float]:
    own = x[held]
    found = [weighted_quantile(own, weights[held], p, rule) for weights in sample.replicates.T]
    made = np.array(found)[:, None]
    variance = spread(made, np.array([value]), sample.scale, sample.rscales, mse=sample.mse)[0, 0]
    return value - t * math.sqrt(variance), value + t * math.sqrt(variance)
