"""Means, net promoter scores, boxes of a scale and shares, by cohort."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.analysis.cautions import versions_told
from voxpop.analysis.cohort import chosen, read_where
from voxpop.analysis.columns import Bools, WeightName, weight_of
from voxpop.analysis.counter import Counter
from voxpop.analysis.crosstab import By, open_frame, read_by, shown, tabulate
from voxpop.analysis.figures import LEVEL, Banner, Group, banner_of, rest_of, with_rests
from voxpop.analysis.frames import Frame, Variable
from voxpop.analysis.rows import read_boxes, scale_of
from voxpop.analysis.sig_test import Sig, SigTest, marked, read_sig
from voxpop.analysis.significance import Compared, Rows, compare, compare_scores
from voxpop.analysis.summary import Summary, lettered
from voxpop.analysis.table import Table
from voxpop.analysis.table_spec import TableSpec
from voxpop.analysis.waves import WAVE, waves_told, with_overlaps
from voxpop.errors import UsageError
from voxpop.stats.means import Moments
from voxpop.stats.nps import Score, score
from voxpop.vocabulary.nearest import did_you_mean, nearest

Floats = npt.NDArray[np.float64]


def means(
    data: Any,
    question: str,
    by: By = None,
    *,
    weight: WeightName = None,
    where: Any = None,
    sig: Sig = None,
    min_base: int = 30,
    small_base: int = 100,
) -> Summary:
    """Return the mean of a number per cohort, with its standard error, interval and median.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per agent.
    question : str
        A numeric column.
    by : str, Bands or list of them, optional
        Attributes whose levels are the cohorts.
    weight, where, sig, min_base, small_base
        As in :func:`voxpop.analysis.crosstab`; means are compared with Welch's t test.

    Returns
    -------
    Summary
        ``.long()`` has group, n, sum_w, n_eff, mean, sd, se, ci_low, ci_high, median, higher_than, flag.

    Raises
    ------
    UsageError
        If a column is unknown, weights are invalid, or the question is not numeric.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"price": [1.0, 2.0, 6.0, None], "arm": ["a", "a", "b", "b"]})
    >>> means(people, "price", by="arm").long()[["group", "n", "mean", "median"]]
       group  n  mean  median
    0  Total  3   3.0     2.0
    1      a  2   1.5     1.5
    2      b  1   6.0     6.0
    """
    where = read_where(where, data)
    weight = weight_of(data, weight)
    asked = _asked("means", by, weight=weight, where=where, sig=sig, min_base=min_base, small_base=small_base)
    read = _open(data, question, asked, where)
    measured, counter, banner = read.measured, read.counter, read.banner
    answered = [members & measured.answered for members in banner.members]
    held = [counter.moments(question, members) for members in answered]
    test = asked.sig or SigTest()
    plain = test.method == "unweighted"
    used = [counter.moments(question, members, weighted=False) for members in answered] if plain else held
    tests = []
    for group in banner.groups:
        own = used[group.places]
        rest = None if group.rest is None else group.rest[1 if plain else 0]
        rows = Rows((), np.zeros((3, 0, len(own))), _bases(own), group.shared, own, 0, group.overlaps, rest)
        tests.append((group, compare(rows, test, weighted=weight is not None, min_base=min_base)))
    letters = lettered(banner.columns, tests, asked)[-1]
    lines = []
    for column, found, letter in zip(banner.columns, held, letters, strict=True):
        low, high = found.interval(LEVEL)
        lines.append(
            {"column_group": column.group, "group": column.label, "n": found.n, "sum_w": found.sum_w}
            | {"n_eff": found.n_eff, "mean": found.mean, "sd": found.sd, "se": found.se}
            | {"ci_low": low, "ci_high": high, "median": found.median}
            | marked(letter, asked.sig)
            | {"flag": _flag(found.n_eff, asked)}
        )
    printed = (("n", "n"), *_weighted_base(asked), ("mean", "mean"), ("sd", "SD"), ("se", "SE"))
    printed += (("ci_low", "low"), ("ci_high", "high"), ("median", "median"))
    words = test.words(weighted=weight is not None, means=True)
    return read.summary(asked, lines, tests, printed, words, "Student")


def nps(
    data: Any,
    question: str,
    by: By = None,
    *,
    weight: WeightName = None,
    where: Any = None,
    sig: Sig = None,
    min_base: int = 30,
    small_base: int = 100,
) -> Summary:
    """Return the net promoter score per cohort: the share of 9 and 10 minus the share of 0 to 6.

    Parameters
    ----------
    data, question, by, weight, where, sig, min_base, small_base
        As in :func:`means`; the scale of the question is 0 to 10. Scores are compared with a normal test.

    Returns
    -------
    Summary
        ``.long()`` has group, n, n_eff, promoters, passives, detractors (0 to 100), nps (-100 to 100), se,
        ci_low, ci_high.

    Raises
    ------
    UsageError
        If the question's scale, or an answer, is not within 0 to 10.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"recommend": [10, 9, 0, 8, 7]})
    >>> nps(people, "recommend").long()[["group", "n", "nps"]].round(1)
       group  n   nps
    0  Total  5  20.0
    """
    where = read_where(where, data)
    weight = weight_of(data, weight)
    asked = _asked("nps", by, weight=weight, where=where, sig=sig, min_base=min_base, small_base=small_base)
    read = _open(data, question, asked, where)
    frame, measured, counter, banner = read.frame, read.measured, read.counter, read.banner
    _check_recommending(frame, question, measured)
    numbers, test = frame.numbers(question), asked.sig or SigTest()

    def scored(members: Bools) -> tuple[Score, Floats]:
        inside = members & measured.answered & counter.mask
        weights = frame.sums[inside] if weight is not None else frame.counts[inside]
        base = counter.base(inside)
        return score(numbers[inside], weights, base[2]), base

    found = [scored(members) for members in banner.members]
    scores = np.sign(np.clip(numbers - 7, -1, 0) + np.clip(numbers - 8, 0, 1))  # 1, 0 or -1
    tests = []
    for group in with_overlaps(banner, counter, measured, scores).groups:
        own = found[group.places] + (
            [scored(one) for one in rest_of(banner, group)] if test.needs_rest else []
        )
        parts = (np.array([held.nps for held, _ in own]), np.array([held.se for held, _ in own]))
        bases, sums = (np.array([base[part] for _, base in own]) for part in (2, 1))
        shared = None if test.needs_rest else group.shared
        overlap = None if group.overlaps is None or test.needs_rest else group.overlaps[1]
        told = compare_scores(*parts, bases, shared, test, min_base, overlap=overlap, sums=sums)
        tests.append((group, told))
    letters = lettered(banner.columns, tests, asked)[-1]
    lines = []
    for column, (held, base), letter in zip(banner.columns, found, letters, strict=True):
        low, high = held.interval(LEVEL)
        lines.append(
            {"column_group": column.group, "group": column.label, "n": int(base[0]), "sum_w": base[1]}
            | {"n_eff": base[2], "promoters": 100 * held.promoters, "passives": 100 * held.passives}
            | {"detractors": 100 * held.detractors, "nps": 100 * held.nps, "se": 100 * held.se}
            | {"ci_low": 100 * low, "ci_high": 100 * high}
            | marked(letter, asked.sig)
            | {"flag": _flag(base[2], asked)}
        )
    shares = tuple((name, name) for name in ("promoters", "passives", "detractors"))
    printed = (("n", "n"), *_weighted_base(asked), *shares, ("nps", "NPS"), ("se", "SE"))
    printed += (("ci_low", "low"), ("ci_high", "high"))
    words = f"scores compared by z test, {test.words(weighted=False).split(', ', 1)[1]}"
    return read.summary(asked, lines, tests, printed, words, "normal")


def box(  # noqa: PLR0913 (options by keyword)
    data: Any,
    question: str,
    top: int = 2,
    by: By = None,
    *,
    bottom: int | None = None,
    scale: tuple[int, int] | None = None,
    weight: WeightName = None,
    where: Any = None,
    sig: Sig = None,
    min_base: int = 30,
    small_base: int = 100,
) -> Summary:
    """Return the shares of the top and bottom boxes of a scale per cohort, and their difference.

    Parameters
    ----------
    data, question, by, weight, where, sig, min_base, small_base
        As in :func:`means`; the letters compare the top box.
    top, bottom : int, default 2 and as many as the top
        Number of points in each box.
    scale : (int, int), optional
        The ends of the scale, if the data do not declare them. They are never inferred from the answers.

    Returns
    -------
    Summary
        ``.long()`` has group, n, sum_w, n_eff, top, top_low, top_high, bottom, bottom_low, bottom_high, net
        (shares 0 to 100), mean, higher_than, flag.

    Raises
    ------
    UsageError
        If no scale is declared or given, or a box has more points than the scale.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"liking": [1, 5, 4, 3]})
    >>> box(people, "liking", scale=(1, 5)).long()[["group", "n", "top", "bottom", "net"]]
       group  n   top  bottom   net
    0  Total  4  50.0    25.0  25.0
    """
    where = read_where(where, data)
    weight = weight_of(data, weight)
    asked = _asked("box", by, weight=weight, where=where, sig=sig, min_base=min_base, small_base=small_base)
    frame = open_frame(data, [question, *asked.by], where, asked)
    variable = frame.variable(question)
    points = scale_of(frame, variable, scale)
    parts = read_boxes((top, top if bottom is None else bottom), points, question)
    more = {"top": top, "bottom": bottom, "scale": None if scale is None else list(scale)}
    asked = replace(asked, more=more)
    across = [frame.attribute(key).with_not_assigned() for key in asked.by]
    table = tabulate(frame, where, variable, across, asked, boxes=parts)
    places = [len(table.levels) + place for place in range(len(parts))]
    letters = table.letters()[places[0]]
    lines = []
    for j in range(len(table.columns)):
        shares = _box_shares(table, places, j, list(parts))
        moments = table.figures.means[j] if table.figures.means is not None else None
        lines.append(
            _column_line(table, j)
            | shares
            | {"net": shares.get("top", 0.0) - shares.get("bottom", 0.0)}
            | {"mean": math.nan if moments is None else moments.mean}
            | marked(letters[j], asked.sig)
            | {"flag": table.flag(table.figures.bases[2, j])}
        )
    names = [name for name in ("top", "top_low", "top_high", "bottom") if name in lines[0]]
    titles = {"top": next(iter(parts)), "top_low": "low", "top_high": "high", "bottom": list(parts)[-1]}
    printed = (("n", "n"), *_weighted_base(asked), *((name, titles[name]) for name in names), ("net", "net"))
    if table.figures.means is not None:
        printed += (("mean", "mean"),)
    return _of_table(table, lines, printed, rows=places[:1])


def proportions(
    data: Any,
    question: str,
    level: str | None = None,
    by: By = None,
    *,
    weight: WeightName = None,
    where: Any = None,
    sig: Sig = None,
    min_base: int = 30,
    small_base: int = 100,
) -> Summary:
    """Return the share of one level, or of every level, per cohort with its Wilson interval.

    Parameters
    ----------
    data, question, by, weight, where, sig, min_base, small_base
        As in :func:`voxpop.analysis.crosstab`.
    level : str, optional
        The level to report; every level by default.

    Returns
    -------
    Summary
        ``.long()`` has group, level, n, sum_w, n_eff, count, percent, ci_low, ci_high (0 to 100),
        higher_than, flag.

    Raises
    ------
    UsageError
        If the question does not have the level; the message has the nearest ones.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"switch": ["yes", "no", "yes"], "arm": ["a", "a", "b"]})
    >>> proportions(people, "switch", "yes", by="arm").long()[["group", "n", "percent"]].round(1)
       group  n  percent
    0  Total  3     66.7
    1      a  2     50.0
    2      b  1    100.0
    """
    where = read_where(where, data)
    weight = weight_of(data, weight)
    asked = replace(
        _asked(
            "proportions", by, weight=weight, where=where, sig=sig, min_base=min_base, small_base=small_base
        ),
        more={"level": level},
    )
    frame = open_frame(data, [question, *asked.by], where, asked)
    variable = frame.variable(question)
    if level is not None and level not in variable.levels:
        hint = did_you_mean(nearest(str(level), variable.levels)) or f"; it has {', '.join(variable.levels)}"
        raise UsageError(f"{question!r} has no level {level!r}{hint}")
    across = [frame.attribute(key).with_not_assigned() for key in asked.by]
    table = tabulate(frame, where, variable, across, asked)
    rows = [i for i, name in enumerate(variable.levels) if level in (None, name)]
    figures, letters = table.figures, table.letters()
    lines = [
        _column_line(table, j)
        | {"level": variable.levels[i], "count": int(figures.cells[0, i, j])}
        | {"percent": figures.percent[i, j], "ci_low": figures.low[i, j], "ci_high": figures.high[i, j]}
        | marked(letters[i][j], asked.sig)
        | {"flag": table.flag(figures.bases[2, j])}
        for i in rows
        for j in range(len(table.columns))
    ]
    printed = (("n", "n"), *_weighted_base(asked), ("percent", "%"), ("ci_low", "low"), ("ci_high", "high"))
    return _of_table(table, lines, printed, rows=rows)


def _asked(
    call: str, by: By, *, weight: str | None, where: Any, sig: Sig, min_base: float, small_base: float
) -> TableSpec:
    return TableSpec(
        call, weight, shown(where), "column", read_sig(sig), {}, None, min_base, small_base, read_by(by)
    )


def _open(data: Any, question: str, asked: TableSpec, where: Any) -> _Read:
    """Read a numeric question and its attributes."""
    frame = open_frame(data, [question, *asked.by], where, asked, measured=question)
    measured = frame.measure(question)
    counter = Counter(frame, chosen(frame, where), asked.weight is not None)
    across = [frame.attribute(key).with_not_assigned() for key in asked.by]
    banner = banner_of(counter, measured, across)
    banner = with_overlaps(banner, counter, measured, frame.numbers(question))
    return _Read(frame, measured, counter, with_rests(banner, counter, measured, question, asked.sig))


def _bases(held: list[Moments]) -> Floats:
    made = [[one.n for one in held], [one.sum_w for one in held], [one.n_eff for one in held]]
    return np.array(made, dtype=np.float64).reshape(3, len(held))


def _flag(effective: float, asked: TableSpec) -> str:
    if effective < asked.min_base:
        return "**"
    return "*" if effective < asked.small_base else ""


def _weighted_base(asked: TableSpec) -> tuple[tuple[str, str], ...]:
    return (("n_eff", "effective n"),) if asked.weight else ()


def _check_recommending(frame: Frame, question: str, measured: Variable) -> None:
    """Refuse any scale but the 0 to 10 scale of the net promoter score."""
    about = frame.about(question)
    if about.get("min") is not None and (about["min"], about.get("max")) != (0, 10):
        raise UsageError(
            f"{question!r} is asked from {about['min']} to {about.get('max')}; a net promoter score needs "
            "0 to 10. Use vp.box for another scale."
        )
    numbers = frame.numbers(question)[measured.answered]
    if numbers.size and not np.isin(numbers, range(11)).all():
        strange = sorted({f"{number:g}" for number in numbers if number not in range(11)})[:3]
        raise UsageError(
            f"{question!r} holds {', '.join(strange)}; a net promoter score needs whole numbers from 0 to 10."
        )
    if numbers.size and about.get("min") is None and numbers.max() < 8:
        raise UsageError(
            f"{question!r} has no answer above {numbers.max():g} and declares no scale; a net promoter score "
            "needs 0 to 10. Ask it as a scale question, or use vp.box."
        )


def _column_line(table: Table, j: int) -> dict[str, Any]:
    base = table.figures.bases[:, j]
    line = {"column_group": table.columns[j].group, "group": table.columns[j].label}
    return line | {"n": int(base[0]), "sum_w": base[1], "n_eff": base[2]}


def _box_shares(table: Table, places: list[int], j: int, labels: list[str]) -> dict[str, float]:
    made: dict[str, float] = {}
    for place, label in zip(places, labels, strict=True):
        name = label.split(" ", 1)[0].lower()
        figures = table.figures
        made |= {name: float(figures.percent[place, j]), f"{name}_low": float(figures.low[place, j])}
        made |= {f"{name}_high": float(figures.high[place, j])}
    return made


def _of_table(
    table: Table, lines: list[dict[str, Any]], printed: tuple[tuple[str, str], ...], rows: list[int]
) -> Summary:
    """Make a summary of some rows of a table."""
    tests = tuple((group, compared.rows(rows)) for group, compared in table.compared())
    words = (table.asked.sig or SigTest()).words(weighted=table.asked.weight is not None)
    return Summary(
        table.name,
        table.text,
        table.columns,
        table.groups,
        tuple(lines),
        tests,
        table.asked,
        table.source,
        table.remarks,
        printed,
        words,
        "Wilson",
        int(table.figures.missing[0, 0]),
        int(table.figures.unasked[0, 0]),
        table.provenance,
        table.grounds,
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """A numeric question and its cohorts."""

    frame: Frame
    measured: Variable
    counter: Counter
    banner: Banner

    def _together(self) -> Sequence[int]:
        whole = bool(self.counter.mask.all())
        waves: Sequence[int] = self.frame.about(WAVE).get("waves", ()) if whole else ()
        return waves

    def _versions(self) -> tuple[str, ...]:
        return versions_told(self.frame.versions, self.frame.note, self.frame.provenance, stacklevel=5)

    def summary(
        self,
        asked: TableSpec,
        lines: list[dict[str, Any]],
        tests: list[tuple[Group, Compared]],
        printed: tuple[tuple[str, str], ...],
        words: str,
        how: str,
    ) -> Summary:
        """Make the summary of its figures."""
        left = ~self.measured.answered
        unasked = np.zeros_like(left) if self.measured.unasked is None else self.measured.unasked
        return Summary(
            self.measured.name,
            self.measured.text,
            self.banner.columns,
            self.banner.groups,
            tuple(lines),
            tuple(tests),
            asked,
            self.frame.note,
            (
                *waves_told(self.banner.groups, self.frame.provenance, self._together()),
                *self._versions(),
                *self.frame.remarks,
            ),
            printed,
            words,
            how,
            self.counter.count(left & ~unasked),
            self.counter.count(left & unasked),
            self.frame.provenance,
            self.frame.grounds,
        )
