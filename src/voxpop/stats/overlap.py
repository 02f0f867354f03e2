"""Two figures of samples with members in common, such as two waves of a panel.

The variance of the difference of two means is ``V1 + V2 - 2 Cov``, and only members of both samples add to
the covariance: with ``n_o`` of them it is ``n_o c / (n1 n2)``, where ``c`` is the covariance of their two
answers. Sources: L. Kish, *Survey Sampling* (1965), section 12.4, on overlapping samples; B. Derrick,
A. Dobson-McKittrick, D. Toher, P. White, *J. Appl. Quant. Methods* 10(3) (2015), on proportions; B. Derrick,
B. Russ, D. Toher, P. White, *J. Mod. Appl. Stat. Methods* 16(1) (2017), on means. With weights the factor
``n_o / (n1 n2)`` becomes ``Σ w1 w2 / (W1 W2)`` over the members of both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voxpop.stats.means import Moments

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class Overlap:
    """The members that two columns have in common, for every pair of columns.

    Attributes
    ----------
    members : array (columns, columns)
        Number of members of both; 0 on the diagonal.
    factor : array (columns, columns)
        ``Σ w1 w2 / (W1 W2)`` over these; ``n_o / (n1 n2)`` without weights.
    first : array (rows, columns, columns)
        ``[r, i, j]`` is the share of row r in column i among the members of i and j, weighted by w1 w2.
    both : array (rows, columns, columns)
        Share of these with row r in both columns.
    correlation : array (columns, columns)
        Correlation of their two numbers; 0 where there is none.
    """

    members: Floats
    factor: Floats
    first: Floats
    both: Floats
    correlation: Floats

    def covariance(self, a: Places, b: Places, center_a: Floats, center_b: Floats) -> Floats:
        """Return the covariance of the shares of columns a and b, per row and pair.

        Parameters
        ----------
        a, b : array of int
            The columns of each pair.
        center_a, center_b : arrays (rows, pairs)
            The shares that the answers are centred at: one and the same under the hypothesis of no change.
        """
        joint, one, other = self.both[:, a, b], self.first[:, a, b], self.first[:, b, a]
        common = joint - center_b * one - center_a * other + center_a * center_b
        return np.asarray(self.factor[a, b] * np.where(self.members[a, b] > 0, common, 0.0))

    def base(self, a: Places, b: Places, effective_a: Floats, effective_b: Floats) -> Floats:
        """Return the effective base of the members of both columns."""
        return np.asarray(self.factor[a, b] * effective_a * effective_b)


def overlap_of(
    members: list[npt.NDArray[np.int64]],
    weights: list[Floats],
    rows: list[npt.NDArray[np.bool_]],
    numbers: list[Floats] | None = None,
) -> Overlap:
    """Compute the overlap of every pair of columns.

    Parameters
    ----------
    members : list of array of int
        Per column, the distinct members.
    weights : list of array
        Per column, the weight of each member.
    rows : list of array (members, rows) of bool
        Per column, whether each member is in each row.
    numbers : list of array, optional
        Per column, the number of each member.

    Examples
    --------
    >>> ids, ones = [np.array([1, 2, 3]), np.array([2, 3, 4])], [np.ones(3), np.ones(3)]
    >>> answers = [np.array([[True], [True], [False]]), np.array([[True], [False], [False]])]
    >>> found = overlap_of(ids, ones, answers)
    >>> found.members[0, 1], round(found.factor[0, 1], 4), found.both[0, 0, 1], found.first[0, 0, 1]
    (np.float64(2.0), np.float64(0.2222), np.float64(0.5), np.float64(0.5))
    """
    size, height = len(members), rows[0].shape[1] if rows else 0
    many, factor, correlation = (np.zeros((size, size)) for _ in range(3))
    first, both = np.zeros((height, size, size)), np.zeros((height, size, size))
    for i in range(size):
        for j in range(i):
            _, at_i, at_j = np.intersect1d(members[i], members[j], assume_unique=True, return_indices=True)
            weight = weights[i][at_i] * weights[j][at_j]
            total = math.fsum(weight.tolist())
            many[i, j] = many[j, i] = at_i.size
            if not total > 0:
                continue
            whole = math.fsum(weights[i].tolist()) * math.fsum(weights[j].tolist())
            factor[i, j] = factor[j, i] = total / whole
            one, other = rows[i][at_i], rows[j][at_j]
            first[:, i, j], first[:, j, i] = weight @ one / total, weight @ other / total
            both[:, i, j] = both[:, j, i] = weight @ (one & other) / total
            if numbers is not None:
                pair = _correlation(numbers[i][at_i], numbers[j][at_j], weight)
                correlation[i, j] = correlation[j, i] = pair
    return Overlap(many, factor, first, both, correlation)


def compare_overlapping_means(
    a: Moments, b: Moments, factor: float, correlation: float, *, pooled: bool = False
) -> tuple[float, float, float, float, float]:
    """Test whether the means of two partly overlapping samples differ.

    ``SE² = s1²/e1 + s2²/e2 - 2 f r s1 s2`` with ``f = n_o/(n1 n2)``, and degrees of freedom between those of
    the test of independent samples (no member in common) and ``n - 1`` of the paired test (all members in
    common), as Derrick and others (2017) give them. Pooled: ``s`` from both samples.

    Parameters
    ----------
    a, b : Moments
        The two samples.
    factor : float
        ``n_o/(n1 n2)``, or its weighted form.
    correlation : float
        Correlation of the two numbers among the members in common.
    pooled : bool, default False
        Whether both give one variance.

    Returns
    -------
    difference, se, t, df, p : float
        NaN where an effective base is below 2 or nothing varies.
    """
    from scipy.special import stdtr  # imported where used

    e_1, e_2 = a.n_eff, b.n_eff
    difference = a.mean - b.mean
    nothing = (difference, math.nan, math.nan, math.nan, math.nan)
    if min(e_1, e_2) < 2 - 1e-9:
        return nothing
    common = factor * e_1 * e_2
    alone = max(e_1 - common, 0.0) + max(e_2 - common, 0.0)
    if pooled:
        spread = math.sqrt(((e_1 - 1) * a.sd**2 + (e_2 - 1) * b.sd**2) / (e_1 + e_2 - 2))
        s_1 = s_2 = spread
        independent = alone + common - 1
    else:
        s_1, s_2 = a.sd, b.sd
        parts = a.se**4 / (e_1 - 1) + b.se**4 / (e_2 - 1)
        independent = (a.se**2 + b.se**2) ** 2 / parts - common + 1 if parts > 0 else math.nan
    each = s_1**2 / e_1 + s_2**2 / e_2
    variance = each - 2 * factor * correlation * s_1 * s_2
    df = common - 1 + independent / (alone + 2 * common) * alone
    if not variance > 1e-12 * each or not df > 0:
        return nothing
    se = math.sqrt(variance)
    return difference, se, difference / se, df, 2 * float(stdtr(df, -abs(difference / se)))


def _correlation(one: Floats, other: Floats, weight: Floats) -> float:
    total = math.fsum(weight.tolist())
    means = [math.fsum((weight * part).tolist()) / total for part in (one, other)]
    apart = [part - mean for part, mean in zip((one, other), means, strict=True)]
    spread = [math.fsum((weight * part**2).tolist()) for part in apart]
    if min(spread) <= 0:
        return 0.0
    return math.fsum((weight * apart[0] * apart[1]).tolist()) / math.sqrt(spread[0] * spread[1])
