"""The codebook of an export: every variable with its wording, levels, base and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from voxpop.engines.basis_counts import UNKNOWN, Counted, counted
from voxpop.tables.layout import AGENTS, ANSWERS, PARQUET, QUESTIONS, UNANSWERED
from voxpop.tables.schema import HEALTH_FIELDS, Column
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.question_types import shape_of
from voxpop.vocabulary.shapes import BOOLEAN, INTEGER, NUMBER, YES_NO

NOTE = "Agents are simulated. Their answers are not evidence about people."
MISSING = {
    "no row in answers": "the agent gave no answer; data/unanswered.parquet tells why: failed, outstanding, "
    "not_asked, or unknown where the service does not tell",
    "a row without a coded value": "the agent answered, but chose or named nothing that could be coded",
    "basis": f"{UNKNOWN}: the service or the file is older than this column",
    "removed": "the agent was removed from the study; its earlier answers stay, and this is told beside",
    "missing in health columns": "no health data assigned (has_health is false); never 'no condition'",
}


def codebook(
    title: str | None, folder: Path, derived: Sequence[Column] = (), steps: Sequence[str] = ()
) -> dict[str, Any]:
    """Describe the variables of an export: profile fields first, then questions in the order asked.

    Parameters
    ----------
    title : str, optional
        The study's title.
    folder : Path
        Folder of the data; the answers are read question by question.
    derived : sequence of Column
        Columns added to the data.
    steps : sequence of str
        What was done to the data, in order.
    """
    asked = pq.read_table(folder / QUESTIONS.path).to_pylist()
    agents = pq.read_table(folder / AGENTS.path)
    without, rests = _without(folder), _bases(folder)
    return {
        "title": title,
        "note": NOTE,
        "provenance": "simulated",
        "missing": MISSING,
        "profile": [
            _profile(column, agents)
            for column in AGENTS.columns
            if column.name in FIELDS and column.name in agents.column_names
        ],
        "questions": [
            _question(row, _answers_to(folder, row))
            | {"bases": rests.get(row["key"], []), "without_answer": without.get(row["key"], {})}
            for row in asked
        ],
        "derived": [_described(column) | {"name": column.name} for column in derived[1:]],
        **({"steps": list(steps)} if steps else {}),
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


def _answers_to(folder: Path, question: Mapping[str, Any]) -> pa.ChunkedArray:
    """Return the values of the answers to one question."""
    column = value_column(question["type"])
    chosen = [("key", "==", question["key"])]
    return pq.read_table(folder / ANSWERS.path, columns=[column], filters=chosen)[column]


def _bases(folder: Path) -> dict[str, Counted]:
    """Return what the answers rest on, by question; empty for an export of an earlier version."""
    held = pq.read_schema(folder / ANSWERS.path).names
    if "basis" not in held:
        return {}
    found: dict[str, list[tuple[str | None, str | None, int]]] = {}
    table = pq.read_table(folder / ANSWERS.path, columns=["key", "basis", "basis_note"])
    for row in table.group_by(table.column_names).aggregate([([], "count_all")]).to_pylist():
        found.setdefault(row["key"], []).append((row["basis"], row["basis_note"], row["count_all"]))
    return {key: counted(rows) for key, rows in found.items()}


def _without(folder: Path) -> dict[str, dict[str, int]]:
    """Return the number of agents without an answer, by question and reason."""
    held = pq.read_table(folder / UNANSWERED.path, columns=["key", "status"])
    found: dict[str, dict[str, int]] = {}
    for row in held.group_by(["key", "status"]).aggregate([([], "count_all")]).to_pylist():
        found.setdefault(row["key"], {})[row["status"]] = row["count_all"]
    return found


def value_column(kind: str) -> str:
    """Return the name of the column that holds the answers to a type of question.

    Examples
    --------
    >>> value_column("open"), value_column("ranking"), value_column("scale")
    ('response_text', 'value_list', 'value_number')
    """
    return (shape_of(kind) or NUMBER).column


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


def _question(question: Mapping[str, Any], answers: pa.ChunkedArray) -> dict[str, Any]:
    shape = shape_of(question["type"])
    values = answers.drop_null()
    told: dict[str, Any] = {
        "key": question["key"],
        "question": question["text"],
        "type": question["type"],
        "unit": question["unit"],
        "notice": question["notice"],
        "asked": question["asked_count"],
        "answered": len(answers),
        "failed": question["failed_count"],
        "base": len(values),
        "base_in_words": f"All who answered {question['key']} (n={len(values):,})",
    }
    if shape is None or not shape.coded:
        return told
    if shape is INTEGER:
        return told | {"levels": _points(question, values)}
    if shape.numeric:
        return told | _range(values)
    return told | {"levels": _levels(values, question["options"] or (YES_NO if shape is BOOLEAN else ()))}


def _range(values: pa.ChunkedArray) -> dict[str, Any]:
    ends = pc.min_max(values)
    return {"min": ends["min"].as_py(), "max": ends["max"].as_py()}


def _points(question: Mapping[str, Any], values: pa.ChunkedArray) -> list[dict[str, Any]]:
    """Count all points of a scale in order, with the labels of its ends."""
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
