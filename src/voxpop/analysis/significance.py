"""Significance tests between the columns of a group: test, level and correction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from voxpop.errors import UsageError
from voxpop.stats.corrections import CORRECTIONS
from voxpop.stats.means import Moments, compare_means
from voxpop.stats.overlap import Overlap, compare_overlapping_means
from voxpop.stats.proportions import compare_shares
from voxpop.vocabulary.nearest import did_you_mean, nearest

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

Method = Literal["effective", "unpooled", "unweighted"]
Adjust = Literal["bh", "holm", "bonferroni"]
METHODS: tuple[str, ...] = get_args(Method)
CERTAIN = "a share of 0 or 100 %"
UNCHANGED = "the same answers by the same agents"
_NAMES = {"bh": "Benjamini-Hochberg", "holm": "Holm", "bonferroni": "Bonferroni", None: "no correction"}


@dataclass(frozen=True, slots=True)
class SigTest:
    """Settings of the comparison of columns, which tables store and print.

    Parameters
    ----------
    level : float, default 0.05
        Significance level, shown by upper-case letters.
    second_level : float, optional
        A larger level, shown by lower-case letters.
    method : {"effective", "unpooled", "unweighted"}, default "effective"
        Pooled t test on effective bases; unpooled test; or normal test on counts. Tables without weights use
        the last instead of the first.
    adjust : {"bh", "holm", "bonferroni", None}, default "bh"
        Correction for multiple tests.
    scope : {"row", "table"}, default "row"
        Family of tests for the correction: one row within a group, or all levels within the group.
    means : {"welch", "pooled"}, default "welch"
        Test of means.

    Examples
    --------
    >>> SigTest(adjust="holm").words(weighted=False)
    'pooled z test, level 5 %, Holm per row'
    """

    level: float = 0.05
    second_level: float | None = None
    method: Method = "effective"
    adjust: Adjust | None = "bh"
    scope: Literal["row", "table"] = "row"
    means: Literal["welch", "pooled"] = "welch"

    def __post_init__(self) -> None:
        _one_of("method", self.method, METHODS)
        _one_of("adjust", self.adjust, tuple(CORRECTIONS))
        _one_of("scope", self.scope, ("row", "table"))
        _one_of("means", self.means, ("welch", "pooled"))
        if not 0 < self.level < 1:
            raise UsageError(f"level must lie between 0 and 1, not {self.level}.")
        if self.second_level is not None and not self.level < self.second_level < 1:
            raise UsageError(f"second_level must lie between level and 1, not {self.second_level}.")

    @property
    def pooled(self) -> bool:
        """Return whether two shares use a pooled variance."""
        return self.method != "unpooled"

    def on_counts(self, *, weighted: bool) -> bool:
        """Return whether counts are compared with a normal distribution."""
        return self.method == "unweighted" or (self.method == "effective" and not weighted)

    def words(self, *, weighted: bool, means: bool = False) -> str:
        """Return the name of the test, its level and its correction."""
        if means:
            test = "Welch t test" if self.means == "welch" else "pooled t test"
        elif self.on_counts(weighted=weighted):
            test = "pooled z test" + (" on unweighted counts" if weighted else "")
        else:
            test = "pooled t test" if self.pooled else "unpooled t test"
        if weighted and self.method != "unweighted":
            test += " on effective bases"
        levels = f"level {100 * self.level:g} %"
        if self.second_level is not None:
            levels += f" (lower case: {100 * self.second_level:g} %)"
        correction = _NAMES[self.adjust] + (f" per {self.scope}" if self.adjust else "")
        return f"{test}, {levels}, {correction}"

    def to_json(self) -> dict[str, Any]:
        """Return the settings as data."""
        return asdict(self)


Sig = bool | SigTest | Mapping[str, Any] | None
"""Comparison of columns: none, the default test, other settings, or their JSON."""


def _one_of(name: str, value: Any, allowed: Sequence[Any]) -> None:
    if value not in allowed:
        near = did_you_mean(nearest(str(value), [word for word in allowed if word]))
        raise UsageError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}{near}")


def read_sig(sig: Sig) -> SigTest | None:
    """Read ``sig``: nothing, True for the default test, a :class:`SigTest`, or its JSON."""
    if sig is None or sig is False:
        return None
    if sig is True:
        return SigTest()
    if isinstance(sig, SigTest):
        return sig
    if isinstance(sig, Mapping) and set(sig) <= {field.name for field in fields(SigTest)}:
        return SigTest(**sig)
    raise UsageError(f"sig must be True, None or a vp.SigTest, not {sig!r}.")


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
        """Return, per row and column, the letters of the columns that are significantly lower."""
        made: list[list[str]] = []
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


def compare(rows: Rows, sig: SigTest, *, weighted: bool, min_base: float) -> Compared:
    """Compare all pairs of columns of a group."""
    size = rows.bases.shape[1]
    a, b = (places.astype(np.intp) for places in np.triu_indices(size, 1))
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
) -> Compared:
    """Compare all pairs of net promoter scores of a group, with a normal distribution.

    Shared members reduce the variance of the difference by ``2 e_o/sqrt(e1 e2) · SE1·SE2``, as for means;
    with an ``overlap``, whose correlation is that of the scores, by this times the correlation.
    """
    from scipy.special import ndtr  # imported where used

    size = scores.size
    a, b = (places.astype(np.intp) for places in np.triu_indices(size, 1))
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
    return Compared(
        ("NPS",),
        a,
        b,
        (scores[a] - scores[b])[None, :],
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


def pair_rows(group: str, compared: Compared, names: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the compared pairs of a group as rows of :data:`PAIRS`."""
    return [
        (
            *(group, label, names[compared.a[k]], names[compared.b[k]]),
            *(compared.difference[i, k], compared.statistic[i, k], compared.df[i, k]),
            *(compared.p[i, k], compared.adjusted[i, k], not compared.reasons[i, k], compared.reasons[i, k]),
        )
        for i, label in enumerate(compared.labels)
        for k in range(compared.a.size)
    ]
