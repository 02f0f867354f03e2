"""Parquet files that carry labels, wording and source in their metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from voxpop.survey.store_view import comments
from voxpop.tables.columns import Column
from voxpop.tables.origin import Origin
from voxpop.tables.people import (
    PANEL_COLUMNS,
    RESPONDENTS,
    respondents_view,
)
from voxpop.tables.schema import PROVENANCE_COLUMN, TABLES
from voxpop.vocabulary.fields import FIELDS

FILES = (f"{RESPONDENTS}.parquet",)
KEY = "voxpop"
"""Key of the metadata that :func:`voxpop.crosstab` and the like read: columns, source, provenance."""


def write(
    cursor: DuckDBPyConnection, study: Mapping[str, Any], folder: Path, created: datetime | None
) -> None:
    """Write ``respondents.parquet``; levels stay in order in pandas, Polars, R and DuckDB."""
    people, about = people_described(cursor, study["study_uuid"])
    origin = Origin.of_study(cursor, study)
    told = {"columns": about, "source": origin.line, "provenance": "simulated"}
    fields = [
        field.with_metadata({"label": label_of(about[field.name]), "about": _json(about[field.name])})
        for field in people.schema
    ]
    schema = pa.schema(fields, metadata=origin.facts() | {"columns": _json(about), KEY: _json(told)})
    with pq.ParquetWriter(
        folder / "parquet" / FILES[0], schema, compression="zstd", compression_level=3
    ) as file:
        file.write_table(people.cast(schema))


def people_described(cursor: DuckDBPyConnection, uuid: str) -> tuple[pa.Table, dict[str, dict[str, Any]]]:
    """Return one row per agent, and the meaning, wording and levels of each column."""
    view = respondents_view(cursor, uuid, removed=True)
    asked, _ = comments(view)
    people = view.to_arrow_table().combine_chunks()
    return people, {
        field.name: _meaning(field.name) | asked.get(field.name, {}) | _levels(people[field.name])
        for field in people.schema
    }


def metadata(
    origin: Origin, meaning: str, columns: Sequence[Column], questions: Sequence[Mapping[str, Any]] = ()
) -> dict[str, str]:
    """Return the metadata of a data table: its source, meaning and columns, and the questions asked."""
    about = {column.name: _described(column) for column in columns}
    told = {"columns": {}, "source": origin.line, "provenance": "simulated"}
    made = origin.facts() | {"description": meaning, "columns": _json(about), KEY: _json(told)}
    return made | ({"questions": _json({one["key"]: _asked(one) for one in questions})} if questions else {})


def _described(column: Column) -> dict[str, Any]:
    told = {"label": column.meaning, "unit": column.unit, "levels": list(column.levels)}
    return {name: value for name, value in told.items() if value}


_WORDING = ("text", "type", "options", "scale_min", "scale_max", "scale_min_label", "scale_max_label")


def _asked(question: Mapping[str, Any]) -> dict[str, Any]:
    held = {name: question.get(name) for name in (*_WORDING, "unit", "notice")}
    return {name: value for name, value in held.items() if value is not None}


def _meaning(name: str) -> dict[str, Any]:
    """Return the meaning of a profile column, under the names that questions have."""
    if name in FIELDS:
        told = {"label": FIELDS[name].meaning, "unit": FIELDS[name].unit}
        return {part: value for part, value in told.items() if value}
    known = next((one for one in TABLES["agents"].columns if one.name == name), None)
    own = {PROVENANCE_COLUMN: "Who gave the answers: simulated agents. No person was asked.", **PANEL_COLUMNS}
    label = own.get(name) or (known.meaning if known else "")
    return {"label": label} if label else {}


def _levels(column: pa.ChunkedArray) -> dict[str, Any]:
    """Return the levels of a column of categories, in order."""
    if not pa.types.is_dictionary(column.type):
        return {}
    return {"levels": column.unify_dictionaries().chunk(0).dictionary.to_pylist() if len(column) else []}


def label_of(about: Mapping[str, Any]) -> str:
    """Return the wording of a question, or the meaning of another column."""
    return str(about.get("text") or about.get("label") or "")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
