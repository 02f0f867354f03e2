"""Theses: compose and recruit in one call, a light state for polling, and full detail."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Header, Query, Response

from voxpop.errors import InvalidRequest
from voxpop.records import questions, thesis
from voxpop.records.questions import AskedQuestion
from voxpop.records.thesis import Panel, Thesis
from voxpop.service.accepting import IdempotencyKey, Started, accepted
from voxpop.service.admission import run_in_threadpool
from voxpop.service.answering import encoded
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.requests import check_response
from voxpop.wire.thesis import (
    ThesisAccepted,
    ThesisDetail,
    ThesisIn,
    ThesisRespondIn,
    ThesisResponse,
    ThesisState,
)

router: APIRouter = APIRouter(tags=["thesis"], route_class=KeyedRoute)

_WORKING = ("composing", "recruiting", "asking")

Asked = dict[int, list[AskedQuestion]]
"""The questions of each asked panel, by panel id."""


@router.post(
    "/v1/thesis:compose-and-recruit",
    summary="Put a thesis to panels, in one call",
    response_model=ThesisAccepted,
    status_code=202,
    dependencies=[needs("studies:write", logs="thesis.create")],
    responses=documented(400, 401, 402, 403, 409),
)
async def compose_and_recruit(call: CallDep, body: ThesisIn, key: IdempotencyKey) -> Response:
    """Compose a thesis, plan its panels and reserve their answers; a job recruits, asks and concludes.

    When a panel ends, its delivered answers are committed and the rest is voided.
    """

    from voxpop.jobs import composing  # imported where used: rarely needed

    read_as, held = "", call.state
    if held.engine.restater is not None:
        asked = (held.database, held.engine.restater, call.organization, body.raw_input)
        read_as = await run_in_threadpool(composing.restated, *asked)

    def start(c: sa.Connection, operation_id: str) -> Started:
        made, reserved = composing.submit(
            c,
            call.meter,
            held.population,
            held.engine.composer,
            raw_input=body.raw_input,
            panel_size=body.panel_size,
            operation_id=operation_id,
            read_as=read_as,
        )
        call.writing.about("thesis", made.id, sum(event.quantity for event in reserved))
        place = f"/v1/thesis/{made.id}/state"
        planned = [_planned(panel) for panel in thesis.panels(c, made.id)]
        named = {"id": made.id, "uuid": made.uuid, "state_url": place}
        notice = call.state.unread(body.raw_input, "thesis")
        fields = {"thesis": named, "planned_panels": planned, "notice": notice}
        return Started(made.job_id, place, usage=reserved, fields=fields)

    return await accepted(call, "thesis", key, start, wait_seconds=body.wait_seconds)


@router.get(
    "/v1/thesis/{thesis_id}/state",
    summary="The state of a thesis, for polling",
    response_model=ThesisState,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404)
    | {304: {"description": "Nothing has changed since the state with this ETag."}},
)
def state(
    call: CallDep,
    thesis_id: str,
    if_none_match: Annotated[
        str | None, Header(description="The ETag of the state that is known; an equal one gives 304.")
    ] = None,
) -> Response:
    """Return the light state with a strong ``ETag``; 304 while nothing has changed."""
    with call.state.database.read() as connection:
        found = thesis.get(connection, call.organization, thesis_id)
        panels = thesis.panels(connection, found.id)
        asked = _asked(connection, call.organization, panels)
    answer = encoded(_state(call, found, panels, asked))
    tag = f'"{hashlib.sha256(bytes(answer.body)).hexdigest()[:32]}"'
    if _matches(if_none_match, tag):
        answer = Response(status_code=304)
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


@router.get(
    "/v1/thesis/{thesis_id}",
    summary="One thesis",
    response_model=ThesisDetail,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403, 404),
)
def read(
    call: CallDep,
    thesis_id: str,
    include: Annotated[
        str | None,
        Query(description="full gives all the detail, also where the service gives the state by default."),
    ] = None,
) -> Response:
    """Return a thesis in full, or its state if the service defaults to the lightweight form."""
    if include not in (None, "full"):
        raise InvalidRequest(
            f"include {str(include)[:80]!r} is unknown; allowed: full.",
            code="invalid_include",
            details={"fields": {"include": ["allowed: full"]}},
        )
    light = include is None and call.state.settings.thesis_lightweight
    return _answer(call, thesis_id, light=light)


@router.get(
    "/v1/thesis/{thesis_id}/detail",
    summary="One thesis with all its detail",
    response_model=ThesisDetail,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def detail(call: CallDep, thesis_id: str) -> Response:
    """Return a thesis with composition, panel questions and verdict."""
    return _answer(call, thesis_id, light=False)


@router.post(
    "/v1/thesis/{thesis_id}/respond",
    summary="Answer a thesis's question or decide its review",
    response_model=ThesisResponse,
    status_code=202,
    dependencies=[needs("studies:write", logs="thesis.respond")],
    responses=documented(400, 401, 402, 403, 404, 409)
    | {200: {"model": ThesisResponse, "description": "The thesis was declined, which ends it."}},
)
def respond(call: CallDep, thesis_id: str, body: ThesisRespondIn) -> Response:
    """Respond to a waiting thesis, which then continues."""
    from voxpop.jobs import composing

    check_response(body)
    held = call.state
    rooms = (held.database, held.queue, held.population, call.meter, thesis_id)
    if body.answer is not None:
        made = composing.answer(
            *rooms, body.answer, composer=held.engine.composer, restater=held.engine.restater
        )
    elif body.approve:
        made = composing.approve(*rooms, body.group_size, composer=held.engine.composer)
    else:
        made = composing.decline(held.database, call.organization, thesis_id)
    with held.database.read() as connection:
        panels = thesis.panels(connection, made.id)
        asked = _asked(connection, call.organization, panels)
    call.writing.about("thesis", made.id)
    shape = {"thesis": _state(call, made, panels, asked), "job_id": made.job_id}
    return encoded(shape, 200 if body.approve is False else 202)


def _answer(call: Call, thesis_id: str, *, light: bool) -> Response:
    with call.state.database.read() as connection:
        found = thesis.get(connection, call.organization, thesis_id)
        panels = thesis.panels(connection, found.id)
        asked = _asked(connection, call.organization, panels)
    shape = _state(call, found, panels, asked)
    notice = {"notice": call.state.unread(found.raw_input, "thesis")}
    return encoded(shape if light else shape | notice | _detail(found, panels, asked))


def _asked(c: sa.Connection, organization_id: int, panels: list[Panel]) -> Asked:
    return {
        panel.id: questions.list_(c, organization_id, panel.study_id)
        for panel in panels
        if panel.study_id is not None
    }


def _state(call: Call, found: Thesis, panels: list[Panel], asked: Asked) -> dict[str, Any]:
    every = [question for each in asked.values() for question in each]
    planned = sum(_size(panel) * len(panel.plan["questions"]) for panel in panels if panel.id not in asked)
    done = sum(question.answer_count + question.failed_count for question in every)
    total = planned + sum(question.asked_count for question in every)
    return {
        "thesis_id": found.id,
        "status": found.status,
        "phase": found.phase,
        "progress": {"done": done, "total": total},
        "progress_message": found.progress_message,
        "panels": [_panel_state(panel, asked) for panel in panels],
        "updated_at": found.updated_at,
        "poll_after_s": call.state.poll_after(total - done) if found.status in _WORKING else None,
    }


def _panel_state(panel: Panel, asked: Asked) -> dict[str, Any]:
    given = asked.get(panel.id)
    return {
        "id": panel.id,
        "kind": panel.kind,
        "status": panel.status,
        "agent_count": given[0].asked_count if given else _size(panel),
        "headline": panel.headline,
    }


def _detail(found: Thesis, panels: list[Panel], asked: Asked) -> dict[str, Any]:
    kept = found.composition or {"subjects": [], "secondary_drivers": []}
    names = ("uuid", "raw_input", "panel_size", "clarification", "review", "refusal", "verdict")
    return {
        **{name: getattr(found, name) for name in names},
        **{name: kept.get(name) for name in ("subjects", "stance", "primary_driver")},
        **{name: kept.get(name) for name in ("secondary_drivers", "falsifiable_claim", "read_as")},
        "panels": [_panel_state(panel, asked) | _panel_detail(panel, asked) for panel in panels],
        "operation_id": found.operation_id,
        "job_id": found.job_id,
        "created_at": found.created_at,
    }


def _panel_detail(panel: Panel, asked: Asked) -> dict[str, Any]:
    given = asked.get(panel.id)
    if given is None:
        shapes = [_planned_question(question) for question in panel.plan["questions"]]
    else:
        shapes = [_asked_question(question) for question in given]
    return {
        "audience": panel.plan["audience_text"],
        "filters": panel.plan["filters"],
        "group_id": panel.group_id,
        "study_id": panel.study_id,
        "questions": shapes,
    }


def _planned_question(planned: dict[str, Any]) -> dict[str, Any]:
    shape = {name: planned[name] for name in ("key", "type", "scale")}
    return shape | {"question": planned["text"], "options": planned["options"] or None}


def _asked_question(question: AskedQuestion) -> dict[str, Any]:
    return {
        "key": question.key,
        "question": question.text,
        "type": question.type,
        "options": list(question.options) or None,
        "scale": question.scale,
        "question_id": question.id,
        "asked_count": question.asked_count,
        "answer_count": question.answer_count,
        "failed_count": question.failed_count,
    }


def _planned(panel: Panel) -> dict[str, Any]:
    return {
        "id": panel.id,
        "kind": panel.kind,
        "audience": panel.plan["audience_text"],
        "size": _size(panel),
        "questions": len(panel.plan["questions"]),
    }


def _size(panel: Panel) -> int:
    return int(panel.plan["size"])


def _matches(header: str | None, tag: str) -> bool:
    """Return whether an If-None-Match header contains this tag."""
    named = [part.strip().removeprefix("W/") for part in (header or "").split(",")]
    return tag in named or "*" in named
