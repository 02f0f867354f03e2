"""Bulk reads in three forms, JSON, NDJSON and Arrow, streamed so that memory does not grow with a study."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import repeat
from typing import Any, Protocol

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from fastapi import Response
from fastapi.responses import StreamingResponse

from voxpop.population.agents import Agent
from voxpop.population.file import Population
from voxpop.records import bulk, studies
from voxpop.records.bulk import StoredAnswers
from voxpop.records.database import Database
from voxpop.service.answering import ARROW, JSON, NDJSON, preferred

BATCH = 10_000

_encoder = msgspec.json.Encoder()
_PROFILE = ("name", "age", "city", "state", "country", "occupation", "summary")
_NULL = msgspec.Raw(b"null")

_ORDER, _TIME = pa.list_(pa.int32()), pa.timestamp("us", tz="UTC")
_ANSWERS = pa.schema(
    [
        ("id", pa.int64()),
        ("study_id", pa.int64()),
        ("question_id", pa.int64()),
        ("agent_id", pa.int64()),
        ("job_id", pa.string()),
        ("response_text", pa.string()),
        pa.field("value", pa.string(), metadata={"encoding": "json"}),
        ("option_order", _ORDER),
        ("answered_at", _TIME),
        ("engine", pa.string()),
        ("agent_removed", pa.bool_()),
    ]
)

_TEXT, _WHOLE, _REAL, _TEXTS = pa.string(), pa.int64(), pa.float64(), pa.list_(pa.string())
_HEALTH = pa.struct(
    [
        ("conditions", _TEXTS),
        ("drug_classes", _TEXTS),
        ("rx_medication_count", _WHOLE),
        ("smoking_status", _TEXT),
        ("alcohol_use", _TEXT),
        ("physical_activity_level", _TEXT),
        ("sleep_quality", _TEXT),
        ("diet_quality", _TEXT),
        ("bmi", _REAL),
        ("bmi_class", _TEXT),
        ("phq9_score", _REAL),
        ("phq9_severity", _TEXT),
        ("source", _TEXT),
        ("method_version", _TEXT),
        ("calibration_version", _TEXT),
        ("reference_version", _TEXT),
    ]
)
_AGENTS = pa.schema(
    [
        ("id", _WHOLE),
        ("uuid", _TEXT),
        ("name", _TEXT),
        ("age", _WHOLE),
        ("gender", _TEXT),
        ("country", _TEXT),
        ("state", _TEXT),
        ("city", _TEXT),
        ("ethnicity", _TEXT),
        ("is_parent", pa.bool_()),
        ("education", _TEXT),
        ("household_income", _TEXT),
        ("urban_rural", _TEXT),
        ("occupation", _TEXT),
        ("occupation_major_group", _TEXT),
        ("industry", _TEXT),
        ("labour_status", _TEXT),
        ("title_variant", _TEXT),
        ("summary", _TEXT),
        ("health_profile", _HEALTH),
        ("agent_removed", pa.bool_()),
    ]
)


class Batch(Protocol):
    """Some rows that can be given in either form."""

    def records(self) -> Sequence[Any]:
        """Return what is encoded as one JSON object each."""
        ...

    def arrow(self) -> pa.RecordBatch:
        """Return the same rows as columns."""
        ...


class AnswerRecord(msgspec.Struct, frozen=True):
    """An answer as it travels, without its agent's profile; what is stored as JSON stays as it is."""

    id: int
    study_id: int
    question_id: int
    agent_id: int
    job_id: str
    response_text: str
    value: msgspec.Raw
    option_order: msgspec.Raw
    answered_at: datetime
    engine: str
    agent_removed: bool


class AnswerBatch:
    """Answers of one study, and who was removed from it."""

    def __init__(self, study_id: int, answers: StoredAnswers, removed: frozenset[int]) -> None:
        self._study_id = study_id
        self._stored = answers
        self._removed = removed

    def records(self) -> list[AnswerRecord]:
        """Return what is encoded as one JSON object each."""
        answers = self._stored.read()
        moments = {text: bulk.moment(text) for text in set(answers.answered_at)}
        return list(
            map(
                AnswerRecord,
                answers.id,
                repeat(self._study_id),
                answers.question_id,
                answers.agent_id,
                answers.job_id,
                answers.text,
                [_NULL if value is None else msgspec.Raw(value) for value in answers.value],
                [_NULL if order is None else msgspec.Raw(order) for order in answers.option_order],
                [moments[text] for text in answers.answered_at],
                answers.engine,
                [agent in self._removed for agent in answers.agent_id],
            )
        )

    def arrow(self) -> pa.RecordBatch:
        """Return the same rows as columns."""
        answers = self._stored.read()
        agents = pa.array(answers.agent_id, _WHOLE)
        columns = [
            pa.array(answers.id, _WHOLE),
            pa.repeat(pa.scalar(self._study_id, _WHOLE), len(agents)),
            pa.array(answers.question_id, _WHOLE),
            agents,
            pa.array(answers.job_id, _TEXT),
            pa.array(answers.text, _TEXT),
            pa.array(answers.value, _TEXT),
            _distinct(answers.option_order, msgspec.json.decode, _ORDER),
            _distinct(answers.answered_at, bulk.moment, _TIME),
            pa.array(answers.engine, _TEXT),
            pc.is_in(agents, value_set=pa.array(self._removed, _WHOLE)),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=_ANSWERS)


