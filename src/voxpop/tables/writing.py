"""Upserts into the tables of a store, with unique keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from voxpop.tables.schema import TABLES, TableSchema, enum, literal, quote

_STAGED = "voxpop_staged"
_AT_ONCE = 100_000
_MOST_BYTES = 1 << 26
_MOST_NAMED = 50
_ROOM = 200_000_000
_UNITS = {"MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}


@dataclass(frozen=True, slots=True)
class Change:
    """Number of rows that a save added, changed or left unchanged."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0

    @property
    def total(self) -> int:
        """Return the number of rows handled."""
        return self.new + self.changed + self.unchanged

    def __add__(self, other: Change) -> Change:
        """Add the counts of two batches."""
        return Change(self.new + other.new, self.changed + other.changed, self.unchanged + other.unchanged)

    def __str__(self) -> str:
        """Return a summary in words.

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


def upsert(cursor: DuckDBPyConnection, table: str, data: pa.Table, keep: Collection[str] = ()) -> Change:
    """Add new rows and update changed ones by the table's key; the last of equal keys in ``data`` counts.

    Parameters
    ----------
    cursor : DuckDBPyConnection
        Inside a transaction.
    table : str
        The table.
    data : pa.Table
        Rows of the schema.
    keep : collection of str
        Columns that keep their stored value if the new row has none.
    """
    schema = TABLES[table]
    if not schema.indexed:
        return merge(cursor, table, data.to_batches(), schema.arrow)
    if data.num_rows == 0:
        return Change()
    data = _last_of_each(data, schema.key)
    widen(cursor, schema, data)
    name, key = quote(table), ", ".join(map(quote, schema.key))
    with staged(cursor, data) as rows:
        given = f"(SELECT {', '.join(_typed(cursor, schema))} FROM {rows})"
        known = _count(cursor, f"FROM {given} s SEMI JOIN {name} t USING ({key})")
        if known == 0:
            cursor.execute(f"INSERT INTO {_into(schema)} SELECT * FROM {given}")
            return Change(new=data.num_rows)
        if keep:
            given = _completed(schema, given, keep)
        changed = _count(cursor, f"FROM {given} s JOIN {name} t USING ({key}) WHERE {_differs(schema)}")
        if changed or known < data.num_rows:
            rest = [quote(column) for column in schema.names if column not in schema.key]
            cursor.execute(
                f"INSERT INTO {_into(schema)} SELECT s.* FROM {given} s LEFT JOIN {name} t USING ({key}) "
                f"WHERE t.{quote(schema.key[0])} IS NULL OR {_differs(schema)} "
                f"ON CONFLICT ({key}) DO UPDATE SET "
                + ", ".join(f"{column} = excluded.{column}" for column in rest)
            )
        return Change(data.num_rows - known, changed, known - changed)


def _completed(schema: TableSchema, given: str, keep: Collection[str]) -> str:
    """Return the given rows, with missing values filled from the table."""
    columns = [
        f"coalesce(g.{quote(name)}, t.{quote(name)}) AS {quote(name)}" if name in keep else f"g.{quote(name)}"
        for name in schema.names
    ]
    key = ", ".join(map(quote, schema.key))
    return f"(SELECT {', '.join(columns)} FROM {given} g LEFT JOIN {quote(schema.name)} t USING ({key}))"


def merge(
    cursor: DuckDBPyConnection,
    table: str,
    batches: Iterable[pa.RecordBatch],
    shape: pa.Schema,
    within: str | None = None,
    unique: Callable[[], bool] = lambda: False,
) -> Change:
    """Add and update rows of a table without an index, from a stream of batches that is read once.

    Parameters
    ----------
    cursor : DuckDBPyConnection
        Inside a transaction.
    table : str
        A table whose columns have the types of the schema, without an ENUM.
    batches : iterable of RecordBatch
        Rows; the last of equal keys counts.
    shape : pa.Schema
        Schema of the rows: that of the table, possibly with dictionary-encoded columns.
    within : str, optional
        SQL that is true for every given row, such as ``study_uuid = '…'``; other rows are ignored.
    unique : callable
        Called after the stream was read; returns whether all keys are known to be unique.
    """
    schema, name = TABLES[table], quote(table)
    scope = within or "true"
    if _count(cursor, f"FROM (FROM {name} WHERE {scope} LIMIT 1)") == 0:
        _stream(cursor, shape, batches, f"INSERT INTO {_into(schema)} SELECT {_listed(schema)}")
        if not unique():
            _drop_repeats(cursor, name, ", ".join(map(quote, schema.key)), scope)
        return Change(new=_count(cursor, f"FROM {name} WHERE {scope}"))
    change = Change()
    for part in _chunks(batches):
        change += _merge_part(cursor, schema, _last_of_each(part.cast(schema.arrow), schema.key), scope)
    return change


@contextmanager
def held_short(cursor: DuckDBPyConnection, room: int = _ROOM) -> Iterator[None]:
    """Limit DuckDB's memory inside the block, where it would otherwise keep all written data in memory.

    Parameters
    ----------
    cursor : DuckDBPyConnection
        Of a store in a file; a store in memory must keep everything.
    room : int
        Bytes in addition to those in use now.
    """
    told, held, path = cursor.execute(
        "SELECT current_setting('memory_limit'), (SELECT sum(memory_usage_bytes) FROM duckdb_memory()), "
        "(SELECT path FROM duckdb_databases() WHERE database_name = current_database())"
    ).fetchall()[0]
    number, unit = told.split()  # such as 18.8 GiB, which may be 18.89
    if path is None or float(number) * _UNITS.get(unit, 0) <= int(held) + room:
        yield
        return
    cursor.execute(f"SET memory_limit = '{int(held) + room}B'")
    try:
        yield
    finally:  # an error has ended the cursor's transaction, so another cursor is needed
        with suppress(duckdb.FatalException), cursor.cursor() as beside:
            beside.execute(f"SET memory_limit = '{number}5 {unit}'")


def _chunks(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Combine batches until there are enough rows to look up at once."""
    held: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        held.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= _AT_ONCE or size >= _MOST_BYTES:
            yield pa.Table.from_batches(held)
            held, rows, size = [], 0, 0
    if held:
        yield pa.Table.from_batches(held)


