"""Columns of a DataFrame, an Arrow table or a DuckDB relation, selected by position.

DuckDB does not distinguish ``Age`` from ``age``, so SQL never contains the user's names: columns are selected
by position and renamed to ``c0``, ``c1`` and so on. Types that DuckDB lacks (periods, intervals, dates with a
time zone) are converted to ordered labels.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import duckdb
import pyarrow as pa

from voxpop.errors import UsageError
from voxpop.survey.frame_columns import (
    arrow_table,
    column_names,
    enum_levels,
    plain_data,
    projected,
    refuse_repeats,
)
from voxpop.survey.frame_columns import label_of as label_of
from voxpop.survey.reading import is_ordered
from voxpop.survey.selecting import Bools as Bools
from voxpop.survey.selecting import align as align
from voxpop.survey.store_view import comments
from voxpop.survey.survey import Survey

WeightName = str | Literal[False] | None
"""A column of weights; None for the weight of a survey's design, False for none at all."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of the data, ready for counting.

    Attributes
    ----------
    rows : DuckDB relation
        The rows, with one column per name.
    sql : dict of str to str
        SQL name of each column.
    declared : dict of str to sequence of str
        Declared levels of each column, in order.
    """

    rows: duckdb.DuckDBPyRelation
    sql: Mapping[str, str]
    declared: Mapping[str, Sequence[str]]

    def kind(self, name: str) -> str:
        """Return the DuckDB type of a column."""
        return str(self.rows.types[list(self.sql).index(name)])


def open_data(data: Any) -> tuple[dict[str, Sequence[str]], Mapping[str, Any], str]:
    """Return the columns with their declared levels, their descriptions, and the source of the data.

    Numeric column names are converted to text.
    """
    told: Mapping[str, Any]
    if isinstance(data, Survey):
        declared: dict[str, Sequence[str]] = {name: held.levels for name, held in data.variables.items()}
        return declared, {name: held.about for name, held in data.variables.items()}, data.source
    data = plain_data(data)
    if isinstance(data, duckdb.DuckDBPyRelation):
        try:
            refuse_repeats(data.columns)
            about, note = comments(data)
            levels = {name: enum_levels(kind) for name, kind in zip(data.columns, data.types, strict=True)}
        except duckdb.Error as error:
            if "closed" not in str(error):
                raise
            raise UsageError("The store or database of these data is closed; open it again.") from None
        return levels, about, note
    names = column_names(data)
    if isinstance(data, pa.Table):
        told = json.loads((data.schema.metadata or {}).get(b"voxpop", b"{}"))
    else:
        told = data.attrs.get("voxpop") or {}
    refuse_repeats(names)
    return {name: () for name in names}, told.get("columns", {}), told.get("source", "")


def take_columns(data: Any, names: Sequence[str], mask: Any = None) -> Columns:
    """Select columns under internal names; ``mask`` chooses rows."""
    sql = {name: f"c{place}" for place, name in enumerate(dict.fromkeys(names))}
    data = rows_of(data)
    if isinstance(data, duckdb.DuckDBPyRelation) and mask is None:
        return Columns(projected(data, sql), sql, {})
    table, declared = arrow_table(data, list(sql))
    if mask is not None:
        table = table.filter(pa.array(align(mask, data, table.num_rows)))
    table = table.rename_columns(list(sql.values()))
    return Columns(_database(os.getpid()).cursor().from_arrow(table), sql, declared)


def arrow_columns(data: Any, names: Sequence[str]) -> pa.Table:
    """Return columns as an Arrow table, row by row, under the names in the data."""
    return arrow_table(rows_of(data), list(dict.fromkeys(names)))[0]


def weight_of(data: Any, weight: WeightName) -> str | None:
    """Return the weight as named, else that of a survey's design; ``False`` is no weight."""
    if weight is False:
        return None
    return data.design.weight if weight is None and isinstance(data, Survey) else weight


def design_told(data: Any) -> tuple[str, ...]:
    """Return a note on the parts of a survey's design that tables with effective bases leave out."""
    if not isinstance(data, Survey):
        return ()
    held = data.design
    parts = {"strata": held.strata, "clusters": held.clusters, "replicate weights": held.replicates}
    named = [name for name, part in parts.items() if part]
    if not named:
        return ()
    return (
        f"The {' and '.join(named)} of the survey's design are not used here; vp.estimate gives errors that "
        "account for them.",
    )


def rows_of(data: Any) -> Any:
    """Return a DataFrame, an Arrow table or a relation with the rows of any data."""
    return data.relation if isinstance(data, Survey) else plain_data(data)


def is_steps(data: Any, name: str) -> bool:
    """Return whether a column declares its levels as ordered."""
    if isinstance(data, Survey):
        return name in data.variables and data.variables[name].ordered
    return is_ordered(plain_data(data), name)


@cache
def _database(process: int) -> duckdb.DuckDBPyConnection:
    """Return the in-memory database that counts frames; a forked process gets its own."""
    return duckdb.connect()
