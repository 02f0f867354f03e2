"""Comparing proportions without weights: many two-proportion tests at once, and their correction."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Correct p-values for their number, by the false discovery rate (R: ``p.adjust(method = "BH")``).

    Parameters
    ----------
    p : array_like of float
        p-values in 0-1. NaN marks a test that could not be made; it stays NaN and does not count.

    Returns
    -------
    array of float
        The adjusted p-values, in the order and shape given.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.02, 0.03, float("nan"), 0.5]).round(4).tolist()
    [0.04, 0.04, 0.04, nan, 0.5]
    """
    given = np.asarray(p, dtype=np.float64)
    flat = given.ravel()
    places = np.flatnonzero(~np.isnan(flat))
    order = places[np.argsort(flat[places], kind="stable")]
    ranked = flat[order] * order.size / np.arange(1, order.size + 1)
    adjusted = np.full(flat.shape, np.nan)
    adjusted[order] = np.minimum(np.minimum.accumulate(ranked[::-1])[::-1], 1.0)
    return adjusted.reshape(given.shape)
