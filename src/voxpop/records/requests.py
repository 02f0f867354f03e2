"""Recruitment requests: what was asked for, how far it is, and what it waits for."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from voxpop.errors import Conflict
from voxpop.records import jobs
from voxpop.records.database import now
from voxpop.records.references import missing
from voxpop.records.schema import research_group_requests as table

RECRUITING = "recruiting"
"""The kind of the jobs that work on requests; their ``detail`` holds the ``request_id``."""

_NOUN = "recruitment request"


@dataclass(frozen=True, slots=True)
class GroupRequest:
    """A recruitment request as it is stored; the candidates kept so far are read with :func:`kept`.

    Attributes
    ----------
    status, phase, progress_message : str
        How far it is. ``phase`` is where its next job begins.
    filters, screening : dict or list
        What the text was understood as; None and empty until it was read.
    clarification, review, refusal : dict or None
        What it waits for, or why it ended.
    answers : list of [question, answer]
        Clarifications so far, oldest first.
    seed : int or None
        The seed of the draw; set when it is first run.
    screened : int or None
        How many candidates were asked; None before screening began.
    group_id : int or None
        The group, once completed.
    job_id : str
        The job that works on it, or did last.
    """

    id: str
    organization_id: int
    status: str
    phase: str
    progress_message: str
    request_text: str
    group_size: int
    filters: dict[str, Any] | None
    screening: list[dict[str, Any]]
    clarification: dict[str, Any] | None
    review: dict[str, Any] | None
    refusal: dict[str, Any] | None
    answers: list[list[str]]
    seed: int | None
    screened: int | None
    group_id: int | None
    job_id: str
    created_at: datetime
    updated_at: datetime


_COLUMNS = [table.c[name] for name in GroupRequest.__dataclass_fields__]


def create(
    c: sa.Connection,
    organization_id: int,
    *,
    text: str,
    group_size: int,
    progress_message: str,
    operation_id: str | None = None,
    job_id: str | None = None,
) -> GroupRequest:
    """Store a request that is queued, with the job that will work on it.

    Parameters
    ----------
    c, organization_id
        A connection that writes, and whose request.
    text, group_size, progress_message
        What is asked for, and how far it is.
    operation_id
        The operation that its job is a part of.
    job_id
        A job that works on it among other things, instead of one of its own.
    """
    moment = now(c)
    request_id = new_id("rgr", moment)
    c.execute(
        table.insert().values(
            id=request_id,
            organization_id=organization_id,
            status="queued",
            phase="waiting",
            progress_message=progress_message,
            request_text=text,
            group_size=group_size,
            screening=[],
            answers=[],
            kept=[],
            job_id=job_id or _new_job(c, organization_id, request_id, group_size, operation_id),
            created_at=moment,
            updated_at=moment,
        )
    )
    return get(c, organization_id, request_id)


def get(c: sa.Connection, organization_id: int, request_id: str) -> GroupRequest:
    """Return one request; :class:`NotFound` when this organization has none of this id."""
    row = c.execute(sa.select(*_COLUMNS).where(_is(organization_id, request_id))).first()
    if row is None:
        raise missing(_NOUN, request_id)
    return GroupRequest(*row)


def kept(c: sa.Connection, organization_id: int, request_id: str) -> list[int]:
    """Return the candidates that passed the screening so far, in the order they were asked."""
    return list(c.execute(sa.select(table.c.kept).where(_is(organization_id, request_id))).scalar_one())


def change(c: sa.Connection, request: GroupRequest, **changes: Any) -> GroupRequest:
    """Give a request new values, ``kept`` and ``screened`` too; only the holder of its work item does."""
    c.execute(table.update().where(table.c.id == request.id).values(changes | {"updated_at": now(c)}))
    return get(c, request.organization_id, request.id)


def leave(c: sa.Connection, request: GroupRequest, expected: str, /, **changes: Any) -> GroupRequest:
    """Move a request on from ``expected`` by a caller's response; of two responses at once one wins.

    Raises
    ------
    Conflict
        It is in another state (``details.status``).
    """
    left = c.execute(
        table.update()
        .where(_is(request.organization_id, request.id), table.c.status == expected)
        .values(changes | {"updated_at": now(c)})
    ).rowcount
    found = get(c, request.organization_id, request.id)
    if not left:
        raise Conflict(_told(found, expected), details={"status": found.status})
    return found


def requeue(c: sa.Connection, request: GroupRequest) -> GroupRequest:
    """Give a request another job to go on with, of the same operation as the last one."""
    operation_id = jobs.get(c, request.organization_id, request.job_id).operation_id
    job_id = _new_job(c, request.organization_id, request.id, request.group_size, operation_id)
    return change(c, request, job_id=job_id)


def _is(organization_id: int, request_id: str) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.id == request_id, table.c.organization_id == organization_id)


def new_id(prefix: str, moment: datetime) -> str:
    """Draw the id of a request: later ones sort behind earlier ones, and none can be guessed."""
    return f"{prefix}_{int(moment.timestamp() * 100):010x}{secrets.token_hex(8)}"


def _new_job(
    c: sa.Connection, organization_id: int, request_id: str, total: int, operation_id: str | None
) -> str:
    detail = {"request_id": request_id}
    return jobs.create_job(
        c, organization_id, RECRUITING, operation_id=operation_id, detail=detail, total=total
    )[0]


def _told(request: GroupRequest, wanted: str) -> str:
    takes = {"needs_clarification": "an answer", "awaiting_review": "an approval"}
    now_takes = takes.get(request.status)
    said = f"Request {request.id} is {request.status} and takes no response"
    if now_takes is not None:
        said = f"Request {request.id} is {request.status}: it takes {now_takes}, not {takes[wanted]}"
    return f"{said}."
