"""Other forms of an export's data on request: CSV, SPSS and Excel, the same bytes every time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from voxpop.errors import UsageError
from voxpop.tables.layout import DATA
from voxpop.tables.people import respondents_view
from voxpop.wire.content import cells_of

FORMATS = ("csv", "spss", "excel")
PEOPLE = "respondents"


def write_formats(
    cursor: DuckDBPyConnection,
    study: Mapping[str, Any],
    folder: Path,
    wanted: Sequence[str],
    created: datetime | None,
) -> Iterator[str]:
    """Write a study in the forms wanted and give the path of each file; the Parquet files are there already.

    Raises
    ------
    UsageError
        The extra that a form needs is not installed, or a form cannot hold so much.
    """
    makers: Mapping[str, Callable[..., Iterator[str]]] = {
        "csv": lambda: _csv(cursor, study["study_uuid"], folder),
        "spss": lambda: import_module("voxpop.tables.spss").write(cursor, study, folder, created),
        "excel": lambda: import_module("voxpop.tables.excel").write(cursor, study, folder, created),
    }
    for name in wanted:
        (folder / name).mkdir()
        yield from makers[name]()


def load(module: str, extra: str, purpose: str) -> Any:
    """Import a library of an extra, or say in a sentence how to install it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{purpose} the extra {extra!r}; install it with: pip install 'voxpop[{extra}]'"
        ) from error


def people_of(cursor: DuckDBPyConnection, study_uuid: str) -> pa.Table:
    """Return one row per agent, removed ones too, with a column per question."""
    table: pa.Table = respondents_view(cursor, study_uuid, removed=True).to_arrow_table()
    return table


def _csv(cursor: DuckDBPyConnection, study_uuid: str, folder: Path) -> Iterator[str]:
    for table in DATA:
        path = f"csv/{table.name}.csv"
        with pq.ParquetFile(folder / table.path) as file:
            _write_csv(folder / path, file.schema_arrow, file.iter_batches())
        yield path
    people = people_of(cursor, study_uuid)
    _write_csv(folder / f"csv/{PEOPLE}.csv", people.schema, people.to_batches())
    yield f"csv/{PEOPLE}.csv"


def _write_csv(path: Path, schema: pa.Schema, batches: Any) -> None:
    """Write RFC 4180 with a plain line break: missing is empty, an empty text is ``""``, a list is JSON."""
    plain = pa.schema([pa.field(field.name, _flat_type(field.type)) for field in schema])
    with pcsv.CSVWriter(path, plain) as writer:
        for batch in batches:
            columns = [_flat(column) for column in batch.columns]
            writer.write_table(pa.Table.from_arrays(columns, schema=plain))


def _flat_type(kind: pa.DataType) -> pa.DataType:
    return pa.string() if pa.types.is_nested(kind) or pa.types.is_dictionary(kind) else kind


def _flat(column: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(column.type):
        return column.cast(pa.string())
    if not pa.types.is_nested(column.type):
        return column
    return pc.if_else(column.is_valid(), cells_of(column).cast(pa.string()), pa.scalar(None, pa.string()))
