"""Pseudo R² of logistic models for subsets of variables, and their bootstrap.

Draws are evaluated by one Newton step from the model of all respondents: the log-likelihood of a resample is
that at the old coefficients plus ``g' H⁻¹ g / 2``, with ``g`` the resample's score. Sources: D. McFadden, in
*Frontiers in Econometrics* (1974); N. J. D. Nagelkerke, *Biometrika* 78 (1991); J. Shao, D. Tu, *The
Jackknife and Bootstrap* (1995), for one-step bootstraps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from voxpop.stats.regression import logistic_slopes

Floats = npt.NDArray[np.float64]
Measure = Literal["mcfadden", "nagelkerke"]
MEASURES: tuple[str, ...] = get_args(Measure)


class Subsets:
    """The logistic models of subsets of groups of columns.

    Parameters
    ----------
    matrix : array (rows, columns)
        The variables without a constant.
    outcome : array of float
        0 and 1.
    weights : array of float
        The weight of one respondent of each row.
    counts : array of float
        Respondents per row.
    groups : sequence of slice
        The columns of each variable.
    """

    def __init__(
        self, matrix: Floats, outcome: Floats, weights: Floats, counts: Floats, groups: Sequence[slice]
    ) -> None:
        scaled = weights * counts
        centre = (scaled @ matrix) / scaled.sum()
        spread = np.sqrt(scaled @ (matrix - centre) ** 2 / scaled.sum())
        self._x = np.column_stack((np.ones(outcome.size), (matrix - centre) / spread))
        self._y, self._weights, self._counts = outcome, weights, counts
        self._groups = groups
        self._known: dict[int, Floats] = {}

    def _columns(self, code: int) -> list[int]:
        places = [0]
        for j, group in enumerate(self._groups):
            if code >> j & 1:
                places += range(group.start + 1, group.stop + 1)
        return places

    def _slopes(self, code: int) -> Floats:
        """Return the coefficients of a subset, starting from those of one variable less."""
        if code not in self._known:
            own = self._columns(code)
            start = None
            if code:
                parent = code & ~(1 << (code.bit_length() - 1))
                held = dict(zip(self._columns(parent), self._slopes(parent).tolist(), strict=True))
                start = np.array([held.get(place, 0.0) for place in own])
            weights = self._weights * self._counts
            self._known[code] = logistic_slopes(self._x[:, own], self._y, weights / weights.mean(), start)[0]
        return self._known[code]

    def fit(self) -> None:
        """Fit the model of all variables.

        Raises
        ------
        Separated
            If variables predict answers with certainty.
        """
        logistic_slopes(self._x, self._y, self._weights * self._counts)

    def reached(self, code: int, counts: Floats) -> Floats:
        """Return the log-likelihood per unit of weight of a subset, draw by draw.

        Parameters
        ----------
        code : int
            Bit j tells whether the subset contains variable j.
        counts : array (draws, rows)
            How often each row counts.
        """
        from scipy.special import expit  # imported where used

        own = self._columns(code)
        x, slopes = self._x[:, own], self._slopes(code)
        linear = x @ slopes
        share = expit(linear)
        parts = np.column_stack((np.ones(linear.size), self._y * linear - np.logaddexp(0.0, linear)))
        parts = np.column_stack((parts, x * (self._y - share)[:, None])) * self._weights[:, None]
        sums = counts @ parts
        whole, score = sums[:, 0], sums[:, 2:]
        weights = self._weights * self._counts
        curvature = (x * (weights * share * (1 - share))[:, None]).T @ x / weights.sum()
        gain = np.einsum("bi,bi->b", score, np.linalg.solve(curvature, score.T).T) / whole / 2
        return np.asarray((sums[:, 1] + gain) / whole)

    def values(self, codes: Iterator[int], counts: Floats, measure: Measure) -> Floats:
        """Return the pseudo R² of subsets, draw by draw.

        Returns
        -------
        array (subsets, draws)
        """
        nothing = self.reached(0, counts)
        return np.array([pseudo_r2(nothing, self.reached(code, counts), measure) for code in codes])


def pseudo_r2(nothing: Floats, reached: Floats, measure: Measure) -> Floats:
    """Return a pseudo R² from log-likelihoods per respondent, without and with variables.

    Examples
    --------
    >>> nothing, reached = np.array([-0.6]), np.array([-0.45])
    >>> pseudo_r2(nothing, reached, "mcfadden").round(3), pseudo_r2(nothing, reached, "nagelkerke").round(3)
    (array([0.25]), array([0.371]))
    """
    if measure == "mcfadden":
        return 1 - reached / nothing
    return np.asarray(np.expm1(2 * (nothing - reached)) / np.expm1(2 * nothing))
