"""The codebook of an export: every variable with its words, levels, base and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from voxpop.tables.layout import AGENTS, PARQUET
from voxpop.tables.schema import HEALTH_FIELDS, YES_NO, Column
from voxpop.vocabulary.fields import FIELDS

NOTE = "Agents are simulated. Their answers are not evidence about people."
MISSING = {
    "null": "no coded answer: not asked, failed, or answered without choosing",
    "null in health columns": "no health data assigned (has_health is false); never 'no condition'",
}

_VALUE = {
    "single_choice": "value_text",
    "yes_no": "value_text",
    "multi_choice": "value_list",
    "ranking": "value_list",
}


def codebook(title: str | None, data: Mapping[str, pa.Table]) -> dict[str, Any]:
    """Describe the variables of an export: profile fields first, then questions in the order asked."""
    asked = data["questions"].to_pylist()
    return {
        "title": title,
        "note": NOTE,
        "missing": MISSING,
        "profile": [_profile(column, data["agents"]) for column in AGENTS.columns if column.name in FIELDS],
        "questions": [_question(row, _answers_to(data["answers"], row["key"])) for row in asked],
        "tables": {
            table.path: {
                "meaning": table.meaning,
                "key": list(table.key),
                "columns": {column.name: _described(column) for column in table.columns},
            }
            for table in PARQUET
        },
    }


def _described(column: Column) -> dict[str, Any]:
    told = {
        "kind": column.kind,
        "meaning": column.meaning,
        "unit": column.unit,
        "levels": list(column.levels),
    }
    return {name: value for name, value in told.items() if value}


def _answers_to(answers: pa.Table, key: str) -> pa.Table:
    return answers.filter(pc.equal(answers["key"], key))


def _profile(column: Column, agents: pa.Table) -> dict[str, Any]:
    values = agents[column.name].drop_null()
    field = FIELDS[column.name]
    told: dict[str, Any] = {
        "name": column.name,
        "label": field.label,
        "meaning": field.meaning,
        "kind": field.kind,
        "unit": field.unit,
        "base": len(values),
        "missing": agents.num_rows - len(values),
        "missing_means": "not assigned" if column.name in HEALTH_FIELDS else "not known or does not apply",
    }
    return told | (_range(values) if field.kind == "range" else {"levels": _levels(values, field.levels)})


def _question(question: Mapping[str, Any], answers: pa.Table) -> dict[str, Any]:
    kind = question["type"]
    values = answers["response_text" if kind == "open" else _VALUE.get(kind, "value_number")].drop_null()
    told: dict[str, Any] = {
        "key": question["key"],
        "question": question["text"],
        "type": kind,
        "unit": question["unit"],
        "asked": question["asked_count"],
        "answered": answers.num_rows,
        "failed": question["failed_count"],
        "base": len(values),
        "base_in_words": f"All who answered {question['key']} (n={len(values):,})",
    }
    if kind == "scale":
        return told | {"levels": _points(question, values)}
    if kind in _VALUE:
        return told | {"levels": _levels(values, question["options"] or (YES_NO if kind == "yes_no" else ()))}
    return told | (_range(values) if kind == "number" else {})


def _range(values: pa.ChunkedArray) -> dict[str, Any]:
    ends = pc.min_max(values)
    return {"min": ends["min"].as_py(), "max": ends["max"].as_py()}


def _points(question: Mapping[str, Any], values: pa.ChunkedArray) -> list[dict[str, Any]]:
    """Count the points of a scale, all of them in order, with the words at its ends."""
    low, high = question["scale_min"], question["scale_max"]
    declared = [] if low is None or high is None else [float(point) for point in range(low, high + 1)]
    words = {low: question["scale_min_label"], high: question["scale_max_label"]}
    return [level | {"label": words.get(level["value"])} for level in _levels(values, declared)]


def _levels(values: pa.ChunkedArray, declared: Sequence[Any]) -> list[dict[str, Any]]:
    """Count each level: declared ones in order, then any others, sorted."""
    if pa.types.is_list(values.type):
        values = pc.list_flatten(values)
    found = {item["values"]: item["counts"] for item in pc.value_counts(values).to_pylist()}
    found.pop(None, None)
    order = [*dict.fromkeys(declared), *sorted(set(found) - set(declared))]
    return [{"value": _plain(level), "count": found.get(level, 0)} for level in order]


def _plain(level: Any) -> Any:
    return int(level) if isinstance(level, float) and level.is_integer() else level
