"""Study requests: a whole study requested in one call, and its state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from voxpop.records import jobs
from voxpop.records.database import now
from voxpop.records.references import missing
from voxpop.records.requests import GroupRequest
from voxpop.records.schema import research_study_requests as table

CONDUCTING = "study_request"
"""Job kind of study requests; ``detail`` contains the ``request_id``."""


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """A stored study request.

    Attributes
    ----------
    status, phase, progress_message : str
        State; while recruiting, its group request has the details.
    questions : list of dict
        The questions in order, as read.
    group_request_id : str
        The recruitment request of its audience.
    study_id : int or None
        The study, once the group exists.
    usage_event_id : str
        The usage event that reserves its answers.
    job_id : str
        Its current or last job.
    """

    id: str
    organization_id: int
    status: str
    phase: str
    progress_message: str
    title: str | None
    objective: str | None
    questions: list[dict[str, Any]]
    group_request_id: str
    study_id: int | None
    operation_id: str
    usage_event_id: str
    job_id: str
    created_at: datetime
    updated_at: datetime


_COLUMNS = [table.c[name] for name in StudyRequest.__dataclass_fields__]


def create(
    c: sa.Connection,
    group_request: GroupRequest,
    request_id: str,
    *,
    title: str | None,
    objective: str | None,
    questions: Sequence[Mapping[str, Any]],
    operation_id: str,
    usage_event_id: str,
) -> StudyRequest:
    """Store a queued study request; it shares the job of its group request."""
    moment = now(c)
    c.execute(
        table.insert().values(
            id=request_id,
            organization_id=group_request.organization_id,
            status="queued",
            phase="recruiting",
            progress_message="Waiting to recruit.",
            title=title,
            objective=objective,
            questions=[dict(question) for question in questions],
            group_request_id=group_request.id,
            operation_id=operation_id,
            usage_event_id=usage_event_id,
            job_id=group_request.job_id,
            created_at=moment,
            updated_at=moment,
        )
    )
    return get(c, group_request.organization_id, request_id)


def get(c: sa.Connection, organization_id: int, request_id: str) -> StudyRequest:
    """Return one study request; :class:`NotFound` when this organization has none of this id."""
    row = c.execute(
        sa.select(*_COLUMNS).where(table.c.organization_id == organization_id, table.c.id == request_id)
    ).first()
    if row is None:
        raise missing("study request", request_id)
    return StudyRequest(*row)


def of_group_request(c: sa.Connection, group_request_id: str) -> StudyRequest | None:
    """Return the study request of a group request, if it has one."""
    row = c.execute(sa.select(*_COLUMNS).where(table.c.group_request_id == group_request_id)).first()
    return None if row is None else StudyRequest(*row)


def change(c: sa.Connection, request: StudyRequest, **changes: Any) -> StudyRequest:
    """Update a study request."""
    c.execute(table.update().where(table.c.id == request.id).values(changes | {"updated_at": now(c)}))
    return get(c, request.organization_id, request.id)


def new_job(c: sa.Connection, organization_id: int, request_id: str, *, total: int, operation_id: str) -> str:
    """Create a job for a study request."""
    return jobs.create_job(
        c,
        organization_id,
        CONDUCTING,
        operation_id=operation_id,
        detail={"request_id": request_id},
        total=total,
    )[0]
