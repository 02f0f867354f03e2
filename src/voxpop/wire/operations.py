"""Operations: idempotent calls and their usage."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from voxpop.wire.base import Out
from voxpop.wire.usage import UsageEvent

WaitSeconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
"""Seconds to wait for the job, at least 0; capped at 60."""

OperationStatus = Literal["running", "needs_clarification", "awaiting_review", "completed", "failed"]


class AcceptedJob(Out):
    """The job of an accepted call."""

    id: str = Field(description="The job's id.")
    poll_url: str = Field(description="Where the job is read.")
    status: str = Field(description="started, finished or failed.")


class AcceptedOperation(Out):
    """The operation of an accepted call."""

    id: str = Field(description="The operation's UUID.")
    status: OperationStatus | str = Field(description="How it stands.")


class Accepted(Out):
    """Common response fields of one-call endpoints."""

    job: AcceptedJob = Field(description="The job to poll.")
    operation: AcceptedOperation = Field(description="The operation, the same at every replay.")
    usage_recorded: list[UsageEvent] = Field(description="What was counted when the call was accepted.")
    poll_after_s: float | None = Field(
        default=None, description="After how many seconds to ask again; null when the job has ended."
    )


class Operation(Out):
    """An operation."""

    id: str = Field(description="The operation's UUID.")
    kind: str = Field(description="Which endpoint accepted it.")
    status: OperationStatus | str = Field(description="How it stands.")
    resource_url: str | None = Field(default=None, description="Where the thing it works on is read.")
    job_id: str = Field(description="The job that tells how it stands.")
    usage_recorded: list[UsageEvent] = Field(description="Its lines of the usage ledger as they are now.")
    created_at: datetime = Field(description="When it was accepted, UTC.")
    finished_at: datetime | None = Field(default=None, description="When its work ended, UTC; null before.")


class OperationResponse(Out):
    """Response of ``GET /v1/organization/operations/{operation_id}``."""

    operation: Operation = Field(description="The operation.")
