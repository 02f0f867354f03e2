"""Study requests: one call recruits, asks and completes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter, Response

from voxpop.engines.engine import Engine
from voxpop.engines.question import Question
from voxpop.engines.question_fields import read_question
from voxpop.engines.several import Engines
from voxpop.errors import InvalidRequest
from voxpop.jobs import requesting
from voxpop.records import groups, requests, studies, study_requests
from voxpop.records.operations import Operation
from voxpop.records.study_requests import StudyRequest
from voxpop.service.accepting import IdempotencyKey, Started, accepted
from voxpop.service.answering import encoded
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.groups import group_shape
from voxpop.service.requests import WORKING, check_response
from voxpop.service.studies import study_shape
from voxpop.wire.requests import RespondIn
from voxpop.wire.study_requests import (
    PLANNED_QUESTIONS,
    StudyQuestionIn,
    StudyRequestAccepted,
    StudyRequestIn,
    StudyRequestResponse,
)

router: APIRouter = APIRouter(
    prefix="/v1/research-study-requests", tags=["study requests"], route_class=KeyedRoute
)

_WAITING = ("clarification", "review", "refusal")


@router.post(
    "",
    summary="Ask for a whole study in one call",
    response_model=StudyRequestAccepted,
    status_code=202,
    dependencies=[needs("studies:write", logs="study_request.create")],
    responses=documented(400, 401, 402, 403, 409),
)
async def create(call: CallDep, body: StudyRequestIn, key: IdempotencyKey) -> Response:
    """Recruit, create a study, ask in order and complete it; usage is reserved, then settled.

    Without ``questions``, they are drafted from the objective or else from the text.
    """
    asked = [
        call.state.noticed(question, engine) for question, engine in _questions(body, call.state.engines)
    ]
    if body.questions is None and (told := call.state.unread(*_drafted_from(body))) is not None:
        asked = [replace(question, notice=told) for question in asked]

    def start(c: sa.Connection, operation_id: str) -> Started:
        made, event = requesting.request_study(
            c,
            call.meter,
            text=body.request_text,
            group_size=body.group_size,
            title=body.title,
            objective=body.objective,
            questions=asked,
            engines=[each.engine for each in body.questions or ()],
            operation_id=operation_id,
        )
        call.writing.about("study_request", made.id, body.group_size)
        place = f"/v1/research-study-requests/{made.id}"
        return Started(made.job_id, place, usage=[event], fields=_fields(call, c, made))

    def now(operation: Operation) -> Mapping[str, Any]:
        with call.state.database.read() as c:
            number = operation.answer["request"]["id"]
            return _fields(call, c, study_requests.get(c, call.organization, number))

    return await accepted(call, "study_request", key, start, wait_seconds=body.wait_seconds, now=now)


@router.get(
    "/{request_id}",
    summary="One study request",
    response_model=StudyRequestResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def read(call: CallDep, request_id: str) -> Response:
    """Return a study request, with its group and study once they exist."""
    return _answer(call, request_id, 200)


@router.post(
    "/{request_id}/respond",
    summary="Answer a study request's question or decide its review",
    response_model=StudyRequestResponse,
    status_code=202,
    dependencies=[needs("studies:write", logs="study_request.respond")],
    responses=documented(400, 401, 402, 403, 404, 409)
    | {200: {"model": StudyRequestResponse, "description": "The request was declined, which ends it."}},
)
def respond(call: CallDep, request_id: str, body: RespondIn) -> Response:
    """Respond to a waiting study request, which then continues."""
    check_response(body)
    call.writing.about("study_request", request_id)
    database, queue, whose = call.state.database, call.state.queue, call.organization
    with database.read() as connection:
        audience = study_requests.get(connection, whose, request_id).group_request_id
    if body.answer is not None:
        requesting.answer(database, queue, whose, audience, body.answer)
    elif body.approve:
        requesting.approve(database, queue, whose, audience, body.group_size, meter=call.meter)
    else:
        requesting.decline(database, whose, audience)
    return _answer(call, request_id, 200 if body.approve is False else 202)


def _questions(body: StudyRequestIn, engines: Engines) -> list[tuple[Question, Engine]]:
    """Parse the questions of a request, or draft them; each with the engine that it asks for."""
    if body.questions is None:
        drafted = engines.default.guide.study_questions(_drafted_from(body)[0], PLANNED_QUESTIONS)
        return [(question, engines.default) for question in drafted]
    asked: list[tuple[Question, Engine]] = []
    problems: dict[str, list[str]] = {}
    for number, each in enumerate(body.questions):
        try:
            engine = engines.asked(each.engine)
            asked.append((_question(each, engine), engine))
        except InvalidRequest as error:
            named = error.details.get("fields", {"question": [error.message]})
            problems |= {f"questions.{number}.{name}": texts for name, texts in named.items()}
    counted = Counter(question.key for question, _ in asked if question.key is not None)
    twice = [key for key, count in counted.items() if count > 1]
    if twice:
        problems["questions"] = [f"{twice[0]!r} is the key of more than one question; choose others"]
    if problems:
        told = "; ".join(f"{name}: {texts[0].rstrip('.')}" for name, texts in problems.items())
        raise InvalidRequest(f"The call cannot be used: {told}.", details={"fields": problems})
    return asked


def _drafted_from(body: StudyRequestIn) -> tuple[str, str]:
    """Return the text that questions are drafted from, and its kind."""
    return (body.request_text, "request") if body.objective is None else (body.objective, "objective")


def _question(given: StudyQuestionIn, engine: Engine) -> Question:
    return read_question(
        given.question,
        engine.reader,
        type=given.type,
        options=given.options,
        scale=given.scale.model_dump() if given.scale else None,
        shuffle_options=given.shuffle_options,
        key=given.key,
    )


def _answer(call: Call, request_id: str, status: int) -> Response:
    with call.state.database.read() as connection:
        found = study_requests.get(connection, call.organization, request_id)
        fields = _fields(call, connection, found)
    hint = call.state.poll_after(1) if fields["request"]["status"] in WORKING else None
    return encoded(fields | {"job_id": found.job_id, "poll_after_s": hint}, status)


def _notice(request: StudyRequest) -> str | None:
    """Return what to know of a request's questions, each thing once."""
    told = [each["notice"] for each in request.questions if each.get("notice")]
    return " ".join(dict.fromkeys(told)) or None


def _fields(call: Call, c: sa.Connection, request: StudyRequest) -> dict[str, Any]:
    """Return a study request in its wire form."""
    audience = requests.get(c, call.organization, request.group_request_id)
    shape: dict[str, Any] = {
        "id": request.id,
        "status": request.status,
        "phase": request.phase,
        "progress_message": request.progress_message,
        "notice": _notice(request),
        "group_request_id": audience.id,
        "created_at": request.created_at,
        "updated_at": request.updated_at,
    }
    shape |= {name: getattr(audience, name) for name in _WAITING}
    if request.phase == "recruiting" and request.status == "running":
        shape["progress_message"] = audience.progress_message
    fields: dict[str, Any] = {"request": shape}
    if audience.group_id is not None:
        group = groups.get(c, call.organization, audience.group_id)
        fields["group"] = group_shape(group, call.root_url)
    if request.study_id is not None:
        study = studies.get(c, call.organization, request.study_id)
        fields["study"] = study_shape(study, call.root_url)
    return fields
