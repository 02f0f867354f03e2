"""The net promoter score: promoters less detractors, with its error."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

PROMOTERS = range(9, 11)
DETRACTORS = range(7)


@dataclass(frozen=True, slots=True)
class Score:
    """A cohort's score and its parts, all as shares (0 to 1; the score -1 to 1)."""

    promoters: float
    passives: float
    detractors: float
    nps: float
    se: float

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the normal interval of the score."""
        from scipy.special import ndtri  # imported where used

        half = float(ndtri(0.5 + level / 2)) * self.se
        return self.nps - half, self.nps + half


def score(values: npt.ArrayLike, weights: npt.ArrayLike, base: float) -> Score:
    """Compute the net promoter score of answers from 0 to 10.

    Promoters answer 9 or 10, detractors 0 to 6. As a mean of +1, 0 and -1 its variance is ``P + D - (P-D)²``
    and its standard error ``sqrt(variance/e)``. Source: F. Reichheld, *Harvard Business Review* (2003); the
    variance is that of a multinomial difference.

    Parameters
    ----------
    values : array_like of int
        Answers, 0 to 10.
    weights : array_like of float
        The weight behind each, at least 0.
    base : float
        The effective base.

    Raises
    ------
    ValueError
        When an answer is no whole number from 0 to 10.

    Examples
    --------
    >>> found = score([10, 9, 8, 2], [1, 1, 1, 1], 4)
    >>> found.nps, round(found.se, 4)
    (0.25, 0.4146)
    """
    given, weight = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    if not np.isin(given, range(11)).all():
        raise ValueError("a net promoter score is made from whole numbers from 0 to 10.")
    total = math.fsum(weight)
    if not total > 0:
        return Score(math.nan, math.nan, math.nan, math.nan, math.nan)
    up = math.fsum(weight[np.isin(given, PROMOTERS)]) / total
    down = math.fsum(weight[np.isin(given, DETRACTORS)]) / total
    between = math.fsum(weight[np.isin(given, (7, 8))]) / total
    variance = max(0.0, up + down - (up - down) ** 2)
    return Score(up, between, down, up - down, math.sqrt(variance / base))
