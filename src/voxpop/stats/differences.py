"""The interval of a difference between two independent figures, made from the interval of each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def difference_interval(
    first: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike],
    second: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike],
) -> tuple[Floats, Floats, Floats]:
    """Return first less second with its interval, from the value and the two limits of each.

    ``L = d - sqrt((x-l_x)² + (u_y-y)²)``, ``U = d + sqrt((u_x-x)² + (y-l_y)²)``. With Wilson limits of shares
    it is method 10 of R. G. Newcombe, *Statistics in Medicine* 17 (1998), 873-890; for other figures see
    G. Y. Zou, A. Donner, *Statistics in Medicine* 27 (2008), 1693-1702.

    Parameters
    ----------
    first, second : tuple of array_like
        Value, lower and upper limit, in the same unit and at the same level.

    Returns
    -------
    (array, array, array)
        The difference, its lower and its upper limit; NaN where a figure is missing.

    Examples
    --------
    >>> from voxpop.stats.intervals import wilson
    >>> parts = [(p, *wilson(p, n)) for p, n in ((56 / 70, 70), (48 / 80, 80))]
    >>> [round(float(part), 4) for part in difference_interval(*parts)]
    [0.2, 0.0524, 0.3339]
    """
    x, low_x, high_x = (np.asarray(part, dtype=np.float64) for part in first)
    y, low_y, high_y = (np.asarray(part, dtype=np.float64) for part in second)
    between = x - y
    return between, between - np.hypot(x - low_x, high_y - y), between + np.hypot(high_x - x, y - low_y)
