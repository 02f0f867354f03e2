"""Retries: run the failed work of a job again, with a new job and new usage.

Failed work was refunded when it failed, so a retry counts what it will deliver, and nothing counts twice. The
failed job keeps its state. If two retries run at once, the second returns the job of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa

from voxpop.errors import Conflict
from voxpop.jobs.asking import ask_again
from voxpop.jobs.queue import JobQueue
from voxpop.jobs.steps import enqueue_completion
from voxpop.jobs.surveying import FREE, again
from voxpop.records import (
    jobs,
    questions,
    requests,
    studies,
    study_requests,
    surveys,
    thesis,
    usage,
    work_items,
)
from voxpop.records.database import Database
from voxpop.records.jobs import Job
from voxpop.records.requests import RECRUITING
from voxpop.records.study_requests import CONDUCTING
from voxpop.records.surveys import SURVEY
from voxpop.records.thesis import THESIS
from voxpop.records.usage import Meter


@dataclass(frozen=True, slots=True)
class Retried:
    """Work queued by a retry: its work items and jobs, one per agent for a question."""

    job_ids: list[str]
    item_ids: list[int] = field(default_factory=list)


def retry(database: Database, queue: JobQueue, meter: Meter, job_id: str) -> Retried:
    """Run the failed work of a job again.

    For a question, every agent that failed to answer it is asked again, whichever of its jobs is given.

    Parameters
    ----------
    database, queue
        The database and the queue.
    meter
        The organization, with the usage meter that counts the answers against its quota.
    job_id
        A failed job, or that of a survey or free question with failed agents.

    Raises
    ------
    NotFound, Forbidden
        The job does not exist, or belongs to another organization.
    Conflict
        The job has not ended, or none of its work failed (``details.status``).
    QuotaExceeded
        The answers exceed the rest of the monthly quota.
    """
    with database.read() as c:
        job = jobs.get(c, meter.organization_id, job_id)
    if job.kind == jobs.QUESTION and job.study_id is not None and job.question_id is not None:
        _must_have_failed(job)
        asked = ask_again(database, queue, meter.organization_id, job.study_id, job.question_id, meter=meter)
        return Retried(asked.job_ids, asked.item_ids)
    with database.begin() as c:
        jobs.hold(c, job_id)  # a concurrent retry waits here
        job = jobs.get(c, meter.organization_id, job_id)
        before = (job.detail or {}).get("retried_as")
        if before is not None:
            return Retried([before])
        retried = _RETRIES[job.kind](c, meter, job)
        if job.kind != jobs.QUESTION and retried.job_ids:
            jobs.set_detail(c, job.id, retried_as=retried.job_ids[0])
        items = retried.item_ids or [item for each in retried.job_ids for item in work_items.of_job(c, each)]
    queue.put(items)
    return Retried(retried.job_ids, items)


def _must_have_failed(job: Job) -> None:
    if job.status != "failed":
        state = "has not ended yet" if job.status == "started" else "did not fail"
        raise Conflict(
            f"Job {job.id} {state}, so there is nothing to try again.", details={"status": job.status}
        )


def _question(c: sa.Connection, meter: Meter, job: Job) -> Retried:
    """Ask a direct question again of the agents that failed to answer it."""
    _must_have_failed(job)
    assert job.question_id is not None
    questions.hold(c, job.question_id)
    latest = jobs.latest(c, job.question_id)
    if any(status == "started" for _, status in latest):
        raise Conflict(
            f"Question {job.question_id} is still being answered; retry once all jobs have ended.",
            details={"status": "started"},
        )
    failed = [agent for agent, status in latest if status == "failed"]
    if not failed:
        return Retried([])
    event = usage.record(c, meter, len(failed), operation_id=job.operation_id)
    questions.count_again(c, job.question_id, len(failed), event.id)
    asked = questions.get(c, meter.organization_id, job.question_id)
    return Retried(
        *jobs.create_question_jobs(c, meter.organization_id, asked, failed, operation_id=job.operation_id)
    )


def _survey(c: sa.Connection, meter: Meter, job: Job) -> Retried:
    if job.status == "started":
        _must_have_failed(job)
    left = again(c, meter.organization_id, job)
    if not left:
        raise Conflict(
            f"Job {job.id} did not fail, so there is nothing to try again.", details={"status": job.status}
        )
    assert job.question_id is not None
    event = usage.record(c, meter, len(left), operation_id=job.operation_id)
    questions.count_again(c, job.question_id, len(left), event.id)
    made, item = jobs.create_job(
        c,
        meter.organization_id,
        job.kind,
        question_id=job.question_id,
        operation_id=job.operation_id,
        detail={**(job.detail or {}), "again": left},
        total=len(left),
    )
    if job.kind == SURVEY:
        surveys.set_job(c, job.id, made)
    return Retried([made], [item])


def _completion(c: sa.Connection, meter: Meter, job: Job) -> Retried:
    _must_have_failed(job)
    assert job.study_id is not None
    study = studies.get(c, meter.organization_id, job.study_id)
    made, _ = enqueue_completion(c, meter.organization_id, study, (job.detail or {})["steps"])
    return Retried([made] if made is not None else [])


def _recruiting(c: sa.Connection, meter: Meter, job: Job) -> Retried:
    _must_have_failed(job)
    request = requests.get(c, meter.organization_id, (job.detail or {})["request_id"])
    return Retried([requests.requeue(c, _reopened(c, request, job)).job_id])


def _reopened(c: sa.Connection, request: requests.GroupRequest, job: Job) -> requests.GroupRequest:
    """Restart a request in the phase in which it failed, with the candidates screened so far."""
    return requests.change(
        c,
        request,
        status="running",
        phase=(job.detail or {}).get("phase", "reading"),
        progress_message="Trying again.",
        refusal=None,
    )


def _conducting(c: sa.Connection, meter: Meter, job: Job) -> Retried:
    _must_have_failed(job)
    whose = meter.organization_id
    request = study_requests.get(c, whose, (job.detail or {})["request_id"])
    audience = requests.get(c, whose, request.group_request_id)
    if audience.status == "refused":
        audience = _reopened(c, audience, job)
    event_id = request.usage_event_id
    if request.study_id is None:  # otherwise all agents have been asked, and their answers are counted
        wanted = audience.group_size * len(request.questions)
        event_id = usage.reserve(c, meter, wanted, operation_id=request.operation_id).id
    made = study_requests.new_job(
        c, whose, request.id, total=audience.group_size, operation_id=request.operation_id
    )
    requests.change(c, audience, job_id=made)
    study_requests.change(
        c,
        request,
        status="running",
        phase="recruiting" if request.study_id is None else "asking",
        progress_message="Trying again.",
        job_id=made,
        usage_event_id=event_id,
    )
    return Retried([made])


def _thesis(c: sa.Connection, meter: Meter, job: Job) -> Retried:
    _must_have_failed(job)
    made = thesis.get(c, meter.organization_id, (job.detail or {})["thesis_id"])
    for panel in thesis.panels(c, made.id):
        if panel.study_id is None:  # otherwise the panel has been asked, and its answers are counted
            wanted = panel.plan["size"] * len(panel.plan["questions"])
            event = usage.reserve(c, meter, wanted, operation_id=made.operation_id)
            panel = thesis.change_panel(c, panel, usage_event_id=event.id)
        thesis.change_panel(c, panel, status="planned")
    made = thesis.change(c, made, status="recruiting", phase="recruiting", progress_message="Trying again.")
    return Retried([thesis.new_job(c, made).job_id])


_RETRIES: Mapping[str, Callable[[sa.Connection, Meter, Job], Retried]] = {
    jobs.QUESTION: _question,
    jobs.COMPLETION: _completion,
    RECRUITING: _recruiting,
    CONDUCTING: _conducting,
    THESIS: _thesis,
    FREE: _survey,
    SURVEY: _survey,
}
"""Retry function for each kind of work; a panel of a thesis has no job of its own."""
