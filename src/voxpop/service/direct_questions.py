"""Direct questions: ask an agent or a group, read the saved records, and share them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from voxpop.engines.question import Question
from voxpop.engines.question_fields import read_question
from voxpop.errors import Conflict, NotFound
from voxpop.jobs.asking import AskResult, ask_directly
from voxpop.records import direct_questions, groups, people, questions
from voxpop.records.references import missing
from voxpop.records.studies import Share
from voxpop.service.accepting import IdempotencyKey, Started, accepted
from voxpop.service.answering import JSON, encoded
from voxpop.service.attaching import attachments_of
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.direct_records import direct_records, question_url
from voxpop.service.errors import documented
from voxpop.service.groups import known_agents
from voxpop.wire.direct_questions import (
    AgentAskResponse,
    AskOnceIn,
    AskOnceResponse,
    DirectQuestion,
    DirectQuestionList,
    GroupAskResponse,
)
from voxpop.wire.questions import DirectAskIn
from voxpop.wire.studies import ShareIn, ShareResponse

router: APIRouter = APIRouter(prefix="/v1", tags=["direct-questions"], route_class=KeyedRoute)

_TARGETS_AT_ONCE = 5_000


@router.post(
    "/research-agents/{agent_id}/questions",
    summary="Ask one agent a question",
    response_model=AgentAskResponse,
    status_code=202,
    dependencies=[needs("studies:write", logs="direct_question.ask")],
    responses=documented(400, 401, 402, 403, 404),
)
def ask_agent(call: CallDep, agent_id: str, body: DirectAskIn) -> Response:
    """Queue the question to one agent, by id or UUID."""
    number, question = _agent(call, agent_id), asked_in(call, body)
    with call.state.database.begin() as connection:
        attached = attachments_of(connection, call, body.attachments)
        asked = ask_directly(
            connection, call.meter, [number], question, attachments=attached, engine=body.engine
        )
    call.state.queue.put(asked.item_ids)
    call.writing.about("direct_question", asked.question.id, 1)
    return encoded({"job_id": asked.job_ids[0], **_told(call, asked)}, 202)


@router.post(
    "/research-groups/{group_id}/questions",
    summary="Ask a group a question",
    response_model=GroupAskResponse,
    status_code=202,
    dependencies=[needs("studies:write", logs="direct_question.ask")],
    responses=documented(400, 401, 402, 403, 404, 409),
)
def ask_group(call: CallDep, group_id: str, body: DirectAskIn) -> Response:
    """Queue one job per current agent of the group, in group order."""
    question = asked_in(call, body)
    with call.state.database.begin() as connection:
        asked = _ask_group(connection, call, group_id, body, question)
    call.state.queue.put(asked.item_ids)
    call.writing.about("direct_question", asked.question.id, len(asked.job_ids))
    return encoded({"job_ids": asked.job_ids, **_told(call, asked)}, 202)


@router.post(
    "/research-groups/{group_id}:ask",
    summary="Ask a group a question, in one call",
    response_model=AskOnceResponse,
    status_code=202,
    dependencies=[needs("studies:write", logs="direct_question.ask")],
    responses=documented(400, 401, 402, 403, 404, 409),
)
async def ask_once(call: CallDep, group_id: str, body: AskOnceIn, key: IdempotencyKey) -> Response:
    """Ask a group once per idempotency key; read the answers from the direct-question record."""
    question = asked_in(call, body)

    def start(c: sa.Connection, operation_id: str) -> Started:
        asked = _ask_group(c, call, group_id, body, question, operation_id=operation_id)
        if not asked.job_ids or asked.usage is None:
            raise Conflict(
                "The group has no agents, so nobody can be asked; recruit some first.",
                details={"status": "empty"},
            )
        call.writing.about("direct_question", asked.question.id, len(asked.job_ids))
        fields = {"job_ids": asked.job_ids, **_named(call, asked.question)}
        place = f"/v1/direct-questions/{asked.question.id}"
        return Started(asked.job_ids[-1], place, [asked.usage], fields, asked.item_ids)

    return await accepted(call, "ask", key, start, wait_seconds=body.wait_seconds)


@router.get(
    "/direct-questions",
    summary="Direct questions of the organization, newest first",
    response_model=DirectQuestionList,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403),
)
def list_questions(
    call: CallDep,
    limit: Annotated[int, Query(ge=1, le=500, description="Records in one answer.")] = 50,
    offset: Annotated[int, Query(ge=0, lt=2**63, description="Records to skip.")] = 0,
    question_id: Annotated[
        str | None, Query(max_length=64, description="Only the question of this number or UUID.")
    ] = None,
) -> Response:
    """Return one page of saved records with their targets and answers so far."""
    with call.state.database.read() as connection:
        only = None if question_id is None else _number(connection, call, question_id)
        total, found = questions.list_direct(
            connection, call.organization, limit=limit, offset=offset, question_id=only
        )
    end = {"total": total, "limit": limit, "offset": offset}
    return StreamingResponse(_written(call, found, end), media_type=JSON)


@router.get(
    "/direct-questions/{question_id}",
    summary="The record of one direct question",
    response_model=DirectQuestion,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def read(call: CallDep, question_id: str) -> Response:
    """Return the record of a direct question by id or UUID."""
    with call.state.database.read() as connection:
        found = direct_questions.get(connection, call.organization, question_id)
    (record,) = direct_records(call.state, call.organization, call.root_url, [found])
    return encoded(record)


@router.post(
    "/direct-questions/{question_id}/share",
    summary="Enable or disable the share page of a direct question",
    response_model=ShareResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="direct_question.share")],
    responses=documented(400, 401, 403, 404),
)
def share(call: CallDep, question_id: str, body: ShareIn) -> Response:
    """Enable or disable the share link of the record."""
    with call.state.database.begin() as connection:
        found = direct_questions.get(connection, call.organization, question_id)
        state = direct_questions.share(connection, call.organization, found.id, body.enabled)
    action = f"direct_question.{'share' if body.enabled else 'unshare'}"
    call.writing.about("direct_question", found.id, action=action)
    return _share_answer(call, state)


@router.get(
    "/direct-questions/{question_id}/share",
    summary="Sharing state of a direct question",
    response_model=ShareResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def read_share(call: CallDep, question_id: str) -> Response:
    """Return the share state of the record."""
    with call.state.database.read() as connection:
        found = direct_questions.get(connection, call.organization, question_id)
        state = direct_questions.get_share(connection, call.organization, found.id)
    return _share_answer(call, state)


def asked_in(call: Call, body: DirectAskIn) -> Question:
    """Parse the question of a body with the engine that it names."""
    engine = call.state.engines.asked(body.engine)
    read = read_question(
        body.question,
        engine.reader,
        type=body.type,
        options=body.options,
        scale=body.scale.model_dump() if body.scale else None,
        shuffle_options=body.shuffle_options,
    )
    return call.state.noticed(read, engine)


def _ask_group(
    c: sa.Connection,
    call: Call,
    group_id: str,
    body: DirectAskIn,
    question: Question,
    *,
    operation_id: str | None = None,
) -> AskResult:
    group = groups.hold(c, call.organization, group_id)
    return ask_directly(
        c,
        call.meter,
        groups.member_ids(c, call.organization, group.id),
        question,
        group_id=group.id,
        attachments=attachments_of(c, call, body.attachments),
        engine=body.engine,
        operation_id=operation_id,
    )


def _agent(call: Call, reference: str) -> int:
    """Return the id of an agent given by id or UUID."""
    population = call.state.population
    named_by_number = reference.isascii() and reference.isdigit() and len(reference) <= 19
    number = int(reference) if named_by_number else population.id_of(reference)
    with call.state.database.read() as c:
        if number is None:
            number = people.id_of(c, call.organization, reference)
        if number is None or not known_agents(c, population, call.organization, [number]):
            raise missing("agent", reference)
    return number


def _written(call: Call, found: list[questions.AskedQuestion], end: dict[str, int]) -> Iterator[bytes]:
    """Stream a page of records, so that memory does not grow with the group sizes."""
    yield b'{"direct_questions":['
    for number, part in enumerate(_parts(found)):
        records = direct_records(call.state, call.organization, call.root_url, part)
        yield (b"," if number else b"") + bytes(encoded(records).body)[1:-1]
    yield b"]," + bytes(encoded(end).body)[1:]


def _parts(found: list[questions.AskedQuestion]) -> Iterator[list[questions.AskedQuestion]]:
    """Yield the questions in batches of about :data:`_TARGETS_AT_ONCE` agents."""
    part: list[questions.AskedQuestion] = []
    for question in found:
        part.append(question)
        if sum(one.asked_count + 1 for one in part) >= _TARGETS_AT_ONCE:
            yield part
            part = []
    if part:
        yield part


def _number(c: sa.Connection, call: Call, reference: str) -> int:
    """Return the id of a direct question, or an id that matches none."""
    try:
        return direct_questions.get(c, call.organization, reference).id
    except NotFound:
        return 0


def _named(call: Call, question: questions.AskedQuestion) -> dict[str, Any]:
    return {
        "question_id": question.id,
        "question_uuid": question.uuid,
        "question_url": question_url(question, call.root_url),
        "notice": question.notice,
    }


def _told(call: Call, asked: AskResult) -> dict[str, Any]:
    """Return the response fields of asking besides the jobs; the last job usually ends last."""
    waiting = bool(asked.job_ids)
    return {
        "status_url": f"/v1/jobs/{asked.job_ids[-1]}" if waiting else None,
        **_named(call, asked.question),
        "poll_after_s": call.state.poll_after(len(asked.job_ids)) if waiting else None,
    }


def _share_answer(call: Call, state: Share) -> Response:
    link = f"{call.root_url}/shared/{state.token}" if state.enabled else None
    return encoded({"enabled": state.enabled, "url": link, "share_link": link})
