"""Correcting p-values for their number: Bonferroni, Holm and Benjamini-Hochberg, as R's ``p.adjust`` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def bonferroni(p: npt.ArrayLike) -> Floats:
    """Correct p-values for their number, family-wise: ``p · m`` (C. E. Bonferroni, 1936).

    Parameters
    ----------
    p : array_like of float
        p-values in 0-1. NaN marks a test that could not be made; it stays NaN and does not count.

    Examples
    --------
    >>> bonferroni([0.01, 0.02, float("nan"), 0.5]).round(4).tolist()
    [0.03, 0.06, nan, 1.0]
    """
    given = np.asarray(p, dtype=np.float64)
    return np.minimum(given * np.count_nonzero(~np.isnan(given)), 1.0)


def holm(p: npt.ArrayLike) -> Floats:
    """Correct p-values step by step from the smallest (S. Holm, *Scand. J. Statist.* 6, 1979).

    Parameters
    ----------
    p : array_like of float
        p-values in 0-1. NaN marks a test that could not be made; it stays NaN and does not count.

    Examples
    --------
    >>> holm([0.01, 0.02, 0.03, float("nan")]).round(4).tolist()
    [0.03, 0.04, 0.04, nan]
    """
    return _stepwise(p, lambda ranked: np.maximum.accumulate(ranked * np.arange(ranked.size, 0, -1)))


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Correct p-values for their number, by the false discovery rate (R: ``p.adjust(method = "BH")``).

    Source: Y. Benjamini, Y. Hochberg, *JRSS B* 57 (1995).

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

    def step_up(ranked: Floats) -> Floats:
        scaled = ranked * ranked.size / np.arange(1, ranked.size + 1)
        return np.minimum.accumulate(scaled[::-1])[::-1]

    return _stepwise(p, step_up)


def uncorrected(p: npt.ArrayLike) -> Floats:
    """Return p-values as they are.

    Examples
    --------
    >>> uncorrected([0.01, 0.5]).tolist()
    [0.01, 0.5]
    """
    return np.array(p, dtype=np.float64)


CORRECTIONS: Mapping[str | None, Callable[[npt.ArrayLike], Floats]] = {
    "bh": benjamini_hochberg,
    "holm": holm,
    "bonferroni": bonferroni,
    None: uncorrected,
}
"""The corrections by the name used in a significance test."""


def _stepwise(p: npt.ArrayLike, adjust: Callable[[Floats], Floats]) -> Floats:
    """Adjust the p-values that are not NaN in sorted order, and restore their order."""
    given = np.asarray(p, dtype=np.float64)
    flat = given.ravel()
    places = np.flatnonzero(~np.isnan(flat))
    order = places[np.argsort(flat[places], kind="stable")]
    adjusted = np.full(flat.shape, np.nan)
    if order.size:
        adjusted[order] = np.minimum(adjust(flat[order]), 1.0)
    return adjusted.reshape(given.shape)
