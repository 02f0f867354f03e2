"""The canonical rows of a study, which a service and an export hash alike, however they store them.

Version 1. Rows are JSON lists, as :mod:`voxpop.wire.content` writes them, behind one line of column names.
Agents are sorted by number, the answers to a question by the number of their agent; questions stand in the
order asked. A coded answer is a text, a number or a list, by the type of its question.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

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
"""The columns of an agent's row."""

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
"""The columns of what was answered."""

RUNS = pa.schema(
    [("agent_id", _WHOLE), ("answer_id", _WHOLE), ("job_id", _TEXT), ("answered_at", pa.timestamp("us"))]
)
"""The columns of where an answer came from."""

_QUESTION = (
    *("text", "type", "options", "scale_min", "scale_max", "scale_min_label", "scale_max_label"),
    *("unit", "shuffle_options", "notice"),
)
_CODED = (("value_text", _TEXT), ("value_number", _REAL), ("value_list", _TEXTS))
_YES_NO = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_KINDS = ("open", "yes_no", "single_choice", "multi_choice", "scale", "number", "ranking")


def shaped(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Take the columns of a schema, in its order and types; what is not there is missing."""
    columns = [
        _cast(table[field.name], field.type)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def agents_content(parts: Iterable[pa.Table]) -> Content:
    """Hash agents in the columns of :data:`AGENTS`; they come in parts, in the order of their numbers."""
    hasher = Hasher(AGENTS.names)
    for part in parts:
        hasher.add(shaped(part, AGENTS))
    return hasher.content


def question_sha256(question: Mapping[str, Any]) -> str:
    """Hash the words of a question; an empty list of options is the same as none."""
    options = question.get("options")
    told = {name: question.get(name) for name in _QUESTION} | {"options": list(options) if options else None}
    return hashlib.sha256(json.dumps(list(told.values()), ensure_ascii=False).encode()).hexdigest()


class AnswersHasher:
    """Hashes the answers to one question; add parts in the order of their agents."""

    def __init__(self) -> None:
        self._answers, self._runs = Hasher(ANSWERS.names), Hasher(RUNS.names)

    def add_answers(self, table: pa.Table) -> None:
        """Take what was answered, in the columns of :data:`ANSWERS`."""
        self._answers.add(shaped(table, ANSWERS))

    def add_runs(self, table: pa.Table) -> None:
        """Take where the answers came from, in the columns of :data:`RUNS`."""
        self._runs.add(shaped(table, RUNS))

    @property
    def told(self) -> dict[str, Any]:
        """Return what a statement says of these answers."""
        said = self._answers.content
        return {
            "answers": said.rows,
            "answers_sha256": said.sha256,
            "runs_sha256": self._runs.content.sha256,
        }


def coded(value: Any, kind: str) -> tuple[str | None, float | None, list[str] | None]:
    """Sort a coded answer into text, number or list, by the question's type and else by what it is.

    Examples
    --------
    >>> coded(True, "yes_no"), coded("7", "scale"), coded("oats", "multi_choice")
    (('yes', None, None), (None, 7.0, None), (None, None, ['oats']))
    """
    if value is None:
        return None, None, None
    if kind in ("multi_choice", "ranking") and not isinstance(value, list | tuple):
        value = [value]
    if isinstance(value, list | tuple):
        return None, None, [_text(part) for part in value]
    if kind in ("scale", "number"):
        number = _number(value)
        return (None, number, None) if number is not None else (_text(value), None, None)
    if kind == "yes_no":
        return _YES_NO.get(_text(value).strip().casefold(), _text(value)), None, None
    if isinstance(value, int | float) and not isinstance(value, bool) and kind not in _KINDS:
        return None, float(value), None
    return _text(value), None, None


def coded_columns(values: pa.Array, kind: str) -> dict[str, pa.Array]:
    """Sort a column of coded answers, JSON as text, by the type of their question; each text is read once."""
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


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value.strip()) else None


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