def _merge_part(cursor: DuckDBPyConnection, schema: TableSchema, part: pa.Table, scope: str) -> Change:
    """Merge some rows, reading only the part of the table that can contain their keys."""
    name, key = quote(schema.name), ", ".join(map(quote, schema.key))
    first = pc.unique(part[schema.key[0]]).to_pylist()
    if len(first) <= _MOST_NAMED:  # row groups without these values are skipped
        scope += f" AND {quote(schema.key[0])} IN ({', '.join(map(literal, first))})"
    held = f"(SELECT *, rowid AS place FROM {name} WHERE {scope})"
    with staged(cursor, part) as rows:
        known, changed = cursor.execute(
            f"SELECT count(*), count(*) FILTER ({_differs(schema)}) FROM {rows} s JOIN {held} t USING ({key})"
        ).fetchall()[0]
        if known == changed == 0:
            cursor.execute(f"INSERT INTO {_into(schema)} FROM {rows}")
        elif changed or known < part.num_rows:
            if changed:
                cursor.execute(
                    f"DELETE FROM {name} WHERE rowid IN "
                    f"(SELECT t.place FROM {rows} s JOIN {held} t USING ({key}) WHERE {_differs(schema)})"
                )
            cursor.execute(f"INSERT INTO {_into(schema)} FROM {rows} s ANTI JOIN {held} t USING ({key})")
    return Change(part.num_rows - known, changed, known - changed)


def _stream(
    cursor: DuckDBPyConnection, shape: pa.Schema, batches: Iterable[pa.RecordBatch], into: str
) -> None:
    """Let DuckDB read batches as they are produced; exceptions in producing them are raised unchanged."""
    failures: list[Exception] = []

    def watched() -> Iterator[pa.RecordBatch]:
        try:
            yield from batches
        except Exception as error:
            failures.append(error)
            raise

    reader = pa.RecordBatchReader.from_batches(shape, watched())
    cursor.register(_STAGED, reader)
    try:
        cursor.execute(f"{into} FROM {_STAGED}")
    except duckdb.Error:
        if failures:
            raise failures[0] from None
        raise
    cursor.unregister(_STAGED)


def _listed(schema: TableSchema) -> str:
    return ", ".join(map(quote, schema.names))


def _into(schema: TableSchema) -> str:
    """Return the table with its columns, whose order may differ in a migrated store."""
    return f"{quote(schema.name)} ({_listed(schema)})"


def _drop_repeats(cursor: DuckDBPyConnection, name: str, key: str, scope: str) -> None:
    """Keep only the last of the rows with the same key."""
    chosen = f"FROM {name} WHERE {scope} GROUP BY {key}"
    if _count(cursor, f"FROM (SELECT 1 {chosen} HAVING count(*) > 1 LIMIT 1)"):
        cursor.execute(f"DELETE FROM {name} WHERE {scope} AND rowid NOT IN (SELECT max(rowid) {chosen})")


def _differs(schema: TableSchema) -> str:
    """Return SQL for whether row ``s`` differs from row ``t`` of the same key."""
    rest = [quote(column) for column in schema.names if column not in schema.key]
    old, new = (f"row({', '.join(f'{side}.{column}' for column in rest)})" for side in ("t", "s"))
    return f"{old} IS DISTINCT FROM {new}"


@contextmanager
def staged(cursor: DuckDBPyConnection, data: pa.Table) -> Iterator[str]:
    """Register rows under a name for SQL inside the block; after an error the rollback removes it."""
    cursor.register(_STAGED, data)
    yield _STAGED
    cursor.unregister(_STAGED)


def _last_of_each(data: pa.Table, key: tuple[str, ...]) -> pa.Table:
    """Leave out rows that a later row with the same key replaces."""
    if any(pc.count_distinct(data[name], "all").as_py() == data.num_rows for name in key):
        return data
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
    """Cast each column to the current type in the store's table."""
    types = dict(
        cursor.execute(f"SELECT column_name, column_type FROM (DESCRIBE {quote(schema.name)})").fetchall()
    )
    return [f"{quote(name)}::{types[name]} AS {quote(name)}" for name in schema.names]


def widen(cursor: DuckDBPyConnection, schema: TableSchema, data: pa.Table) -> None:
    """Append unknown levels to ENUM columns; known levels keep their order."""
    for column in schema.columns:
        if column.kind != "level" or not column.levels:
            continue
        known = levels_of(cursor, schema.name, column.name)
        seen = pc.unique(data[column.name]).drop_null().to_pylist()
        if extra := sorted(set(seen) - set(known)):
            change = f"ALTER COLUMN {quote(column.name)} TYPE {enum([*known, *extra])}"
            cursor.execute(f"ALTER TABLE {quote(schema.name)} {change}")


def levels_of(cursor: DuckDBPyConnection, table: str, column: str) -> tuple[str, ...]:
    """Return the levels of an ENUM column in the store, in order."""
    query = f"SELECT enum_range(NULL::{_type_of(cursor, table, column)})"
    return tuple(cursor.execute(query).fetchall()[0][0])


def _type_of(cursor: DuckDBPyConnection, table: str, column: str) -> str:
    described = cursor.execute(f"SELECT column_name, column_type FROM (DESCRIBE {quote(table)})").fetchall()
    return str(dict(described)[column])
