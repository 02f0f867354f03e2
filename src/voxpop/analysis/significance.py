"""Significance tests between the columns of a group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.analysis.sig_test import DOWN, UP, SigTest
from voxpop.stats.corrections import CORRECTIONS
from voxpop.stats.means import Moments, compare_means
from voxpop.stats.overlap import Overlap, compare_overlapping_means
from voxpop.stats.proportions import compare_shares

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

CERTAIN = "a share of 0 or 100 %"
UNCHANGED = "the same answers by the same agents"


@dataclass(frozen=True, eq=False, slots=True)
class Rows:
    """Input of the comparison within a group: rows of shares, optionally means. Columns are the last axis.

    Attributes
    ----------
    labels : tuple of str
        The rows of shares.
    cells : array (3, rows, columns)
        Counts and weighted counts; the third is not used.
    bases : array (3, columns)
        Unweighted, weighted and effective bases.
    shared : array (2, columns, columns), optional
        Unweighted and effective shared bases; None if no agent is in two columns.
    means : sequence of Moments, optional
        Moments of the columns, with the weights used by the test.
    codes : int
        Number of leading rows that are levels. A correction per table counts only these; nets, boxes and
        means repeat them and are corrected row by row.
    overlaps : pair of Overlap, optional
        Unweighted and weighted overlap of columns whose members may have answered differently in each, such
        as waves.
    """

    labels: tuple[str, ...]
    cells: Floats
    bases: Floats
    shared: Floats | None
    means: Sequence[Moments] | None
    codes: int = 0
    overlaps: tuple[Overlap, Overlap] | None = None
    rest: Rest | None = None

    def beside_rest(self) -> Rows:
        """Return the columns followed by the rest of each, which has no member in common with its column."""
        rest = self.rest
        assert rest is not None, "the rest is counted where a test needs it"
        return replace(
            self,
            cells=np.concatenate((self.cells, rest.cells), axis=2),
            bases=np.concatenate((self.bases, rest.bases), axis=1),
            shared=None,
            means=None if self.means is None or rest.means is None else [*self.means, *rest.means],
            overlaps=None,
        )


@dataclass(frozen=True, eq=False, slots=True)
class Rest:
    """For each column of a group, the members of the group outside it.

    Attributes
    ----------
    cells, bases, means
        As in :class:`Rows`.
    """

    cells: Floats
    bases: Floats
    means: Sequence[Moments] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Compared:
    """The comparisons of all pairs of columns in a group, row by row.

    Attributes
    ----------
    labels : tuple of str
        The rows of shares, then ``Mean`` if there is one.
    a, b : arrays of int
        Positions of the two columns of each pair within the group.
    difference, statistic, df, p, adjusted : arrays (rows, pairs)
        Differences of shares are from 0 to 1. NaN if a pair is not tested (difference: if a base is 0);
        ``df`` is also NaN for a normal test.
    reasons : array of str (rows, pairs)
        Reasons why pairs are not tested; empty for tested pairs.
    """

    labels: tuple[str, ...]
    a: Places
    b: Places
    difference: Floats
    statistic: Floats
    df: Floats
    p: Floats
    adjusted: Floats
    reasons: npt.NDArray[np.object_]

    def rows(self, places: Sequence[int]) -> Compared:
        """Return the comparisons of some rows, with their corrections unchanged."""
        kept = list(places)
        return Compared(
            tuple(self.labels[place] for place in places),
            self.a,
            self.b,
            self.difference[kept],
            self.statistic[kept],
            self.df[kept],
            self.p[kept],
            self.adjusted[kept],
            self.reasons[kept],
        )

    def letters(self, sig: SigTest, names: Sequence[str]) -> list[list[str]]:
        """Return, per row and column, the letters of the columns that are significantly lower.

        A test against one other column or the rest gives an arrow up or down instead, in brackets if only the
        second level is reached.
        """
        made: list[list[str]] = []
        if not sig.lettered:
            return [self._arrows(row, sig, len(names)) for row in range(len(self.labels))]
        joint = "," if max(map(len, names), default=0) > 1 else ""
        for row in range(len(self.labels)):
            higher: list[dict[int, str]] = [{} for _ in names]
            for pair in np.flatnonzero(self.adjusted[row] < (sig.second_level or sig.level)):
                a, b = int(self.a[pair]), int(self.b[pair])
                above, under = (a, b) if self.difference[row, pair] > 0 else (b, a)
                letter = names[under]
                higher[above][under] = letter if self.adjusted[row, pair] < sig.level else letter.lower()
            made.append([joint.join(held[place] for place in sorted(held)) for held in higher])
        return made

    def _arrows(self, row: int, sig: SigTest, size: int) -> list[str]:
        marks = [""] * size
        for pair in np.flatnonzero(self.adjusted[row] < (sig.second_level or sig.level)):
            arrow = UP if self.difference[row, pair] > 0 else DOWN
            marks[int(self.a[pair])] = arrow if self.adjusted[row, pair] < sig.level else f"({arrow})"
        return marks


def pairs_of(size: int, sig: SigTest) -> tuple[Places, Places]:
    """Return the columns that are compared; the rest of column i counts as column size + i."""
    columns = np.arange(size, dtype=np.intp)
    if sig.lettered:
        first, second = np.triu_indices(size, 1)
        return first.astype(np.intp), second.astype(np.intp)
    return (columns[1:], columns[:-1]) if sig.against == "previous" else (columns, columns + size)


def compare(rows: Rows, sig: SigTest, *, weighted: bool, min_base: float) -> Compared:
    """Compare columns of a group."""
    a, b = pairs_of(rows.bases.shape[1], sig)
    if sig.needs_rest:
        rows = rows.beside_rest()
    size = rows.bases.shape[1]
    counts = sig.on_counts(weighted=weighted)
    x = rows.cells[0 if counts else 1]
    base = rows.bases[0 if counts else 1]
    effective = rows.bases[0 if counts else 2]
    shared = np.zeros((size, size)) if rows.shared is None else rows.shared[0 if counts else 1]
    overlap = None if rows.overlaps is None else rows.overlaps[0 if counts else 1]
    common, covariance = shared[a, b], None
    if overlap is not None:
        common = overlap.base(a, b, effective[a], effective[b])
        covariance = overlap.covariance(a, b, *_centers(x, base, a, b, sig))
    difference, _, statistic, df, p = compare_shares(
        (x[:, a], x[:, b]),
        (base[a], base[b]),
        (effective[a], effective[b]),
        overlap=common,
        covariance=covariance,
        pooled=sig.pooled,
        normal=counts,
    )
    labels = rows.labels
    found = [difference, statistic, df, p]
    if rows.means is not None:
        tests = [_means(rows, sig, i, j, shared[i, j]) for i, j in zip(a.tolist(), b.tolist(), strict=True)]
        told = np.array(tests, dtype=np.float64).reshape(len(tests), 5).T[[0, 2, 3, 4]]
        found = [np.vstack((above, below)) for above, below in zip(found, told, strict=True)]
        labels = (*labels, "Mean")
    if sig.against == "total":
        found[0] = found[0] * _outside(base[a], base[b])
    reasons = _reasons(rows, a, b, found[3], min_base)
    if overlap is not None:
        same = (reasons[: len(rows.labels)] == CERTAIN) & _varies(x, base)[:, a] & _varies(x, base)[:, b]
        reasons[: len(rows.labels)][same] = UNCHANGED
    difference, (statistic, df, p) = found[0], (np.where(reasons == "", part, np.nan) for part in found[1:])
    correct = CORRECTIONS[sig.adjust]
    adjusted = np.array([correct(row) for row in p]).reshape(p.shape)
    if sig.scope == "table":
        adjusted[: rows.codes] = correct(p[: rows.codes])
    return Compared(
        labels, a, b, difference, statistic, np.where(np.isinf(df), np.nan, df), p, adjusted, reasons
    )


def _outside(column: Floats, rest: Floats) -> Floats:
    """Return the share of the rest in the total: the difference from the total is this part of it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(rest / (column + rest))


