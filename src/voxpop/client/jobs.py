"""Jobs: read one or many, retry, and wait until they have ended.

``finished`` does not imply success: request-backed work reports its outcome in ``domain_status``. Unknown
statuses count as running.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from voxpop.client.checks import Ref, identifier
from voxpop.client.polling import Timekeeper
from voxpop.client.shapes import read
from voxpop.client.transport import Transport
from voxpop.errors import InvalidRequest, JobTimeout, NotFound
from voxpop.wire.direct_questions import DirectAskResponse, GroupAskResponse
from voxpop.wire.jobs import Job, JobList, JobRetried
from voxpop.wire.operations import Accepted

AT_ONCE = 150
"""Maximum number of jobs per call; more would make the URL too long for some proxies."""

ENDED = ("finished", "failed")
"""Final states of a job; unknown states count as running."""


def ended(job: Job) -> bool:
    """Return whether a job has ended, successfully or not; unknown statuses count as running."""
    return job.status in ENDED


def first_look(queued: Accepted | DirectAskResponse) -> float | None:
    """Return the seconds until the first poll of queued work; 0 if nothing is open.

    Examples
    --------
    >>> asked = {"question_id": 1, "question_uuid": "u"}
    >>> first_look(GroupAskResponse(job_ids=["job_1"], poll_after_s=2.0, **asked))
    2.0
    >>> first_look(GroupAskResponse(job_ids=[], **asked))
    0.0
    """
    if isinstance(queued, Accepted):
        nothing_open = getattr(queued.job, "status", None) in ENDED
    else:
        nothing_open = isinstance(queued, GroupAskResponse) and queued.job_ids == []
    return 0.0 if nothing_open else queued.poll_after_s


def succeeded(job: Job) -> bool:
    """Return whether a job succeeded: finished, with domain status completed if it has one."""
    return job.status == "finished" and job.domain_status in (None, "completed")


def hint(job: Job) -> float | None:
    """Return the polling hint of the service in seconds, or None."""
    return job.meta.poll_after_s if job.meta is not None else None


class Jobs:
    """``client.jobs``: background jobs."""

    def __init__(self, transport: Transport, times: Timekeeper) -> None:
        self._transport = transport
        self._times = times
        self._one_by_one = False

    def get(self, job: Ref) -> Job:
        """Return one job."""
        job_id = identifier(job, "job")
        return _job(self._transport.get(f"/jobs/{job_id}"), job_id)

    def retry(self, job: Ref) -> JobRetried:
        """Retry the work of a failed job: a question, survey, completion, request or thesis.

        The failed job does not change; answers of the new jobs are charged again.

        Parameters
        ----------
        job : Job or its id
            A failed job, or the job of a survey that some agents failed to answer. For a question, all agents
            that failed are asked again, whichever of its jobs is given.

        Returns
        -------
        JobRetried
            ``job_ids`` for :meth:`wait`; empty if all agents have answered meanwhile.

        Raises
        ------
        Conflict
            The job has not ended, or nothing failed.
        NotFound
            There is no such job, or the service does not support retries.
        """
        return read(JobRetried, self._transport.post(f"/jobs/{identifier(job, 'job')}/retry", {}))

    def get_many(self, jobs: Iterable[Ref]) -> list[Job]:
        """Return several jobs, in the order given; with one call each if the service has no bulk read.

        Raises
        ------
        NotFound
            One of them is unknown; the message names it.
        """
        ids = [identifier(job, "job") for job in jobs]
        found: dict[str, Job] = {}
        for start in range(0, len(ids), AT_ONCE):
            found |= self._some(ids[start : start + AT_ONCE])
        return [found[job_id] for job_id in ids]

    def wait(
        self,
        jobs: Ref | Sequence[Ref],
        *,
        first_wait: float | None = None,
        on_look: Callable[[int, int], None] | None = None,
    ) -> list[Job]:
        """Wait until every job has ended, and return them in the order given.

        One job is polled at a time, the last one first, because all jobs of a question usually end together;
        then each is read once. They may have failed: check with :func:`succeeded`.

        Parameters
        ----------
        jobs : job or list of jobs
            Jobs or their ids.
        first_wait : float, optional
            Seconds before the first poll, for example the service's hint; 0 polls at once. Default: the
            client's polling pattern.
        on_look : callable, optional
            Called after each poll with the numbers of ended and of all jobs.

        Raises
        ------
        JobTimeout
            The deadline of the polling pattern has passed; the jobs continue in the service.
        """
        many = [jobs] if isinstance(jobs, str) or not isinstance(jobs, Sequence) else jobs
        ids = [identifier(job, "job") for job in many]
        done: dict[str, Job] = {}
        waiting = list(dict.fromkeys(ids))

        def look() -> Job | None:
            if not waiting:
                return None
            job = self.get(waiting[-1])
            if ended(job):
                done[waiting.pop()] = job
                for other in self.get_many(waiting):
                    if ended(other):
                        done[other.id] = other
                    else:
                        job = other
                waiting[:] = [job_id for job_id in waiting if job_id not in done]
            if on_look is not None:
                on_look(len(done), len(done) + len(waiting))
            return job

        def too_late() -> JobTimeout:
            return JobTimeout(
                f"{len(waiting)} of {len(waiting) + len(done)} jobs have not ended within "
                f"{self._times.polling.deadline:g} seconds. They continue in the service: wait again later.",
                job_ids=waiting,
            )

        self._times.until(
            look,
            lambda _: not waiting,
            hint=lambda job: None if job is None else hint(job),
            first_wait=first_wait if ids else 0.0,
            too_late=too_late,
        )
        return [done[job_id] for job_id in ids]

    def _some(self, ids: list[str]) -> dict[str, Job]:
        if len(ids) > 1 and not self._one_by_one:
            try:
                answer = self._transport.get("/jobs", {"ids": ",".join(ids)})
            except (NotFound, InvalidRequest) as error:
                if error.status not in (404, 405):
                    raise
                self._one_by_one = True  # additive endpoint: not every service has it
            else:
                listed = read(JobList, answer)
                found = {job.id: job for job in listed.jobs or []}
                if lost := [job_id for job_id in ids if job_id not in found]:
                    raise NotFound(
                        f"The service knows no job {lost[0]} ({len(lost)} of {len(ids)} are unknown)."
                    )
                return found
        return {job_id: self.get(job_id) for job_id in ids}


def _job(answer: Any, job_id: str) -> Job:
    """Return a job; a response may be nested and may omit the id."""
    data = answer.get("job", answer) if isinstance(answer, dict) else answer
    if isinstance(data, dict):
        data = {"id": job_id, **data}
    return read(Job, data)
