"""Rows into the tables of a store: new ones added, changed ones updated, keys kept unique."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from voxpop.tables.schema import TABLES, TableSchema, enum, quote

_STAGED = "voxpop_staged"
_KEPT = "voxpop_kept"


@dataclass(frozen=True, slots=True)
class Change:
    """How many rows a save gave a table, by what happened to them."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0

    @property
    def total(self) -> int:
        """Return the number of rows handled."""
        return self.new + self.changed + self.unchanged

    def __add__(self, other: Change) -> Change:
        """Add up two batches."""
        return Change(self.new + other.new, self.changed + other.changed, self.unchanged + other.unchanged)

    def __str__(self) -> str:
        """Say it in words.

        Examples
        --------
        >>> print(Change(new=3), Change(new=1, changed=2), Change(unchanged=4), sep="; ")
        all new; 1 new, 2 changed; no change
        """
        if self.new == self.total:
            return "all new"
        if self.unchanged == self.total:
            return "no change"
        parts = [(self.new, "new"), (self.changed, "changed")]
        return ", ".join(f"{number:,} {word}" for number, word in parts if number)


def upsert(cursor: DuckDBPyConnection, table: str, data: pa.Table) -> Change:
    """Add new rows and update changed ones by the table's key; the last of equal keys in ``data`` counts."""
    schema = TABLES[table]
    if not schema.indexed:
        return merge(cursor, table, data.to_batches())
    data = _last_of_each(data, schema.key)
    if data.num_rows == 0:
        return Change()
    widen(cursor, schema, data)
    name, key = quote(table), ", ".join(map(quote, schema.key))
    with staged(cursor, data) as rows:
        given = f"(SELECT {', '.join(_typed(cursor, schema))} FROM {rows})"
        known = _count(cursor, f"FROM {given} s SEMI JOIN {name} t USING ({key})")
        if known == 0:
            cursor.execute(f"INSERT INTO {name} SELECT * FROM {given}")
            return Change(new=data.num_rows)
        changed = _count(cursor, f"FROM {given} s JOIN {name} t USING ({key}) WHERE {_differs(schema)}")
        if changed or known < data.num_rows:
            rest = [quote(column) for column in schema.names if column not in schema.key]
            cursor.execute(
                f"INSERT INTO {name} SELECT s.* FROM {given} s LEFT JOIN {name} t USING ({key}) "
                f"WHERE t.{quote(schema.key[0])} IS NULL OR {_differs(schema)} "
                f"ON CONFLICT ({key}) DO UPDATE SET "
                + ", ".join(f"{column} = excluded.{column}" for column in rest)
            )
        return Change(data.num_rows - known, changed, known - changed)


def merge(
    cursor: DuckDBPyConnection, table: str, batches: Iterable[pa.RecordBatch], within: str | None = None
) -> Change:
    """Add and update rows of a table without index, from a stream that is read once and never held whole.

    Parameters
    ----------
    cursor : DuckDBPyConnection
        Inside a transaction.
    table : str
        Its columns have the types of the schema: none of them is an ENUM.
    batches : iterable of RecordBatch
        Rows in the shape of the schema; the last of equal keys counts.
    within : str, optional
        SQL that is true for every row given, such as ``study_uuid = '…'``; rows outside are not looked at.
    """
    schema, name = TABLES[table], quote(table)
    scope, key = within or "true", ", ".join(map(quote, schema.key))
    if _count(cursor, f"FROM (FROM {name} WHERE {scope} LIMIT 1)") == 0:
        _stream(cursor, schema, batches, f"INSERT INTO {name}")
        _drop_repeats(cursor, name, key, scope)
        return Change(new=_count(cursor, f"FROM {name} WHERE {scope}"))
    _stream(cursor, schema, batches, f"CREATE OR REPLACE TEMP TABLE {_KEPT} AS")
    _drop_repeats(cursor, _KEPT, key, "true")
    total = _count(cursor, f"FROM {_KEPT}")
    held = f"(FROM {name} WHERE {scope})"
    known = _count(cursor, f"FROM {_KEPT} s SEMI JOIN {held} t USING ({key})")
    changed = 0
    if known:
        same = f"FROM {_KEPT} s JOIN {held} t USING ({key}) WHERE NOT ({_differs(schema)})"
        old = ", ".join(f"s.{quote(column)}" for column in schema.key)
        cursor.execute(f"DELETE FROM {_KEPT} WHERE ({key}) IN (SELECT ({old}) {same})")
        changed = _count(cursor, f"FROM {_KEPT} s SEMI JOIN {held} t USING ({key})")
        if changed:
            cursor.execute(f"DELETE FROM {name} WHERE {scope} AND ({key}) IN (SELECT ({key}) FROM {_KEPT})")
    cursor.execute(f"INSERT INTO {name} FROM {_KEPT}")
    cursor.execute(f"DROP TABLE {_KEPT}")
    return Change(total - known, changed, known - changed)


