"""Recruitment requests: an audience in plain words becomes a group or needs a response."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Response

from voxpop.errors import InvalidRequest
from voxpop.jobs import group_draws, requesting
from voxpop.population.file import Population
from voxpop.records import groups, requests
from voxpop.records.requests import GroupRequest
from voxpop.service.admission import run_in_threadpool
from voxpop.service.answering import encoded
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.filtering import unknown_in
from voxpop.service.groups import group_shape, member_shapes
from voxpop.service.holding import MOST_SECONDS, held
from voxpop.service.writing import REPLAYED
from voxpop.vocabulary.parse import parse
from voxpop.wire.requests import RequestIn, RequestResponse, RespondIn
from voxpop.wire.thesis import ThesisRespondIn

router: APIRouter = APIRouter(prefix="/v1/research-group-requests", tags=["requests"], route_class=KeyedRoute)

WORKING = ("queued", "running")
"""States in which the service continues by itself."""

_SHOWN = (
    "id",
    "status",
    "phase",
    "progress_message",
    "request_text",
    "group_size",
    "filters",
    "screening",
    "understood",
    "clarification",
    "review",
    "refusal",
    "created_at",
    "updated_at",
)


@router.post(
    "",
    summary="Ask for a group in plain words",
    response_model=RequestResponse,
    status_code=202,
    dependencies=[needs("studies:write", logs="request.create")],
    responses=documented(400, 401, 403)
    | {201: {"model": RequestResponse, "description": "The request ended while the call was held (sync)."}},
)
async def create(call: CallDep, body: RequestIn) -> Response:
    """Queue a request; with ``response_mode: sync``, answer once it has ended or needs a response.

    Repeating the call with the same ``Idempotency-Key`` and ``sync`` waits again.
    """
    queued = await run_in_threadpool(call.writing.carry_out, lambda: _queued(call, body))
    if body.response_mode != "sync":
        return queued
    made = await run_in_threadpool(_read, call, json.loads(bytes(queued.body))["request"]["id"])
    request = await _ended(call, made)
    # If it did not end in time, answer as in async mode, so that the client starts to poll.
    if request.status in WORKING:
        return queued
    ended = await run_in_threadpool(_answer, call, request, 201)
    if REPLAYED in queued.headers:
        ended.headers[REPLAYED] = queued.headers[REPLAYED]
    return ended


@router.get(
    "/{request_id}",
    summary="One recruitment request",
    response_model=RequestResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def read(call: CallDep, request_id: str) -> Response:
    """Return a request, and once completed its group and agents."""
    return _answer(call, _read(call, request_id), 200)


@router.post(
    "/{request_id}/respond",
    summary="Answer a request's question or decide its review",
    response_model=RequestResponse,
    status_code=202,
    dependencies=[needs("studies:write", logs="request.respond")],
    responses=documented(400, 401, 403, 404, 409)
    | {200: {"model": RequestResponse, "description": "The request was declined, which ends it."}},
)
def respond(call: CallDep, request_id: str, body: RespondIn) -> Response:
    """Respond to a waiting request, which then continues."""
    check_response(body)
    call.writing.about("request", request_id)
    database, queue, whose = call.state.database, call.state.queue, call.organization
    if body.answer is not None:
        return _answer(call, requesting.answer(database, queue, whose, request_id, body.answer), 202)
    if body.approve:
        approved = requesting.approve(database, queue, whose, request_id, body.group_size, meter=call.meter)
        return _answer(call, approved, 202)
    return _answer(call, requesting.decline(database, whose, request_id), 200)


def _queued(call: Call, body: RequestIn) -> Response:
    """Store the request and return the async response."""
    state = call.state
    made = requesting.request_group(
        state.database,
        state.queue,
        call.organization,
        body.request_text,
        body.group_size,
        sampling=_sampling(call, body),
    )
    call.writing.about("request", made.id, body.group_size)
    return _answer(call, made, 202)


def _sampling(call: Call, body: RequestIn) -> dict[str, Any] | None:
    """Check quotas, boosts and exclusions, and return them as stored; None without any."""
    if body.quotas is None and body.boosts is None and not body.exclude_group_ids:
        return None
    group_draws.design_of(body.quotas, body.boosts, body.group_size)
    with call.state.database.read() as connection:
        numbers, _ = group_draws.excluded(connection, call.organization, body.exclude_group_ids)
    return {"quotas": body.quotas, "boosts": body.boosts, "excluded": numbers}


def request_shape(request: GroupRequest, population: Population) -> dict[str, Any]:
    """Return a request in its wire form, with unknown filter values listed."""
    shape = {name: getattr(request, name) for name in _SHOWN}
    return shape | unknown_in(population, parse(request.filters)) if request.filters else shape


def _answer(call: Call, request: GroupRequest, status: int) -> Response:
    working = request.status in WORKING
    answer: dict[str, Any] = {
        "request": request_shape(request, call.state.population),
        "job_id": request.job_id,
    }
    if working:
        answer["poll_after_s"] = call.state.poll_after(request.group_size)
    if request.group_id is not None:
        with call.state.database.read() as connection:
            group = groups.get(connection, call.organization, request.group_id)
            members = groups.members(connection, call.organization, group.id)
        agent_ids = [member.agent_id for member in members]
        answer["members"] = member_shapes(members)
        answer["group"] = group_shape(group, call.root_url)
        answer["recruited_agents"] = call.state.population.agents(agent_ids)
    return encoded(answer, status)


def _read(call: Call, request_id: str) -> GroupRequest:
    with call.state.database.read() as connection:
        return requests.get(connection, call.organization, request_id)


async def _ended(call: Call, request: GroupRequest) -> GroupRequest:
    """Wait up to a minute until a request has ended or needs a response."""
    return await held(
        call,
        request,
        lambda: _read(call, request.id),
        working=lambda seen: seen.status in WORKING,
        seconds=MOST_SECONDS,
    )


def check_response(body: RespondIn | ThesisRespondIn) -> None:
    """Refuse a response with both or neither of answer and approval."""
    problems: dict[str, list[str]] = {}
    if (body.answer is None) == (body.approve is None):
        problems["answer"] = problems["approve"] = ["send either answer or approve"]
    elif body.group_size is not None and not body.approve:
        problems["group_size"] = ["goes with approve: true only"]
    if problems:
        told = "; ".join(f"{name}: {texts[0]}" for name, texts in problems.items())
        raise InvalidRequest(f"The call cannot be used: {told}.", details={"fields": problems})
