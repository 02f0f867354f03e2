"""Means, totals and ratios of a sample design, by group, with their covariance.

Statistics of a subpopulation rest on all rows of the sample: those outside have a score of 0. Sources:
W. G. Cochran, *Sampling Techniques* (1977), sections 2.12 and 6.3; D. A. Binder, *Int. Stat. Rev.* 51 (1983);
R: ``survey::svymean``, ``svytotal``, ``svyratio`` and ``svyby``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from voxpop.stats.bases import group_sums
from voxpop.stats.replication import ReplicateSample
from voxpop.stats.sampling import Sample

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]
AnySample = Sample | ReplicateSample
Against = Literal["srswr", "srswor"]


@dataclass(frozen=True, eq=False, slots=True)
class Estimates:
    """Statistics with their covariance, group by group.

    Attributes
    ----------
    values, se : array of float
        The statistics and their standard errors; missing (NaN) where nobody answered.
    covariance : array (statistics, statistics)
        Their covariance.
    deff : array of float
        The variance in units of that of a simple random sample of the same size.
    counts, sums : array of float
        Respondents with a weight, and their weights, per group.
    """

    values: Floats
    covariance: Floats
    deff: Floats
    counts: Floats
    sums: Floats

    @property
    def se(self) -> Floats:
        """Return the standard errors."""
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))


def means(
    sample: AnySample,
    numbers: npt.ArrayLike,
    codes: npt.ArrayLike | None = None,
    groups: int = 1,
    *,
    against: Against = "srswr",
) -> Estimates:
    """Estimate means, per group.

    Parameters
    ----------
    sample : Sample or ReplicateSample
        The sample.
    numbers : array_like (rows) or (rows, variables)
        Numbers; a row with a missing one (NaN) belongs to no group. Shares are means of 0 and 1.
    codes : array_like of int, optional
        The group of each row, -1 for none.
    groups : int
        How many groups there are.
    against : {"srswr", "srswor"}
        The simple random sample that ``deff`` refers to: with or without replacement.

    Examples
    --------
    >>> from voxpop.stats.sampling import sample_of
    >>> found = means(sample_of(np.ones(4)), [1.0, 2.0, 3.0, 4.0])
    >>> found.values.tolist(), found.se.round(4).tolist(), found.deff.tolist()
    ([2.5], [0.6455], [1.0])
    """
    y, place = _given(numbers, codes)
    width = y.shape[1]

    def again(weights: Floats) -> Floats:
        sums = _sums(weights, y, place, groups)
        return _divided(sums[:, 1:], sums[:, :1]).ravel()

    sums = _sums(sample.weights, y, place, groups)
    centre = _divided(sums[:, 1:], sums[:, :1])

    def scores() -> Floats:
        whole = np.where(sums[:, 0] > 0, sums[:, 0], math.nan)
        inside = place >= 0
        made = np.zeros_like(y)
        held = place[inside]
        made[inside] = (y[inside] - centre[held]) * (sample.weights[inside] / whole[held])[:, None]
        return _only(made)

    values = centre.ravel()
    covariance = sample.covariance(scores, again, values, place, groups)
    counts = _counts(sample, place, groups)
    deff = _deff(sample, y, centre, place, sums[:, 0], counts=counts, covariance=covariance, against=against)
    return _missing_told(Estimates(values, covariance, deff, counts, sums[:, 0]), width)


def totals(
    sample: AnySample,
    numbers: npt.ArrayLike,
    codes: npt.ArrayLike | None = None,
    groups: int = 1,
    *,
    against: Against = "srswr",
) -> Estimates:
    """Estimate totals, per group.

    Parameters
    ----------
    sample, numbers, codes, groups, against
        As in :func:`means`.

    Examples
    --------
    >>> from voxpop.stats.sampling import sample_of
    >>> found = totals(sample_of(np.full(4, 10.0)), [1.0, 2.0, 3.0, 4.0])
    >>> found.values.tolist(), found.se.round(4).tolist()
    ([100.0], [25.8199])
    """
    y, place = _given(numbers, codes)
    width = y.shape[1]
    sums = _sums(sample.weights, y, place, groups)

    def again(weights: Floats) -> Floats:
        return np.asarray(_sums(weights, y, place, groups)[:, 1:].ravel())

    def scores() -> Floats:
        made = np.zeros_like(y)
        inside = place >= 0
        made[inside] = y[inside] * sample.weights[inside, None]
        return made

    values = sums[:, 1:].ravel()
    covariance = sample.covariance(scores, again, values, place, groups)
    counts = _counts(sample, place, groups)
    scale = np.outer(np.repeat(sums[:, 0], width), np.repeat(sums[:, 0], width))
    relative = np.divide(covariance, scale, out=np.full_like(covariance, math.nan), where=scale > 0)
    centre = _divided(sums[:, 1:], sums[:, :1])
    deff = _deff(sample, y, centre, place, sums[:, 0], counts=counts, covariance=relative, against=against)
    return Estimates(values, covariance, deff, counts, sums[:, 0])


def ratios(
    sample: AnySample,
    above: npt.ArrayLike,
    below: npt.ArrayLike,
    codes: npt.ArrayLike | None = None,
    groups: int = 1,
    *,
    against: Against = "srswr",
) -> Estimates:
    """Estimate the ratio of two totals, per group.

    Parameters
    ----------
    sample, codes, groups, against
        As in :func:`means`.
    above, below : array_like of float
        Numerator and denominator; a row with one of them missing belongs to no group.

    Examples
    --------
    >>> from voxpop.stats.sampling import sample_of
    >>> found = ratios(sample_of(np.ones(3)), [1.0, 2.0, 3.0], [2.0, 2.0, 8.0])
    >>> found.values.tolist(), found.se.round(4).tolist()
    ([0.5], [0.1443])
    """
    both = np.column_stack((np.asarray(above, np.float64), np.asarray(below, np.float64)))
    y, place = _given(both, codes)

    def again(weights: Floats) -> Floats:
        sums = _sums(weights, y, place, groups)
        return _divided(sums[:, 1:2], sums[:, 2:3]).ravel()

    sums = _sums(sample.weights, y, place, groups)
    values = _divided(sums[:, 1:2], sums[:, 2:3]).ravel()
    residual = np.zeros((y.shape[0], 1))
    inside = place >= 0
    held = place[inside]
    scale: Floats = np.where(sums[:, 2] != 0, sums[:, 2], math.nan).astype(np.float64)
    residual[inside, 0] = (y[inside, 0] - values[held] * y[inside, 1]) / scale[held]
    residual = _only(residual)

    def scores() -> Floats:
        return residual * sample.weights[:, None]

    covariance = sample.covariance(scores, again, values, place, groups)
    counts = _counts(sample, place, groups)
    whole = np.outer(sums[:, 0], sums[:, 0])
    relative = np.divide(covariance, whole, out=np.full_like(covariance, math.nan), where=whole > 0)
    centre = np.zeros((groups, 1))
    deff = _deff(
        sample, residual, centre, place, sums[:, 0], counts=counts, covariance=relative, against=against
    )
    return _missing_told(Estimates(values, covariance, deff, counts, sums[:, 0]), 1)


def logit_se(
    sample: AnySample, numbers: npt.ArrayLike, codes: npt.ArrayLike | None = None, groups: int = 1
) -> Floats:
    """Return the standard errors of the logits of shares, per group.

    With replicate weights these are the spread of the logits, otherwise ``se / (p (1 - p))``; R's
    ``svyciprop`` takes them for its interval ``logit``.

    Parameters
    ----------
    sample, numbers, codes, groups
        As in :func:`means`, the numbers being 0 or 1.

    Examples
    --------
    >>> from voxpop.stats.sampling import sample_of
    >>> logit_se(sample_of(np.ones(5)), [0.0, 0.0, 1.0, 1.0, 1.0]).round(4).tolist()
    [1.0206]
    """
    y, place = _given(numbers, codes)

    def logits(shares: Floats) -> Floats:
        inside = np.where((shares > 0) & (shares < 1), shares, math.nan)
        return np.asarray(np.log(inside / (1 - inside)))

    def again(weights: Floats) -> Floats:
        sums = _sums(weights, y, place, groups)
        return logits(_divided(sums[:, 1:], sums[:, :1]).ravel())

    found = means(sample, numbers, codes, groups)
    share = found.values
    if not isinstance(sample, ReplicateSample):
        spread = share * (1 - share)
        return np.divide(found.se, spread, out=np.full_like(share, math.nan), where=spread > 0)
    covariance = sample.covariance(lambda: y, again, logits(share), place, groups)
    return np.sqrt(np.maximum(np.diagonal(covariance), 0.0))


def _given(numbers: npt.ArrayLike, codes: npt.ArrayLike | None) -> tuple[Floats, Codes]:
    """Return numbers as columns, and the group of each row; rows with a missing number are in none."""
    y = np.asarray(numbers, dtype=np.float64)
    y = y[:, None] if y.ndim == 1 else y
    place = np.zeros(y.shape[0], dtype=np.intp) if codes is None else np.asarray(codes, dtype=np.intp)
    known: npt.NDArray[np.bool_] = ~np.asarray(np.isnan(y).any(axis=1), dtype=np.bool_)
    if known.all():
        return y, place
    return np.where(known[:, None], y, 0.0), np.where(known, place, -1)


def _sums(weights: Floats, y: Floats, place: Codes, groups: int) -> Floats:
    """Return the sums of weights and of weighted numbers: groups by 1 + variables."""
    inside: Any = place >= 0 if (place < 0).any() else slice(None)
    held, own = weights[inside], place[inside]
    made = np.empty((groups, 1 + y.shape[1]))
    made[:, 0] = group_sums(held, own, groups)
    for k in range(y.shape[1]):
        made[:, k + 1] = group_sums(held * y[inside, k], own, groups)
    return made


def _divided(top: Floats, bottom: Floats) -> Floats:
    below = np.broadcast_to(bottom, top.shape)
    made: Floats = np.divide(top, below, out=np.full(top.shape, math.nan), where=below != 0)
    return made


def _counts(sample: AnySample, place: Codes, groups: int) -> Floats:
    inside = place >= 0
    return np.bincount(place[inside], weights=sample.counts[inside], minlength=groups).astype(np.float64)


def _only(scores: Floats) -> Floats:
    """Return scores with 0 where a group has no weight; its statistics are missing anyway."""
    return np.nan_to_num(scores, nan=0.0)


def _missing_told(found: Estimates, width: int) -> Estimates:
    """Return estimates whose covariance is missing where the statistics are."""
    missing = np.isnan(found.values)
    if missing.any():
        found.covariance[missing] = math.nan
        found.covariance[:, missing] = math.nan
        found.deff[missing] = math.nan
    return found


def _deff(
    sample: AnySample,
    y: Floats,
    centre: Floats,
    place: Codes,
    sums: Floats,
    *,
    counts: Floats,
    covariance: Floats,
    against: Against,
) -> Floats:
    """Return the design effects of means: their variance over that of a simple random sample."""
    groups, width = centre.shape
    inside = place >= 0
    held = place[inside]
    made = np.full((groups, width), math.nan)
    variance = np.diagonal(covariance).reshape(groups, width)
    for k in range(width):
        apart = y[inside, k] - np.nan_to_num(centre[held, k])
        squares = group_sums(sample.weights[inside] * apart * apart, held, groups)
        with np.errstate(divide="ignore", invalid="ignore"):
            simple = squares / sums * counts / (counts - 1) / counts
            if against == "srswor":
                simple = np.where(sums < counts, math.nan, simple * (sums - counts) / sums)
            made[:, k] = np.where(simple > 0, variance[:, k] / simple, math.nan)
    return made.ravel()
