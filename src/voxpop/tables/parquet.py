"""Conversion of a whole store to a folder of Parquet files, one per table, and back."""

from __future__ import annotations

from pathlib import Path

from duckdb import DuckDBPyConnection

from voxpop.errors import StoreError
from voxpop.files import whole_file
from voxpop.tables.schema import TABLES, literal, quote
from voxpop.tables.writing import Change, upsert


def write_parquet(cursor: DuckDBPyConnection, folder: Path) -> list[Path]:
    """Write every table, including empty ones, in key order."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for table in TABLES.values():
        path = folder / f"{table.name}.parquet"
        columns = ", ".join(
            f"{quote(column.name)}::VARCHAR AS {quote(column.name)}"
            if column.kind == "level"
            else quote(column.name)
            for column in table.columns
        )
        order = ", ".join(f"{quote(name)} NULLS FIRST" for name in table.key)
        with whole_file(path) as draft:
            cursor.execute(
                f"COPY (SELECT {columns} FROM {quote(table.name)} ORDER BY {order}) "
                f"TO {literal(str(draft))} (FORMAT parquet, COMPRESSION zstd)"
            )
        made.append(path)
    return made


def read_parquet(cursor: DuckDBPyConnection, folder: Path) -> dict[str, Change]:
    """Load the tables written by :func:`write_parquet`; missing files are skipped."""
    paths = {name: folder / f"{name}.parquet" for name in TABLES}
    there = {name: path for name, path in paths.items() if path.is_file()}
    if not there:
        raise StoreError(f"{folder} contains no table of a store, such as answers.parquet.")
    changes = {}
    for name, path in there.items():
        schema = TABLES[name]
        source = f"read_parquet({literal(str(path))})"
        described = cursor.execute(f"SELECT column_name FROM (DESCRIBE FROM {source})").fetchall()
        held = {column for (column,) in described}
        columns = ", ".join(
            quote(column) if column in held else f"NULL AS {quote(column)}" for column in schema.names
        )
        table = cursor.sql(f"SELECT {columns} FROM {source}").to_arrow_table()
        changes[name] = upsert(cursor, name, table.cast(schema.arrow))
    return changes
