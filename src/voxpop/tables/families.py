"""Rows of data other than studies: groups, direct questions, surveys, usage, attachments and pulls."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

import pyarrow as pa
from duckdb import DuckDBPyConnection

from voxpop.tables import rows as r
from voxpop.tables.roster import save_people
from voxpop.tables.schema import TABLES, literal
from voxpop.tables.writing import Change, staged, upsert
from voxpop.wire.canonical import coded

Source = Mapping[str, Any]


def address_of(source: Source | None) -> str | None:
    """Return the service's address without keys."""
    return r.safe_address((source or {}).get("base_url"))


def save_group(
    cursor: DuckDBPyConnection,
    group: Any,
    agents: Iterable[Any] | None,
    source: Source | None,
    weights: Iterable[Any] | None = None,
) -> Change:
    """Write a group and, if given, its members and their weights; former members stay and are marked."""
    given = r.record(group)
    where = address_of(source)
    namespace = where or "groups"
    uuid = str(given.get("uuid") or r.derived_uuid(namespace, "group", given.get("id")))
    filters = given.get("filters")
    row = {name: given.get(name) for name in TABLES["groups"].names} | {
        "group_uuid": uuid,
        "group_id": given.get("id"),
        "filters": None if filters is None else json.dumps(filters, ensure_ascii=False, sort_keys=True),
        "sampling": _sampling(given.get("sampling")),
        "created_at": r.moment(given.get("created_at")),
        "service_url": where,
    }
    change = upsert(cursor, "groups", r.table_of(TABLES["groups"], [row]))
    if agents is None:
        _weigh(cursor, uuid, weights)
        return change
    people = save_people(cursor, agents, namespace).agents
    upsert(cursor, "group_members", _members(uuid, people))
    with staged(cursor, people.select(["agent_uuid"])) as name:
        cursor.execute(
            f"UPDATE group_members SET removed = true WHERE group_uuid = {literal(uuid)} AND NOT removed "
            f"AND agent_uuid NOT IN (SELECT agent_uuid FROM {name})"
        )
    _weigh(cursor, uuid, weights)
    return change


def _sampling(given: Any) -> str | None:
    return None if given is None else json.dumps(given, ensure_ascii=False, sort_keys=True, default=r.record)


def _weigh(cursor: DuckDBPyConnection, group_uuid: str, weights: Iterable[Any] | None) -> None:
    """Set the weights of the members of a group."""
    names = ("inclusion_probability", "design_weight", "replaces")
    given = [r.record(one) for one in weights or ()]
    if not given:
        return
    kinds = (pa.float64(), pa.float64(), pa.int64())
    columns = {"agent_id": pa.array([one["agent_id"] for one in given], pa.int64())}
    columns |= {
        name: pa.array([one.get(name) for one in given], kind)
        for name, kind in zip(names, kinds, strict=True)
    }
    with staged(cursor, pa.table(columns)) as held:
        cursor.execute(
            f"UPDATE group_members SET {', '.join(f'{name} = w.{name}' for name in names)} "
            f"FROM {held} w WHERE group_uuid = {literal(group_uuid)} AND group_members.agent_id = w.agent_id"
        )


def _members(group_uuid: str, people: pa.Table) -> pa.Table:
    """Convert the members of a group to rows of the schema, in the order given."""
    many = people.num_rows
    columns = {
        "group_uuid": pa.repeat(pa.scalar(group_uuid, pa.string()), many),
        "agent_uuid": people["agent_uuid"],
        "agent_id": people["agent_id"],
        "position": pa.array(range(1, many + 1), pa.int64()),
        "removed": pa.repeat(pa.scalar(False), many),
    }
    kinds = {field.name: field.type for field in TABLES["group_members"].arrow}
    columns |= {name: pa.nulls(many, kind) for name, kind in kinds.items() if name not in columns}
    schema = TABLES["group_members"].arrow
    return pa.Table.from_arrays([columns[field.name] for field in schema], schema=schema)