def with_profiles(
    population: Population, given: Mapping[int, Sequence[AnswerRecord]]
) -> dict[int, list[msgspec.Raw]]:
    """Return answers, in lists by any number, as JSON that tells of the agent too."""
    wanted = sorted({answer.agent_id for answers in given.values() for answer in answers})
    agents = population.agents(wanted) if wanted else []
    ends = {
        agent.id: b"," + _encoder.encode({f"agent_{name}": getattr(agent, name) for name in _PROFILE})[1:]
        for agent in agents
    }
    return {
        number: [msgspec.Raw(_encoder.encode(answer)[:-1] + ends[answer.agent_id]) for answer in answers]
        for number, answers in given.items()
    }


class AgentBatch:
    """Agents of one study, each with whether it was removed."""

    def __init__(self, agents: Sequence[Agent], removed: Sequence[bool]) -> None:
        self._agents = agents
        self._removed = removed

    def records(self) -> list[msgspec.Raw]:
        """Return what is encoded as one JSON object each."""
        ends = {False: b',"agent_removed":false}', True: b',"agent_removed":true}'}
        return [
            msgspec.Raw(_encoder.encode(agent)[:-1] + ends[gone])
            for agent, gone in zip(self._agents, self._removed, strict=True)
        ]

    def arrow(self) -> pa.RecordBatch:
        """Return the same rows as columns."""
        columns = [_column(self._agents, field) for field in list(_AGENTS)[:-2]]
        columns += [self._health(), pa.array(self._removed, pa.bool_())]
        return pa.RecordBatch.from_arrays(columns, schema=_AGENTS)

    def _health(self) -> pa.StructArray:
        profiles = [agent.health_profile for agent in self._agents]
        parts = [_column(profiles, field) for field in _HEALTH]
        absent = pa.array([profile is None for profile in profiles], pa.bool_())
        return pa.StructArray.from_arrays(parts, fields=list(_HEALTH), mask=absent)


def study_answers(
    database: Database, organization_id: int, study_id: int, after: int, accept: str | None
) -> Response:
    """Answer with a study's answers behind ``after``, in the form that ``accept`` asks for."""

    def batches() -> Iterator[AnswerBatch]:
        last = after
        with database.read() as connection:
            removed = bulk.removed_agents(connection, study_id)
        while True:
            with database.read() as connection:
                answers = bulk.stored_answers(connection, organization_id, study_id, after=last, limit=BATCH)
            if answers is None:
                return
            yield AnswerBatch(study_id, answers, removed)
            last = answers.last

    return _stream("answers", batches(), _ANSWERS, accept)


def study_agents(
    population: Population, members: Sequence[studies.StudyAgent], accept: str | None
) -> Response:
    """Answer with the full records of a study's agents, in the form that ``accept`` asks for."""

    def batches() -> Iterator[AgentBatch]:
        for start in range(0, len(members), BATCH):
            part = members[start : start + BATCH]
            agents = population.agents([member.agent_id for member in part])
            yield AgentBatch(agents, [member.removed_at is not None for member in part])

    return _stream("agents", batches(), _AGENTS, accept)


def _stream(name: str, batches: Iterator[Batch], schema: pa.Schema, accept: str | None) -> Response:
    form = preferred(accept, (JSON, NDJSON, ARROW))
    batches = _ahead(batches)
    if form == ARROW:
        content = _arrow(batches, schema)
    elif form == NDJSON:
        content = (_encoder.encode_lines(batch.records()) for batch in batches)
    else:
        content = _json(name, batches)
    return StreamingResponse(content, media_type=form, headers={"Vary": "Accept"})


def _ahead(batches: Iterator[Batch]) -> Iterator[Batch]:
    """Read the next batch while this one is sent.

    Who hangs up leaves this behind for the garbage collector, which may come by in the reader's own thread:
    so its end is not waited for.
    """
    reader = ThreadPoolExecutor(1, thread_name_prefix="voxpop-bulk")
    try:
        coming = reader.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = reader.submit(next, batches, None)
            yield batch
    finally:
        reader.shutdown(wait=False, cancel_futures=True)


def _json(name: str, batches: Iterable[Batch]) -> Iterator[bytes]:
    yield b'{"%s":[' % name.encode()
    for number, batch in enumerate(batches):
        inner = _encoder.encode(batch.records())[1:-1]
        yield (b"," if number else b"") + inner
    yield b"]}"


def _arrow(batches: Iterable[Batch], schema: pa.Schema) -> Iterator[bytes]:
    sink = _Pieces()
    with pa.ipc.new_stream(pa.PythonFile(sink, mode="w"), schema) as writer:
        yield sink.take()
        for batch in batches:
            writer.write_batch(batch.arrow())
            yield sink.take()
    yield sink.take()


def _distinct(texts: Sequence[str | None], read: Callable[[str], Any], kind: pa.DataType) -> pa.Array:
    """Read a column of texts, each different one once."""
    encoded = pa.array(texts, _TEXT).dictionary_encode()
    return pa.array(map(read, encoded.dictionary.to_pylist()), kind).take(encoded.indices)


def _column(things: Sequence[Any], field: pa.Field) -> pa.Array:
    return pa.array([getattr(thing, field.name, None) for thing in things], field.type)


class _Pieces:
    """A file that gives back what was written to it since the last time."""

    closed = False

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, data: bytes) -> int:
        self._written += data
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Nothing has to be let go."""

    def take(self) -> bytes:
        data = bytes(self._written)
        self._written.clear()
        return data
