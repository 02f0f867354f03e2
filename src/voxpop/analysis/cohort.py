"""Row selection: filters and masks resolved against the columns of the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from voxpop.analysis.columns import Bools, rows_of
from voxpop.analysis.frames import Frame
from voxpop.errors import UsageError
from voxpop.survey.bands import Within
from voxpop.survey.choosing import Chooser as Chooser
from voxpop.survey.choosing import Rule as Rule
from voxpop.survey.choosing import WhereData as WhereData
from voxpop.survey.choosing import check_value, places_of
from voxpop.survey.choosing import resolved as resolved
from voxpop.survey.selecting import read_mask
from voxpop.vocabulary.conditions import AllOf, Between, HowMany
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.parse import parse

Mask = Any
"""One bool per row: an array, or a Series aligned by the index of the data (see ``align``)."""


def read_where(where: Any, data: Any) -> Chooser | Mask | None:
    """Read ``where``: a filter, its JSON, or one bool per row; a missing bool is False.

    A name refers to the column of exactly this name if there is one, otherwise to the field of agents with
    this name or alias, if the data have its column. Only a column with the canonical name of a field is read
    as this field, so that "women" means "female" in ``gender``. Other columns are compared as they are.

    Parameters
    ----------
    where : Filter, dict, mask or None
        The rows to select.
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        The data to select from.

    Raises
    ------
    FilterError
        If the JSON is not a valid filter.
    UsageError
        If a column is unknown (with the nearest names), or the value is neither a filter nor a mask.
    """
    if where is None:
        return None
    if isinstance(where, Filter | Mapping):
        return resolved(parse(where, columns=True), names_of(data))
    return read_mask(where)


def names_of(data: Any) -> list[str]:
    """Return the column names of any supported kind of data."""
    data = rows_of(data)
    if isinstance(data, pa.Table):
        return list(data.column_names)
    return list(getattr(data, "columns", ()))


def columns_of(where: Chooser | Mask | None) -> list[str | Within]:
    """Return the columns needed by the selection; ranges are tested number by number."""
    if not isinstance(where, Chooser):
        return []
    return [_key(rule) for rule in where.every_rule()]


def _key(rule: Rule) -> str | Within:
    condition = rule.condition
    if isinstance(condition, Between):
        return Within(rule.column, condition.min, condition.max)
    return rule.column


def chosen(frame: Frame, where: Chooser | Mask | None) -> Bools:
    """Return whether each row is chosen; a row without a value meets no condition."""
    if not isinstance(where, Chooser) or not (where.rules or where.groups):
        return np.ones(frame.rows, dtype=np.bool_)  # a mask was applied when the frame was read
    masks = [_meets(frame, rule) for rule in where.rules]
    for kind, inner in where.groups:
        met = _joined([chosen(frame, one) for one in inner], every=kind == "all")
        masks.append(~met if kind == "not" else met)
    return _joined(masks, every=where.match == "all")


def check_values(frame: Frame, where: Chooser | Mask | None) -> None:
    """Refuse values that no row has and that the field does not define.

    Raises
    ------
    UsageError
        If a value is unknown; the message has the nearest values of the column.
    """
    for rule in where.every_rule() if isinstance(where, Chooser) else ():
        if isinstance(rule.condition, HowMany) and not frame.variable(rule.column, most=None).multiple:
            raise UsageError(
                f"{rule.column!r} has one value per row, so its values cannot be counted; "
                f"{rule.condition!r} needs a column of lists."
            )
        if isinstance(rule.condition, Between | HowMany):
            continue
        levels = frame.variable(rule.column, most=None).levels
        for value in rule.condition.values:
            check_value(rule, value, levels, is_number=frame.is_number(rule.column))


def _meets(frame: Frame, rule: Rule) -> Bools:
    if isinstance(rule.condition, Between):
        return frame.meets(Within(rule.column, rule.condition.min, rule.condition.max))
    variable = frame.variable(rule.column, most=None)
    if isinstance(rule.condition, HowMany):
        number = np.bincount(variable.agents, minlength=frame.rows)
        low, high = rule.condition.min or 0, rule.condition.max
        within = (number >= low) & (number <= (number.max(initial=0) if high is None else high))
        counted: Bools = within & variable.answered
        return counted
    hits = []
    for value in rule.condition.values:
        places = places_of(rule, value, variable.levels, is_number=frame.is_number(rule.column))
        hit = np.zeros(frame.rows, dtype=np.bool_)
        hit[variable.agents[places[variable.codes]]] = True
        hits.append(hit)
    return _joined(hits, every=isinstance(rule.condition, AllOf))


def _joined(masks: list[Bools], *, every: bool) -> Bools:
    joined: Bools = np.logical_and.reduce(masks) if every else np.logical_or.reduce(masks)
    return joined
