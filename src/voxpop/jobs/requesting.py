"""Actions of a caller on requests for groups and studies: create, answer, and decide the review."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import sqlalchemy as sa

from voxpop.engines.question import Question
from voxpop.errors import InvalidRequest
from voxpop.jobs.conducting import as_stored
from voxpop.jobs.queue import JobQueue
from voxpop.records import jobs, requests, study_requests, usage, work_items
from voxpop.records.database import Database, now
from voxpop.records.requests import GroupRequest
from voxpop.records.study_requests import StudyRequest
from voxpop.records.usage import Meter, UsageEvent


def request_group(
    database: Database,
    queue: JobQueue,
    organization_id: int,
    text: str,
    group_size: int,
    *,
    sampling: dict[str, Any] | None = None,
) -> GroupRequest:
    """Store a request for a group and start the work."""
    with database.begin() as c:
        request = requests.create(
            c,
            organization_id,
            text=text,
            group_size=group_size,
            progress_message="Waiting to be processed.",
            sampling=sampling,
        )
        items = work_items.of_job(c, request.job_id)
    queue.put(items)
    return request


def answer(
    database: Database, queue: JobQueue, organization_id: int, request_id: str, words: str
) -> GroupRequest:
    """Answer the question about a request, which is then read again with the answer.

    Raises
    ------
    NotFound
        The request does not exist.
    Conflict
        The request has no open question (``details.status``).
    """
    with database.begin() as c:
        request = requests.get(c, organization_id, request_id)
        asked = (request.clarification or {}).get("question", "")
        request = requests.leave(
            c,
            request,
            "needs_clarification",
            status="running",
            phase="reading",
            progress_message="Reading the request again with your answer.",
            clarification=None,
            answers=[*request.answers, [asked, words]],
        )
        request = _go_on(c, request)
        items = work_items.of_job(c, request.job_id)
    queue.put(items)
    return request


def approve(
    database: Database,
    queue: JobQueue,
    organization_id: int,
    request_id: str,
    group_size: int | None = None,
    *,
    meter: Meter | None = None,
) -> GroupRequest:
    """Approve a request that awaits review, to continue with the available agents.

    Parameters
    ----------
    database, queue
        The database and the queue.
    organization_id, request_id
        The organization and the request.
    group_size
        New number of agents; unchanged by default.
    meter
        Reserves further answers against the quota if the request belongs to a study request and more agents
        are wanted.

    Raises
    ------
    NotFound
        The request does not exist.
    Conflict
        The request does not await review (``details.status``).
    InvalidRequest
        The number of agents is not the sum of the quotas.
    """
    with database.begin() as c:
        request = requests.get(c, organization_id, request_id)
        _check_quotas(request, group_size)
        more = (group_size or request.group_size) - request.group_size
        wrapped = study_requests.of_group_request(c, request_id)
        if wrapped is not None and meter is not None and more > 0:
            usage.enlarge(c, meter, wrapped.usage_event_id, more * len(wrapped.questions))
        request = requests.leave(
            c,
            request,
            "awaiting_review",
            status="running",
            # A review before screening starts the screening; a review after it creates the group.
            phase="screening" if request.screened is None else "recruiting",
            progress_message="Approved; continuing.",
            review=None,
            group_size=group_size or request.group_size,
        )
        request = _go_on(c, request)
        items = work_items.of_job(c, request.job_id)
    queue.put(items)
    return request


def decline(database: Database, organization_id: int, request_id: str) -> GroupRequest:
    """Decline a request that awaits review; no group is created.

    Raises
    ------
    NotFound
        The request does not exist.
    Conflict
        The request does not await review (``details.status``).
    """
    with database.begin() as c:
        declined = requests.leave(
            c,
            requests.get(c, organization_id, request_id),
            "awaiting_review",
            status="refused",
            phase="done",
            progress_message="Declined at the review.",
            review=None,
            refusal={
                "reason": "The request was declined at its review.",
                "hint": "Make a new request with another audience or another group size.",
            },
        )
        jobs.revise(c, declined.job_id, status="refused")  # so that its operation ends
        wrapped = study_requests.of_group_request(c, request_id)
        if wrapped is not None:
            usage.settle(c, wrapped.usage_event_id, 0)
            told = declined.progress_message
            study_requests.change(c, wrapped, status="refused", phase="done", progress_message=told)
        return declined


def request_study(
    c: sa.Connection,
    meter: Meter,
    *,
    text: str,
    group_size: int,
    title: str | None,
    objective: str | None,
    questions: Sequence[Question],
    engines: Sequence[str | None] = (),
    operation_id: str,
) -> tuple[StudyRequest, UsageEvent]:
    """Store a request for a whole study with the one job that runs it, and reserve its answers.

    Parameters
    ----------
    c, meter
        A write connection, and the meter that reserves the answers against the quota.
    text, group_size
        The audience and the number of agents.
    title, objective, questions
        The study.
    engines
        The engine that each question asks for; empty for the default one.
    operation_id
        The operation of the request.

    Raises
    ------
    QuotaExceeded
        The answers exceed the rest of the monthly quota.
    """
    whose = meter.organization_id
    event = usage.reserve(c, meter, group_size * len(questions), operation_id=operation_id)
    request_id = requests.new_id("rsr", now(c))
    job_id = study_requests.new_job(c, whose, request_id, total=group_size, operation_id=operation_id)
    audience = requests.create(
        c,
        whose,
        text=text,
        group_size=group_size,
        progress_message="Waiting to be processed.",
        job_id=job_id,
    )
    made = study_requests.create(
        c,
        audience,
        request_id,
        title=title,
        objective=objective,
        questions=[as_stored(question, engine) for question, engine in zip_longest(questions, engines)],
        operation_id=operation_id,
        usage_event_id=event.id,
    )
    return made, event


def _check_quotas(request: GroupRequest, group_size: int | None) -> None:
    """Refuse another number of agents than the quotas have as sum."""
    quotas = (request.sampling or {}).get("quotas")
    total = sum(cell["size"] for cell in quotas) if isinstance(quotas, list) else group_size
    if group_size is not None and group_size != total:
        told = f"must be {total:,}, the sum of the quotas; leave it out to go on with the agents there are"
        raise InvalidRequest(f"group_size {told}.", details={"fields": {"group_size": [told]}})


def _go_on(c: sa.Connection, request: GroupRequest) -> GroupRequest:
    """Give a new job to a request, or to the study request to which it belongs."""
    wrapped = study_requests.of_group_request(c, request.id)
    if wrapped is None:
        return requests.requeue(c, request)
    job_id = study_requests.new_job(
        c,
        request.organization_id,
        wrapped.id,
        total=request.group_size,
        operation_id=wrapped.operation_id,
    )
    study_requests.change(c, wrapped, status="running", job_id=job_id)
    return requests.change(c, request, job_id=job_id)
