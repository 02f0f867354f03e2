"""Sidecars of CSV files: CSV on the Web metadata with source, meaning of columns and levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from voxpop.tables.labelled import label_of
from voxpop.tables.origin import Origin

SUFFIX = "-metadata.json"
"""End of the name of a sidecar, where readers of CSV on the Web look for it."""

_LEVELS = "levels"


def sidecar(
    file: str,
    origin: Origin,
    schema: pa.Schema,
    about: Mapping[str, Mapping[str, Any]],
    *,
    meaning: str,
    key: Sequence[str],
    questions: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the metadata of a CSV file.

    Parameters
    ----------
    file : str
        Name of the CSV file beside which the sidecar lies.
    origin : Origin
        Source of the answers.
    schema : Arrow schema
        Columns in order.
    about : dict
        Meaning, wording and levels of columns.
    meaning : str
        Content of the file.
    key : sequence of str
        Columns that identify a row; each is present in every row.
    questions : dict, optional
        Wording and levels of questions by key, for files with one row per answer.
    """
    levels = {name: told[_LEVELS] for name, told in about.items() if told.get(_LEVELS)}
    notes: list[dict[str, Any]] = [{"provenance": origin.facts()}]
    notes += [{"levels": levels}] if levels else []
    notes += [{"questions": questions}] if questions else []
    return {
        "@context": ["http://www.w3.org/ns/csvw", {"@language": "en"}],
        "url": file,
        "dc:title": f"{origin.title}: {file}",
        "dc:description": f"{meaning} {origin.statement}",
        "dc:source": origin.line,
        "dialect": {"encoding": "utf-8", "header": True, "lineTerminators": ["\n"]},
        "notes": notes,
        "tableSchema": {
            "columns": [_column(field, about.get(field.name, {}), field.name in key) for field in schema],
            "primaryKey": list(key),
        },
    }


def _column(field: pa.Field, told: Mapping[str, Any], required: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"name": field.name, "titles": field.name, "datatype": _datatype(field.type)}
    if label := label_of(told):
        made["dc:description"] = label
    ends = [f"{told[end]} = {told[f'{end}_label']}" for end in ("min", "max") if told.get(f"{end}_label")]
    if ends:
        made["rdfs:comment"] = "; ".join(ends)
    if told.get("unit"):
        made["schema:unitText"] = told["unit"]
    return made | ({"required": True} if required else {})


def _datatype(kind: pa.DataType) -> str | dict[str, str]:
    if pa.types.is_boolean(kind):
        return "boolean"
    if pa.types.is_integer(kind):
        return "integer"
    if pa.types.is_floating(kind):
        return "number"
    if pa.types.is_timestamp(kind):
        return {"base": "datetime", "format": "yyyy-MM-dd HH:mm:ss.S"}
    return "json" if pa.types.is_nested(kind) else "string"
