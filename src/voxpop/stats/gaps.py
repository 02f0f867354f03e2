"""Differences between groups: their direction, their size, and the variance between and within groups."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Gaps(NamedTuple):
    """Agreement of the differences between groups with those of people.

    Attributes
    ----------
    number : int
        Differences of people of at least the threshold.
    right : int
        Those with the same sign on the other side; a difference of exactly 0 has no sign.
    along : float
        Sum of the other side's differences in the direction of people's.
    size : float
        Sum of people's absolute differences.
    """

    number: int
    right: int
    along: float
    size: float

    @property
    def sign_share(self) -> float:
        """Return the share of differences with the right sign; NaN without a difference."""
        return self.right / self.number if self.number else math.nan

    @property
    def ratio(self) -> float:
        """Return the mean size relative to people's: 1 as large, 0 flattened, below 0 turned around."""
        return self.along / self.size if self.size > 0 else math.nan


def compare_gaps(human: npt.ArrayLike, other: npt.ArrayLike, threshold: float = 0.08) -> Gaps:
    """Compare differences between groups with those of people, where these reach a threshold.

    The share with the right sign is ``mean(sign(h) = sign(o))``, and the ratio ``Σ o·sign(h) / Σ|h|``, over
    the differences with ``|h| ≥ threshold``. People's differences that reach a threshold are larger than the
    true ones on average (regression to the mean): compare with what a second survey scores, not with 1.

    Parameters
    ----------
    human, other : array_like of float
        Differences of the same shares between the same groups; NaN where one is not known.
    threshold : float, default 0.08
        Smallest absolute difference of people that counts.

    Examples
    --------
    >>> found = compare_gaps([0.2, -0.1, 0.01], [0.1, 0.05, 0.3])
    >>> found.number, found.sign_share, round(found.ratio, 4)
    (2, 0.5, 0.1667)
    """
    people, theirs = np.asarray(human, dtype=np.float64), np.asarray(other, dtype=np.float64)
    counted = ~np.isnan(people) & ~np.isnan(theirs) & (np.abs(people) >= threshold) & (people != 0)
    people, theirs = people[counted], theirs[counted]
    signs = np.sign(people)
    return Gaps(
        int(people.size),
        int((np.sign(theirs) == signs).sum()),
        math.fsum(theirs * signs),
        math.fsum(np.abs(people)),
    )


def variance_parts(
    shares: npt.ArrayLike, weights: npt.ArrayLike, numbers: npt.ArrayLike | None = None
) -> tuple[float, float]:
    """Split the variance of answers into the part between groups and the part within them.

    With ``p`` the shares of a level in the groups, ``w`` the groups' weights and ``m = Σ w·p``: between is
    ``Σ w·(p-m)²`` and within ``Σ w·p·(1-p)``, both summed over the levels; together they are ``Σ m·(1-m)``
    (law of total variance). Shares of few respondents differ by chance alone. If the numbers of respondents
    are given, the expected part of that, ``Σ w·(1-w)·p·(1-p)/(n-1)``, is taken off the variance between
    groups, which may become negative, and the variance within is multiplied by ``n/(n-1)``. The ratio of
    these variances to people's is the "reduced variance" of J. Bisbee et al., *Political Analysis* 32 (2024).

    Parameters
    ----------
    shares : array_like of float (groups, levels)
        Each row adds up to 1.
    weights : array_like of float
        Size of the groups, scaled to 1.
    numbers : array_like of float, optional
        Effective respondents behind each row, at least 2.

    Returns
    -------
    (float, float)
        Between and within.

    Examples
    --------
    >>> between, within = variance_parts([[0.8, 0.2], [0.4, 0.6]], [1, 1])
    >>> round(between, 4), round(within, 4)
    (0.08, 0.4)
    """
    rows = np.asarray(shares, dtype=np.float64)
    size = np.asarray(weights, dtype=np.float64)
    size = size / size.sum()
    spread = (rows * (1 - rows)).sum(axis=1)
    between = math.fsum(((rows - size @ rows) ** 2).sum(axis=1) * size)
    if numbers is None:
        return between, math.fsum(size * spread)
    people = np.asarray(numbers, dtype=np.float64)
    noise = math.fsum(size * (1 - size) * spread / (people - 1))
    return between - noise, math.fsum(size * spread * people / (people - 1))
