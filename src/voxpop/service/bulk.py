"""Bulk reads in three forms, JSON, NDJSON and Arrow, streamed so that memory does not grow with a study."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
import pyarrow as pa
from fastapi import Response
from fastapi.responses import StreamingResponse

from voxpop.population.agents import as_record
from voxpop.population.file import Population
from voxpop.records import questions, studies
from voxpop.records.database import Database
from voxpop.service.answering import ARROW, JSON, NDJSON, preferred

BATCH = 10_000

_encoder = msgspec.json.Encoder()

Row = dict[str, Any]

_ANSWERS = pa.schema(
    [
        ("id", pa.int64()),
        ("study_id", pa.int64()),
        ("question_id", pa.int64()),
        ("agent_id", pa.int64()),
        ("job_id", pa.string()),
        ("response_text", pa.string()),
        pa.field("value", pa.string(), metadata={"encoding": "json"}),
        ("option_order", pa.list_(pa.int32())),
        ("answered_at", pa.timestamp("us", tz="UTC")),
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


def study_answers(
    database: Database, organization_id: int, study_id: int, after: int, accept: str | None
) -> Response:
    """Answer with a study's answers behind ``after``, in the form that ``accept`` asks for."""

    def batches() -> Iterator[list[Row]]:
        last = after
        while True:
            with database.read() as connection:
                found = questions.answers(connection, organization_id, study_id, after=last, limit=BATCH)
            if not found:
                return
            yield [answer_shape(answer) for answer in found]
            last = found[-1].id

    return _stream("answers", batches(), _ANSWERS, _answer_for_arrow, accept)


def study_agents(
    population: Population, members: Sequence[studies.StudyAgent], accept: str | None
) -> Response:
    """Answer with the full records of a study's agents, in the form that ``accept`` asks for."""

    def batches() -> Iterator[list[Row]]:
        for start in range(0, len(members), BATCH):
            part = members[start : start + BATCH]
            agents = population.agents([member.agent_id for member in part])
            yield [
                as_record(agent) | {"agent_removed": member.removed_at is not None}
                for agent, member in zip(agents, part, strict=True)
            ]

    return _stream("agents", batches(), _AGENTS, dict, accept)


def answer_shape(answer: questions.Answer) -> Row:
    """Return an answer as it travels, without its agent's profile."""
    return {
        "id": answer.id,
        "study_id": answer.study_id,
        "question_id": answer.question_id,
        "agent_id": answer.agent_id,
        "job_id": answer.job_id,
        "response_text": answer.text,
        "value": answer.value,
        "option_order": answer.option_order,
        "answered_at": answer.answered_at,
        "engine": answer.engine,
        "agent_removed": answer.agent_removed,
    }


def _stream(
    name: str,
    batches: Iterator[list[Row]],
    schema: pa.Schema,
    for_arrow: Callable[[Row], Row],
    accept: str | None,
) -> Response:
    form = preferred(accept, (JSON, NDJSON, ARROW))
    if form == ARROW:
        content = _arrow(batches, schema, for_arrow)
    elif form == NDJSON:
        content = _lines(batches)
    else:
        content = _json(name, batches)
    return StreamingResponse(content, media_type=form)


def _lines(batches: Iterable[list[Row]]) -> Iterator[bytes]:
    for rows in batches:
        yield _encoder.encode_lines(rows)


def _json(name: str, batches: Iterable[list[Row]]) -> Iterator[bytes]:
    yield b'{"%s":[' % name.encode()
    for number, rows in enumerate(batches):
        inner = _encoder.encode(rows)[1:-1]
        yield (b"," if number else b"") + inner
    yield b"]}"


def _arrow(
    batches: Iterable[list[Row]], schema: pa.Schema, for_arrow: Callable[[Row], Row]
) -> Iterator[bytes]:
    sink = _Pieces()
    with pa.ipc.new_stream(pa.PythonFile(sink, mode="w"), schema) as writer:
        yield sink.take()
        for rows in batches:
            writer.write_batch(pa.RecordBatch.from_pylist([for_arrow(row) for row in rows], schema=schema))
            yield sink.take()
    yield sink.take()


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


def _answer_for_arrow(row: Row) -> Row:
    value = row["value"]
    return row if value is None else row | {"value": json.dumps(value, ensure_ascii=False)}
