"""Completion jobs: queue the steps, run them and save the results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from voxpop.errors import Conflict, InvalidRequest
from voxpop.jobs.queue import JobQueue
from voxpop.records import jobs, studies, work_items
from voxpop.records.database import Clock, Database
from voxpop.records.jobs import Job
from voxpop.records.studies import Study
from voxpop.vocabulary.nearest import nearest
from voxpop.wire.studies import COMPLETION_STEPS

if TYPE_CHECKING:
    from voxpop.population.file import Population

CompleteStudy = Callable[[Database, "Population", Job, Clock], dict[str, Any]]

_NAMED_JOBS = 20  # maximum number of open jobs in an error


def complete(
    database: Database,
    queue: JobQueue,
    organization_id: int,
    study: int | str,
    steps: Iterable[str] | None = None,
    force: bool = False,
) -> tuple[str | None, list[str]]:
    """Queue the completion of a study and start the work; see :func:`enqueue_completion`."""
    with database.begin() as c:
        found = studies.get(c, organization_id, study)
        job_id, queued = enqueue_completion(c, organization_id, found, steps, force)
        items = work_items.of_job(c, job_id) if job_id is not None else []
    queue.put(items, study_id=found.id)
    return job_id, queued


def enqueue_completion(
    c: sa.Connection,
    organization_id: int,
    study: Study,
    steps: Iterable[str] | None = None,
    force: bool = False,
) -> tuple[str | None, list[str]]:
    """Create the job that completes a study.

    A step whose result covers all answers and removals is skipped, unless ``force``. A step that waits in an
    open job for the same data is not queued twice: the call returns that job.

    Parameters
    ----------
    c, organization_id, study
        A write connection, the organization and the study.
    steps
        Step names in any order; None means all.
    force
        Whether to repeat finished steps.

    Returns
    -------
    job_id : str or None
        None when there is nothing to do.
    queued_steps : list of str
        In the default order.

    Raises
    ------
    InvalidRequest
        A step is unknown (``details.steps``).
    Conflict
        Questions of the study are still being answered (``details.job_ids``, the first 20).
    """
    wanted = _known(steps)
    study = studies.hold(c, organization_id, study.id)  # lock: no question or completion starts meanwhile
    running = jobs.open_jobs(c, organization_id, study.id, jobs.QUESTION, limit=_NAMED_JOBS)
    if running:
        raise Conflict(
            f"Study {study.id} has questions that are still being answered; complete it once they are done.",
            details={"status": study.stage, "job_ids": running},
        )
    version = studies.data_version(c, study.id)
    if not force:
        current = studies.current_steps(c, organization_id, study.id)
        wanted = [step for step in wanted if step not in current]
        waiting = _waiting(c, organization_id, study.id, version)
        left = [step for step in wanted if step not in waiting]
        if wanted and not left:
            job_id = waiting[wanted[-1]]
            return job_id, [step for step in wanted if waiting[step] == job_id]
        wanted = left
    if not wanted:
        return None, []
    job_id, _ = jobs.create_job(
        c,
        organization_id,
        jobs.COMPLETION,
        study_id=study.id,
        detail={"steps": wanted, "data_version": version},
        total=len(wanted),
    )
    studies.set_stage(c, organization_id, study.id, "completing")
    return job_id, wanted


def run_completion(
    database: Database,
    population: Population,
    clock: Clock,
    item: work_items.Item,
    complete_study: CompleteStudy,
) -> None:
    """Run and save the steps of one completion with ``complete_study``, then end its job."""
    with database.read() as c:
        job = jobs.of_item(c, item.id)[0]
    result = complete_study(database, population, job, clock)
    with database.begin() as c:
        if not work_items.finish(c, item):
            return
        jobs.finish(c, job.id, result)
        leave_completing(c, item, "completed")


def leave_completing(c: sa.Connection, item: work_items.Item, stage: str) -> None:
    """Move a study out of ``completing``, unless another completion runs or a question came in."""
    assert item.study_id is not None
    study = studies.hold(c, item.organization_id, item.study_id)
    if study.stage == "completing" and not jobs.open_jobs(c, item.organization_id, study.id, jobs.COMPLETION):
        studies.set_stage(c, item.organization_id, study.id, stage)


def _known(steps: Iterable[str] | None) -> list[str]:
    if steps is None:
        return list(COMPLETION_STEPS)
    named = list(dict.fromkeys(steps))
    unknown = [step for step in named if step not in COMPLETION_STEPS]
    if unknown:
        near = nearest(unknown[0], COMPLETION_STEPS)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise InvalidRequest(
            f"Unknown completion steps: {', '.join(unknown)}; known: {', '.join(COMPLETION_STEPS)}.{hint}",
            details={"steps": unknown},
        )
    return [step for step in COMPLETION_STEPS if step in named]


def _waiting(c: sa.Connection, organization_id: int, study_id: int, version: str) -> dict[str, str]:
    """Return the open job of each step, out of jobs for the same data."""
    open_ids = jobs.open_jobs(c, organization_id, study_id, jobs.COMPLETION)
    found, _ = jobs.get_many(c, organization_id, open_ids)
    return {
        step: job.id
        for job in found
        if job.detail is not None and job.detail["data_version"] == version
        for step in job.detail["steps"]
    }
