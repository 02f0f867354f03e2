"""Tests under a sample design: independence of two variables, and the difference of two means.

Sources: J. N. K. Rao, A. J. Scott, *Ann. Stat.* 12 (1984); D. R. Thomas, J. N. K. Rao, *JASA* 82 (1987), for
the Wald tests; R: ``survey::svychisq`` and ``survey::svyttest``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from voxpop.stats.association import corrected
from voxpop.stats.estimates import AnySample, Estimates, means, totals

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]
Independence = Literal["F", "Chisq", "Wald", "adjWald"]
INDEPENDENCE: tuple[str, ...] = get_args(Independence)


@dataclass(frozen=True, slots=True)
class DesignTest:
    """A test: its statistic, degrees of freedom (infinite second ones for chi-square) and p-value."""

    statistic: float
    ndf: float
    ddf: float
    p: float


def independence(
    sample: AnySample,
    rows: npt.ArrayLike,
    columns: npt.ArrayLike,
    *,
    inside: npt.NDArray[np.bool_] | None = None,
    method: Independence = "F",
) -> DesignTest:
    """Test the independence of two variables.

    Parameters
    ----------
    sample : Sample or ReplicateSample
        The sample.
    rows, columns : array_like of int
        The level of each row, -1 if missing. Levels without respondents are left out.
    inside : array of bool, optional
        The rows of a subpopulation.
    method : {"F", "Chisq", "Wald", "adjWald"}
        Pearson's statistic with the second- or first-order correction of Rao and Scott, the Wald test, or
        the Wald test adjusted for few degrees of freedom.

    Examples
    --------
    >>> from voxpop.stats.sampling import sample_of
    >>> made = sample_of(np.ones(8))
    >>> found = independence(made, [0, 0, 0, 1, 1, 1, 0, 1], [0, 0, 0, 1, 1, 1, 1, 0])
    >>> round(found.statistic, 4), found.ndf, found.ddf, round(found.p, 4)
    (1.75, 1.0, 7.0, 0.2275)
    """
    across, down = (np.asarray(codes, dtype=np.intp) for codes in (columns, rows))
    every = np.ones(down.size, dtype=np.bool_) if inside is None else inside
    held = every & (across >= 0) & (down >= 0) & (sample.weights > 0)
    levels = [np.unique(codes[held]) for codes in (down, across)]
    shape = (levels[0].size, levels[1].size)
    if min(shape) < 2:
        return DesignTest(math.nan, math.nan, math.nan, math.nan)
    place = [np.searchsorted(own, codes) for own, codes in zip(levels, (down, across), strict=True)]
    cell = np.where(held, place[0] * shape[1] + place[1], -1)
    numbers = np.where(
        held[:, None], (cell[:, None] == np.arange(shape[0] * shape[1])).astype(np.float64), math.nan
    )
    degrees = sample.degrees(inside)
    if method in ("F", "Chisq"):
        return _rao_scott(means(sample, numbers), shape, degrees, method, float(sample.counts[held].sum()))
    return _wald(totals(sample, numbers), shape, degrees, adjusted=method == "adjWald")


def _rao_scott(
    found: Estimates, shape: tuple[int, int], degrees: float, method: str, respondents: float
) -> DesignTest:
    shares = found.values
    table = shares.reshape(shape)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    x2 = respondents * math.fsum(((table - expected) ** 2 / expected).ravel())
    inverse = np.divide(1.0, shares, out=np.zeros_like(shares), where=shares > 0)
    made = corrected(x2, found.covariance, inverse, shape, respondents, degrees)
    if method == "F":
        return DesignTest(made.f, made.ndf, made.ddf, made.p)
    return DesignTest(x2, made.first_df, math.inf, made.first_p)


def _wald(found: Estimates, shape: tuple[int, int], degrees: float, *, adjusted: bool) -> DesignTest:
    """Test that each cell is the product of its margins, by the delta method."""
    from scipy.special import fdtrc  # imported where used

    rows, columns = shape
    table = found.values.reshape(shape)
    total = math.fsum(found.values)
    down, across = table.sum(axis=1), table.sum(axis=0)
    apart = (table - np.outer(down, across) / total).ravel()
    row, column = np.divmod(np.arange(rows * columns), columns)
    slopes = np.eye(rows * columns)
    slopes -= (row[:, None] == row[None, :]) * (across[column] / total)[:, None]
    slopes -= (column[:, None] == column[None, :]) * (down[row] / total)[:, None]
    slopes += (down[row] * across[column] / total**2)[:, None]
    variance = slopes @ found.covariance @ slopes.T
    used = (row > 0) & (column > 0)
    ndf = float((rows - 1) * (columns - 1))
    inner = variance[np.ix_(used, used)]
    if np.linalg.matrix_rank(inner) < ndf:
        return DesignTest(math.nan, ndf, degrees, math.nan)
    statistic = float(apart[used] @ np.linalg.solve(inner, apart[used])) / ndf
    ddf = degrees
    if adjusted:
        ddf = degrees - ndf + 1
        statistic *= ddf / degrees
    return DesignTest(statistic, ndf, ddf, float(fdtrc(ndf, ddf, statistic)) if ddf > 0 else math.nan)


def difference(found: Estimates, a: int, b: int, df: float) -> tuple[float, float, float, float]:
    """Test whether two statistics differ: those at places a and b.

    Parameters
    ----------
    found : Estimates
        Statistics with their covariance.
    a, b : int
        Their places.
    df : float
        Degrees of freedom of the t test.

    Returns
    -------
    difference, se, t, p : float
        NaN where nothing varies.

    Examples
    --------
    >>> from voxpop.stats.sampling import sample_of
    >>> found = means(sample_of(np.ones(6)), [1.0, 2, 3, 4, 5, 9], [0, 0, 0, 1, 1, 1], 2)
    >>> [round(value, 4) for value in difference(found, 1, 0, 4)]
    [4.0, 1.4606, 2.7386, 0.052]
    """
    from scipy.special import stdtr  # imported where used

    apart = float(found.values[a] - found.values[b])
    own = found.covariance
    variance = float(own[a, a] + own[b, b] - 2 * own[a, b])
    if not variance > 1e-12 * float(own[a, a] + own[b, b]) or not df > 0:
        return apart, math.nan, math.nan, math.nan
    se = math.sqrt(variance)
    return apart, se, apart / se, 2 * float(stdtr(df, -abs(apart / se)))
