"""Bulk answers, converted to rows of the schema column by column."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.tables.rows import Row, is_removed, moment
from voxpop.tables.schema import TABLES
from voxpop.wire.canonical import coded

_NEEDED = {"question_id", "agent_id", "value", "response_text"}
_NAMED = ("question_uuid", "agent_uuid")
_TAKEN = {*_NEEDED, "id", "job_id", "option_order", "answered_at", "engine", "basis", "basis_note"}
_ANSWERS = TABLES["answers"].arrow
_OFTEN = ("question_uuid", "agent_uuid", "study_uuid", "basis", "basis_note")
ENCODED = pa.schema(
    [
        field.with_type(pa.dictionary(pa.int32(), field.type)) if field.name in _OFTEN else field
        for field in _ANSWERS
    ]
)
"""Schema of answer rows that store each UUID and each basis once instead of copying it for every answer."""

_PLAIN = ("job_id", "response_text", "option_order", "engine", "basis", "basis_note")
_NUMBERS = ("id", "question_id", "agent_id")

Places = npt.NDArray[np.int64]


class Known:
    """Questions and agents to which answers can belong, and the pairs of them seen so far.

    Parameters
    ----------
    questions : sequence of rows
        The study's questions.
    numbers, uuids : arrays
        Its agents, ordered by id.
    """

    def __init__(self, questions: Sequence[Row], numbers: pa.Array, uuids: pa.Array) -> None:
        self.questions = questions
        self.repeats: bool = False
        self._asked = pa.array([question["question_id"] for question in questions], pa.int64())
        self._come = np.zeros((len(questions), 0), np.bool_)
        self._rows = np.zeros(len(questions), np.int64)
        self.extend(numbers, uuids)

    def extend(self, numbers: pa.Array, uuids: pa.Array) -> None:
        """Replace the agents with a longer list that keeps the earlier ones in place."""
        self.uuids = uuids
        held = numbers.to_numpy(zero_copy_only=False)
        self._order = np.argsort(held, kind="stable")
        self._sorted = held[self._order]
        self._come = np.pad(self._come, ((0, 0), (0, len(held) - self._come.shape[1])))

    def asked(self, ids: Any) -> Any:
        """Return the indices of questions; null for unknown ones."""
        return pc.index_in(ids, value_set=self._asked)

    def people(self, ids: Places) -> Places:
        """Return the indices of agents; -1 for unknown ones."""
        if not self._sorted.size:
            return np.full(ids.size, -1)
        found = np.minimum(np.searchsorted(self._sorted, ids), self._sorted.size - 1)
        places: Places = np.where(self._sorted[found] == ids, self._order[found], -1)
        return places

    def note(self, questions: Places, people: Places) -> None:
        """Record that these agents' answers to these questions were seen."""
        self._come[questions, people] = True
        self._rows += np.bincount(questions, minlength=self._rows.size)
        asked = np.unique(questions)
        come = np.count_nonzero(self._come[asked], axis=1)
        self.repeats = self.repeats or bool((come != self._rows[asked]).any())


def batch_of(records: Sequence[Mapping[str, Any]]) -> pa.Table | None:
    """Convert answer records to columns, with coded answers as JSON; None if they do not fit."""
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
    """Return what answers say about their agents."""
    names = [name for name in (records[0] if records else ()) if name.startswith("agent_")]
    names = [name for name in names if name not in ("agent_id", "agent_uuid", "agent_removed")]
    return {name: pa.array([one.get(name) for one in records]) for name in names}


def _times(held: list[Any]) -> pa.Array:
    """Parse times as UTC without a time zone, in bulk if Arrow can, otherwise one by one."""
    if all(isinstance(one, str) or one is None for one in held):
        return _plain_times(pa.array(held, pa.string()))
    return pa.array(map(moment, held), _ANSWERS.field("answered_at").type)


def _plain_times(texts: Any) -> Any:
    kind = _ANSWERS.field("answered_at").type
    try:
        return texts.cast(pa.timestamp("us", tz="UTC")).cast(kind)
    except pa.ArrowInvalid:  # some times have no offset
        return pa.array(map(moment, texts.to_pylist()), kind)


def bulk_rows(table: pa.Table, known: Known) -> pa.RecordBatch:
    """Convert answers that fit (see :func:`fits`) to rows of the schema :data:`ENCODED`.

    ``value`` is JSON text; each distinct text is decoded once per type of question.
    """
    told = {name: table[name].combine_chunks() for name in table.column_names if name in _TAKEN}
    if "answered_at" in told and pa.types.is_string(told["answered_at"].type):
        told["answered_at"] = _plain_times(told["answered_at"])
    questions = known.asked(told["question_id"]).to_numpy()
    people = known.people(told["agent_id"].to_numpy())
    known.note(questions, people)
    made = _coded(told["value"], [question["type"] for question in known.questions], questions)
    made |= {
        "question_uuid": _chosen([question["question_uuid"] for question in known.questions], questions),
        "study_uuid": _chosen([question["study_uuid"] for question in known.questions], questions),
        "agent_uuid": pa.DictionaryArray.from_arrays(pa.array(people, pa.int32()), known.uuids),
        "answer_id": told.get("id"),
    }
    columns = []
    for field in ENCODED:
        column = made.get(field.name, told.get(field.name))
        if column is None:
            column = pa.nulls(table.num_rows, field.type)
        columns.append(column if column.type == field.type else column.cast(field.type))
    return pa.RecordBatch.from_arrays(columns, schema=ENCODED)


def encoded(rows: pa.Table) -> list[pa.RecordBatch]:
    """Convert rows of the table's schema to :data:`ENCODED`."""
    columns = [
        rows[field.name].dictionary_encode() if field.name in _OFTEN else rows[field.name]
        for field in ENCODED
    ]
    made: list[pa.RecordBatch] = pa.Table.from_arrays(columns, schema=ENCODED).to_batches()
    return made


def _chosen(texts: list[str], places: Places) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), pa.array(texts, pa.string()))


def _coded(values: pa.Array, types: list[str], questions: Places) -> dict[str, pa.Array]:
    """Split coded answers into text, number and list, by the types of their questions."""
    encoded = values.dictionary_encode()
    texts = encoded.dictionary.to_pylist()
    kinds = sorted(set(types))
    which = np.array([kinds.index(one) for one in types])[questions]
    indices = pc.fill_null(encoded.indices, len(texts)).to_numpy()
    pairs = which * (len(texts) + 1) + indices
    present = np.bincount(pairs) > 0
    texts.append(None)
    decoded = []
    for kind, text in zip(*np.divmod(np.flatnonzero(present), len(texts)), strict=True):
        told = texts[text]
        decoded.append(coded(None if told is None else json.loads(told), kinds[kind]))
    taken = pa.array((np.cumsum(present) - 1)[pairs])
    return {
        name: pa.array([one[place] for one in decoded], _ANSWERS.field(name).type).take(taken)
        for place, name in enumerate(("value_text", "value_number", "value_list"))
    }


def fits(table: pa.Table, known: Known) -> bool:
    """Return whether answers have the form of a bulk read and belong to known questions."""
    names = set(table.column_names)
    if not names >= _NEEDED or not pa.types.is_string(table.schema.field("value").type):
        return False
    if any(name in names and table[name].null_count < table.num_rows for name in _NAMED):
        return False
    return not (table["agent_id"].null_count or known.asked(table["question_id"]).null_count)


def removed_in(table: pa.Table) -> pa.Table:
    """Return the answers whose agent was removed."""
    if "agent_removed" not in table.column_names:
        return table.slice(0, 0)
    return table.filter(pc.fill_null(table["agent_removed"], False))
