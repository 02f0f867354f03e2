"""Selections of rows: filters as SQL conditions, and masks of one bool per row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from voxpop.errors import UsageError
from voxpop.survey.bands import Within
from voxpop.survey.choosing import Chooser, Rule, check_value, places_of, resolved
from voxpop.survey.frame_columns import is_frame, label_of
from voxpop.survey.sql import quote, value
from voxpop.survey.variables import Variable, is_numeric
from voxpop.vocabulary.conditions import AllOf, Between, HowMany
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.parse import parse
from voxpop.vocabulary.question_types import shape_of
from voxpop.vocabulary.shapes import RANKING

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Selection:
    """A filter as SQL, and in words."""

    sql: str
    words: str


def read_mask(given: Any) -> Any:
    """Return one bool per row, as a Series or an array; a missing bool is False.

    Raises
    ------
    UsageError
        The value is no mask.
    """
    import pandas as pd

    if isinstance(given, pd.Series) and pd.api.types.is_bool_dtype(given.dtype):
        return given.fillna(False).astype(np.bool_)
    mask = np.asarray(given)
    if mask.dtype != np.bool_ or mask.ndim != 1:
        raise UsageError(
            "where must be a filter such as vp.where(age=vp.between(25, 64)), or True/False per row."
        )
    return mask


def align(mask: Any, data: Any, rows: int) -> Bools:
    """Return a mask as one bool per row of the data; a Series is aligned by the index of a DataFrame.

    Raises
    ------
    UsageError
        If the number of rows or the index differs from that of the data.
    """
    if len(mask) != rows:
        raise UsageError(f"where has {len(mask):,} values; the data have {rows:,} rows.")
    if isinstance(mask, np.ndarray):
        return mask
    import pandas as pd

    index = data.index if is_frame(data) else pd.RangeIndex(rows)
    if not mask.index.equals(index):
        if not (mask.index.is_unique and index.isin(mask.index).all()):
            raise UsageError(
                "where is a Series whose index is not that of the data, so it cannot be aligned; build it "
                "from these data, or pass where=mask.to_numpy() if the order is the same."
            )
        mask = mask.reindex(index)
    return np.asarray(mask, dtype=np.bool_)


def selection(
    given: Filter | Mapping[str, Any], rows: duckdb.DuckDBPyRelation, variables: Mapping[str, Variable]
) -> Selection:
    """Return a filter as an SQL condition on rows, with the meaning that it has in tables.

    Raises
    ------
    UsageError
        A column or a value is unknown, or a range is asked of a column without numbers.
    """
    chooser = resolved(parse(given, columns=True), list(variables))
    return Selection(_sql(chooser, rows, variables), chooser.data.words)


def _sql(chooser: Chooser, rows: duckdb.DuckDBPyRelation, variables: Mapping[str, Variable]) -> str:
    parts = [_rule(rule, rows, variables[rule.column]) for rule in chooser.rules]
    for kind, inner in chooser.groups:
        met = (" AND " if kind == "all" else " OR ").join(_sql(one, rows, variables) for one in inner)
        parts.append(f"NOT ({met})" if kind == "not" else f"({met})")
    if not parts:
        return "true"
    return f"({(' AND ' if chooser.match == 'all' else ' OR ').join(parts)})"


def _rule(rule: Rule, rows: duckdb.DuckDBPyRelation, variable: Variable) -> str:
    """Return a condition that is false, not missing, for a row without a value."""
    column = quote(rule.column)
    kind = rows.types[rows.columns.index(rule.column)]
    condition = rule.condition
    several = kind.id in ("list", "array")
    if several and shape_of(variable.question.get("type")) is RANKING:
        column, several = f"{column}[1]", False  # a ranking names every option
    if isinstance(condition, Between):
        if not is_numeric(kind):
            raise UsageError(f"{rule.column!r} must hold numbers; it holds {_short(kind)}.")
        return Within(rule.column, condition.min, condition.max).sql(column)
    if isinstance(condition, HowMany):
        return _how_many(rule, condition, column, several=several)
    own = kind.children[0][1] if kind.id in ("list", "array") else kind
    levels, raws = _levels(rows, column, own, several=several)
    parts = []
    for wanted in condition.values:
        check_value(rule, wanted, levels, is_number=is_numeric(own))
        places = np.flatnonzero(places_of(rule, wanted, levels, is_number=is_numeric(own)))
        parts.append(_is_one_of(column, own, [raws[place] for place in places], several=several))
    return f"({(' AND ' if isinstance(condition, AllOf) else ' OR ').join(parts)})"


def _how_many(rule: Rule, condition: HowMany, column: str, *, several: bool) -> str:
    if not several:
        raise UsageError(
            f"{rule.column!r} has one value per row, so its values cannot be counted; "
            f"{condition!r} needs a column of lists."
        )
    number = f"len(list_distinct({column}))"
    bounds = [f"{number} >= {condition.min or 0}"]
    bounds += [] if condition.max is None else [f"{number} <= {condition.max}"]
    return f"coalesce({' AND '.join(bounds)}, false)"


def _levels(
    rows: duckdb.DuckDBPyRelation, column: str, kind: Any, *, several: bool
) -> tuple[list[str], list[Any]]:
    """Return the labels of the values of a column, and the values as SQL compares them."""
    if kind.id == "enum":
        levels = list(kind.children[0][1])
        return levels, levels
    inside = f"unnest({column})" if several else column
    plain = "x" if is_numeric(kind) or kind.id == "boolean" else "x::VARCHAR"
    found = rows.project(f"{inside} AS x").filter("x IS NOT NULL").project(f"{plain} AS x").distinct()
    raws = sorted(one for (one,) in found.fetchall() if one == one)
    if kind.id == "boolean":
        raws = raws[::-1]
    return [label_of(one) for one in raws], raws


def _is_one_of(column: str, kind: Any, raws: Sequence[Any], *, several: bool) -> str:
    """Return whether a column holds one of some values."""
    if not raws:
        return "false"
    listed = ", ".join(map(value, raws))
    if several:
        held = column if is_numeric(kind) or kind.id == "boolean" else f"{column}::VARCHAR[]"
        return f"coalesce(list_has_any({held}, [{listed}]), false)"
    held = column if is_numeric(kind) or kind.id in ("boolean", "enum", "varchar") else f"{column}::VARCHAR"
    return f"coalesce({held} IN ({listed}), false)"


def _short(kind: Any) -> str:
    return "categories" if kind.id == "enum" else str(kind)