def _centers(x: Floats, base: Floats, a: Places, b: Places, sig: SigTest) -> tuple[Floats, Floats]:
    """Return the shares at which the answers of the members of two columns are centred."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if sig.pooled:
            both = (x[:, a] + x[:, b]) / (base[a] + base[b])
            return both, both
        return x[:, a] / base[a], x[:, b] / base[b]


def _varies(x: Floats, base: Floats) -> npt.NDArray[np.bool_]:
    """Return whether some but not all members of a column are in a row."""
    return np.asarray((x > 0) & (x < base * (1 - 1e-12)))


def _means(rows: Rows, sig: SigTest, i: int, j: int, shared: float) -> tuple[float, ...]:
    """Compare the means of two columns."""
    assert rows.means is not None
    one, other, pooled = rows.means[i], rows.means[j], sig.means == "pooled"
    if rows.overlaps is None or not rows.overlaps[0].members[i, j]:
        return compare_means(one, other, pooled=pooled, overlap=shared)
    overlap = rows.overlaps[0 if sig.method == "unweighted" else 1]
    factor, correlation = float(overlap.factor[i, j]), float(overlap.correlation[i, j])
    return compare_overlapping_means(one, other, factor, correlation, pooled=pooled)


def compare_scores(
    scores: Floats,
    errors: Floats,
    bases: Floats,
    shared: Floats | None,
    sig: SigTest,
    min_base: float,
    *,
    overlap: Overlap | None = None,
    sums: Floats | None = None,
) -> Compared:
    """Compare net promoter scores of a group, with a normal distribution.

    A test against the rest or the total takes the scores of the rests after those of the columns, and the
    sums of weights of both.

    Shared members reduce the variance of the difference by ``2 e_o/sqrt(e1 e2) · SE1·SE2``, as for means;
    with an ``overlap``, whose correlation is that of the scores, by this times the correlation.
    """
    from scipy.special import ndtr  # imported where used

    size = scores.size
    a, b = pairs_of(size // 2 if sig.needs_rest else size, sig)
    rows = Rows((), np.zeros((3, 0, size)), np.stack([bases, bases, bases]), shared, None)
    common = np.zeros(a.size) if shared is None else shared[1][a, b]
    if overlap is not None:
        common = overlap.base(a, b, bases[a], bases[b]) * overlap.correlation[a, b]
    with np.errstate(divide="ignore", invalid="ignore"):
        each = errors[a] ** 2 + errors[b] ** 2
        variance = each - 2 * common / np.sqrt(bases[a] * bases[b]) * errors[a] * errors[b]
        statistic = (scores[a] - scores[b]) / np.where(variance > 1e-12 * each, np.sqrt(variance), np.nan)
    p = (2 * ndtr(-np.abs(statistic)))[None, :]
    reasons = _reasons(rows, a, b, p, min_base)
    reasons[reasons == CERTAIN] = "nothing varies"
    p = np.where(reasons == "", p, np.nan)
    difference = scores[a] - scores[b]
    if sig.against == "total" and sums is not None:
        difference = difference * _outside(sums[a], sums[b])
    return Compared(
        ("NPS",),
        a,
        b,
        difference[None, :],
        np.where(reasons == "", statistic[None, :], np.nan),
        np.full(p.shape, np.nan),
        p,
        CORRECTIONS[sig.adjust](p),
        reasons,
    )


def _reasons(rows: Rows, a: Places, b: Places, p: Floats, min_base: float) -> npt.NDArray[np.object_]:
    """Return, per row and pair, the reason why it is not tested."""
    reasons = np.full(p.shape, "", dtype=object)
    reasons[np.isnan(p)] = CERTAIN
    if rows.means is not None:
        reasons[-1, np.isnan(p[-1])] = "nothing varies"
    smaller = np.minimum(rows.bases[2][a], rows.bases[2][b])
    if rows.shared is not None:
        alike = np.isclose(rows.shared[0][a, b], np.maximum(rows.bases[0][a], rows.bases[0][b]), rtol=1e-12)
        reasons[:, alike & (smaller > 0)] = "the same agents in both"
    reasons[:, smaller < 2 - 1e-9] = "a base below 2"
    reasons[:, smaller < min_base] = f"a base below {min_base:g}"
    return reasons


def untested(compared: Compared, names: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns that were not tested in any row, by reason."""
    told: dict[str, list[str]] = {}
    for place, name in enumerate(names):
        used = (compared.a == place) | (compared.b == place)
        own = set(compared.reasons[:, used].ravel().tolist())
        if own and "" not in own:
            bases = [reason for reason in own if reason.startswith("a base")]
            if bases:
                told.setdefault(min(bases), []).append(name)
    return told


PAIRS = (
    *("column_group", "row", "a", "b", "diff", "statistic", "df", "p", "p_adjusted", "testable", "reason"),
)
"""Columns of the frame of compared pairs."""


def pair_rows(
    group: str, compared: Compared, names: Sequence[str], sig: SigTest | None
) -> list[tuple[Any, ...]]:
    """Return the compared pairs of a group as rows of :data:`PAIRS`."""
    others = [*names, *([sig.against] * len(names) if sig is not None and sig.needs_rest else [])]
    return [
        (
            *(group, label, names[compared.a[k]], others[compared.b[k]]),
            *(compared.difference[i, k], compared.statistic[i, k], compared.df[i, k]),
            *(compared.p[i, k], compared.adjusted[i, k], not compared.reasons[i, k], compared.reasons[i, k]),
        )
        for i, label in enumerate(compared.labels)
        for k in range(compared.a.size)
    ]
