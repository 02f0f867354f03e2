"""Study requests: recruit, ask and complete a whole study without further calls.

Each step ends in one transaction, which only the holder of the work item can commit. Between asking and
completing, the work item waits for the questions without occupying a worker.

The questions of a request share its reserved usage event. A failed answer is refunded from it at once, and a
retry counts its answers in a separate event, so each answer is counted once however often it is retried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from voxpop.engines.question import Question, Scale
from voxpop.jobs.asking import ask_study
from voxpop.jobs.queue import JobQueue
from voxpop.jobs.recruiting import Recruiter, refuse_failed
from voxpop.jobs.steps import CompleteStudy
from voxpop.jobs.turns import Turn
from voxpop.records import groups, jobs, questions, requests, studies, study_requests, usage, work_items
from voxpop.records.database import Clock, Database
from voxpop.records.requests import GroupRequest
from voxpop.records.study_requests import StudyRequest

if TYPE_CHECKING:
    from voxpop.population.file import Population

_LONGEST_TITLE = 300


class Conductor:
    """Runs study requests.

    Parameters
    ----------
    database, population, clock
        The database, the population and the clock.
    queue
        Queue for the work of the questions.
    recruiter
        Recruits the groups.
    complete_study
        Runs the steps of a completion.
    """

    def __init__(
        self,
        database: Database,
        population: Population,
        clock: Clock,
        *,
        queue: JobQueue,
        recruiter: Recruiter,
        complete_study: CompleteStudy,
    ) -> None:
        self._database = database
        self._population = population
        self._clock = clock
        self._queue = queue
        self._recruiter = recruiter
        self._complete_study = complete_study

    def run(self, item: work_items.Item, turn: Turn) -> None:
        """Advance a study request as far as possible."""
        with self._database.read() as c:
            job, request = _of_item(c, item)
            group_request = requests.get(c, item.organization_id, request.group_request_id)
        if request.phase == "recruiting":
            self._recruit(item, turn, job, request, group_request)
        elif request.phase == "asking":
            self._complete(item, job, request)

    def _recruit(
        self,
        item: work_items.Item,
        turn: Turn,
        job: jobs.Job,
        request: StudyRequest,
        group_request: GroupRequest,
    ) -> None:
        with self._database.begin() as c:
            if not work_items.renew(c, item):
                return
            request = study_requests.change(
                c, request, status="running", progress_message="Recruiting the group."
            )
        if group_request.status != "completed":  # otherwise an earlier attempt stopped right here
            brought = self._recruiter.bring(item, job.id, group_request, turn, last=False)
            if brought is None:
                return
            group_request = brought
        if group_request.status == "completed":
            self._ask(item, request, group_request)
            return
        with self._database.begin() as c:
            if not work_items.finish(c, item):
                return
            status = group_request.status
            jobs.finish(c, job.id, {"request_id": request.id, "status": status})
            study_requests.change(c, request, status=status, progress_message=group_request.progress_message)
            if status == "refused":
                usage.settle(c, request.usage_event_id, 0)

    def _ask(self, item: work_items.Item, request: StudyRequest, group_request: GroupRequest) -> None:
        assert group_request.group_id is not None
        whose, items = request.organization_id, [item.id]
        with self._database.begin() as c:
            if not work_items.renew(c, item):
                return
            group = groups.get(c, whose, group_request.group_id)
            title = request.title or group_request.request_text
            study = studies.create(
                c, whose, title=title[:_LONGEST_TITLE], objective=request.objective, group=group
            )
            reserved = request.usage_event_id
            usage.shrink(c, reserved, group.agent_count * len(request.questions))
            for question in request.questions:
                items += ask_study(
                    c, whose, study, as_question(question), reserved=reserved, engine=question.get("engine")
                ).item_ids
            study_requests.change(
                c,
                request,
                phase="asking",
                study_id=study.id,
                progress_message=f"Asking {group.agent_count:,} agents {_counted(len(request.questions))}.",
            )
            work_items.wait_for_questions(c, item, study.id)
        self._queue.put(items[1:] + items[:1], study_id=study.id)

    def _complete(self, item: work_items.Item, job: jobs.Job, request: StudyRequest) -> None:
        assert request.study_id is not None
        result = self._complete_study(self._database, self._population, job, self._clock)
        with self._database.begin() as c:
            if not work_items.finish(c, item):
                return
            whose, study_id = request.organization_id, request.study_id
            answered = sum(q.answer_count for q in questions.list_(c, whose, study_id))
            studies.set_stage(c, whose, study_id, "completed")
            usage.settle(c, request.usage_event_id, answered)
            outcome = {"request_id": request.id, "status": "completed", "study_id": study_id}
            jobs.finish(c, job.id, result | outcome)
            study_requests.change(
                c,
                request,
                status="completed",
                phase="done",
                progress_message=f"Completed with {answered:,} answers.",
            )


def abandon_study_request(c: sa.Connection, item: work_items.Item, reason: tuple[str, str]) -> None:
    """End the study request of a work item that failed repeatedly; existing answers count."""
    job, request = _of_item(c, item)
    jobs.fail(c, {job.id: reason})
    group_request = requests.get(c, request.organization_id, request.group_request_id)
    if group_request.status in ("queued", "running"):
        jobs.set_detail(c, job.id, phase=group_request.phase)  # where a retry continues
        refuse_failed(c, group_request, reason)
    delivered = 0
    if request.study_id is not None:
        given = questions.list_(c, request.organization_id, request.study_id)
        delivered = sum(question.answer_count for question in given)
    usage.settle(c, request.usage_event_id, delivered)
    study_requests.change(
        c, request, status="failed", phase="done", progress_message=f"The study failed: {reason[1]}"
    )


def as_stored(question: Question, engine: str | None = None) -> dict[str, Any]:
    """Return a question and the engine that it asks for in the form in which a request stores them."""
    return {
        "text": question.text,
        "type": question.type,
        "options": list(question.options),
        "scale": asdict(question.scale) if question.scale is not None else None,
        "unit": question.unit,
        "shuffle_options": question.shuffle_options,
        "key": question.key,
        "notice": question.notice,
        "engine": engine,
    }


def as_question(stored: Mapping[str, Any]) -> Question:
    """Return a question of a request in the form that respondents read."""
    scale = stored["scale"]
    return Question(
        text=stored["text"],
        type=stored["type"],
        options=tuple(stored["options"]),
        scale=Scale(**scale) if scale is not None else None,
        unit=stored["unit"],
        shuffle_options=stored["shuffle_options"],
        key=stored["key"],
        notice=stored.get("notice"),  # absent if the request waited during an upgrade of the service
    )


def _of_item(c: sa.Connection, item: work_items.Item) -> tuple[jobs.Job, StudyRequest]:
    (job,) = jobs.of_item(c, item.id)
    assert job.detail is not None
    return job, study_requests.get(c, item.organization_id, job.detail["request_id"])


def _counted(count: int) -> str:
    return "1 question" if count == 1 else f"{count} questions"
