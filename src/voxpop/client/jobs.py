"""Jobs: reading one or many, and waiting until they have ended.

``finished`` is not yet success: request-backed work says in ``domain_status`` how it ended. A status that
this version does not know means that the job is still running.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from voxpop.client.checks import Ref, identifier
from voxpop.client.polling import Timekeeper
from voxpop.client.shapes import read
from voxpop.client.transport import Transport
from voxpop.errors import InvalidRequest, JobTimeout, NotFound
from voxpop.wire.direct_questions import DirectAskAnswer, GroupAskAnswer
from voxpop.wire.jobs import Job, JobList, JobRetried
from voxpop.wire.operations import Accepted

AT_ONCE = 150
"""How many jobs are read in one call; more would make the address too long for some proxies."""

ENDED = ("finished", "failed")
"""The states of a job in which nothing more comes; an unknown one means that it still runs."""


def ended(job: Job) -> bool:
    """Whether a job has ended, well or not; an unknown status means that it still runs."""
    return job.status in ENDED


def first_look(queued: Accepted | DirectAskAnswer) -> float | None:
    """Return in how many seconds to look at what a call has queued: at once when nothing of it is open.

    Examples
    --------
    >>> asked = {"question_id": 1, "question_uuid": "u"}
    >>> first_look(GroupAskAnswer(job_ids=["job_1"], poll_after_s=2.0, **asked))
    2.0
    >>> first_look(GroupAskAnswer(job_ids=[], **asked))
    0.0
    """
    if isinstance(queued, Accepted):
        nothing_open = getattr(queued.job, "status", None) in ENDED
    else:
        nothing_open = isinstance(queued, GroupAskAnswer) and queued.job_ids == []
    return 0.0 if nothing_open else queued.poll_after_s


def succeeded(job: Job) -> bool:
    """Whether a job has ended well: finished, and its domain status, where it has one, is completed."""
    return job.status == "finished" and job.domain_status in (None, "completed")


def hint(job: Job) -> float | None:
    """How many seconds the service asks to wait before the next look; None when it does not say."""
    return job.meta.poll_after_s if job.meta is not None else None


class Jobs:
    """``client.jobs``: what runs in the background."""

    def __init__(self, transport: Transport, times: Timekeeper) -> None:
        self._transport = transport
        self._times = times
        self._one_by_one = False

    def get(self, job: Ref) -> Job:
        """Read one job."""
        job_id = identifier(job, "job")
        return _job(self._transport.get(f"/jobs/{job_id}"), job_id)

    def retry(self, job: Ref) -> JobRetried:
        """Try the work of a failed job again: a question, survey, completion, request or thesis.

        The failed job stays as it ended; the answers of the new jobs are counted anew.

        Parameters
        ----------
        job : Job or its id
            A job that failed, or that of a survey which some agents failed to answer. Of a question, all
            agents are asked again that failed to answer it, whichever of its jobs is named.

        Returns
        -------
        JobRetried
            ``job_ids``, which :meth:`wait` takes; none when all agents have answered meanwhile.

        Raises
        ------
        Conflict
            The job has not ended, or nothing of it failed.
        NotFound
            There is no such job, or the service does not offer this.
        """
        return read(JobRetried, self._transport.post(f"/jobs/{identifier(job, 'job')}/retry", {}))

    def get_many(self, jobs: Iterable[Ref]) -> list[Job]:
        """Read several jobs, in the order given; one call each where the service has no bulk read.

        Raises
        ------
        NotFound
            The service does not know one of them; the message names it.
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

        One job is watched at a time, the last one first, because all jobs of a question tend to end
        together; then each is read once. They may have failed: look at :func:`succeeded`.

        Parameters
        ----------
        jobs : job or list of jobs
            Jobs or their ids.
        first_wait : float, optional
            Seconds before the first look: the service's hint on what it queued, or 0 to look at once.
            Without it the client's polling pattern holds.
        on_look : callable, optional
            Called after each look with how many have ended and how many there are.

        Raises
        ------
        JobTimeout
            The deadline of the client's polling pattern has passed; the jobs go on in the service.
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
                f"{self._times.polling.deadline:g} seconds. They go on in the service: wait again later.",
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
                self._one_by_one = True  # the bulk read is an addition that not every service has
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
    """Read a job; the documented answer need not repeat its id, and may be nested."""
    data = answer.get("job", answer) if isinstance(answer, dict) else answer
    if isinstance(data, dict):
        data = {"id": job_id, **data}
    return read(Job, data)
