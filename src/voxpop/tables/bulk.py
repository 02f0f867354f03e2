"""Bulk answers in Arrow, turned into rows of the schema column by column."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from voxpop.tables.rows import Row, coded
from voxpop.tables.schema import TABLES

_NEEDED = {"question_id", "agent_id", "value", "response_text"}
_ANSWERS = TABLES["answers"].arrow


@dataclass(frozen=True, slots=True)
class Known:
    """Who and what an answer can belong to: questions, and agents by number, as arrays to look up in."""

    questions: Sequence[Row]
    numbers: pa.Array
    uuids: pa.Array

    @classmethod
    def of(cls, questions: Sequence[Row], agents: Mapping[Any, str]) -> Known:
        """Take the agents that have whole numbers."""
        held = {number: uuid for number, uuid in agents.items() if isinstance(number, int)}
        return cls(questions, pa.array(held, pa.int64()), pa.array(held.values(), pa.string()))


def bulk_rows(batch: pa.RecordBatch, known: Known) -> tuple[list[pa.Table], list[str]] | None:
    """Turn a batch into rows, question by question, and name the agents that it marks as removed.

    ``value`` is text that holds JSON; each different text is decoded once.

    Returns
    -------
    tuple of list of Table and list of str, or None
        None when the batch has another shape, or names questions or agents that are not known: such a
        batch is read row by row.
    """
    if not set(batch.schema.names) >= _NEEDED or not pa.types.is_string(batch.schema.field("value").type):
        return None
    table = pa.Table.from_batches([batch])
    asked = pa.array([question["question_id"] for question in known.questions], pa.int64())
    places = pc.index_in(table["question_id"], value_set=asked)
    people = pc.index_in(table["agent_id"], value_set=known.numbers)
    if places.null_count or people.null_count:
        return None
    table = table.append_column("agent_uuid", known.uuids.take(people.combine_chunks()))
    made = []
    for place in pc.unique(places).to_pylist():
        made.append(_rows_of(known.questions[place], table.filter(pc.equal(places, place))))
    if "agent_removed" not in table.column_names:
        return made, []
    gone = table.filter(pc.fill_null(table["agent_removed"], False))["agent_uuid"]
    return made, gone.unique().to_pylist()


def _rows_of(question: Row, part: pa.Table) -> pa.Table:
    """Make the rows of one question."""
    values = part["value"].combine_chunks().dictionary_encode()
    decoded = [coded(json.loads(text), question["type"]) for text in values.dictionary.to_pylist()]
    columns: dict[str, Any] = {
        "question_uuid": _repeated(question["question_uuid"], part.num_rows),
        "study_uuid": _repeated(question["study_uuid"], part.num_rows),
        "answer_id": _column(part, "id"),
    }
    for place, name in enumerate(("value_text", "value_number", "value_list")):
        distinct = pa.array([one[place] for one in decoded], _ANSWERS.field(name).type)
        columns[name] = distinct.take(values.indices)
    return pa.Table.from_arrays(
        [_cast(columns.get(field.name, _column(part, field.name)), field) for field in _ANSWERS],
        schema=_ANSWERS,
    )


def _repeated(text: str, times: int) -> pa.Array:
    return pa.repeat(pa.scalar(text, pa.string()), times)


def _column(part: pa.Table, name: str) -> Any:
    return part[name] if name in part.column_names else pa.nulls(part.num_rows)


def _cast(column: Any, field: pa.Field) -> Any:
    return column if column.type == field.type else column.cast(field.type)
