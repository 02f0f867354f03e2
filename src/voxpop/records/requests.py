"""Recruitment requests: text, state, and pending clarification or review."""

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
    """A stored recruitment request; read the candidates kept so far with :func:`kept`.

    Attributes
    ----------
    status, phase, progress_message : str
        State. ``phase`` is where the next job resumes.
    filters, screening : dict or list
        Interpretation of the text; None and empty until it is planned.
    understood : list of dict or None
        What each span of the text was understood as.
    clarification, review, refusal : dict or None
        What it waits for, or why it ended.
    answers : list of [question, answer]
        Clarifications so far, oldest first.
    seed : int or None
        Seed of the draw; set at the first run.
    screened : int or None
        Number of candidates asked; None before screening starts.
    group_id : int or None
        The group, once completed.
    job_id : str
        Its current or last job.
    sampling : dict or None
        ``quotas``, ``boosts`` and ``excluded`` groups, if any were given.
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
    understood: list[dict[str, Any]] | None
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
    sampling: dict[str, Any] | None = None


_COLUMNS = [table.c[name] for name in GroupRequest.__dataclass_fields__]
_BY_ID = sa.select(*_COLUMNS).where(
    table.c.id == sa.bindparam("request"), table.c.organization_id == sa.bindparam("organization")
)


def create(
    c: sa.Connection,
    organization_id: int,
    *,
    text: str,
    group_size: int,
    progress_message: str,
    operation_id: str | None = None,
    job_id: str | None = None,
    sampling: dict[str, Any] | None = None,
) -> GroupRequest:
    """Store a queued request with its job.

    Parameters
    ----------
    c, organization_id
        A write connection, and the organization.
    text, group_size, progress_message
        The text, the group size, and the first progress message.
    operation_id
        The operation of its job.
    job_id
        An existing job to use instead of a new one.
    sampling
        Quotas, boosts and excluded groups.
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
            sampling=sampling,
            job_id=job_id or _new_job(c, organization_id, request_id, group_size, operation_id),
            created_at=moment,
            updated_at=moment,
        )
    )
    return get(c, organization_id, request_id)


def get(c: sa.Connection, organization_id: int, request_id: str) -> GroupRequest:
    """Return one request; :class:`NotFound` when this organization has none of this id."""
    row = c.execute(_BY_ID, {"request": request_id, "organization": organization_id}).first()
    if row is None:
        raise missing(_NOUN, request_id)
    return GroupRequest(*row)


def kept(c: sa.Connection, organization_id: int, request_id: str) -> list[int]:
    """Return the candidates that passed the screening so far, in the order they were asked."""
    return list(c.execute(sa.select(table.c.kept).where(_is(organization_id, request_id))).scalar_one())


def change(c: sa.Connection, request: GroupRequest, **changes: Any) -> GroupRequest:
    """Update a request, including ``kept`` and ``screened``; only the holder of its work item may."""
    c.execute(table.update().where(table.c.id == request.id).values(changes | {"updated_at": now(c)}))
    return get(c, request.organization_id, request.id)


def leave(c: sa.Connection, request: GroupRequest, expected: str, /, **changes: Any) -> GroupRequest:
    """Change the state of a request from ``expected``; of two concurrent responses one wins.

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
    """Create another job that continues a request, in the same operation."""
    operation_id = jobs.get(c, request.organization_id, request.job_id).operation_id
    job_id = _new_job(c, request.organization_id, request.id, request.group_size, operation_id)
    return change(c, request, job_id=job_id)


def _is(organization_id: int, request_id: str) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.id == request_id, table.c.organization_id == organization_id)


def new_id(prefix: str, moment: datetime) -> str:
    """Return a new request id; ids sort by time and cannot be guessed."""
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
