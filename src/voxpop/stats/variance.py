"""Comparing many cohorts' means at once: analysis of variance, and Kruskal and Wallis's test of ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from voxpop.stats.means import Moments


def anova(cohorts: Sequence[Moments]) -> tuple[float, float, float, float]:
    """Test whether all means are equal, without weights (R. A. Fisher, 1925; R: ``aov``).

    Parameters
    ----------
    cohorts : sequence of Moments
        Cohorts that have no respondent in common; those without respondents are left out.

    Returns
    -------
    f, ndf, ddf, p : float
        NaN where fewer than two cohorts or nothing that varies is left.

    Examples
    --------
    >>> from voxpop.stats.means import moments
    >>> one, two = ([1, 2, 3], [1] * 3), ([2, 4, 9], [1] * 3)
    >>> [round(part, 4) for part in anova([moments(x, w, w, w) for x, w in (one, two)])]
    [1.9286, 1, 4, 0.2372]
    """
    from scipy.special import fdtrc  # imported where used

    held = [cohort for cohort in cohorts if cohort.n > 0]
    n = sum(cohort.n for cohort in held)
    if len(held) < 2 or n <= len(held):
        return math.nan, math.nan, math.nan, math.nan
    mean = math.fsum(cohort.n * cohort.mean for cohort in held) / n
    between = math.fsum(cohort.n * (cohort.mean - mean) ** 2 for cohort in held)
    within = math.fsum((cohort.n - 1) * cohort.sd**2 for cohort in held if cohort.n > 1)
    if within == 0:
        return math.nan, math.nan, math.nan, math.nan
    ndf, ddf = len(held) - 1, n - len(held)
    f = between / ndf / (within / ddf)
    return f, ndf, ddf, float(fdtrc(ndf, ddf, f))


def kruskal_wallis(values: npt.ArrayLike, counts: npt.ArrayLike) -> tuple[float, float, float]:
    """Test whether cohorts differ in location, by ranks with ties (W. H. Kruskal, W. A. Wallis, 1952).

    Parameters
    ----------
    values : array_like of float
        The different values, in ascending order.
    counts : array_like of int, two axes
        How many respondents of each cohort (columns) gave each value (rows).

    Returns
    -------
    chi2, df, p : float
        NaN where fewer than two cohorts or values are left.

    Examples
    --------
    >>> [round(part, 4) for part in kruskal_wallis([1, 2, 3], [[3, 0], [1, 2], [0, 3]])]
    [5.4, 1, 0.0201]
    """
    from scipy.special import chdtrc  # imported where used

    table = np.asarray(counts, dtype=np.float64)
    table = table[np.argsort(np.asarray(values, dtype=np.float64))]
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape, default=0) < 2:
        return math.nan, math.nan, math.nan
    ties, n = table.sum(axis=1), float(table.sum())
    ranks = np.cumsum(ties) - (ties - 1) / 2
    sums = (table * ranks[:, None]).sum(axis=0)
    h = 12 / (n * (n + 1)) * math.fsum(sums**2 / table.sum(axis=0)) - 3 * (n + 1)
    h /= 1 - math.fsum(ties**3 - ties) / (n**3 - n)
    df = table.shape[1] - 1
    return h, df, float(chdtrc(df, h))
