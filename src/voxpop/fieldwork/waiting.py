"""Waiting for answers: by jobs where their ids are known, by counts after a restart."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from voxpop.client.jobs import succeeded
from voxpop.errors import JobFailed, ServiceError
from voxpop.fieldwork.notices import FieldworkWarning
from voxpop.fieldwork.progress import Say, progress
from voxpop.wire.jobs import Job
from voxpop.wire.questions import Question
from voxpop.wire.studies import Study

if TYPE_CHECKING:
    from voxpop.client import Client


@dataclass(frozen=True, slots=True)
class Pending:
    """A question that was asked and is still to be waited for."""

    question: Question
    job_ids: tuple[str, ...]
    poll_after_s: float | None


def settle(client: Client, study: Study, pending: list[Pending]) -> list[Question]:
    """Wait for each pending question in turn, remove it from the list, and return it with its counts.

    After an interruption or a timeout, the remaining questions stay on the list.
    """
    settled: list[Question] = []
    with progress() as say:
        while pending:
            settled.append(_answered(client, study, pending[0], say))
            del pending[0]
    return settled


def _answered(client: Client, study: Study, one: Pending, say: Say | None) -> Question:
    """Wait for the last job, which usually ends last; check every job only if the counts do not add up."""
    label, asked = one.question.key or _short(one.question.question), len(one.job_ids)

    def tell(done: int, _: int) -> None:
        if say is not None and not done:
            counted = _ended_so_far(client, study, one.question)
            say(f"{label}: {sum(counted):,} of {asked:,} agents have answered")

    if say is not None:
        say(f"{label}: asking {asked:,} agents")
    client.jobs.wait(one.job_ids[-1:], first_wait=one.poll_after_s, on_look=tell)
    good, bad = _ended_so_far(client, study, one.question)
    if good + bad != asked:
        jobs = client.jobs.wait(one.job_ids, first_wait=0.0)
        good = sum(map(succeeded, jobs))
        bad = asked - good
    if say is not None:
        say(f"{label}: {good:,} of {asked:,} agents have answered")
    return one.question.model_copy(update={"asked_count": asked, "answer_count": good, "failed_count": bad})


def _ended_so_far(client: Client, study: Study, question: Question) -> tuple[int, int]:
    """Return the numbers of answers and failures of a question; zeros if the service does not count them."""
    for found in client.questions.list(study, answers=False):
        if found.id == question.id and found.id is not None:
            return found.answer_count or 0, found.failed_count or 0
    return 0, 0


def settle_by_counts(client: Client, study: Study) -> list[Question]:
    """Wait until each question has as many answers and failures as agents asked; return the questions."""
    with progress() as say:

        def tell(done: int, total: int) -> None:
            if say is not None and done < total:
                say(f"{done:,} of {total:,} answers")

        return list(client.questions.wait(study, on_look=tell))


def warn_of_failures(client: Client, study: Study, questions: Iterable[Question], stacklevel: int) -> None:
    """Warn of agents that failed to answer, with the reason; a ``finished`` question may have failures."""
    for question in questions:
        if question.failed_count:
            warnings.warn(
                f"{question.failed_count:,} of {question.asked_count:,} agents failed to answer "
                f"{question.key or _short(question.question)!r}.{_reason(client, study, question)}",
                FieldworkWarning,
                stacklevel=stacklevel + 1,
            )


def _reason(client: Client, study: Study, question: Question) -> str:
    """Return the most common reason of failures as a sentence; empty if the service gives none."""
    try:
        lost = client.questions.unanswered(study)
    except ServiceError as error:
        if error.status not in (404, 405):
            raise
        return ""
    told = Counter(one.error.message for one in lost if one.error and one.question_id == question.id)
    if not told:
        return ""
    return f" {'The reason' if len(told) == 1 else 'Most often'}: {told.most_common(1)[0][0]}"


def failure(job: Job, what: str) -> JobFailed:
    """Return the error for a job that failed, with the reason given by the service."""
    if job.error is not None:
        told, code = job.error.message or "no reason given", job.error.code or "failed"
    else:
        told, code = f"it ended as {job.domain_status or job.status}", str(job.domain_status or job.status)
    return JobFailed(f"{what} failed: {told} (job {job.id})", job_id=job.id, code=code)


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
