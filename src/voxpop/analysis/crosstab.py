"""The crosstab: one question by attributes, with the base of every figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from voxpop.analysis.cautions import versions_told
from voxpop.analysis.cell import Origin
from voxpop.analysis.cohort import Chooser, Mask, check_values, chosen, columns_of, read_where
from voxpop.analysis.columns import WeightName, weight_of
from voxpop.analysis.counter import Counter
from voxpop.analysis.figures import banner_of, figures_of, with_rests
from voxpop.analysis.frames import Frame, Key, Variable
from voxpop.analysis.rows import Parts, read_boxes, read_nets, scale_of, with_parts
from voxpop.analysis.sig_test import Sig, read_sig
from voxpop.analysis.table import Table
from voxpop.analysis.table_spec import PERCENTS, Percent, TableSpec
from voxpop.analysis.waves import WAVE, person_column, waves_told, with_overlaps
from voxpop.errors import UsageError
from voxpop.survey.bands import Bands, bands
from voxpop.vocabulary.nearest import did_you_mean, nearest

By = str | Bands | Sequence[str | Bands] | None


def crosstab(  # noqa: PLR0913 (options by keyword)
    data: Any,
    rows: str,
    by: By = None,
    *,
    weight: WeightName = None,
    where: Any = None,
    percent: Percent = "column",
    sig: Sig = None,
    nets: Mapping[str, Any] | None = None,
    boxes: Any = None,
    min_base: int = 30,
    small_base: int = 100,
) -> Table:
    """Tabulate one question by attributes, with counts, bases, percentages, intervals and small-base marks.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per agent, for example ``store.respondents(study)``. The data are not modified.
    rows : str
        The column of the question. A LIST column is multi-response: an agent counts once under each ticked
        level, and the base is everyone who was asked and answered. A ranking is tabulated by first choice.
        A numeric question also shows its mean.
    by : str, Bands or list of them, optional
        Attributes; each forms a group of columns after ``Total``. Agents without assigned health data form a
        column "not assigned". ``vp.bands("age", [18, 30, 45, 65])`` cuts a number into bands.
    weight : str or False, optional
        Column of nonnegative weights. Default: the weight of a survey's design, if it has one; ``False`` is
        without weights.
    where : Filter, dict or bools, optional
        Rows to include: ``vp.where(...)`` on any columns of the data, its JSON, or one bool per row. A Series
        is aligned by the index of a DataFrame, as in pandas; for other data, its index is the row number
        from 0.
    percent : {"column", "row", "total"}, default "column"
        Base of the percentages: the column, the row within its group of columns, or the whole group.
    sig : bool or SigTest, optional
        Whether and how to compare columns within a group; letters name significantly lower columns.
    nets : dict of str to list, optional
        Levels to combine, by label of the net; each respondent counts once per net.
    boxes : int, (int, int) or dict, optional
        Top and bottom boxes of a scale: 2 for two of each, ``(2, 1)``, or ``{"top": 2}``.
    min_base, small_base : int, default 30 and 100
        Columns with a smaller effective base are marked ``**`` (and not tested) or ``*``.

    Returns
    -------
    Table
        Displays as text and HTML; ``.long()`` and ``.wide()`` return the figures at full precision,
        ``.pairs()`` the comparisons, ``.association()`` chi-square and related statistics. Total contains the
        agents that answered and belong to at least one group. Missing answers are counted separately and are
        not part of any base.

    Raises
    ------
    UsageError
        If a column is unknown (with the nearest names), the question is open, weights are invalid, or
        ``percent`` is not one of the above.

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
        weight=weight_of(data, weight),
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
    table = tabulate(frame, chooser, frame.variable(rows), across, asked)
    return replace(table, origin=origin_of(data, rows, chooser, attributes))


def origin_of(
    data: Any, question: str, where: Chooser | Mask | None, by: tuple[str | Bands, ...] = ()
) -> Origin:
    """Return where a table of one column comes from."""
    return Origin(data, (question,), lambda frame: frame.variable(question, most=None), where, by)


def read_by(by: Any) -> tuple[str | Bands, ...]:
    """Read ``by`` as attributes, without duplicates."""
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
    """Read bands from their form in a spec."""
    if set(told) != {"bands", "starts"}:
        raise UsageError(f"by must contain columns or vp.bands, not {dict(told)!r}.")
    return bands(told["bands"], told["starts"])


def shown(where: Chooser | Mask | None) -> Mapping[str, Any] | str | None:
    """Return a filter as data, or a mask as a description."""
    if isinstance(where, Chooser):
        return where.data
    return None if where is None else f"{int(where.sum()):,} rows chosen by a mask"


def open_frame(
    data: Any,
    keys: Sequence[Key],
    chooser: Chooser | Mask | None,
    asked: TableSpec,
    measured: str | Sequence[str] | None = None,
) -> Frame:
    """Read the columns needed by a table."""
    if asked.min_base < 0 or asked.small_base < 0:
        raise UsageError(
            f"min_base and small_base must be 0 or more, not {asked.min_base} and {asked.small_base}."
        )
    mask = None if isinstance(chooser, Chooser) else chooser
    person = person_column(data, asked.by)
    frame = Frame(data, [*keys, *columns_of(chooser)], asked.weight, mask, measured, person)
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
    """Make a table of a question and its attributes; ``boxes`` are already parsed."""
    counter = Counter(frame, chosen(frame, chooser), asked.weight is not None)
    nets = read_nets(asked.nets, question)
    if boxes is None:
        boxes = read_boxes(asked.boxes, scale_of(frame, question), question.name) if asked.boxes else {}
    parts = {**nets, **boxes}
    of = question.name if not question.multiple and frame.is_number(question.name) else None
    numbers = None if of is None else frame.numbers(of)
    whole = with_parts(question, parts)
    banner = with_overlaps(banner_of(counter, question, across), counter, whole, numbers)
    banner = with_rests(banner, counter, whole, of, asked.sig)
    versions = versions_told(frame.versions, frame.note, frame.provenance, stacklevel=4)
    together = frame.about(WAVE).get("waves", ()) if chooser is None else ()
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
        figures=figures_of(counter, whole, banner, asked.percent, of, len(question.levels)),
        missing_label=question.missing_label,
        multiple=question.multiple,
        parts=parts,
        asked=asked,
        source=frame.note,
        remarks=(*waves_told(banner.groups, frame.provenance, together), *versions, *frame.remarks),
        respondents=counter.count(np.ones_like(question.answered)),
        ordered=question.ordered,
        provenance=frame.provenance,
        grounds=frame.grounds,
    )
