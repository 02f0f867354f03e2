"""Inserts: one row, upserts, and many rows in one statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


def insert_many(
    connection: sa.Connection,
    table: sa.Table,
    rows: Sequence[Mapping[str, Any]],
    *,
    new_by: Sequence[str] = (),
) -> int:
    """Insert rows and return the number stored.

    Parameters
    ----------
    connection
        A connection that writes.
    table
        Target table.
    rows
        Mappings that all have the same keys.
    new_by
        Columns of a unique key; rows with an existing key are skipped.
    """
    if not rows:
        return 0
    names = tuple(rows[0])
    if connection.dialect.name == "sqlite":
        statement = _sqlite_insert(table, names, tuple(new_by))
        columns = [
            _bound([row[name] for row in rows], table.c[name].type, connection.dialect) for name in names
        ]
        return connection.exec_driver_sql(statement, list(zip(*columns, strict=True))).rowcount
    sent = [{name: row[name] for name in names} for row in rows]
    statement = _server_insert(table, names, tuple(new_by), connection.dialect)
    return connection.exec_driver_sql(statement, (msgspec.json.encode(sent).decode(),)).rowcount


@lru_cache(maxsize=64)
def _sqlite_insert(table: sa.Table, names: tuple[str, ...], new_by: tuple[str, ...]) -> str:
    into = f"{table.name} ({_listed(table, names)})"
    values = ", ".join("?" for _ in names)
    return " ".join(["INSERT INTO", into, f"VALUES ({values})", _conflict(table, new_by)])


@lru_cache(maxsize=64)
def _server_insert(
    table: sa.Table, names: tuple[str, ...], new_by: tuple[str, ...], dialect: sa.Dialect
) -> str:
    """Return an insert from one JSON list, which the server converts to the column types."""
    listed = _listed(table, names)
    typed = ", ".join(f"{name} {table.c[name].type.compile(dialect)}" for name in names)
    sent = f"json_to_recordset(CAST(%s AS json)) AS sent({typed})"
    into = f"{table.name} ({listed})"
    return " ".join(["INSERT INTO", into, "SELECT", listed, "FROM", sent, _conflict(table, new_by)])


def _listed(table: sa.Table, names: Sequence[str]) -> str:
    """Return column names for a statement; a name that is no column of the table is a KeyError."""
    return ", ".join(table.c[name].name for name in names)


def _conflict(table: sa.Table, new_by: Sequence[str]) -> str:
    return f"ON CONFLICT ({_listed(table, new_by)}) DO NOTHING" if new_by else ""


def _bound(values: list[Any], kind: sa.types.TypeEngine[Any], dialect: sa.Dialect) -> list[Any]:
    """Return the values of a column as driver parameters; convert a shared value only once."""
    process: Callable[[Any], Any] | None = kind.dialect_impl(dialect).bind_processor(dialect)
    if process is None:
        return values
    if all(value is values[0] for value in values):
        return [process(values[0])] * len(values)
    return [process(value) for value in values]


def insert(connection: sa.Connection, table: sa.Table, **values: Any) -> int:
    """Insert one row and return its number."""
    key = connection.execute(_plain_insert(table), values).inserted_primary_key
    assert key is not None  # always known for a single row
    return int(key[0])


@lru_cache(maxsize=64)
def _plain_insert(table: sa.Table) -> sa.Insert:
    return table.insert()


def insert_new(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]], *, key: Sequence[str]
) -> None:
    """Insert rows, leaving rows with an existing key unchanged."""
    if rows:
        connection.execute(_insert_new(connection.dialect.name, table, tuple(key)), rows)


def insert_if_new(
    connection: sa.Connection, table: sa.Table, row: Mapping[str, Any], *, key: Sequence[str]
) -> bool:
    """Insert one row and return True, or return False if its key exists.

    On a server, wait for a concurrent transaction that writes the same key.
    """
    statement = _insert_new(connection.dialect.name, table, tuple(key)).returning(table.c[key[0]])
    return connection.execute(statement, row).first() is not None


def insert_or_replace(
    connection: sa.Connection, table: sa.Table, row: Mapping[str, Any], *, key: Sequence[str]
) -> None:
    """Insert one row, or update the row with its key."""
    connection.execute(_insert_or_replace(connection.dialect.name, table, tuple(key), tuple(row)), row)


@lru_cache(maxsize=64)
def _insert_new(dialect: str, table: sa.Table, key: tuple[str, ...]) -> sqlite.Insert | postgresql.Insert:
    return _insert(dialect, table).on_conflict_do_nothing(index_elements=key)


@lru_cache(maxsize=64)
def _insert_or_replace(
    dialect: str, table: sa.Table, key: tuple[str, ...], names: tuple[str, ...]
) -> sqlite.Insert | postgresql.Insert:
    statement = _insert(dialect, table)
    changes = {name: statement.excluded[name] for name in names if name not in key}
    return statement.on_conflict_do_update(index_elements=key, set_=changes)


def _insert(dialect: str, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    if dialect == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # it is there by then: its connections need it

    return postgresql.insert(table)
