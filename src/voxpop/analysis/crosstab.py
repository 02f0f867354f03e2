"""The crosstab: one question down the side, attributes across, every figure with its base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.analysis.cohort import chosen, columns_of, read_where
from voxpop.analysis.frames import Bools, Codes, Frame, Variable
from voxpop.analysis.table import LEVEL, PERCENTS, Column, Figures, Table
from voxpop.errors import UsageError
from voxpop.stats.bases import effective_base, group_sums, shares
from voxpop.stats.intervals import wilson
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.nearest import did_you_mean, nearest

Floats = npt.NDArray[np.float64]


def crosstab(
    data: Any,
    rows: str,
    by: str | Sequence[str] | None = None,
    *,
    weight: str | None = None,
    where: Any = None,
    percent: str = "column",
    min_base: int = 30,
    small_base: int = 100,
) -> Table:
    """Tabulate one question by attributes: counts, bases, percentages with intervals, small-base marks.

    Parameters
    ----------
    data : pandas.DataFrame, pyarrow.Table or DuckDB relation
        One row per agent, for example ``store.respondents(study)``. It is not changed.
    rows : str
        The column of the question. A LIST column is multi-response: an agent counts once under each level it
        ticked, and the base is all who were asked and answered.
    by : str or list of str, optional
        Columns across: each makes a group of columns beside ``Total``. Agents without assigned health data
        are a column of their own, "not assigned".
    weight : str, optional
        Column of weights, 0 or more.
    where : Filter, dict or bools, optional
        Which rows to take: ``vp.where(...)``, its JSON, or True/False per row.
    percent : {"column", "row", "total"}, default "column"
        What a percentage is of: its column, its row within the group of columns, or the whole group.
    min_base, small_base : int, default 30 and 100
        Effective bases below these are marked ``**`` and ``*``.

    Returns
    -------
    Table
        Prints itself as text and HTML; ``.long()`` and ``.wide()`` give the figures at full precision.
        Total holds the agents that answered and stand in at least one group. Missing answers are counted
        beside, never in a base.

    Raises
    ------
    UsageError
        For an unknown column (with the nearest names), an open question, bad weights or another ``percent``.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame(
    ...     {"switch": ["yes", "no", "yes", None], "arm": ["a", "a", "b", "a"]}
    ... )
    >>> table = crosstab(people, "switch", by="arm")
    >>> table.wide().round(1)["arm"]
                          a      b
    Base (unweighted)   2.0    1.0
    no                 50.0    0.0
    yes                50.0  100.0
    no answer           1.0    0.0
    """
    _check_options(percent, min_base, small_base)
    names = [by] if isinstance(by, str) else list(by or ())
    if len(set(names)) < len(names):
        raise UsageError(f"by names a column twice: {', '.join(names)}.")
    chooser = read_where(where)
    mask = chooser if isinstance(chooser, np.ndarray) else None
    frame = Frame(data, [rows, *names, *columns_of(chooser)], weight, mask)
    counter = _Counter(frame, chosen(frame, chooser), weight is not None)
    question = frame.variable(rows)
    banner = [frame.variable(name).with_not_assigned() for name in names]
    columns, figures = _figures(counter, question, banner, percent)
    return Table(
        name=rows,
        text=question.text,
        levels=question.levels,
        columns=columns,
        figures=figures,
        missing_label=question.missing_label,
        headings=tuple((variable.name, variable.text) for variable in banner),
        outside=tuple(
            (variable.name, counter.count(question.answered & ~variable.answered)) for variable in banner
        ),
        multiple=question.multiple,
        weight=weight,
        where=_shown(chooser),
        percent=percent,
        min_base=min_base,
        small_base=small_base,
        source=frame.note,
        respondents=counter.count(np.ones_like(question.answered)),
    )


def _check_options(percent: str, min_base: int, small_base: int) -> None:
    if percent not in PERCENTS:
        near = did_you_mean(nearest(str(percent), PERCENTS))
        raise UsageError(f"percent must be one of {', '.join(PERCENTS)}, not {percent!r}{near}")
    if min_base < 0 or small_base < 0:
        raise UsageError(f"min_base and small_base must be 0 or more, not {min_base} and {small_base}.")


def _shown(where: Filter | Bools | None) -> Mapping[str, Any] | str | None:
    if isinstance(where, Filter):
        return where.to_json()
    return None if where is None else f"{int(where.sum()):,} rows chosen by a mask"


@dataclass(frozen=True, slots=True)
class _Counter:
    """Counts agents and adds up their weights; without a weight each weighs 1."""

    frame: Frame
    mask: Bools
    weighted: bool

    def count(self, members: Bools) -> int:
        """Count some agents."""
        return int(self.frame.counts[members & self.mask].sum())

    def base(self, members: Bools) -> Floats:
        """Return the unweighted, weighted and effective base of some agents."""
        inside = np.flatnonzero(members & self.mask)
        return self._sums(inside, np.zeros(inside.size, dtype=np.intp), 1)[:, 0]

    def cells(self, question: Variable, members: Bools) -> Floats:
        """Return per level the unweighted, weighted and effective count of some agents."""
        inside = (members & self.mask)[question.agents]
        return self._sums(question.agents[inside], question.codes[inside], len(question.levels))

    def _sums(self, rows: Codes, codes: Codes, groups: int) -> Floats:
        counts = group_sums(self.frame.counts[rows], codes, groups)
        if not self.weighted:
            return np.stack([counts, counts, counts])
        total = group_sums(self.frame.sums[rows], codes, groups)
        squares = group_sums(self.frame.squares[rows], codes, groups)
        return np.stack([counts, total, effective_base(total, squares)])


def _figures(
    counter: _Counter, question: Variable, banner: Sequence[Variable], percent: str
) -> tuple[tuple[Column, ...], Figures]:
    """Count every column of the table: Total first, then group by group."""
    answered = question.answered
    shown = (
        np.logical_or.reduce([variable.answered for variable in banner]) if banner else np.ones_like(answered)
    )
    columns, members, wholes = [Column("Total", "Total", "")], [shown], [shown]
    for variable in banner:
        for place, level in enumerate(variable.levels):
            inside = np.zeros_like(answered)
            inside[variable.agents[variable.codes == place]] = True
            columns.append(Column(variable.name, level, _letter(place)))
            members.append(inside)
            wholes.append(variable.answered)
    cells = np.stack([counter.cells(question, inside & answered) for inside in members], axis=2)
    bases = np.stack([counter.base(inside & answered) for inside in members], axis=1)
    if percent == "column":
        below = np.broadcast_to(bases[:, None, :], cells.shape)
    elif percent == "row":
        below = np.stack([counter.cells(question, whole & answered) for whole in wholes], axis=2)
    else:
        whole_bases = np.stack([counter.base(whole & answered) for whole in wholes], axis=1)
        below = np.broadcast_to(whole_bases[:, None, :], cells.shape)
    share = shares(cells[1], below[1])
    low, high = wilson(np.clip(share, 0, 1), below[2], LEVEL)
    missing = np.stack([counter.base(inside & ~answered) for inside in members], axis=1)
    figures = Figures(cells, below, bases, missing, 100 * cells[1] / _or_nan(below[1]), 100 * low, 100 * high)
    return tuple(columns), figures


def _or_nan(base: Floats) -> Floats:
    return np.where(base > 0, base, np.nan)


def _letter(place: int) -> str:
    """Return A to Z, then AA, AB and so on."""
    first, last = divmod(place, 26)
    return ("" if first == 0 else _letter(first - 1)) + chr(ord("A") + last)
