"""Settings of significance tests: what is compared, by which test, at which level, and the marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from voxpop.errors import UsageError
from voxpop.stats.corrections import CORRECTIONS
from voxpop.vocabulary.nearest import did_you_mean, nearest

Method = Literal["effective", "unpooled", "unweighted"]
Adjust = Literal["bh", "holm", "bonferroni"]
Against = Literal["columns", "previous", "rest", "total"]
METHODS: tuple[str, ...] = get_args(Method)
AGAINST: tuple[str, ...] = get_args(Against)
UP, DOWN = "↑", "↓"
"""Marks of a column that is higher or lower than what it is compared with."""

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
    against : {"columns", "previous", "rest", "total"}, default "columns"
        What a column is compared with: every other column, shown by letters; or, shown by arrows, the column
        before it (for waves), all other columns of its group together, or the total of its group. A column is
        part of its total, so the test against the total is that against the rest.

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
    against: Against = "columns"

    def __post_init__(self) -> None:
        _one_of("method", self.method, METHODS)
        _one_of("adjust", self.adjust, tuple(CORRECTIONS))
        _one_of("scope", self.scope, ("row", "table"))
        _one_of("means", self.means, ("welch", "pooled"))
        _one_of("against", self.against, AGAINST)
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

    @property
    def lettered(self) -> bool:
        """Return whether letters name the columns that are significantly lower."""
        return self.against == "columns"

    @property
    def needs_rest(self) -> bool:
        """Return whether a column is compared with the members of its group outside it."""
        return self.against in ("rest", "total")

    def compared(self, what: str = "column") -> str:
        """Return what is compared with what.

        Examples
        --------
        >>> SigTest(against="previous").compared()
        'each column compared with the previous one of its group'
        """
        return {
            "columns": f"{what}s of a group compared",
            "previous": f"each {what} compared with the previous one of its group",
            "rest": f"each {what} compared with the others of its group together",
            "total": f"each {what} compared with the total of its group (tested against the others)",
        }[self.against]

    def legend(self, what: str = "column") -> str:
        """Return the explanation of the marks."""
        if self.lettered:
            return f"A letter: higher than the {what} with this letter in the same group"
        other = {
            "previous": f"the previous {what} of the group",
            "rest": f"the other {what}s of the group together",
            "total": "the total of the group",
        }[self.against]
        lower = "" if self.second_level is None else f" (in brackets: level {100 * self.second_level:g} %)"
        return f"{UP} or {DOWN}: higher or lower than {other}{lower}"

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


def marked(mark: str, sig: SigTest | None) -> dict[str, str]:
    """Return the marks of a figure as columns of a frame: what it is higher and lower than.

    Examples
    --------
    >>> marked("AB", SigTest()), marked("(↓)", SigTest(against="rest"))
    ({'higher_than': 'AB'}, {'higher_than': '', 'lower_than': '(rest)'})
    """
    if sig is None or sig.lettered:
        return {"higher_than": mark}
    told = {arrow: mark.replace(arrow, sig.against) if arrow in mark else "" for arrow in (UP, DOWN)}
    return {"higher_than": told[UP], "lower_than": told[DOWN]}


def mark_of(line: Mapping[str, Any], sig: SigTest | None) -> str:
    """Return the mark of a figure from the columns of a frame; the inverse of :func:`marked`."""
    if sig is None or sig.lettered:
        return str(line["higher_than"])
    up, down = (str(line[name]).replace(sig.against, UP) for name in ("higher_than", "lower_than"))
    return up or down.replace(UP, DOWN)
