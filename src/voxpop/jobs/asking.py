"""Asking: turn a question into jobs, and a work item into answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from voxpop.engines.question import Attachment, Exchange, Question
from voxpop.engines.respondent import Failure, Reply, Respondent, reads_values
from voxpop.errors import Conflict
from voxpop.jobs.fitting import fitting
from voxpop.jobs.histories import Histories, as_asked
from voxpop.jobs.logs import note, tally
from voxpop.jobs.queue import JobQueue
from voxpop.jobs.shelf import AgentShelf
from voxpop.jobs.spending import booked
from voxpop.jobs.waves import said_again
from voxpop.records import answer_bases, jobs, media, questions, studies, usage, waves, work_items
from voxpop.records.database import Clock, Database
from voxpop.records.questions import AskedQuestion, Earlier
from voxpop.records.references import missing
from voxpop.records.studies import Study
from voxpop.records.usage import Meter, UsageEvent


@dataclass(frozen=True, slots=True)
class AskResult:
    """A question asked of agents, with its row, ordered jobs, work items and usage."""

    question: AskedQuestion
    job_ids: list[str]
    item_ids: list[int]
    usage: UsageEvent | None = None


def ask(
    database: Database,
    queue: JobQueue,
    organization_id: int,
    study: int | str,
    question: Question,
    *,
    meter: Meter | None = None,
    attachments: Sequence[int] = (),
    engine: str | None = None,
) -> AskResult:
    """Ask the agents of a study a question and start the work; see :func:`ask_study`."""
    with database.begin() as c:
        found = studies.get(c, organization_id, study)
        asked = ask_study(
            c, organization_id, found, question, meter=meter, attachments=attachments, engine=engine
        )
    queue.put(asked.item_ids, study_id=found.id)
    note(jobs=len(asked.job_ids), **_first_and_last(asked.job_ids))
    return asked


def ask_study(
    c: sa.Connection,
    organization_id: int,
    study: Study,
    question: Question,
    *,
    meter: Meter | None = None,
    reserved: str | None = None,
    attachments: Sequence[int] = (),
    engine: str | None = None,
) -> AskResult:
    """Store a question with one job per current agent of the study, in group order.

    The caller queues ``item_ids`` after the transaction. A completed study becomes active again, because its
    results no longer cover all questions.

    Parameters
    ----------
    c, organization_id, study
        A write connection, the organization and the study.
    question
        The question to ask.
    meter
        Counts the answers against the organization's quota.
    reserved
        A usage event in which the answers are already reserved, instead of a meter.
    attachments
        Media assets of the organization to attach to the question.
    engine
        The engine to ask, if not the default one.

    Raises
    ------
    InvalidRequest
        The study already has a question with this key.
    QuotaExceeded
        The answers exceed the rest of the monthly quota.
    """
    study = studies.hold(c, organization_id, study.id)  # serializes changes of the study
    present = [a.agent_id for a in studies.agents(c, organization_id, study.id) if a.removed_at is None]
    event = usage.record(c, meter, len(present)) if meter is not None else None
    stored = questions.create(
        c,
        organization_id,
        study.id,
        question,
        attachments=attachments,
        key=question.key,
        usage_event_id=event.id if event is not None else reserved,
        engine=engine,
    )
    job_ids, item_ids = jobs.create_question_jobs(c, organization_id, stored, present)
    if study.stage != "active":
        studies.set_stage(c, organization_id, study.id, "active")
    return AskResult(stored, job_ids, item_ids, event)


def ask_again(
    database: Database,
    queue: JobQueue,
    organization_id: int,
    study: int | str,
    question: int | str,
    *,
    meter: Meter | None = None,
) -> AskResult:
    """Ask a question of a study again of the agents that failed to answer it, and start the work.

    Each of them gets a new job, in group order; the old job keeps its state. Agents removed from the study
    are not asked again. Agents remember their answers to earlier questions, but not to later ones.

    Parameters
    ----------
    database, queue, organization_id
        The database, the queue and the organization.
    study, question
        The study and the question.
    meter
        Counts the answers against the quota, since failed answers were refunded.

    Raises
    ------
    NotFound
        The study has no such question.
    Conflict
        Some of its jobs have not ended, so it is not yet known which agents fail.
    QuotaExceeded
        The answers exceed the rest of the monthly quota.
    """
    with database.begin() as c:
        found = studies.hold(c, organization_id, studies.get(c, organization_id, study).id)
        stored = questions.get(c, organization_id, question)
        if stored.study_id != found.id:
            raise missing("question", question)
        latest = jobs.latest(c, stored.id)
        if waiting := sum(status == "started" for _, status in latest):
            raise Conflict(
                f"{waiting:,} agents have not ended with question {stored.id}; ask again once all have."
            )
        failed = [agent for agent, status in latest if status == "failed"]
        if not failed:
            return AskResult(stored, [], [])
        event = usage.record(c, meter, len(failed)) if meter is not None else None
        questions.count_again(c, stored.id, len(failed), event.id if event is not None else None)
        job_ids, item_ids = jobs.create_question_jobs(c, organization_id, stored, failed)
        if found.stage != "active":
            studies.set_stage(c, organization_id, found.id, "active")
        stored = questions.get(c, organization_id, stored.id)
    queue.put(item_ids, study_id=found.id)
    return AskResult(stored, job_ids, item_ids, event)


def ask_directly(
    c: sa.Connection,
    meter: Meter,
    agent_ids: Sequence[int],
    question: Question,
    *,
    group_id: int | None = None,
    attachments: Sequence[int] = (),
    engine: str | None = None,
    operation_id: str | None = None,
) -> AskResult:
    """Store a question to one agent or a group, without a study, with one job per agent in the given order.

    The caller queues ``item_ids`` after the transaction.

    Parameters
    ----------
    c, meter
        A write connection, and the meter that counts the answers against the quota.
    agent_ids, group_id
        The agents to ask, and the group if they are asked as a group.
    question, attachments
        The question and its attached media assets.
    engine
        The engine to ask, if not the default one.
    operation_id
        The operation to which the question belongs.

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
        asked_of="agent" if group_id is None else "group",
        asked_count=len(agent_ids),
        group_id=group_id,
        usage_event_id=event.id,
        engine=engine,
    )
    job_ids, item_ids = jobs.create_question_jobs(
        c, meter.organization_id, stored, agent_ids, operation_id=operation_id
    )
    return AskResult(stored, job_ids, item_ids, event)


