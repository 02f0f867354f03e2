"""Arrow tables as relations that keep their levels, and rows of several databases in one."""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa

from voxpop.survey.sql import enum, quote


def relation_of(table: pa.Table, database: duckdb.DuckDBPyConnection | None = None) -> Any:
    """Return an Arrow table as a relation; dictionaries of text become levels.

    Parameters
    ----------
    table : Table
        The rows.
    database : DuckDB connection, optional
        Default: a database of its own.
    """
    rows = (database or duckdb.connect()).from_arrow(table)
    parts = []
    for field in table.schema:
        if pa.types.is_dictionary(field.type) and pa.types.is_string(field.type.value_type):
            column = table[field.name].unify_dictionaries()
            levels = column.chunk(0).dictionary.to_pylist() if column.num_chunks else []
            if levels:
                parts.append(f"{quote(field.name)}::{enum(levels)} AS {quote(field.name)}")
    return rows.project(f"* REPLACE ({', '.join(parts)})") if parts else rows
