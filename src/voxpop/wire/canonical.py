"""Canonical rows of a study, hashed identically by services and exports whatever their storage.

Version 1. Rows are JSON lists as in :mod:`voxpop.wire.content`, after one line of column names. Agents are
sorted by id, answers to a question by agent id, and questions by the order asked. A coded answer is a text, a
number or a list, depending on the type of its question.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.question_types import shape_of
from voxpop.vocabulary.shapes import CATEGORIES, NUMBER, WORDS, Stored
from voxpop.wire.content import Content, Hasher

_TEXT, _WHOLE, _REAL, _TEXTS = pa.string(), pa.int64(), pa.float64(), pa.list_(pa.string())

HEALTH: Mapping[str, pa.DataType] = {
    "conditions": _TEXTS,
    "drug_classes": _TEXTS,
    "rx_medication_count": _WHOLE,
    "smoking_status": _TEXT,
    "alcohol_use": _TEXT,
    "physical_activity_level": _TEXT,
    "sleep_quality": _TEXT,
    "diet_quality": _TEXT,
    "bmi": _REAL,
    "bmi_class": _TEXT,
    "phq9_score": _REAL,
    "phq9_severity": _TEXT,
    "source": _TEXT,
    "method_version": _TEXT,
    "calibration_version": _TEXT,
    "reference_version": _TEXT,
}
_AGENT: Mapping[str, pa.DataType] = {
    "id": _WHOLE,
    "uuid": _TEXT,
    "name": _TEXT,
    "age": _WHOLE,
    "gender": _TEXT,
    "country": _TEXT,
    "state": _TEXT,
    "city": _TEXT,
    "ethnicity": _TEXT,
    "is_parent": pa.bool_(),
    "education": _TEXT,
    "household_income": _TEXT,
    "urban_rural": _TEXT,
    "occupation": _TEXT,
    "occupation_major_group": _TEXT,
    "industry": _TEXT,
    "labour_status": _TEXT,
    "title_variant": _TEXT,
    "summary": _TEXT,
    "has_health": pa.bool_(),
    **HEALTH,
    "agent_removed": pa.bool_(),
}
AGENTS = pa.schema(list(_AGENT.items()))
"""Columns of an agent in version 1, which never change, whatever the field table contains."""

_TYPES = {"text": _TEXT, "texts": _TEXTS, "boolean": pa.bool_(), "integer": _WHOLE, "number": _REAL}
_LATER = {row.record_key: _TYPES[row.sent] for row in FIELDS.values() if row.record_key not in _AGENT}
_LATER |= {
    "profile_provenance": _TEXT,
    "inclusion_probability": _REAL,
    "design_weight": _REAL,
    "arm": _TEXT,
}

ANSWERS = pa.schema(
    [
        ("agent_id", _WHOLE),
        ("response_text", _TEXT),
        ("value_text", _TEXT),
        ("value_number", _REAL),
        ("value_list", _TEXTS),
        ("option_order", pa.list_(pa.int64())),
        ("engine", _TEXT),
    ]
)
"""Columns of an answer's content in version 1."""

BASES = pa.schema([("agent_id", _WHOLE), ("basis", _TEXT), ("basis_note", _TEXT)])
"""Columns of what an answer rests on, hashed in rows of their own where it is known."""

RUNS = pa.schema(
    [("agent_id", _WHOLE), ("answer_id", _WHOLE), ("job_id", _TEXT), ("answered_at", pa.timestamp("us"))]
)
"""Columns of an answer's origin."""

_QUESTION = (
    *("text", "type", "options", "scale_min", "scale_max", "scale_min_label", "scale_max_label"),
    *("unit", "shuffle_options", "notice"),
)
_CODED = (("value_text", _TEXT), ("value_number", _REAL), ("value_list", _TEXTS))


def shaped(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Select the columns of a schema with its order and types; absent columns become null."""
    columns = [
        _cast(table[field.name], field.type)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def agents_content(parts: Iterable[pa.Table]) -> Content:
    """Hash agents, given in parts in the order of their ids, with the columns of :data:`AGENTS`.

    Each later field is hashed in rows of its own, one per agent with a value, so the hash of agents from
    older services does not change.
    """
    hasher = Hasher(AGENTS.names)
    later = {name: Hasher(["id", name]) for name in _LATER}
    for part in parts:
        hasher.add(shaped(part, AGENTS))
        for name, kind in _LATER.items():
            if name in part.column_names:
                pairs = shaped(part, pa.schema([("id", _WHOLE), (name, kind)]))
                later[name].add(pairs.filter(pairs[name].is_valid()))
    content = hasher.content
    held = [[name, one.content.sha256] for name, one in later.items() if one.content.rows]
    if not held:
        return content
    return Content(content.rows, hashlib.sha256(json.dumps([content.sha256, *held]).encode()).hexdigest())


def question_sha256(question: Mapping[str, Any]) -> str:
    """Hash the wording of a question; an empty list of options equals none."""
    options = question.get("options")
    told = {name: question.get(name) for name in _QUESTION} | {"options": list(options) if options else None}
    return hashlib.sha256(json.dumps(list(told.values()), ensure_ascii=False).encode()).hexdigest()


class AnswersHasher:
    """Incremental hash of the answers to one question; add batches in agent order.

    The hash of answers without a basis is that of earlier versions.
    """

    def __init__(self) -> None:
        self._answers, self._runs = Hasher(ANSWERS.names), Hasher(RUNS.names)
        self._bases = Hasher(BASES.names)

    def add_answers(self, table: pa.Table) -> None:
        """Add the contents, with the columns of :data:`ANSWERS` and :data:`BASES`."""
        self._answers.add(shaped(table, ANSWERS))
        if "basis" in table.column_names:
            self._bases.add(shaped(table.filter(table["basis"].is_valid()), BASES))

    def add_runs(self, table: pa.Table) -> None:
        """Add the origins, with the columns of :data:`RUNS`."""
        self._runs.add(shaped(table, RUNS))

    @property
    def told(self) -> dict[str, Any]:
        """Return the part of a statement for these answers."""
        said, rests = self._answers.content, self._bases.content
        digest = said.sha256
        if rests.rows:
            both = json.dumps([said.sha256, ["basis", rests.sha256]])
            digest = hashlib.sha256(both.encode()).hexdigest()
        return {
            "answers": said.rows,
            "answers_sha256": digest,
            "runs_sha256": self._runs.content.sha256,
        }


def coded(value: Any, kind: str) -> Stored:
    """Classify a coded answer as text, number or list, by question type or else by its own type.

    Examples
    --------
    >>> coded(True, "yes_no"), coded("7", "scale"), coded("oats", "multi_choice")
    (('yes', None, None), (None, 7.0, None), (None, None, ['oats']))
    """
    if value is None:
        return None, None, None
    shape = shape_of(kind)
    if isinstance(value, list | tuple):
        shape = CATEGORIES
    elif shape is None:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        shape = NUMBER if number else WORDS
    return shape.stored(value)


def coded_columns(values: pa.Array, kind: str) -> dict[str, pa.Array]:
    """Classify a column of coded answers in JSON by question type; parse each distinct text once."""
    encoded = values.dictionary_encode()
    read: Sequence[Any] = [coded(json.loads(text), kind) for text in encoded.dictionary.to_pylist()]
    return {
        name: pa.array([one[place] for one in read], kind_of).take(encoded.indices)
        for place, (name, kind_of) in enumerate(_CODED)
    }


def _cast(column: Any, kind: pa.DataType) -> Any:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column if column.type == kind else column.cast(kind)