def save_direct_question(cursor: DuckDBPyConnection, question: Any, source: Source | None) -> Change:
    """Write the record of a direct question with its targets and their answers."""
    given = r.record(question)
    where = address_of(source)
    namespace = where or "direct_questions"
    uuid = str(given.get("uuid") or r.derived_uuid(namespace, "direct_question", given.get("id")))
    row = r.question_row(given) | {
        "question_uuid": uuid,
        "question_id": given.get("id"),
        "status": given.get("status"),
        "asked_of": given.get("asked_of"),
        "group_uuid": given.get("research_group_uuid"),
        "service_url": where,
    }
    row |= _summary(given.get("artifacts"))
    upsert(cursor, "direct_questions", r.table_of(TABLES["direct_questions"], [row]))
    save_attachments(cursor, uuid, given.get("attachments") or (), namespace)
    targets = [r.record(target) for target in given.get("targets") or ()]
    agents = [r.record(target.get("agent") or {}) for target in targets]
    people = save_people(cursor, agents, namespace).agents["agent_uuid"].to_pylist()
    answers = [
        _target_row(uuid, row["type"], place, agent, agent_uuid, target)
        for place, (agent, agent_uuid, target) in enumerate(zip(agents, people, targets, strict=True), 1)
    ]
    return upsert(cursor, "direct_answers", r.table_of(TABLES["direct_answers"], answers))


def _summary(artifacts: Any) -> r.Row:
    made = [r.record(one) for one in artifacts or ()]
    summary: Mapping[str, Any] = next((one for one in made if one.get("kind") == "summary"), {})
    return {"summary": summary.get("text"), "summary_answer_ids": summary.get("answer_ids")}


def _target_row(
    question: str,
    kind: str,
    place: int,
    agent: Mapping[str, Any],
    agent_uuid: str,
    target: Mapping[str, Any],
) -> r.Row:
    answer = r.record(target.get("answer") or {})
    error = r.record(target.get("error") or {})
    text, number, chosen = coded(answer.get("value"), kind)
    return {
        "question_uuid": question,
        "agent_uuid": agent_uuid,
        "agent_id": agent.get("id"),
        "position": place,
        "job_id": target.get("job_id"),
        "status": target.get("status"),
        "answer_id": answer.get("id"),
        "response_text": answer.get("response_text"),
        "value_text": text,
        "value_number": number,
        "value_list": chosen,
        "option_order": answer.get("option_order"),
        "answered_at": r.moment(answer.get("answered_at")),
        "engine": answer.get("engine"),
        "basis": answer.get("basis"),
        "basis_note": answer.get("basis_note"),
        "error_code": error.get("code"),
        "error_message": error.get("message"),
    }


def save_survey(
    cursor: DuckDBPyConnection, survey: Any, responses: Iterable[Any] | None, source: Source | None
) -> Change:
    """Write a survey and, if given, its responses."""
    given = r.record(survey)
    where = address_of(source)
    uuid = str(given.get("uuid") or r.derived_uuid(where or "surveys", "survey", given.get("id")))
    row = {name: given.get(name) for name in TABLES["surveys"].names} | {
        "survey_uuid": uuid,
        "survey_id": given.get("id"),
        "group_uuid": given.get("research_group_uuid"),
        "created_at": r.moment(given.get("created_at")),
        "service_url": where,
    }
    change = upsert(cursor, "surveys", r.table_of(TABLES["surveys"], [row]))
    if responses is None:
        return change
    answers = [
        {
            **{name: answer.get(name) for name in TABLES["survey_answers"].names},
            "survey_uuid": uuid,
            "answer_id": answer.get("id"),
            "value_text": coded(answer.get("value"), "single_choice")[0],
            "answered_at": r.moment(answer.get("answered_at")),
        }
        for answer in map(r.record, responses)
    ]
    return upsert(cursor, "survey_answers", r.table_of(TABLES["survey_answers"], answers))


