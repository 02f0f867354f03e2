"""CSV files of a study: its data tables, and one row per agent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from voxpop.tables.layout import DATA
from voxpop.tables.people import RESPONDENTS, respondents_table
from voxpop.wire.content import cells_of

FILES = (*(f"{table.name}.csv" for table in DATA), f"{RESPONDENTS}.csv")


def write(
    cursor: DuckDBPyConnection, study: Mapping[str, Any], folder: Path, created: datetime | None
) -> None:
    """Write the data tables of a study, and one row per agent."""
    for table in DATA:
        with pq.ParquetFile(folder / table.path) as file:
            _write_csv(folder / "csv" / f"{table.name}.csv", file.schema_arrow, file.iter_batches())
    people = respondents_table(cursor, study["study_uuid"])
    _write_csv(folder / "csv" / f"{RESPONDENTS}.csv", people.schema, people.to_batches())


def _write_csv(path: Path, schema: pa.Schema, batches: Any) -> None:
    """Write RFC 4180 with LF line breaks: missing is empty, an empty text is ``""``, a list is JSON."""
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
