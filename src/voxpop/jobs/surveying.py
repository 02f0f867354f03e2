"""Surveys: one job asks many agents a question in parts, and continues where it stopped.

The job's progress is the index in the list of agents up to which all were asked. It advances in the
transaction that stores the answers, so no agent is asked twice or skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from voxpop.engines.agents import Agent
from voxpop.engines.question import Question
from voxpop.engines.respondent import Failure, Reply, Respondent
from voxpop.jobs.apart import GIVEN_UP_AFTER, HALVED_AFTER
from voxpop.jobs.asking import answer_rows, attached, save_answers
from voxpop.jobs.fitting import fitting
from voxpop.jobs.histories import as_asked
from voxpop.jobs.shelf import AgentShelf
from voxpop.jobs.spending import booked
from voxpop.jobs.turns import Turn
from voxpop.records import answer_bases, jobs, questions, usage, work_items
from voxpop.records.database import Clock, Database
from voxpop.records.jobs import CHUNK, Job
from voxpop.records.questions import AskedQuestion
from voxpop.records.surveys import SURVEY
from voxpop.records.usage import Meter, UsageEvent

FREE = "free"
"""Kind of work of a free question, also stored as the question's target."""

SHOWN_OF_AGENTS = ("name", "age", "city", "state", "occupation")
"""Properties of an agent in the answer to a free question, in addition to its id."""

