"""Conversion of wire models, plain JSON or Arrow batches to Arrow rows of the schema."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pyarrow as pa

from voxpop.errors import UsageError
from voxpop.tables.schema import TABLES, TableSchema
from voxpop.wire.canonical import coded

BATCH = 50_000
"""Answers per batch, so that memory does not grow with a study."""

MOST_BYTES = 1 << 26
"""Size limit that makes batches of long answers smaller."""

Row = dict[str, Any]


def record(item: Any) -> Mapping[str, Any]:
    """Return a wire model or a JSON object as a mapping; nested models stay models."""
    if isinstance(item, Mapping):
        return item
    if hasattr(item, "model_dump"):
        more: Mapping[str, Any] = getattr(item, "model_extra", None) or {}
        told = item.model_fields_set  # not the defaults: fields left out by the service are unknown
        return {**{name: value for name, value in item.__dict__.items() if name in told}, **more}
    raise UsageError(f"A row must be a wire model or a JSON object, not {type(item).__name__}.")


def records(items: Any) -> Iterator[Mapping[str, Any]]:
    """Yield records from an iterable of models or objects, an Arrow table, or a reader of Arrow batches.

    In Arrow, a text column ``value`` holds the JSON of the coded answer.
    """
    if isinstance(items, pa.Table):
        items = items.to_batches(max_chunksize=BATCH)
    for item in items:
        if isinstance(item, pa.RecordBatch | pa.Table):
            yield from _from_arrow(item)
        else:
            yield record(item)


def _from_arrow(batch: pa.RecordBatch | pa.Table) -> Iterator[Mapping[str, Any]]:
    coded = "value" in batch.schema.names and pa.types.is_string(batch.schema.field("value").type)
    for row in batch.to_pylist():
        if coded and row["value"] is not None:
            row["value"] = json.loads(row["value"])
        yield row


def table_of(schema: TableSchema, rows: Iterable[Row]) -> pa.Table:
    """Return Arrow rows of a table; absent fields are null."""
    held = list(rows)
    columns = [
        pa.array([row.get(column.name) for row in held], type=column.arrow) for column in schema.columns
    ]
    return pa.Table.from_arrays(columns, schema=schema.arrow)


def moment(value: Any) -> datetime | None:
    """Parse a time of the wire form, a datetime or RFC 3339 text, as UTC without a time zone.

    Examples
    --------
    >>> moment("2026-11-21T09:30:00+01:00")
    datetime.datetime(2026, 11, 21, 8, 30)
    """
    time = datetime.fromisoformat(value) if isinstance(value, str) else value
    return time.astimezone(UTC).replace(tzinfo=None) if time is not None and time.tzinfo else time


def safe_address(address: str | None) -> str | None:
    """Remove user, password, query and fragment from an address.

    Examples
    --------
    >>> safe_address("https://me:secret@example.org:8000/v1?key=1")
    'https://example.org:8000/v1'
    """
    if not address:
        return None
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def study_row(study: Any, source: Mapping[str, Any] | None = None) -> Row:
    """Return the row of a study with its origin."""
    given, known = record(study), dict(source or {})
    population = known.get("population")
    if isinstance(population, Mapping):
        population = population.get("name") or population.get("version")
    row = {name: given.get(name) for name in TABLES["studies"].names}
    return {
        **row,
        "study_uuid": str(given["uuid"]),
        "study_id": given.get("id"),
        "created_at": moment(given.get("created_at")),
        "completed_at": moment(given.get("completed_at")),
        "service_url": safe_address(known.get("base_url")),
        "service_version": known.get("version"),
        "population": population,
    }


def question_rows(study_uuid: str, questions: Iterable[Any]) -> list[Row]:
    """Return the rows of a study's questions in the order asked; keys default to ``q1``, ``q2`` …"""
    rows: list[Row] = []
    taken: set[str] = set()
    for position, item in enumerate(questions, 1):
        given = record(item)
        key = given.get("key") or f"q{position}"
        while key in taken:
            key = f"{key}_{position}"
        taken.add(key)
        row = question_row(given) | {
            "question_uuid": str(given.get("uuid") or derived_uuid(study_uuid, "question", given["id"])),
            "study_uuid": study_uuid,
            "question_id": given.get("id"),
            "position": position,
            "key": key,
        }
        rows.append(row)
    return rows


def question_row(given: Mapping[str, Any]) -> Row:
    """Return the columns shared by study questions and direct questions."""
    scale = record(given.get("scale") or {})
    row = {name: given.get(name) for name in TABLES["questions"].names}
    row |= {f"scale_{name}": scale.get(name) for name in ("min", "max", "min_label", "max_label")}
    return row | {
        "text": given.get("question") or given.get("text"),
        "type": given.get("type") or "open",
        "created_at": moment(given.get("created_at")),
    }


def derived_uuid(namespace: str, kind: str, number: Any) -> str:
    """Return a stable UUID for a record whose service gives only an id."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"voxpop:{namespace}:{kind}:{number}"))


def agent_row(namespace: str, given: Mapping[str, Any]) -> Row:
    """Return the row of an agent."""
    row = {name: given.get(name) for name in TABLES["agents"].names}
    row["agent_id"] = given.get("id")
    row["agent_uuid"] = str(given.get("uuid") or derived_uuid(namespace, "agent", given.get("id")))
    return row


def is_removed(given: Mapping[str, Any]) -> bool:
    """Return whether an agent or answer record marks the agent as removed."""
    return bool(given.get("agent_removed") or given.get("removed") or given.get("removed_at"))


def answers_of(questions: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the answers nested in question records, each with its question's id."""
    for item in questions:
        question = record(item)
        for answer in question.get("answers") or ():
            yield {**record(answer), "question_id": question["id"]}


def answer_table(
    answers: Iterable[Mapping[str, Any]],
    questions: Mapping[Any, Row],
    agent_uuid: Callable[[Mapping[str, Any]], str],
) -> pa.Table:
    """Return answer rows.

    Parameters
    ----------
    answers : iterable of mappings
        Answers with the ids of their question and agent.
    questions : mapping
        The study's questions by id and by UUID.
    agent_uuid : callable
        Returns the agent's UUID for an answer.

    Raises
    ------
    UsageError
        An answer belongs to none of the questions.
    """
    made = [_answer_row(given, questions, agent_uuid(given)) for given in answers]
    return table_of(TABLES["answers"], made)


def _answer_row(given: Mapping[str, Any], questions: Mapping[Any, Row], agent_uuid: str) -> Row:
    reference = given.get("question_uuid") or given.get("question_id")
    if reference not in questions:
        raise UsageError(
            f"Answer {given.get('id')} belongs to question {reference}, which the study does not have."
        )
    question = questions[reference]
    text, number, chosen = coded(given.get("value"), question["type"])
    return {
        "question_uuid": question["question_uuid"],
        "agent_uuid": agent_uuid,
        "study_uuid": question["study_uuid"],
        "agent_id": given.get("agent_id"),
        "answer_id": given.get("id"),
        "job_id": given.get("job_id"),
        "response_text": given.get("response_text"),
        "value_text": text,
        "value_number": number,
        "value_list": chosen,
        "option_order": given.get("option_order"),
        "answered_at": moment(given.get("answered_at")),
        "engine": given.get("engine"),
        "basis": given.get("basis"),
        "basis_note": given.get("basis_note"),
    }
