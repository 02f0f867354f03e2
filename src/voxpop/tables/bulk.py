"""Answers in bulk, turned into rows of the schema column by column."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.tables.rows import Row, coded, is_removed, moment
from voxpop.tables.schema import TABLES

_NEEDED = {"question_id", "agent_id", "value", "response_text"}
_NAMED = ("question_uuid", "agent_uuid")
_ANSWERS = TABLES["answers"].arrow
_PLAIN = ("job_id", "response_text", "option_order", "engine")
_NUMBERS = ("id", "question_id", "agent_id")

Places = npt.NDArray[np.int64]


class Known:
    """Who and what an answer can belong to, and which pairs of these have come already.

    Parameters
    ----------
    questions : sequence of rows
        The study's questions.
    numbers, uuids : arrays
        Its agents, by number.
    """

    def __init__(self, questions: Sequence[Row], numbers: pa.Array, uuids: pa.Array) -> None:
        self.questions = questions
        self.repeats = False
        self._asked = pa.array([question["question_id"] for question in questions], pa.int64())
        self._come: list[npt.NDArray[np.bool_]] = [np.zeros(0, np.bool_) for _ in questions]
        self._rows = [0] * len(questions)
        self.extend(numbers, uuids)

    def extend(self, numbers: pa.Array, uuids: pa.Array) -> None:
        """Take all agents again, those before in their old places."""
        self._uuids = uuids
        held = numbers.to_numpy(zero_copy_only=False)
        self._order = np.argsort(held, kind="stable")
        self._sorted = held[self._order]
        more = len(held)
        self._come = [np.pad(come, (0, more - come.size)) for come in self._come]

    def asked(self, ids: pa.ChunkedArray) -> pa.ChunkedArray:
        """Find the places of questions; null where a question is not known."""
        return pc.index_in(ids, value_set=self._asked)

    def people(self, ids: Places) -> Places:
        """Find the places of agents; -1 where an agent is not known."""
        if not self._sorted.size:
            return np.full(ids.size, -1)
        found = np.minimum(np.searchsorted(self._sorted, ids), self._sorted.size - 1)
        places: Places = np.where(self._sorted[found] == ids, self._order[found], -1)
        return places

    def uuids(self, places: Places) -> pa.Array:
        """Return the UUIDs of agents by place."""
        return self._uuids.take(pa.array(places))

    def note(self, question: int, people: Places) -> None:
        """Remember that these agents' answers to a question have come."""
        self._come[question][people] = True
        self._rows[question] += people.size
        self.repeats = self.repeats or int(self._come[question].sum()) != self._rows[question]


def batch_of(records: Sequence[Mapping[str, Any]]) -> pa.Table | None:
    """Put answer records into columns, coded answers as JSON; None when they do not fit."""
    if any(name in one and one[name] for one in records for name in _NAMED):
        return None
    encode = msgspec.json.Encoder().encode
    try:
        columns = {name: [one.get(name) for one in records] for name in _PLAIN}
        numbers = {name: [one.get(name) for one in records] for name in _NUMBERS}
        values = pa.array([encode(one.get("value")) for one in records], pa.binary()).cast(pa.string())
        return pa.table(
            {name: pa.array(held, pa.int64()) for name, held in numbers.items()}
            | {name: pa.array(held, _ANSWERS.field(name).type) for name, held in columns.items()}
            | {"value": values, "answered_at": _times([one.get("answered_at") for one in records])}
            | {"agent_removed": pa.array(map(is_removed, records), pa.bool_())}
            | _told(records)
        )
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return None


def _told(records: Sequence[Mapping[str, Any]]) -> dict[str, pa.Array]:
    """Take what answers tell of their agents."""
    names = [name for name in (records[0] if records else ()) if name.startswith("agent_")]
    names = [name for name in names if name not in ("agent_id", "agent_uuid", "agent_removed")]
    return {name: pa.array([one.get(name) for one in records]) for name in names}


def _times(held: list[Any]) -> pa.Array:
    """Read times as plain UTC: text at once where Arrow can, and one by one else."""
    if all(isinstance(one, str) or one is None for one in held):
        return _plain_times(pa.array(held, pa.string()))
    return pa.array(map(moment, held), _ANSWERS.field("answered_at").type)


def _plain_times(texts: Any) -> Any:
    kind = _ANSWERS.field("answered_at").type
    try:
        return texts.cast(pa.timestamp("us", tz="UTC")).cast(kind)
    except pa.ArrowInvalid:  # some have no offset
        return pa.array(map(moment, texts.to_pylist()), kind)


def bulk_rows(table: pa.Table, known: Known) -> Iterator[pa.RecordBatch]:
    """Turn answers that fit (see :func:`fits`) into rows, question by question.

    ``value`` is text that holds JSON; each different text is decoded once.
    """
    if "answered_at" in table.column_names and pa.types.is_string(table["answered_at"].type):
        place = table.column_names.index("answered_at")
        times = _plain_times(table["answered_at"].combine_chunks())
        table = table.set_column(place, "answered_at", times)
    places = known.asked(table["question_id"])
    people = known.people(table["agent_id"].to_numpy())
    present = pc.unique(places).to_pylist()
    for place in present:
        if len(present) == 1:
            part, theirs = table, people
        else:
            chosen = pc.equal(places, place)
            part, theirs = table.filter(chosen), people[chosen.to_numpy()]
        known.note(place, theirs)
        made = _rows_of(known.questions[place], part, known.uuids(theirs))
        yield from made.to_batches()


def fits(table: pa.Table, known: Known) -> bool:
    """Tell whether answers have the shape of a bulk read, and belong to known questions."""
    names = set(table.column_names)
    if not names >= _NEEDED or not pa.types.is_string(table.schema.field("value").type):
        return False
    if any(name in names and table[name].null_count < table.num_rows for name in _NAMED):
        return False
    return not (table["agent_id"].null_count or known.asked(table["question_id"]).null_count)


def removed_in(table: pa.Table) -> pa.Table:
    """Take the answers whose agent was removed."""
    if "agent_removed" not in table.column_names:
        return table.slice(0, 0)
    return table.filter(pc.fill_null(table["agent_removed"], False))


def _rows_of(question: Row, part: pa.Table, people: pa.Array) -> pa.Table:
    """Make the rows of one question."""
    values = part["value"].combine_chunks().dictionary_encode()
    decoded = [
        coded(None if text is None else json.loads(text), question["type"])
        for text in values.dictionary.to_pylist()
    ]
    columns: dict[str, Any] = {
        "question_uuid": _repeated(question["question_uuid"], part.num_rows),
        "study_uuid": _repeated(question["study_uuid"], part.num_rows),
        "answer_id": _column(part, "id"),
        "agent_uuid": people,
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
