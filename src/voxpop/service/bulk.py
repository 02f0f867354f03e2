"""Bulk reads in three forms, JSON, NDJSON and Arrow, streamed so that memory does not grow with a study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import repeat
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

import msgspec
from fastapi import Response
from fastapi.responses import StreamingResponse

from voxpop.population.file import Population
from voxpop.records import bulk, studies
from voxpop.records.bulk import StoredAnswers
from voxpop.records.database import Database
from voxpop.service.answering import ARROW, JSON, NDJSON, preferred

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 20_480

_encoder = msgspec.json.Encoder()
_told: WeakKeyDictionary[Population, dict[int, bytes]] = WeakKeyDictionary()
_MOST_TOLD = 100_000  # agents; 40 MB
_PROFILE = ("name", "age", "city", "state", "country", "occupation", "summary")


class Batch(Protocol):
    """Some rows that can be given in either form."""

    def records(self) -> Sequence[Any]:
        """Return what is encoded as one JSON object each."""
        ...

    def arrow(self) -> pa.RecordBatch:
        """Return the same rows as columns."""
        ...


class AnswerRecord(msgspec.Struct, frozen=True, gc=False):
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
    basis: str | None
    basis_note: str | None
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
        bases = self._stored.bases
        kinds = {None: None} | {code: basis.kind for code, basis in bases.items()}
        notes = {None: None} | {code: basis.note for code, basis in bases.items()}
        return list(
            map(
                AnswerRecord,
                answers.id,
                repeat(self._study_id),
                answers.question_id,
                answers.agent_id,
                answers.job_id,
                answers.text,
                map(_json_of(answers.value).__getitem__, answers.value),
                map(_json_of(answers.option_order).__getitem__, answers.option_order),
                map(moments.__getitem__, answers.answered_at),
                answers.engine,
                map(kinds.__getitem__, answers.basis_code),
                map(notes.__getitem__, answers.basis_code),
                map(self._removed.__contains__, answers.agent_id),
            )
        )

    def arrow(self) -> pa.RecordBatch:
        """Return the same rows as columns."""
        from voxpop.service import columnar

        return columnar.answers(self._study_id, self._stored, self._removed)


def _json_of(texts: Iterable[str | None]) -> dict[str | None, msgspec.Raw]:
    """Read each different text once, as JSON that stays as it is."""
    return {text: msgspec.Raw(b"null" if text is None else text) for text in set(texts)}


def with_profiles(
    population: Population, given: Mapping[int, Sequence[AnswerRecord]]
) -> dict[int, list[msgspec.Raw]]:
    """Return answers, in lists by any number, as JSON that tells of the agent too."""
    ends = _ends_of(population, {answer.agent_id for answers in given.values() for answer in answers})
    return {
        number: [msgspec.Raw(_encoder.encode(answer)[:-1] + ends[answer.agent_id]) for answer in answers]
        for number, answers in given.items()
    }


def _ends_of(population: Population, wanted: set[int]) -> dict[int, bytes]:
    """Return what the answers of agents tell of them; it is kept, as who reads one page reads the next."""
    held = _told.get(population, {})
    lacking = sorted(wanted - held.keys())
    if not lacking:
        return held
    fresh = {
        agent.id: b"," + _encoder.encode({f"agent_{name}": getattr(agent, name) for name in _PROFILE})[1:]
        for agent in population.agents(lacking)
    }
    together = held | fresh
    _told[population] = together if len(together) <= _MOST_TOLD else fresh
    return together


class AgentBatch:
    """Agents of one study, each with whether it was removed."""

    def __init__(self, population: Population, members: Sequence[studies.StudyAgent]) -> None:
        self._population = population
        self._ids = [member.agent_id for member in members]
        self._removed = [member.removed_at is not None for member in members]
        self._shares = [member.inclusion_probability for member in members]
        self._weights = [member.design_weight for member in members]

    def records(self) -> list[msgspec.Raw]:
        """Return what is encoded as one JSON object each."""
        ends = [
            b","
            + _encoder.encode(
                {"agent_removed": gone, "inclusion_probability": share, "design_weight": weight}
            )[1:]
            for gone, share, weight in zip(self._removed, self._shares, self._weights, strict=True)
        ]
        return [
            msgspec.Raw(_encoder.encode(agent)[:-1] + end)
            for agent, end in zip(self._population.agents(self._ids), ends, strict=True)
        ]

    def arrow(self) -> pa.RecordBatch:
        """Return the same rows as columns."""
        from voxpop.service import columnar

        columns = self._population.agent_columns(self._ids)
        return columnar.agents(columns, self._removed, self._shares, self._weights)


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

    return _stream("answers", batches(), accept)


def study_agents(
    population: Population, members: Sequence[studies.StudyAgent], accept: str | None
) -> Response:
    """Answer with the full records of a study's agents, in the form that ``accept`` asks for."""

    def batches() -> Iterator[AgentBatch]:
        for start in range(0, len(members), BATCH):
            yield AgentBatch(population, members[start : start + BATCH])

    return _stream("agents", batches(), accept)


def _stream(name: str, batches: Iterator[Batch], accept: str | None) -> Response:
    form = preferred(accept, (JSON, NDJSON, ARROW))
    batches = _ahead(batches)
    if form == ARROW:
        from voxpop.service import columnar  # a slow import, for those who ask for it

        content = columnar.stream(name, (batch.arrow() for batch in batches))
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
