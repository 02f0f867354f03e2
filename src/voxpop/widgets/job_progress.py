"""Progress bars for jobs, polled in the background."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from voxpop.client.checks import identifier
from voxpop.client.jobs import AT_ONCE, ended, hint, succeeded
from voxpop.client.polling import Timekeeper, utc_now
from voxpop.client.requests import Recruitment
from voxpop.errors import JobTimeout, UsageError
from voxpop.widgets.controls import alert, progress_bar, status
from voxpop.widgets.panel import Panel
from voxpop.widgets.tree import Node, h, table

if TYPE_CHECKING:
    from voxpop.client import Client
    from voxpop.wire.jobs import Job


class JobProgress(Panel):
    """Show the progress of jobs until they end, without blocking the kernel.

    Parameters
    ----------
    client : Client
        The service.
    jobs : list of Job or str, Job, str, or an answer that names jobs
        The jobs: jobs, their ids, or the result of a call that queued them, for example
        ``client.questions.ask(…)``, ``client.studies.complete(…)`` or ``client.requests.create(…)``.
    title : str
        Heading: purpose of the jobs.

    Attributes
    ----------
    done, failed, total : int
        Numbers of jobs that succeeded, failed, and are watched.
    jobs : list of Job
        The ended jobs.
    error : Exception or None
        The error that interrupted polling, or None.

    Examples
    --------
    ::

        asked = client.questions.ask(study, "Do you own a dog?")
        JobProgress(client, asked)
    """

    def __init__(self, client: Client, jobs: Any, *, title: str = "Jobs") -> None:
        self._ids = list(dict.fromkeys(_ids(jobs)))
        self._ended: dict[str, Job] = {}
        self._parts: tuple[int, int] | None = None
        self._began = time.monotonic()
        self._next_look: float | None = None
        self.title = title
        super().__init__("JobProgress")
        self._client = client.waiting(poll=self._wait_to_look, retry=self._worker.pause)
        with self._changing():
            pass
        first = getattr(jobs, "poll_after_s", None)
        self._worker.do(self._work(lambda: self._watch(0.0 if first is None else first)))

    @property
    def total(self) -> int:
        """Number of watched jobs."""
        return len(self._ids)

    @property
    def failed(self) -> int:
        """Number of failed jobs."""
        return sum(not succeeded(job) for job in self._ended.values())

    @property
    def done(self) -> int:
        """Number of succeeded jobs."""
        return len(self._ended) - self.failed

    @property
    def jobs(self) -> list[Job]:
        """The ended jobs, in the order given."""
        return [self._ended[one] for one in self._ids if one in self._ended]

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until all jobs have ended; return whether that is the case.

        Parameters
        ----------
        timeout : float, optional
            Maximum number of seconds to wait.
        """
        self._worker.idle(timeout)
        return len(self._ended) == self.total

    def _watch(self, first_wait: float) -> None:
        times = Timekeeper(self._client.polling, self._wait_to_look, utc_now)

        def look() -> Job | None:
            open_ = [one for one in self._ids if one not in self._ended][:AT_ONCE]
            found = self._client.jobs.get_many(open_) if open_ else []
            with self._changing():
                self._ended |= {job.id: job for job in found if ended(job)}
                running = [job for job in found if not ended(job)]
                parts = (
                    running[0].meta.progress if len(self._ids) == 1 and running and running[0].meta else None
                )
                self._parts = (parts.done or 0, parts.total or 1) if parts is not None else None
            if len(running) < len(open_):
                return None  # some have ended, so poll the others immediately
            return running[0] if running else None

        times.until(
            look,
            lambda _: len(self._ended) == self.total,
            hint=lambda job: 0.05 if job is None else hint(job),
            first_wait=first_wait,
            too_late=lambda: JobTimeout(
                f"{self.total - len(self._ended)} of {self.total} jobs have not ended within "
                f"{times.polling.deadline:g} seconds. They go on in the service.",
                job_ids=[one for one in self._ids if one not in self._ended],
            ),
        )

    def _wait_to_look(self, seconds: float) -> None:
        with self._changing():
            self._next_look = time.monotonic() + seconds
        self._worker.pause(seconds)
        with self._lock:
            self._next_look = None

    def _words(self) -> str:
        failed = f", {self.failed:,} failed" if self.failed else ""
        if self._parts is not None:
            return f"{self._parts[0]:,} of {self._parts[1]:,} parts done."
        return f"{self.done:,} of {self.total:,} {'job' if self.total == 1 else 'jobs'} done{failed}."

    def _live(self) -> Node:
        words = self._words()
        done, failed, total = self.done, self.failed, self.total
        if self._parts is not None:
            done, failed, total = self._parts[0], 0, self._parts[1]
        inside = (
            h("h3", self.title),
            progress_bar(self.title, done, failed, total, words),
            status(words),
            h("p", self._clocks(), class_="vxp-hint", key="clocks"),
            alert(next(iter(self._trouble.values()), "")),
            h("ul", [h("li", line) for line in self._reasons()], class_="vxp-notes", key="reasons")
            if self.failed
            else None,
        )
        return h("section", h("div", inside, class_="vxp-part vxp-stack"), aria_label=self.title)

    def _clocks(self) -> Iterator[Any]:
        ended_ = len(self._ended)
        if ended_ == self.total or "" in self._trouble:
            return
        now = time.monotonic()
        yield h("time", ticks={"seconds": now - self._began, "step": 1})
        yield " so far"
        if ended_:
            left = (self.total - ended_) * (now - self._began) / ended_
            yield from (" · about ", h("time", ticks={"seconds": left, "step": -1}), " left")
        if self._next_look is not None and self._next_look - now > 1:
            yield from (" · next look in ", h("time", ticks={"seconds": self._next_look - now, "step": -1}))

    def _reasons(self) -> list[str]:
        told = Counter(
            job.error.message or "No reason was given."
            if job.error is not None
            else f"It ended as {job.domain_status}."
            for job in self._ended.values()
            if not succeeded(job)
        )
        return [f"{number:,} × {reason}" for reason, number in told.most_common(5)]

    def _still(self) -> Node:
        rows = [("done", f"{self.done:,}"), ("failed", f"{self.failed:,}"), ("in all", f"{self.total:,}")]
        reasons = h("ul", [h("li", line) for line in self._reasons()]) if self.failed else None
        return h("div", table(self.title, ["jobs", "number"], rows, numbers=1), reasons)


def _ids(jobs: Any) -> Iterable[str]:
    """Return the ids of jobs in any accepted form."""
    if isinstance(jobs, Recruitment):
        return [jobs.job_id] if jobs.job_id else []
    for name in ("job_ids", "job_id"):
        found = getattr(jobs, name, None)
        if found:
            return [found] if isinstance(found, str) else list(found)
    inner = getattr(jobs, "job", None)
    if inner is not None:
        return [identifier(inner, "job")]
    if isinstance(jobs, str) or hasattr(jobs, "id"):
        return [identifier(jobs, "job")]
    if hasattr(jobs, "job_ids") or not isinstance(jobs, Iterable):
        raise UsageError(
            f"jobs must be jobs, their ids, or the result of a call that queued them, not {jobs!r}."
        )
    return [identifier(one, "job") for one in jobs]