def attached(database: Database, organization_id: int, stored: AskedQuestion) -> list[Attachment]:
    """Return the attachments of a stored question; their bytes are read when an engine needs them."""
    if not stored.attachments:
        return []

    def reader(number: int) -> Callable[[], bytes]:
        def read() -> bytes:
            with database.read() as c:
                return media.content(c, organization_id, number)

        return read

    with database.read() as c:
        found = {asset.id: asset for asset in media.named(c, organization_id, stored.attachments)}
    return [
        Attachment(found[number].filename, found[number].mime, found[number].bytes, reader(number))
        for number in stored.attachments
    ]


@dataclass(slots=True)
class _Outcome:
    """Outcome of the jobs of a work item."""

    replies: list[Reply] = field(default_factory=list)
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)  # job id -> code and message


def run_question(
    database: Database,
    shelf: AgentShelf,
    respondent: Respondent,
    clock: Clock,
    seed: int,
    item: work_items.Item,
    *,
    histories: Histories,
) -> None:
    """Ask the agents of one work item and store their answers in one transaction.

    Stored answers are never overwritten, so running the item again after a crash duplicates nothing.
    """
    assert item.question_id is not None
    remembers = item.study_id is not None and reads_values(respondent)
    with database.read() as c:
        pending = jobs.pending(c, item)
        note(jobs=len(pending), **_first_and_last([job.id for job in pending]))
        asked = [job.agent_id for job in pending if not job.removed]
        now_asked, history = (
            histories.recall(c, database, item, asked) if remembers else _read_earlier(c, item, asked)
        )
        wave, carried = waves.carried(c, item.study_id, asked) if item.study_id is not None else (1, set())
    outcome = _Outcome()
    outcome.failures |= {
        job.id: ("agent_removed", f"Agent {job.agent_id} was removed from the study before it was asked.")
        for job in pending
        if job.removed
    }
    job_of = {job.agent_id: job.id for job in pending if not job.removed}
    if asked:
        agents = shelf.take(asked, lambda: _ahead(database, item))
        question = as_asked(now_asked, attached(database, item.organization_id, now_asked))
        answered = respondent.answer(agents, question, history, seed=seed)
        for said in fitting(question, booked(database, clock, item, answered)):
            if isinstance(said, Failure):
                outcome.failures[job_of[said.agent_id]] = (said.code, said.message)
            else:
                again = said.agent_id in carried
                basis = said_again(said.basis, wave) if again else said.basis
                outcome.replies.append(replace(said, basis=basis) if again else said)
    if _save(database, clock, item, outcome, job_of) and remembers:
        histories.remember(item, outcome.replies)