_AHEAD = 2_000  # agents per read
_ENDED = ("process_ended", "Each process that asked this agent ended without an error; the log names them.")
_SILENT = ("no_answer", "The respondent gave no answer for any of the agents.")


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A question that one job asks of many agents, with its row, job, work item and usage."""

    question: AskedQuestion
    job_id: str
    item_id: int
    usage: UsageEvent


def survey(
    c: sa.Connection,
    meter: Meter,
    kind: str,
    agent_ids: Sequence[int],
    question: Question,
    *,
    group_id: int | None = None,
    attachments: Sequence[int] = (),
    engine: str | None = None,
    operation_id: str | None = None,
    detail: Mapping[str, Any] | None = None,
) -> Surveyed:
    """Store a question with one job that asks it of all these agents.

    The caller queues ``item_id`` after the transaction.

    Parameters
    ----------
    c, meter
        A write connection, and the meter that counts the answers against the quota.
    kind
        :data:`FREE` or :data:`~voxpop.records.surveys.SURVEY`.
    agent_ids, group_id
        The agents to ask, in this order, and the group if they are asked as a group.
    question, attachments
        The question and its attached media assets.
    engine
        The engine to ask, if not the default one.
    operation_id
        The operation to which the question belongs.
    detail
        Further details stored with the job.

    Raises
    ------
    QuotaExceeded
        The answers exceed the rest of the monthly quota.
    """
    event = usage.record(c, meter, len(agent_ids), operation_id=operation_id)
    stored = questions.create_direct(
        c,
        meter.organization_id,
        question,
        attachments=attachments,
        asked_of=kind,
        asked_count=len(agent_ids),
        group_id=group_id,
        usage_event_id=event.id,
        engine=engine,
    )
    job_id, item_id = jobs.create_job(
        c,
        meter.organization_id,
        kind,
        question_id=stored.id,
        operation_id=operation_id,
        detail={"agent_ids": list(agent_ids), **(detail or {})},
        total=len(agent_ids),
    )
    return Surveyed(stored, job_id, item_id, event)


def run_survey(
    database: Database,
    shelf: AgentShelf,
    respondent: Respondent,
    clock: Clock,
    seed: int,
    item: work_items.Item,
    *,
    turn: Turn,
) -> None:
    """Ask the remaining agents, a hundred at a time, and then end the job.

    An item with which processes have died repeatedly continues agent by agent, and finally skips the agent at
    which it stopped.
    """
    with database.read() as c:
        job, stored = _of_item(c, item)
    question = as_asked(stored, attached(database, item.organization_id, stored))
    agent_ids, done = _left(job), job.done
    size = CHUNK if item.deaths < HALVED_AFTER else 1
    leaving_out = item.deaths >= GIVEN_UP_AFTER
    while True:
        part = agent_ids[done : done + size]
        answered: Iterable[Reply | Failure] = [Failure(agent, *_ENDED) for agent in part]
        if part and not leaving_out:
            agents = _taken(shelf, part, agent_ids[done : done + _AHEAD])
            answered = respondent.answer(agents, question, {}, seed=seed)
        heard = list(fitting(question, booked(database, clock, item, answered)))
        replies = [said for said in heard if isinstance(said, Reply)]
        done += len(part)
        last = done >= len(agent_ids)
        with database.begin() as c:
            hold = turn.end if leaving_out else turn.hold
            if not (work_items.finish(c, item) if last else hold(c, item)):
                return  # the lease expired and another worker has the item: its answers count
            rows = answer_rows(item, replies, dict.fromkeys(part, job.id), clock())
            save_answers(c, item, replies, rows)
            _count(c, stored, answered=len(replies), failed=len(part) - len(replies))
            jobs.set_progress(c, job.id, done, len(agent_ids))
            if leaving_out:
                work_items.ease(c, item, HALVED_AFTER)
            if last:
                _end(c, shelf, item, job, _why(heard))
        if last or turn.over:
            return


def abandon_survey(c: sa.Connection, item: work_items.Item, reason: tuple[str, str]) -> None:
    """End a job that failed repeatedly; its answers stay, and the rest is refunded."""
    job, stored = _of_item(c, item)
    _count(c, stored, answered=0, failed=job.total - job.done)
    jobs.fail(c, {job.id: reason})


def _taken(shelf: AgentShelf, part: Sequence[int], ahead: Sequence[int]) -> list[Agent]:
    return shelf.take(part, lambda: ahead)


def _count(c: sa.Connection, stored: AskedQuestion, *, answered: int, failed: int) -> None:
    questions.count_ended(c, stored.id, answered=answered, failed=failed)
    if failed and stored.usage_event_id is not None:
        usage.void_part(c, stored.usage_event_id, failed)


def _why(heard: Sequence[Reply | Failure]) -> tuple[str, str]:
    """Return the most common reason for failure if no agent answered."""
    lost = Counter(said.message for said in heard if isinstance(said, Failure))
    code, told = _SILENT
    return code, " ".join([told, *(message for message, _ in lost.most_common(1))])


def _end(
    c: sa.Connection, shelf: AgentShelf, item: work_items.Item, job: Job, if_silent: tuple[str, str]
) -> None:
    asked = _of_item(c, item)[1]
    if asked.asked_count and not asked.answer_count:
        jobs.fail(c, {job.id: if_silent})
    elif job.kind == SURVEY:
        assert job.detail is not None
        told = {"question_id": asked.id, "answered": asked.answer_count, "failed": asked.failed_count}
        jobs.finish(c, job.id, {"survey_uuid": job.detail["survey_uuid"], **told})
    else:
        jobs.finish(c, job.id, _free_result(c, shelf, item, asked, _agent_ids(job)))


def _free_result(
    c: sa.Connection, shelf: AgentShelf, item: work_items.Item, asked: AskedQuestion, agent_ids: Sequence[int]
) -> dict[str, Any]:
    given = {answer.agent_id: answer for answer in questions.answers(c, item.organization_id, None, asked.id)}
    results = [
        {"agent_id": agent.id, "reply": given[agent.id].text}
        | answer_bases.fields_of(given[agent.id].basis)
        | {name: getattr(agent, name) for name in SHOWN_OF_AGENTS}
        for agent in shelf.take(agent_ids, tuple)
        if agent.id in given
    ]
    return {"results": results, "partial": len(results) < len(agent_ids)}


def again(c: sa.Connection, organization_id: int, job: Job) -> list[int]:
    """Return the agents of a survey's job that gave no answer, in order."""
    answered = {each.agent_id for each in questions.answers(c, organization_id, None, job.question_id)}
    return [agent for agent in _agent_ids(job) if agent not in answered]


def _left(job: Job) -> list[int]:
    """Return the agents that a job asks: all agents of the question, or those that failed before."""
    assert job.detail is not None
    return list(job.detail.get("again") or job.detail["agent_ids"])


def _agent_ids(job: Job) -> list[int]:
    assert job.detail is not None
    return list(job.detail["agent_ids"])


def _of_item(c: sa.Connection, item: work_items.Item) -> tuple[Job, AskedQuestion]:
    (job,) = jobs.of_item(c, item.id)
    assert item.question_id is not None
    return job, questions.get(c, item.organization_id, item.question_id)
