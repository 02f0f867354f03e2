"""Background jobs and their outcome."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from voxpop.wire.base import Out

JobStatus = Literal["started", "finished", "failed"]
DomainStatus = Literal["needs_clarification", "awaiting_review", "completed", "failed"]


class JobError(Out):
    """Why a job failed."""

    code: str = Field(description="The kind of failure as one word.")
    message: str = Field(description="One sentence for people.")


class Progress(Out):
    """Progress of a job."""

    done: int = Field(default=0, description="How many parts are done.")
    total: int = Field(default=1, description="How many parts there are.")


class JobMeta(Out):
    """Metadata of a job in every state."""

    kind: str | None = Field(
        default=None, description="The kind of work, for example question or completion."
    )
    created_at: datetime | None = Field(default=None, description="When it was queued, UTC.")
    started_at: datetime | None = Field(default=None, description="When it began, UTC; null before.")
    finished_at: datetime | None = Field(default=None, description="When it ended, UTC; null before.")
    attempts: int = Field(
        default=0, description="How often it was begun since it last waited for other work."
    )
    progress: Progress | None = Field(default=None, description="How far it is.")
    poll_after_s: float | None = Field(
        default=None, description="After how many seconds to ask again; null when the job has ended."
    )


class Job(Out):
    """A job. If ``domain_status`` is present, ``finished`` alone does not mean success."""

    id: str = Field(description="The job's id.")
    status: JobStatus | str = Field(description="started, finished or failed.")
    domain_status: DomainStatus | str | None = Field(
        default=None, description="How request-backed work ended."
    )
    result: dict[str, Any] | None = Field(default=None, description="What came out; null while it runs.")
    error: JobError | None = Field(default=None, description="Why it failed; null otherwise.")
    meta: JobMeta = Field(default_factory=JobMeta, description="Kind, times, attempts, progress.")
    operation_id: str | None = Field(default=None, description="The operation it belongs to.")
    operation_url: str | None = Field(default=None, description="Where the operation is read.")
    resource_url: str | None = Field(default=None, description="Where the thing it works on is read.")


class JobRetried(Out):
    """Response of a retry."""

    job_ids: list[str] = Field(
        description="The new jobs, of a question one per agent that is asked again; none when all answered."
    )
    status: str = Field(default="queued", description="Always queued.")
    poll_after_s: float | None = Field(
        default=None, description="After how many seconds to ask for the jobs."
    )


class JobList(Out):
    """Several jobs at once."""

    jobs: list[Job] = Field(description="The jobs that were found, in the order asked for.")
    missing: list[str] = Field(default_factory=list, description="Ids that are no jobs of this organization.")
