"""Opening and migrating store files."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
from duckdb import DuckDBPyConnection

from voxpop.errors import StoreError
from voxpop.tables.schema import SCHEMA_VERSION, TABLES, VIEWS, quote

MARK = "voxpop_store"
"""Table that marks a file as a store and holds its schema version."""

_OF_AGENTS = ("agents", "health_profiles")
"""Tables with a column for each field of agents."""


def connect(path: str) -> DuckDBPyConnection:
    """Open a DuckDB file, or raise an error that explains why it cannot be opened."""
    try:
        return duckdb.connect(path)
    except duckdb.Error as error:
        raise StoreError(_explain(path, str(error))) from error


def _explain(path: str, reason: str) -> str:
    folder = Path(path).absolute().parent
    if is_damage(reason):
        return told_damaged(path, reason)
    if re.search(r"\block\b", reason.lower()):
        process = re.search(r"PID (\d+)", reason)
        who = f" (process {process[1]})" if process else ""
        return f"The store {path} is open in another program{who}; close it there first."
    if "newer" in reason or "version number" in reason or "storage version" in reason.lower():
        return f"The store {path} was made by a newer DuckDB; upgrade duckdb to open it."
    if "not a valid DuckDB" in reason:
        return f"{path} is not a voxpop store: it is not a DuckDB file."
    if Path(path).is_dir():
        return f"{path} is a folder; a store is a file, for example {Path(path) / 'study.duckdb'}."
    if not folder.is_dir():
        return f"The store {path} cannot be made: its folder does not exist."
    if "permission denied" in reason.lower() or "read-only file system" in reason.lower():
        return f"The store {path} cannot be opened: writing to {folder} is not allowed."
    return f"The store {path} cannot be opened: {reason.splitlines()[0]}"


def is_damage(reason: object) -> bool:
    """Return whether an error of DuckDB means that a file is damaged."""
    return (
        re.search(r"corrupt|checksum|failed to deserialize|field id mismatch", str(reason), re.I) is not None
    )


def told_damaged(path: str, reason: object) -> str:
    """Return a message that a store is damaged, with the remedy."""
    return (
        f"The store {path} is damaged: {str(reason).splitlines()[0]}. Restore a copy of the file, pull its "
        "studies again into a new one (voxpop pull --to NEW.duckdb), or open an export."
    )


def prepare(cursor: DuckDBPyConnection, path: str) -> None:
    """Create the tables of a new store, migrate an older one, and refuse any other file.

    Raises
    ------
    StoreError
        The file is not a store, or was created by a newer version.
    """
    held = tables_of(cursor)
    if not held:
        cursor.begin()
        cursor.execute(f"CREATE TABLE {MARK} (schema_version INTEGER)")
        cursor.execute(f"INSERT INTO {MARK} VALUES (?)", [SCHEMA_VERSION])
        for table in TABLES.values():
            cursor.execute(table.ddl)
        _make_views(cursor)
        cursor.commit()
        return
    if MARK not in held:
        raise StoreError(
            f"{path} is not a voxpop store: it has other tables ({', '.join(sorted(held)[:5])})."
        )
    version = cursor.execute(f"SELECT max(schema_version) FROM {MARK}").fetchall()[0][0]
    if version is None or version > SCHEMA_VERSION:
        raise StoreError(
            f"The store {path} was made by a newer voxpop (schema version {version}; this one knows up to "
            f"{SCHEMA_VERSION}). Upgrade voxpop to open it."
        )
    if version < SCHEMA_VERSION or _lacks_columns(cursor):
        _migrate(cursor, held)


def tables_of(cursor: DuckDBPyConnection) -> set[str]:
    """Return the names of the tables in a file."""
    found = cursor.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
    return {name for (name,) in found}


def _lacks_columns(cursor: DuckDBPyConnection) -> bool:
    """Return whether agents have fields that were added after the store was last opened."""
    held = set(cursor.execute("SELECT table_name, column_name FROM duckdb_columns()").fetchall())
    return any((name, column) not in held for name in _OF_AGENTS for column in TABLES[name].names)


def _migrate(cursor: DuckDBPyConnection, held: set[str]) -> None:
    """Add new tables and columns, leaving existing data unchanged.

    Version 1 has only studies, questions, answers and agents; version 2 adds groups, direct questions,
    surveys, jobs, attachments, usage, pulls and the views; version 3 the notices of questions; version 4 the
    attestations of services; version 5 what answers rest on, which is missing for earlier answers; version 6
    inclusion probabilities and design weights.
    """
    cursor.begin()
    try:
        for table in TABLES.values():
            if table.name not in held:
                cursor.execute(table.ddl)
                continue
            described = cursor.execute(f"SELECT column_name FROM (DESCRIBE {quote(table.name)})").fetchall()
            known = {name for (name,) in described}
            for column in table.columns:
                if column.name not in known:
                    added = f"ADD COLUMN {quote(column.name)} {column.sql}"
                    cursor.execute(f"ALTER TABLE {quote(table.name)} {added}")
        _make_views(cursor)
        cursor.execute(f"UPDATE {MARK} SET schema_version = ?", [SCHEMA_VERSION])
    except BaseException:
        cursor.rollback()
        raise
    cursor.commit()


def _make_views(cursor: DuckDBPyConnection) -> None:
    for view in VIEWS.values():
        cursor.execute(view.ddl)
