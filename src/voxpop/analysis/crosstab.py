"""The crosstab: one question down the side, attributes across, every figure with its base."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from voxpop.analysis.bands import Bands, bands
from voxpop.analysis.cautions import versions_told
from voxpop.analysis.cohort import Chooser, Mask, check_values, chosen, columns_of, read_where
from voxpop.analysis.counter import Counter
from voxpop.analysis.figures import banner_of, figures_of
from voxpop.analysis.frames import Frame, Key, Variable
from voxpop.analysis.rows import Parts, read_boxes, read_nets, scale_of, with_parts
from voxpop.analysis.significance import Sig, read_sig
from voxpop.analysis.table import Table
from voxpop.analysis.table_spec import PERCENTS, Percent, TableSpec
from voxpop.errors import UsageError
from voxpop.vocabulary.nearest import did_you_mean, nearest

By = str | Bands | Sequence[str | Bands] | None


def crosstab(  # noqa: PLR0913 (options by keyword)
    data: Any,
    rows: str,
    by: By = None,
    *,
    weight: str | None = None,
    where: Any = None,
    percent: Percent = "column",
    sig: Sig = None,
    nets: Mapping[str, Any] | None = None,
    boxes: Any = None,
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
        ticked, and the base is all who were asked and answered. Of a ranking it is what was ranked first.
        A number has its mean below the levels.
    by : str, Bands or list of them, optional
        Columns across: each makes a group of columns beside ``Total``. Agents without assigned health data
        are a column of their own, "not assigned". ``vp.bands("age", [18, 30, 45, 65])`` cuts a number.
    weight : str, optional
        Column of weights, 0 or more.
    where : Filter, dict or bools, optional
        Which rows to take: ``vp.where(...)`` on any columns of the data, its JSON, or True/False per row. A
        Series goes by the index of a DataFrame, as in pandas; for other data its index counts their rows
        from 0.
    percent : {"column", "row", "total"}, default "column"
        What a percentage is of: its column, its row within the group of columns, or the whole group.
    sig : bool or SigTest, optional
        Whether, and how, columns within a group are compared; letters name the lower ones.
    nets : dict of str to list, optional
        Levels taken together, by the net's label; a respondent counts once in each.
    boxes : int, (int, int) or dict, optional
        Top and bottom boxes of a scale: 2 for two of each, ``(2, 1)``, or ``{"top": 2}``.
    min_base, small_base : int, default 30 and 100
        Effective bases below these are marked ``**`` (and never tested) and ``*``.

    Returns
    -------
    Table
        Prints itself as text and HTML; ``.long()`` and ``.wide()`` give the figures at full precision,
        ``.pairs()`` the comparisons, ``.association()`` chi-square and its relatives.
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
    if percent not in PERCENTS:
        near = did_you_mean(nearest(str(percent), PERCENTS))
        raise UsageError(f"percent must be one of {', '.join(PERCENTS)}, not {percent!r}{near}")
    attributes = read_by(by)
    chooser = read_where(where, data)
    asked = TableSpec(
        call="crosstab",
        weight=weight,
        where=shown(chooser),
        percent=percent,
        sig=read_sig(sig),
        nets=nets or {},
        boxes=boxes,
        min_base=min_base,
        small_base=small_base,
        by=attributes,
    )
    frame = open_frame(data, [rows, *attributes], chooser, asked)
    across = [frame.attribute(key).with_not_assigned() for key in attributes]
    return tabulate(frame, chooser, frame.variable(rows), across, asked)


def read_by(by: Any) -> tuple[str | Bands, ...]:
    """Read ``by`` as attributes, none of them twice."""
    if by is not None and not isinstance(by, str | Bands | Iterable):
        hint = f'; the column {by} is named "{by}"' if isinstance(by, int) else ""
        raise UsageError(f"by must be a column, vp.bands, or a list of these, not {by!r}{hint}.")
    given = (by,) if isinstance(by, str | Bands | Mapping) else tuple(by or ())
    names = tuple(_read_bands(name) if isinstance(name, Mapping) else name for name in given)
    plain = [name.column if isinstance(name, Bands) else str(name) for name in names]
    if len(set(plain)) < len(plain):
        raise UsageError(f"by names a column twice: {', '.join(map(str, plain))}.")
    return names


def _read_bands(told: Mapping[str, Any]) -> Bands:
    """Read bands as a spec holds them."""
    if set(told) != {"bands", "starts"}:
        raise UsageError(f"by names columns or vp.bands, not {dict(told)!r}.")
    return bands(told["bands"], told["starts"])


def shown(where: Chooser | Mask | None) -> Mapping[str, Any] | str | None:
    """Return a filter as data, a mask in words."""
    if isinstance(where, Chooser):
        return where.data
    return None if where is None else f"{int(where.sum()):,} rows chosen by a mask"


def open_frame(
    data: Any,
    keys: Sequence[Key],
    chooser: Chooser | Mask | None,
    asked: TableSpec,
    measured: str | None = None,
) -> Frame:
    """Take the columns that a table needs out of its data."""
    if asked.min_base < 0 or asked.small_base < 0:
        raise UsageError(
            f"min_base and small_base must be 0 or more, not {asked.min_base} and {asked.small_base}."
        )
    mask = None if isinstance(chooser, Chooser) else chooser
    frame = Frame(data, [*keys, *columns_of(chooser)], asked.weight, mask, measured)
    check_values(frame, chooser)
    return frame


def tabulate(
    frame: Frame,
    chooser: Chooser | Mask | None,
    question: Variable,
    across: Sequence[Variable],
    asked: TableSpec,
    *,
    boxes: Parts | None = None,
) -> Table:
    """Make a table of a question and the attributes across it; ``boxes`` are read already."""
    counter = Counter(frame, chosen(frame, chooser), asked.weight is not None)
    nets = read_nets(asked.nets, question)
    if boxes is None:
        boxes = read_boxes(asked.boxes, scale_of(frame, question), question.name) if asked.boxes else {}
    parts = {**nets, **boxes}
    banner = banner_of(counter, question, across)
    of = question.name if not question.multiple and frame.is_number(question.name) else None
    return Table(
        name=question.name,
        text=question.text,
        rows=(
            *(("code", level) for level in question.levels),
            *(("net", label) for label in nets),
            *(("box", label) for label in boxes),
        ),
        columns=banner.columns,
        groups=banner.groups,
        figures=figures_of(
            counter, with_parts(question, parts), banner, asked.percent, of, len(question.levels)
        ),
        missing_label=question.missing_label,
        multiple=question.multiple,
        parts=parts,
        asked=asked,
        source=frame.note,
        remarks=versions_told(frame.versions, frame.note, frame.provenance, stacklevel=4),
        respondents=counter.count(np.ones_like(question.answered)),
        ordered=question.ordered,
        provenance=frame.provenance,
    )
