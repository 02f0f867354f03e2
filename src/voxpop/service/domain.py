"""Resource path and domain status of jobs and operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from voxpop.records import jobs
from voxpop.records.jobs import Job
from voxpop.records.requests import RECRUITING
from voxpop.records.study_requests import CONDUCTING
from voxpop.records.surveys import SURVEY
from voxpop.records.thesis import THESIS

_PLACES: Mapping[str, Callable[[dict[str, Any]], str]] = {
    RECRUITING: lambda detail: f"/v1/research-group-requests/{detail['request_id']}",
    THESIS: lambda detail: f"/v1/thesis/{detail['thesis_id']}/state",
    CONDUCTING: lambda detail: f"/v1/research-study-requests/{detail['request_id']}",
    SURVEY: lambda detail: f"/v1/zeitgeist/surveys/{detail['survey_uuid']}",
}
"""Resource path by kind of work, formatted with the job's detail."""

_ENDS: frozenset[str] = frozenset({RECRUITING, CONDUCTING, THESIS})
"""Kinds of work with a domain status; their result has it as ``status``."""


ENDED: tuple[str, ...] = ("completed", "failed")
"""Final states of an operation, which need no action by service or caller."""


def place(job: Job) -> str | None:
    """Return the path of a job's resource."""
    named = _PLACES.get(job.kind)
    if named is not None and job.detail is not None:
        return named(job.detail)
    if job.study_id is not None:
        return f"/v1/research-studies/{job.study_id}"
    if job.kind == jobs.QUESTION:
        return f"/v1/direct-questions/{job.question_id}"
    return None


def domain_status(job: Job) -> str | None:
    """Return the domain status of a job that has one; None while it runs."""
    if job.kind not in _ENDS or job.status == "started":
        return None
    status = (job.result or {}).get("status")
    return "failed" if status in (None, "refused") else str(status)


def operation_status(job: Job) -> str:
    """Return the status of an operation from its last job."""
    if job.status == "started":
        return "running"
    return domain_status(job) or ("completed" if job.status == "finished" else "failed")
