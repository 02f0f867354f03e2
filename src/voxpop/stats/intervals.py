"""Intervals of shares."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def wilson(share: npt.ArrayLike, base: npt.ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the Wilson score interval of shares.

    With z the normal quantile: centre ``(p + z²/2n) / (1 + z²/n)``, half width
    ``z / (1 + z²/n) · sqrt(p(1-p)/n + z²/4n²)``, kept within 0 and 1. Source: E. B. Wilson, *JASA* 22 (1927);
    R: ``prop.test(correct = FALSE)``.

    Parameters
    ----------
    share : array_like of float
        Shares, 0 to 1; NaN gives NaN.
    base : array_like of float
        What they rest on: respondents, or the effective base of a weighted share. 0 gives NaN.
    level : float, default 0.95
        Confidence, above 0 and below 1.

    Returns
    -------
    low, high : arrays of float
        Both 0 to 1.

    Raises
    ------
    ValueError
        When ``level`` is not between 0 and 1.

    Examples
    --------
    >>> low, high = wilson(0.48, 50)
    >>> round(float(low), 6), round(float(high), 6)
    (0.347971, 0.614883)
    """
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}.")
    from scipy.special import ndtri  # imported where used: it takes longer than all else here

    p, n = np.broadcast_arrays(np.asarray(share, dtype=np.float64), np.asarray(base, dtype=np.float64))
    z = float(ndtri(0.5 + level / 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        room = z * z / n
        centre = (p + room / 2) / (1 + room)
        half = z / (1 + room) * np.sqrt(p * (1 - p) / n + room / (4 * n))
        known = (n > 0) & ~np.isnan(p)
        low = np.where(known, np.clip(centre - half, 0, 1), np.nan)
        high = np.where(known, np.clip(centre + half, 0, 1), np.nan)
    return np.where(p == 0, np.where(known, 0.0, np.nan), low), np.where(
        p == 1, np.where(known, 1.0, np.nan), high
    )