def save_usage(cursor: DuckDBPyConnection, usage: Any, source: Source | None) -> Change:
    """Write a usage snapshot; nothing if the service returns no quota cycle."""
    given = r.record(usage)
    told, quota = r.record(given.get("usage") or {}), r.record(given.get("quota") or {})
    minute = r.record(r.record(given.get("rate") or {}).get("per_minute") or {})
    begun = r.moment(quota.get("cycle_start"))
    if begun is None:
        return Change()
    organization = told.get("organization_id")
    row = {
        "service_url": address_of(source) or "",
        "organization_id": "" if organization is None else str(organization),
        "cycle_start": begun,
        "cycle_end": r.moment(quota.get("cycle_end")),
        "quota_limit": quota.get("limit"),
        "quota_used": quota.get("used"),
        "pending_event_count": told.get("pending_event_count"),
        "rate_limit": minute.get("limit"),
    }
    return upsert(cursor, "usage", r.table_of(TABLES["usage"], [row]))


def save_attachments(
    cursor: DuckDBPyConnection, question_uuid: str, attachments: Iterable[Any], namespace: str
) -> Change:
    """Write the attachments of a question; digests and bytes already in the store stay."""
    rows = []
    for place, given in enumerate(map(r.record, attachments), 1):
        number = given.get("id", given.get("media_asset_id"))
        rows.append(
            {
                **{name: given.get(name) for name in ("filename", "mime", "bytes", "sha256", "content")},
                "question_uuid": question_uuid,
                "attachment_uuid": str(given.get("uuid") or r.derived_uuid(namespace, "media", number)),
                "attachment_id": number,
                "position": place,
            }
        )
    kept = ("filename", "mime", "bytes", "sha256", "content")
    return upsert(cursor, "attachments", r.table_of(TABLES["attachments"], rows), keep=kept)


def save_unanswered(
    cursor: DuckDBPyConnection, study_uuid: str, unanswered: Iterable[Any], questions: Mapping[Any, r.Row]
) -> None:
    """Replace the stored question jobs of a study that have no answer."""
    cursor.execute("DELETE FROM jobs WHERE study_uuid = ?", [study_uuid])
    unanswered = list(unanswered)
    if not unanswered:
        return
    people = dict(
        cursor.execute(
            "SELECT agent_id, agent_uuid FROM study_agents WHERE study_uuid = ?", [study_uuid]
        ).fetchall()
    )
    rows = []
    for given in map(r.record, unanswered):
        error = r.record(given.get("error") or {})
        question = questions.get(given.get("question_id"), {})
        rows.append(
            {
                "job_id": str(given["job_id"]),
                "kind": "question",
                "status": given.get("status"),
                "study_uuid": study_uuid,
                "question_uuid": question.get("question_uuid"),
                "agent_uuid": people.get(given.get("agent_id")),
                "agent_id": given.get("agent_id"),
                "error_code": error.get("code"),
                "error_message": error.get("message"),
                "finished_at": r.moment(given.get("finished_at")),
            }
        )
    upsert(cursor, "jobs", r.table_of(TABLES["jobs"], rows))


def note_pull(cursor: DuckDBPyConnection, what: str, uuid: str, source: Source) -> None:
    """Record a pull with its time, ``pulled_at`` of the source, and its extent; the first time is kept."""
    at = r.moment(source["pulled_at"])
    where = "WHERE study_uuid = ?" if what == "study" else "WHERE true OR ? IS NULL"
    answers, last = cursor.execute(
        f"SELECT count(*), max(answer_id) FROM answers {where}", [uuid]
    ).fetchall()[0]
    first = cursor.execute(
        "SELECT first_pulled_at FROM pulls WHERE what = ? AND uuid = ?", [what, uuid]
    ).fetchall()
    row = {
        "what": what,
        "uuid": uuid,
        "service_url": address_of(source),
        "service_version": source.get("version"),
        "voxpop_version": version("voxpop"),
        "first_pulled_at": first[0][0] if first else at,
        "pulled_at": at,
        "answers": answers,
        "last_answer_id": last if what == "study" else None,
    }
    upsert(cursor, "pulls", r.table_of(TABLES["pulls"], [row]))
