"""Jobs: read one, wait for one, read many, retry."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from voxpop.errors import InvalidRequest
from voxpop.jobs import retrying
from voxpop.records import jobs
from voxpop.service.answering import encoded
from voxpop.service.auth import Call, CallDep, KeyedRoute, call_of, needs
from voxpop.service.domain import domain_status, place
from voxpop.service.errors import documented
from voxpop.service.holding import held
from voxpop.service.state import ServiceState
from voxpop.wire.jobs import Job, JobList, JobRetried

router: APIRouter = APIRouter(prefix="/v1", tags=["jobs"], route_class=KeyedRoute)

MOST_IDS = 1_000


@router.get(
    "/jobs/{job_id}",
    summary="One job",
    response_model=Job,
    status_code=200,
    dependencies=[needs("studies:read", "free:ask")],
    responses=documented(400, 401, 403, 404),
)
async def read(
    request: Request,
    job_id: str,
    wait_seconds: Annotated[
        float,
        Query(ge=0, allow_inf_nan=False, description="How long to hold the answer for its end; 60 at most."),
    ] = 0.0,
) -> Response:
    """Return a job; with ``wait_seconds``, once it has ended or the time is up."""
    call = await call_of(request)  # this route is polled, and a dependency would cost as much as the read
    job = await call.state.read(_one, call, job_id)
    if wait_seconds and job.status == "started":
        job = await held(
            call,
            job,
            lambda: _one(call, job_id),
            working=lambda seen: seen.status == "started",
            seconds=wait_seconds,
        )
    return encoded(job_shape(job, call.state))


@router.get(
    "/jobs",
    summary="Many jobs at once",
    response_model=JobList,
    status_code=200,
    dependencies=[needs("studies:read", "free:ask")],
    responses=documented(400, 401, 403),
)
def read_many(
    call: CallDep, ids: Annotated[list[str], Query(description="Job ids; commas or repeated, at most 1,000.")]
) -> Response:
    """Return jobs in the order requested; ids unknown to the organization are ``missing``."""
    wanted = [word for text in ids for word in (part.strip() for part in text.split(",")) if word]
    if not 1 <= len(wanted) <= MOST_IDS:
        problem = f"must name 1 to {MOST_IDS:,} jobs, not {len(wanted):,}"
        raise InvalidRequest(f"ids {problem}.", details={"fields": {"ids": [problem]}})
    with call.state.database.read() as connection:
        found, missing = jobs.get_many(connection, call.organization, wanted)
    return encoded({"jobs": [job_shape(job, call.state) for job in found], "missing": missing})


@router.post(
    "/jobs/{job_id}/retry",
    summary="Try the work of a failed job again",
    response_model=JobRetried,
    status_code=202,
    dependencies=[needs("studies:write", logs="job.retry")],
    responses=documented(400, 401, 402, 403, 404, 409),
)
def retry(call: CallDep, job_id: str) -> Response:
    """Queue failed work again and charge it again; for a question, ask all agents that failed.

    409 if the job has not ended or nothing failed. Repeating the call returns the same jobs.
    """
    made = retrying.retry(call.state.database, call.state.queue, call.meter, job_id)
    call.writing.about("job", job_id, len(made.job_ids))
    hint = call.state.poll_after(len(made.job_ids))
    return encoded({"job_ids": made.job_ids, "status": "queued", "poll_after_s": hint}, 202)


def job_shape(job: jobs.Job, state: ServiceState) -> dict[str, Any]:
    """Return a job in its wire form."""
    working = job.status == "started"
    meta = {
        "kind": job.kind,
        "created_at": job.created_at,
        "started_at": job.started_at,
        "finished_at": job.finished_at,
        "attempts": job.attempts,
        "progress": {"done": job.done, "total": job.total},
        "poll_after_s": state.poll_after(job.total - job.done) if working else None,
    }
    shape = {"id": job.id, "status": job.status, "result": job.result, "error": job.error, "meta": meta}
    where, ended = place(job), domain_status(job)
    if ended is not None:
        shape["domain_status"] = ended
    if job.operation_id is not None:
        shape["operation_id"] = job.operation_id
        shape["operation_url"] = f"/v1/organization/operations/{job.operation_id}"
    if where is not None:
        shape["resource_url"] = where
    return shape


def _one(call: Call, job_id: str) -> jobs.Job:
    def read() -> jobs.Job:
        with call.state.database.read() as connection:
            return jobs.get(connection, call.organization, job_id)

    # Writes of other processes do not invalidate the cache; ended jobs never change.
    alone, name = call.state.database.alone, ("job", call.organization, job_id)
    job: jobs.Job = call.state.recent.look(name, read, keep=lambda seen: alone or seen.status != "started")
    return job
