"""How columns and tables are told: name, kind, meaning, levels, unit; and what SQL and Arrow make of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

Kind = Literal["text", "level", "boolean", "integer", "number", "time", "texts", "integers", "bytes"]

_SQL: Mapping[Kind, str] = {
    "text": "VARCHAR",
    "level": "VARCHAR",  # without levels; with them it is an ENUM
    "boolean": "BOOLEAN",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "time": "TIMESTAMP",  # always UTC: plain, so that no session and no time zone library changes it
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
    """One column: its name, kind and meaning; ``levels`` in order, ``()`` when they are open."""

    name: str
    kind: Kind
    meaning: str
    levels: tuple[str, ...] = ()
    unit: str | None = None

    @property
    def sql(self) -> str:
        """Return the DuckDB type."""
        return enum(self.levels) if self.kind == "level" and self.levels else _SQL[self.kind]

    @property
    def arrow(self) -> pa.DataType:
        """Return the Arrow type; levels travel as text."""
        return _ARROW[self.kind]


@dataclass(frozen=True, slots=True)
class TableSchema:
    """One table: its columns in order and the ones that tell its rows apart.

    ``indexed`` tables have their key as PRIMARY KEY. The index of millions of answers would take more memory
    than the answers and halve the speed of a pull, so :mod:`voxpop.tables.writing` keeps their keys unique.
    """

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    indexed: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Return the column names in order."""
        return tuple(column.name for column in self.columns)

    @property
    def arrow(self) -> pa.Schema:
        """Return the Arrow schema of the table's rows."""
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
    """One view: its columns in order, and the query that gives them."""

    name: str
    meaning: str
    columns: tuple[Column, ...]
    query: str

    @property
    def ddl(self) -> str:
        """Return the ``CREATE VIEW`` statement."""
        return f"CREATE OR REPLACE VIEW {quote(self.name)} AS {self.query}"


def quote(name: str) -> str:
    """Write a name as an SQL identifier.

    Examples
    --------
    >>> quote("age")
    '"age"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Write a text as an SQL literal.

    Examples
    --------
    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def enum(levels: Iterable[str]) -> str:
    """Write the ENUM type of some levels, in their order."""
    return f"ENUM({', '.join(map(literal, levels))})"
