"""CSV files of a study: its data tables, and one row per agent, each with a sidecar that describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from voxpop.tables.csv_metadata import SUFFIX, sidecar
from voxpop.tables.labelled import people_described
from voxpop.tables.layout import DATA
from voxpop.tables.manifest import to_json
from voxpop.tables.origin import Origin
from voxpop.tables.people import RESPONDENTS
from voxpop.wire.content import cells_of

_NAMES = (*(f"{table.name}.csv" for table in DATA), f"{RESPONDENTS}.csv")
FILES = (*_NAMES, *(f"{name}{SUFFIX}" for name in _NAMES))


def write(
    cursor: DuckDBPyConnection, study: Mapping[str, Any], folder: Path, created: datetime | None
) -> None:
    """Write the data tables of a study, one row per agent, and a sidecar of each file."""
    origin = Origin.of_study(cursor, study)
    for table in DATA:
        name = f"{table.name}.csv"
        with pq.ParquetFile(folder / table.path) as file:
            schema = file.schema_arrow
            _write_csv(folder / "csv" / name, schema, file.iter_batches())
        told = {key.decode(): text for key, text in (schema.metadata or {}).items()}
        about, questions = (json.loads(told.get(part, "{}")) for part in ("columns", "questions"))
        made = sidecar(name, origin, schema, about, meaning=table.meaning, key=table.key, questions=questions)
        _write_sidecar(folder / "csv" / name, made)
    people, about = people_described(cursor, study["study_uuid"])
    path = folder / "csv" / f"{RESPONDENTS}.csv"
    _write_csv(path, people.schema, people.to_batches())
    _write_sidecar(
        path, sidecar(path.name, origin, people.schema, about, meaning=_PEOPLE, key=("agent_uuid",))
    )


_PEOPLE = "One row per agent that is or was in the study, with a column per question."


def _write_sidecar(path: Path, made: Mapping[str, Any]) -> None:
    path.with_name(f"{path.name}{SUFFIX}").write_text(to_json(made), encoding="utf-8", newline="\n")


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