def _read_earlier(
    c: sa.Connection, item: work_items.Item, agents: Sequence[int]
) -> tuple[AskedQuestion, Mapping[int, Sequence[Exchange]]]:
    """Return the question of a work item, and the agents' answers to earlier ones including their words."""
    assert item.question_id is not None
    if item.study_id is None:
        return questions.get(c, item.organization_id, item.question_id), {}
    stored = {one.id: one for one in waves.remembered(c, item.organization_id, item.study_id)}
    before = [number for number in stored if number < item.question_id]
    told = questions.told(c, before, agents)
    asked = {number: as_asked(question) for number, question in stored.items()}
    return stored[item.question_id], _exchanges(told, asked)


def _first_and_last(job_ids: Sequence[str]) -> dict[str, str]:
    return {"first_job": job_ids[0], "last_job": job_ids[-1]} if job_ids else {}


def _ahead(database: Database, item: work_items.Item) -> list[int]:
    with database.read() as c:
        return jobs.agents_ahead(c, item)


def _save(
    database: Database, clock: Clock, item: work_items.Item, outcome: _Outcome, job_of: dict[int, str]
) -> bool:
    """Store the outcome of a work item; return whether all the given answers were stored."""
    rows = answer_rows(item, outcome.replies, job_of, clock())
    with database.begin() as c:
        if not work_items.finish(c, item):
            return False  # the lease expired and another worker has the item: its answers count
        stored = save_answers(c, item, outcome.replies, rows)
        close(c, item, outcome.failures, ("no_answer", "The respondent gave no answer for this agent."))
    return stored == len(rows)


def answer_rows(
    item: work_items.Item, replies: Sequence[Reply], job_of: Mapping[int, str], moment: datetime
) -> list[dict[str, Any]]:
    """Return replies to the question of a work item as rows to insert, each with the job of its agent."""
    return [
        {
            "organization_id": item.organization_id,
            "study_id": item.study_id,
            "question_id": item.question_id,
            "agent_id": reply.agent_id,
            "job_id": job_of[reply.agent_id],
            "text": reply.text,
            "value": reply.value,
            "option_order": None if reply.option_order is None else list(reply.option_order),
            "answered_at": moment,
            "engine": reply.engine,
            "basis_code": answer_bases.code_of(reply.basis),
        }
        for reply in replies
    ]


def save_answers(
    c: sa.Connection, item: work_items.Item, replies: Sequence[Reply], rows: Sequence[Mapping[str, Any]]
) -> int:
    """Store the rows of :func:`answer_rows` with what they rest on; return the number of new answers."""
    assert item.question_id is not None
    answer_bases.save(c, item.question_id, {reply.basis for reply in replies})
    return questions.save_answers(c, rows)


def close(
    c: sa.Connection, item: work_items.Item, failures: dict[str, tuple[str, str]], otherwise: tuple[str, str]
) -> None:
    """End every job of a question's work item: finished if the answer is stored, otherwise failed.

    Parameters
    ----------
    c, item
        A write connection and the work item.
    failures
        Code and message by job id.
    otherwise
        Code and message of jobs without an answer or a failure.
    """
    assert item.question_id is not None
    answered = jobs.finish_answered(c, item)
    failed = {job.id: failures.get(job.id, otherwise) for job in jobs.pending(c, item)}
    jobs.fail(c, failed)
    tally(answered=answered, failed=len(failed))
    questions.count_ended(c, item.question_id, answered=answered, failed=len(failed))
    if failed:
        counted = questions.get(c, item.organization_id, item.question_id).usage_event_id
        if counted is not None:
            usage.void_part(c, counted, len(failed))


def _exchanges(told: dict[int, list[Earlier]], asked: dict[int, Question]) -> dict[int, Sequence[Exchange]]:
    return {
        agent: [Exchange(asked[earlier.question_id], earlier.text, earlier.value) for earlier in exchanges]
        for agent, exchanges in told.items()
    }
