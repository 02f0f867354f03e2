"""Jobs: reading one, waiting for one, reading many."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from voxpop.errors import InvalidRequest
from voxpop.records import jobs
from voxpop.service.answering import encoded
from voxpop.service.auth import Call, CallDep, KeyedRoute, call_of, needs
from voxpop.service.errors import documented
from voxpop.service.requests import job_fields
from voxpop.service.state import ServiceState
from voxpop.wire.jobs import Job, JobList

router = APIRouter(prefix="/v1", tags=["jobs"], route_class=KeyedRoute)

MOST_SECONDS = 60.0
MOST_IDS = 1_000
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.25)


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
    """Give a job; with ``wait_seconds``, as soon as it has ended or the time is over."""
    call = await call_of(request)  # this route is polled, and a dependency costs as much as the read
    job = await call.state.read(_one, call, job_id)
    left, look = min(wait_seconds, MOST_SECONDS), 0
    while job.status == "started" and left > 0:
        step = min(left, _STEPS[min(look, len(_STEPS) - 1)])
        if await call.state.closing.wait(step):
            break
        left, look = left - step, look + 1
        job = await call.state.read(_one, call, job_id)
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
    """Give the jobs in the order asked for; ids that are no jobs of the organization are ``missing``."""
    wanted = [word for text in ids for word in (part.strip() for part in text.split(",")) if word]
    if not 1 <= len(wanted) <= MOST_IDS:
        problem = f"must name 1 to {MOST_IDS:,} jobs, not {len(wanted):,}"
        raise InvalidRequest(f"ids {problem}.", details={"fields": {"ids": [problem]}})
    with call.state.database.read() as connection:
        found, missing = jobs.get_many(connection, call.organization, wanted)
    return encoded({"jobs": [job_shape(job, call.state) for job in found], "missing": missing})


def job_shape(job: jobs.Job, state: ServiceState) -> dict[str, Any]:
    """Return a job as it travels."""
    place = f"/v1/research-studies/{job.study_id}" if job.study_id is not None else None
    meta = {
        "kind": job.kind,
        "created_at": job.created_at,
        "started_at": job.started_at,
        "finished_at": job.finished_at,
        "attempts": job.attempts,
        "progress": {"done": job.done, "total": job.total},
        "poll_after_s": state.poll_after(job.total - job.done) if job.status == "started" else None,
    }
    shape = {"id": job.id, "status": job.status, "result": job.result, "error": job.error, "meta": meta}
    return shape | job_fields(job) if place is None else shape | {"resource_url": place}


def _one(call: Call, job_id: str) -> jobs.Job:
    def read() -> jobs.Job:
        with call.state.database.read() as connection:
            return jobs.get(connection, call.organization, job_id)

    job: jobs.Job = call.state.recent.look(("job", call.organization, job_id), read, keep=lambda _: True)
    return job
