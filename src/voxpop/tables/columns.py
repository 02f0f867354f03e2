"""Definitions of columns and tables, with their SQL and Arrow types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from voxpop.survey.sql import enum as enum
from voxpop.survey.sql import literal as literal
from voxpop.survey.sql import quote as quote

Kind = Literal["text", "level", "boolean", "integer", "number", "time", "texts", "integers", "bytes"]

ADDED = "Added in analysis."
"""Meaning of a column that was added in analysis, without a label."""

_SQL: Mapping[Kind, str] = {
    "text": "VARCHAR",
    "level": "VARCHAR",  # without levels; with levels it is an ENUM
    "boolean": "BOOLEAN",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "time": "TIMESTAMP",  # always UTC without a time zone, so that no session or time zone library changes it
    "texts": "VARCHAR[]",
    "integers": "BIGINT[]",
    "bytes": "BLOB",
}
_ARROW: Mapping[Kind, pa.DataType] = {
    "text": pa.string(),
    "level": pa.string(),
    "boolean": pa.bool_(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "time": pa.timestamp("us"),
    "texts": pa.list_(pa.string()),
    "integers": pa.list_(pa.int64()),
    "bytes": pa.binary(),
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, kind and meaning; ``levels`` in order, or ``()`` if they are open."""

    name: str
    kind: Kind
    meaning: str
    levels: tuple[str, ...] = ()
    unit: str | None = None

    @property
    def sql(self) -> str:
        """DuckDB type of the column."""
        return enum(self.levels) if self.kind == "level" and self.levels else _SQL[self.kind]

    @property
    def arrow(self) -> pa.DataType:
        """Arrow type of the column; levels are text."""
        return _ARROW[self.kind]


@dataclass(frozen=True, slots=True)
class TableSchema:
    """One table: its columns in order and its key.

    In ``indexed`` tables the key is the PRIMARY KEY. An index over millions of answers would take more memory
    than the answers and halve the speed of a pull, so :mod:`voxpop.tables.writing` keeps those keys unique.
    """

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    indexed: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(column.name for column in self.columns)

    @property
    def arrow(self) -> pa.Schema:
        """Arrow schema of the table's rows."""
        return pa.schema([pa.field(column.name, column.arrow) for column in self.columns])

    @property
    def ddl(self) -> str:
        """Return the ``CREATE TABLE`` statement."""
        lines = [f"{quote(column.name)} {column.sql}" for column in self.columns]
        if self.indexed:
            lines.append(f"PRIMARY KEY ({', '.join(map(quote, self.key))})")
        return f"CREATE TABLE {quote(self.name)} ({', '.join(lines)})"

    def __getitem__(self, name: str) -> Column:
        """Return a column by its name."""
        return next(column for column in self.columns if column.name == name)


@dataclass(frozen=True, slots=True)
class ViewSchema:
    """One view: its columns in order and its query."""

    name: str
    meaning: str
    columns: tuple[Column, ...]
    query: str

    @property
    def ddl(self) -> str:
        """Return the ``CREATE VIEW`` statement."""
        return f"CREATE OR REPLACE VIEW {quote(self.name)} AS {self.query}"
