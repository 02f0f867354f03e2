"""Multi-response tables, from one LIST column or one yes/no column per item."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from voxpop.analysis.cell import Origin
from voxpop.analysis.cohort import chosen, read_where
from voxpop.analysis.columns import WeightName, weight_of
from voxpop.analysis.counter import Counter
from voxpop.analysis.crosstab import By, open_frame, origin_of, read_by, shown, tabulate
from voxpop.analysis.frames import Frame, Variable
from voxpop.analysis.sig_test import Sig, read_sig
from voxpop.analysis.table import Table
from voxpop.analysis.table_spec import TableSpec
from voxpop.analysis.waves import with_correlations, with_overlaps
from voxpop.errors import UsageError
from voxpop.stats.means import Moments, moments

ANY = "Any of these"
Of = Literal["respondents", "responses"]
_OF: tuple[str, ...] = get_args(Of)
_YES = ("yes", "1", "true", "ticked", "selected")
_NO = ("no", "0", "false", "unticked", "not ticked", "not selected")


def multi(  # noqa: PLR0913 (options by keyword)
    data: Any,
    question: str | Sequence[str],
    by: By = None,
    *,
    of: Of = "respondents",
    counted: str | None = None,
    name: str = "answers",
    weight: WeightName = None,
    where: Any = None,
    sig: Sig = None,
    min_base: int = 30,
    small_base: int = 100,
) -> Table:
    """Tabulate a multi-response question: each item, the net of any item, and mean mentions.

    Parameters
    ----------
    data, by, weight, where, sig, min_base, small_base
        As in :func:`voxpop.analysis.crosstab`.
    question : str or list of str
        A LIST column; or one column per item that tells whether it was ticked.
    of : {"respondents", "responses"}, default "respondents"
        Base of the percentages. Percentages of respondents may add up to more than 100. Columns are always
        compared by their shares of respondents.
    counted : str, optional
        The value that means ticked in columns per item; by default yes, true or 1.
    name : str, default "answers"
        Name of the question made from several columns.

    Returns
    -------
    Table
        The base is the respondents that were asked and answered: with a list, or in at least one of the
        columns. Ticking nothing is an answer. Rows of kind ``stat`` have the mentions per respondent.

    Raises
    ------
    UsageError
        If a column is single-response, no column holds the ``counted`` value, or the values of a column do
        not tell who ticked it. Items that nobody ticked are counted.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"oat": ["yes", "no", "yes"], "rye": ["yes", "no", "no"]})
    >>> multi(people, ["oat", "rye"]).wide()["Total"]["Total"].round(2).tolist()
    [3.0, 66.67, 33.33, 66.67, 1.0, 1.0, 1.0, 0.0]
    """
    if of not in _OF:
        raise UsageError(f"of must be one of {', '.join(_OF)}, not {of!r}.")
    if not isinstance(question, Iterable):
        raise UsageError(f"question must be a column, or a list of columns, not {question!r}.")
    items = [question] if isinstance(question, str) else list(question)
    chooser, attributes = read_where(where, data), read_by(by)
    percent = "responses" if of == "responses" else "column"
    asked = TableSpec(
        call="multi",
        weight=weight_of(data, weight),
        where=shown(chooser),
        percent=percent,
        sig=read_sig(sig),
        nets={},
        boxes=None,
        min_base=min_base,
        small_base=small_base,
        by=attributes,
        more={"question": question, "of": of, "counted": counted},
    )
    frame = open_frame(data, [*items, *attributes], chooser, asked)
    variable = (
        frame.variable(items[0]) if isinstance(question, str) else _together(frame, items, counted, name)
    )
    if not variable.multiple:
        raise UsageError(f"{question!r} is single-response; use vp.crosstab, or pass several columns.")
    across = [frame.attribute(key).with_not_assigned() for key in attributes]
    table = tabulate(frame, chooser, variable, across, replace(asked, nets={ANY: variable.levels}))
    counter = Counter(frame, chosen(frame, chooser), asked.weight is not None)
    table = _with_mentions(table, counter, variable, across)
    if isinstance(question, str):
        return replace(table, origin=origin_of(data, question, chooser, attributes))
    origin = Origin(data, tuple(items), partial(_together, items=items, counted=counted, name=name), chooser)
    return replace(table, origin=replace(origin, by=attributes))


def _together(frame: Frame, items: Sequence[str], counted: str | None, name: str) -> Variable:
    """Read one column per item as one multi-response question."""
    agents, codes = [], []
    answered = np.zeros(frame.rows, dtype=np.bool_)
    columns = [frame.variable(item) for item in items]
    _check_items(columns, counted)
    for place, column in enumerate(columns):
        ticked = [i for i, level in enumerate(column.levels) if _is_ticked(level, counted)]
        inside = np.isin(column.codes, ticked)
        agents.append(column.agents[inside])
        codes.append(np.full(int(inside.sum()), place, dtype=np.intp))
        answered |= column.answered
    return Variable(name, name, tuple(items), np.concatenate(agents), np.concatenate(codes), answered, True)


def _check_items(columns: Sequence[Variable], counted: str | None) -> None:
    """Refuse an item whose values do not tell who ticked it, unless the other items define the value."""
    unticked = set(_NO)
    for column in columns:
        if any(_is_ticked(level, counted) for level in column.levels):
            unticked |= {level for level in column.levels if not _is_ticked(level, counted)}
    some = any(_is_ticked(level, counted) for column in columns for level in column.levels)
    for column in columns:
        strange = [level for level in column.levels if not _is_ticked(level, counted)]
        known = all(level in unticked or level.casefold() in unticked for level in strange)
        if column.multiple or not (known and (some or counted is None)):
            raise UsageError(
                f"{column.name!r} has no value {counted or 'yes'!r}; it has {', '.join(column.levels[:10])}. "
                "Pass the value that means ticked: counted=…"
            )


def _is_ticked(level: str, counted: str | None) -> bool:
    return level == str(counted) if counted is not None else level.casefold() in _YES


def _with_mentions(table: Table, counter: Counter, variable: Variable, across: Sequence[Variable]) -> Table:
    """Add the number of items that each respondent ticked."""
    from voxpop.analysis.figures import banner_of

    mentions = np.bincount(variable.agents, minlength=counter.frame.rows).astype(np.float64)
    banner = banner_of(counter, variable, across)

    def of(weighted: bool) -> tuple[Moments, ...]:
        made = []
        for members in banner.members:
            inside = members & variable.answered & counter.mask
            frame = counter.frame
            parts = (frame.sums, frame.squares) if weighted else (frame.counts, frame.counts)
            made.append(moments(mentions[inside], frame.counts[inside], *(part[inside] for part in parts)))
        return tuple(made)

    figures = replace(table.figures, means=of(counter.weighted), plain=of(False))
    labels = ("Mean mentions", "SD of mentions", "Median mentions")
    counted = with_overlaps(banner, counter, variable, mentions)
    groups = with_correlations(table.groups, counted.groups)
    return replace(table, figures=figures, groups=groups, stat_labels=labels)
