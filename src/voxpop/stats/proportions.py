"""Comparing proportions: many two-proportion tests at once, on counts or on effective bases."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from voxpop.stats.corrections import benjamini_hochberg

__all__ = ["benjamini_hochberg", "compare_shares", "two_proportions"]

Floats = npt.NDArray[np.float64]


def two_proportions(
    count_a: npt.ArrayLike, base_a: npt.ArrayLike, count_b: npt.ArrayLike, base_b: npt.ArrayLike
) -> tuple[Floats, Floats, Floats]:
    """Test whether two independent proportions differ, by the pooled standard error.

    ``z = (p_a - p_b) / sqrt(p (1 - p) (1/n_a + 1/n_b))`` with ``p`` the pooled proportion; the p-value is
    normal. Its square is the 2 × 2 chi-square without Yates' correction (R: ``prop.test(correct = FALSE)``).

    Parameters
    ----------
    count_a, count_b : array_like of int
        How many chose it, at least 0 and at most the base. Arrays are broadcast together.
    base_a, base_b : array_like of int
        How many were asked and answered.

    Returns
    -------
    difference, z, p : arrays of float
        ``p_a - p_b`` (-1 to 1), the statistic and the two-sided p-value (0 to 1). All three are NaN where a
        base is 0; ``z`` and ``p`` are also NaN where everybody or nobody chose it: nothing varies there.

    Raises
    ------
    ValueError
        When a count is negative or above its base.

    Examples
    --------
    >>> difference, z, p = two_proportions(45, 60, 60, 140)
    >>> round(float(difference), 4), round(float(z), 4), round(float(p), 6)
    (0.3214, 4.1714, 3e-05)
    """
    from scipy.special import ndtr  # imported where used: half of the service never tests anything

    x_a, n_a, x_b, n_b = (
        np.asarray(part, dtype=np.float64) for part in np.broadcast_arrays(count_a, base_a, count_b, base_b)
    )
    if np.any((x_a < 0) | (x_b < 0) | (x_a > n_a) | (x_b > n_b)):
        raise ValueError("counts must lie between 0 and their bases.")
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = x_a / n_a - x_b / n_b
        pooled = (x_a + x_b) / (n_a + n_b)
        variance = pooled * (1 - pooled) * (1 / n_a + 1 / n_b)
        z = np.where(variance > 0, difference / np.sqrt(variance), np.nan)
    return difference, z, 2 * ndtr(-np.abs(z))


def compare_shares(
    counts: tuple[npt.ArrayLike, npt.ArrayLike],
    bases: tuple[npt.ArrayLike, npt.ArrayLike],
    effective: tuple[npt.ArrayLike, npt.ArrayLike],
    *,
    overlap: npt.ArrayLike = 0.0,
    covariance: npt.ArrayLike | None = None,
    pooled: bool = True,
    normal: bool = False,
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Test whether the shares of two columns differ; weighted, on effective bases, aware of common members.

    Pooled: with ``p = (x1 + x2)/(W1 + W2)``, ``SE² = p(1-p)(1/e1 + 1/e2 - 2 e_o/(e1 e2))``. Unpooled:
    ``SE² = p1 q1/e1 + p2 q2/e2 - 2 p(1-p) e_o/(e1 e2)``. Both compare ``(p1 - p2)/SE`` with Student's t of
    ``e1 + e2 - e_o - 2`` degrees of freedom. Source: Unicom Intelligence Reporter, column proportions test;
    the term of common members in the unpooled form is its analogue. With counts as all three and ``normal``
    this is :func:`two_proportions`, and R's ``prop.test(correct = FALSE)``.

    Parameters
    ----------
    counts : pair of array_like of float
        Weighted counts x of the two columns. All arrays are broadcast together.
    bases, effective : pair of array_like of float
        Weighted bases W and effective bases e of the two columns.
    overlap : array_like of float, default 0
        Effective base of those in both columns.
    covariance : array_like of float, optional
        Covariance of the two shares, if those in both columns may have answered differently in each, as in
        two waves (:mod:`voxpop.stats.overlap`). By default their answers are the same in both.
    pooled : bool, default True
        Whether both shares give one variance.
    normal : bool, default False
        Whether the statistic is compared with a normal distribution; then ``df`` is infinite.

    Returns
    -------
    difference, se, statistic, df, p : arrays of float
        ``p1 - p2`` (-1 to 1), its standard error, the statistic, degrees of freedom, two-sided p-value. The
        last four are NaN where nothing can be tested: a share of 0 or 1, an effective base below 2, or the
        same agents in both.

    Examples
    --------
    >>> difference, se, t, df, p = compare_shares((18, 24), (100, 50), (100, 50))
    >>> round(float(difference), 2), round(float(t), 4), float(df), round(float(p), 6)
    (-0.3, -3.8576, 148.0, 0.00017)
    """
    from scipy.special import ndtr, stdtr  # imported where used: half of the service never tests anything

    x_1, x_2, w_1, w_2, e_1, e_2, e_o = (
        np.asarray(part, dtype=np.float64)
        for part in np.broadcast_arrays(*counts, *bases, *effective, overlap)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        p_1, p_2, p = x_1 / w_1, x_2 / w_2, (x_1 + x_2) / (w_1 + w_2)
        spread = p * (1 - p)
        each = spread * (1 / e_1 + 1 / e_2) if pooled else p_1 * (1 - p_1) / e_1 + p_2 * (1 - p_2) / e_2
        common = spread * e_o / (e_1 * e_2) if covariance is None else np.asarray(covariance)
        variance = each - 2 * common
        # a share of 1 may miss it by a rounding of its sums
        inside = (x_1 > 0) & (x_2 > 0) & (1 - p_1 > 1e-12) & (1 - p_2 > 1e-12)
        # Kish bases of equal weights may miss a whole number by a rounding
        tested = inside & (e_1 >= 2 - 1e-9) & (e_2 >= 2 - 1e-9) & (variance > 1e-12 * each)
        se = np.where(tested, np.sqrt(variance), np.nan)
        df = np.where(tested, np.inf if normal else e_1 + e_2 - e_o - 2, np.nan)
        statistic = (p_1 - p_2) / se
        tail = ndtr(-np.abs(statistic)) if normal else stdtr(df, -np.abs(statistic))
    return p_1 - p_2, se, statistic, df, 2 * tail
