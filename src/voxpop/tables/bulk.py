"""Answers in bulk, turned into rows of the schema column by column."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.tables.rows import Row, coded, is_removed, moment
from voxpop.tables.schema import TABLES

_NEEDED = {"question_id", "agent_id", "value", "response_text"}
_NAMED = ("question_uuid", "agent_uuid")
_ANSWERS = TABLES["answers"].arrow
_PLAIN = ("job_id", "response_text", "option_order", "engine")


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


def batch_of(records: Sequence[Mapping[str, Any]]) -> pa.Table | None:
    """Put answer records into columns, coded answers as JSON; None when they do not fit."""
    if any(name in one and one[name] for one in records for name in _NAMED):
        return None
    encode = msgspec.json.Encoder().encode
    try:
        columns = {name: [one.get(name) for one in records] for name in _PLAIN}
        numbers = {name: [one.get(name) for one in records] for name in ("id", "question_id", "agent_id")}
        values = pa.array([encode(one.get("value")) for one in records], pa.binary()).cast(pa.string())
        return pa.table(
            {name: pa.array(held, pa.int64()) for name, held in numbers.items()}
            | {name: pa.array(held, _ANSWERS.field(name).type) for name, held in columns.items()}
            | {"value": values, "answered_at": _times([one.get("answered_at") for one in records])}
            | {"agent_removed": pa.array(map(is_removed, records), pa.bool_())}
        )
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return None


def _times(held: list[Any]) -> pa.Array:
    """Read times as plain UTC: text at once where Arrow can, and one by one else."""
    kind = _ANSWERS.field("answered_at").type
    if all(isinstance(one, str) or one is None for one in held):
        try:
            return pa.array(held, pa.string()).cast(pa.timestamp("us", tz="UTC")).cast(kind)
        except pa.ArrowInvalid:  # some have no offset
            pass
    return pa.array(map(moment, held), kind)


def bulk_rows(table: pa.Table, known: Known) -> tuple[Iterator[pa.RecordBatch], list[str]] | None:
    """Turn answers into rows, question by question, and name the agents that they mark as removed.

    ``value`` is text that holds JSON; each different text is decoded once.

    Returns
    -------
    tuple of iterator of RecordBatch and list of str, or None
        None when the answers have another shape, or name questions or agents that are not known: they are
        read row by row then.
    """
    if not set(table.column_names) >= _NEEDED or not pa.types.is_string(table.schema.field("value").type):
        return None
    asked = pa.array([question["question_id"] for question in known.questions], pa.int64())
    places = pc.index_in(table["question_id"], value_set=asked)
    people = pc.index_in(table["agent_id"], value_set=known.numbers)
    if places.null_count or people.null_count:
        return None
    table = table.append_column("agent_uuid", known.uuids.take(people.combine_chunks()))
    present = pc.unique(places).to_pylist()
    parts = (table if len(present) == 1 else table.filter(pc.equal(places, place)) for place in present)
    made = (
        batch
        for place, part in zip(present, parts, strict=True)
        for batch in _rows_of(known.questions[place], part).to_batches()
    )
    if "agent_removed" not in table.column_names or not pc.any(table["agent_removed"]).as_py():
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