def _stream(
    cursor: DuckDBPyConnection, schema: TableSchema, batches: Iterable[pa.RecordBatch], into: str
) -> None:
    """Let DuckDB read the batches as they are made; what goes wrong in making them is raised as it was."""
    failures: list[Exception] = []

    def watched() -> Iterator[pa.RecordBatch]:
        try:
            yield from batches
        except Exception as error:
            failures.append(error)
            raise

    reader = pa.RecordBatchReader.from_batches(schema.arrow, watched())
    cursor.register(_STAGED, reader)
    try:
        cursor.execute(f"{into} SELECT {', '.join(map(quote, schema.names))} FROM {_STAGED}")
    except duckdb.Error:
        if failures:
            raise failures[0] from None
        raise
    cursor.unregister(_STAGED)


def _drop_repeats(cursor: DuckDBPyConnection, name: str, key: str, scope: str) -> None:
    """Of rows with one key keep the last one that came."""
    chosen = f"FROM {name} WHERE {scope} GROUP BY {key}"
    if _count(cursor, f"FROM (SELECT 1 {chosen} HAVING count(*) > 1 LIMIT 1)"):
        cursor.execute(f"DELETE FROM {name} WHERE {scope} AND rowid NOT IN (SELECT max(rowid) {chosen})")


def _differs(schema: TableSchema) -> str:
    """Write that a row ``s`` says something else than the row ``t`` of the same key."""
    rest = [quote(column) for column in schema.names if column not in schema.key]
    old, new = (f"row({', '.join(f'{side}.{column}' for column in rest)})" for side in ("t", "s"))
    return f"{old} IS DISTINCT FROM {new}"


@contextmanager
def staged(cursor: DuckDBPyConnection, data: pa.Table) -> Iterator[str]:
    """Lend rows to SQL under a name, inside a ``with`` block; after an error the rollback takes it back."""
    cursor.register(_STAGED, data)
    yield _STAGED
    cursor.unregister(_STAGED)


def _last_of_each(data: pa.Table, key: tuple[str, ...]) -> pa.Table:
    """Leave out rows that a later row with the same key replaces."""
    places = pa.array(range(data.num_rows), pa.int64())
    last = (
        data.select(list(key))
        .append_column("place", places)
        .group_by(list(key))
        .aggregate([("place", "max")])
    )
    if last.num_rows == data.num_rows:
        return data
    return data.take(last["place_max"].combine_chunks().sort())


def _count(cursor: DuckDBPyConnection, rest: str) -> int:
    return int(cursor.execute(f"SELECT count(*) {rest}").fetchall()[0][0])


def _typed(cursor: DuckDBPyConnection, schema: TableSchema) -> list[str]:
    """Cast each column to the type that the store's table has now."""
    types = dict(
        cursor.execute(f"SELECT column_name, column_type FROM (DESCRIBE {quote(schema.name)})").fetchall()
    )
    return [f"{quote(name)}::{types[name]} AS {quote(name)}" for name in schema.names]


def widen(cursor: DuckDBPyConnection, schema: TableSchema, data: pa.Table) -> None:
    """Append levels that the store does not know to its ENUM columns; known levels keep their order."""
    for column in schema.columns:
        if column.kind != "level" or not column.levels:
            continue
        known = levels_of(cursor, schema.name, column.name)
        seen = pc.unique(data[column.name]).drop_null().to_pylist()
        if extra := sorted(set(seen) - set(known)):
            change = f"ALTER COLUMN {quote(column.name)} TYPE {enum([*known, *extra])}"
            cursor.execute(f"ALTER TABLE {quote(schema.name)} {change}")


def levels_of(cursor: DuckDBPyConnection, table: str, column: str) -> tuple[str, ...]:
    """Return the levels that an ENUM column has in the store, in order."""
    query = f"SELECT enum_range(NULL::{_type_of(cursor, table, column)})"
    return tuple(cursor.execute(query).fetchall()[0][0])


def _type_of(cursor: DuckDBPyConnection, table: str, column: str) -> str:
    described = cursor.execute(f"SELECT column_name, column_type FROM (DESCRIBE {quote(table)})").fetchall()
    return str(dict(described)[column])
