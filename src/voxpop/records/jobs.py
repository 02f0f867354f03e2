"""Jobs, which callers poll; :mod:`voxpop.records.work_items` has the work items that end them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from voxpop.errors import Forbidden
from voxpop.records import work_items
from voxpop.records.database import now
from voxpop.records.inserting import insert_many
from voxpop.records.questions import AskedQuestion
from voxpop.records.references import missing
from voxpop.records.schema import answers, jobs, questions, study_agents
from voxpop.records.schema import work_items as items_table

QUESTION = "question"
COMPLETION = "completion"
CHUNK = 100
"""Number of agents per work item."""

_LOOK_UP = 1_000  # ids per statement; databases limit the number of parameters


@dataclass(frozen=True, slots=True)
class Job:
    """A job as shown to its owner.

    Attributes
    ----------
    kind : str
        ``question``, ``completion``, ``recruiting`` or another kind that has a handler.
    status : str
        ``started`` (also while queued), ``finished`` or ``failed``.
    operation_id : str or None
        The operation it belongs to.
    detail : dict or None
        Its input: for a completion ``steps`` and the requested ``data_version``; for other kinds the id of
        the resource, such as ``request_id``.
    result, error : dict or None
        The result, or ``code`` and ``message``.
    done, total : int
        Progress. A question job reports that of the whole question, because clients poll one of its jobs.
    """

    id: str
    organization_id: int
    kind: str
    status: str
    operation_id: str | None
    question_id: int | None
    study_id: int | None
    agent_id: int | None
    detail: dict[str, Any] | None
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    attempts: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Pending:
    """An unfinished question job, and whether its agent was removed from the study."""

    id: str
    agent_id: int
    removed: bool


def _answered(column: sa.Column[Any], question_id: sa.ColumnElement[Any]) -> sa.ScalarSelect[Any]:
    """Look up the answer of a job's agent.

    A subquery, not a join: for a question newer than its statistics PostgreSQL assumes one answer, and a join
    would read all answers once per job.
    """
    asked = sa.and_(answers.c.question_id == question_id, answers.c.agent_id == jobs.c.agent_id)
    return sa.select(column).where(asked).correlate(jobs, items_table).scalar_subquery()


def _removed() -> sa.ColumnElement[bool]:
    place = sa.and_(
        study_agents.c.agent_id == jobs.c.agent_id, study_agents.c.study_id == sa.bindparam("study")
    )
    return sa.select(study_agents.c.removed_at).where(place).correlate(jobs).scalar_subquery().is_not(None)


_ATTEMPTS = sa.case(
    (
        items_table.c.attempts > items_table.c.waits,
        items_table.c.attempts - items_table.c.waits,
    ),
    (items_table.c.waits > 0, 1),
    else_=0,
).label("attempts")
_SELECT = (
    sa.select(
        jobs.c.id,
        jobs.c.organization_id,
        items_table.c.kind,
        jobs.c.status,
        jobs.c.operation_id,
        items_table.c.question_id,
        items_table.c.study_id,
        jobs.c.agent_id,
        jobs.c.detail,
        jobs.c.result,
        jobs.c.error,
        items_table.c.created_at,
        items_table.c.started_at,
        jobs.c.finished_at,
        _ATTEMPTS,
        sa.func.coalesce(jobs.c.done, questions.c.answer_count + questions.c.failed_count).label("done"),
        sa.func.coalesce(jobs.c.total, questions.c.asked_count).label("total"),
        _answered(answers.c.text, items_table.c.question_id).label("response_text"),
        _answered(answers.c.value, items_table.c.question_id).label("value"),
    )
    .join(items_table, items_table.c.id == jobs.c.item_id)
    .outerjoin(questions, questions.c.id == items_table.c.question_id)
)
_BY_ID = _SELECT.where(jobs.c.id == sa.bindparam("job"))
# Built once, because they run for every work item.
_OF_ITEM = _SELECT.where(jobs.c.item_id == sa.bindparam("item")).order_by(jobs.c.id)
_PENDING = (
    sa.select(jobs.c.id, jobs.c.agent_id, _removed())
    .where(
        jobs.c.item_id == sa.bindparam("item"),
        jobs.c.status == "started",
    )
    .order_by(jobs.c.id)
)
_AHEAD = (
    sa.select(jobs.c.agent_id)
    .join(items_table, items_table.c.id == jobs.c.item_id)
    .where(
        items_table.c.id >= sa.bindparam("item"),
        items_table.c.id < sa.bindparam("end"),
        items_table.c.question_id == sa.bindparam("question"),
    )
)
_FINISH_ANSWERED = (
    jobs.update()
    .where(
        jobs.c.item_id == sa.bindparam("item"),
        jobs.c.status == "started",
        _answered(answers.c.id, sa.bindparam("question")).is_not(None),
    )
    .values(status="finished", finished_at=sa.bindparam("moment"))
)
_FAIL = (
    jobs.update()
    .where(jobs.c.id == sa.bindparam("job"), jobs.c.status == "started")
    .values(
        status="failed",
        finished_at=sa.bindparam("ended", type_=jobs.c.finished_at.type),
        error=sa.bindparam("reason", type_=jobs.c.error.type),
    )
)


def create_question_jobs(
    c: sa.Connection,
    organization_id: int,
    question: AskedQuestion,
    agent_ids: Sequence[int],
    *,
    operation_id: str | None = None,
) -> tuple[list[str], list[int]]:
    """Create a job per agent and a work item per :data:`CHUNK` agents.

    Returns
    -------
    job_ids, item_ids : list
        Both in the order of ``agent_ids``; the job ids also sort in that order.
    """
    parts = [agent_ids[start : start + CHUNK] for start in range(0, len(agent_ids), CHUNK)]
    item_ids = work_items.create(
        c, organization_id, QUESTION, count=len(parts), study_id=question.study_id, question_id=question.id
    )
    job_ids = _new_ids(now(c), len(agent_ids))
    owners = [item for item, part in zip(item_ids, parts, strict=True) for _ in part]
    rows = [
        {
            "id": job,
            "organization_id": organization_id,
            "item_id": item,
            "status": "started",
            "operation_id": operation_id,
            "agent_id": agent,
        }
        for job, item, agent in zip(job_ids, owners, agent_ids, strict=True)
    ]
    insert_many(c, jobs, rows)
    return job_ids, item_ids


def create_job(
    c: sa.Connection,
    organization_id: int,
    kind: str,
    *,
    study_id: int | None = None,
    question_id: int | None = None,
    operation_id: str | None = None,
    detail: Mapping[str, Any] | None = None,
    total: int = 1,
) -> tuple[str, int]:
    """Create one job with its own work item and return both ids."""
    item_id = work_items.create(
        c, organization_id, kind, count=1, study_id=study_id, question_id=question_id
    )[0]
    job_id = _new_ids(now(c), 1)[0]
    row = {
        "id": job_id,
        "organization_id": organization_id,
        "item_id": item_id,
        "status": "started",
        "operation_id": operation_id,
        "detail": dict(detail) if detail is not None else None,
        "done": 0,
        "total": total,
    }
    c.execute(jobs.insert(), row)
    return job_id, item_id


def get(c: sa.Connection, organization_id: int, job_id: str) -> Job:
    """Return one job.

    Raises
    ------
    NotFound
        There is no such job.
    Forbidden
        It belongs to another organization.
    """
    row = c.execute(_BY_ID, {"job": job_id}).first()
    if row is None:
        raise missing("job", job_id)
    if row.organization_id != organization_id:
        raise Forbidden(f"Job {job_id} belongs to another organization.")
    return _job(row._mapping)


def get_many(c: sa.Connection, organization_id: int, job_ids: Iterable[str]) -> tuple[list[Job], list[str]]:
    """Return the jobs in the order requested, and the ids that are unknown to this organization."""
    wanted = list(dict.fromkeys(job_ids))
    found: dict[str, Job] = {}
    for start in range(0, len(wanted), _LOOK_UP):
        condition = jobs.c.id.in_(wanted[start : start + _LOOK_UP])
        for row in c.execute(_SELECT.where(condition, jobs.c.organization_id == organization_id)).all():
            found[row.id] = _job(row._mapping)
    return [found[job] for job in wanted if job in found], [job for job in wanted if job not in found]


def of_item(c: sa.Connection, item_id: int) -> list[Job]:
    """Return the jobs that one work item ends."""
    return [_job(row._mapping) for row in c.execute(_OF_ITEM, {"item": item_id})]


def open_jobs(
    c: sa.Connection, organization_id: int, study_id: int, kind: str = QUESTION, limit: int | None = None
) -> list[str]:
    """Return the ids of a study's unfinished jobs of one kind, oldest first."""
    statement = (
        sa.select(jobs.c.id)
        .join(items_table, items_table.c.id == jobs.c.item_id)
        .where(
            items_table.c.organization_id == organization_id,
            items_table.c.study_id == study_id,
            items_table.c.state.in_(work_items.UNFINISHED),
            items_table.c.kind == kind,
            jobs.c.status == "started",
        )
        .order_by(items_table.c.id, jobs.c.id)
        .limit(limit)
    )
    return list(c.execute(statement).scalars())


def latest(c: sa.Connection, question_id: int) -> list[tuple[int, str]]:
    """Return the agents that were asked a question with the status of their last job, in group order.

    Agents removed from the study are left out.
    """
    last = (
        sa.select(jobs.c.agent_id, sa.func.max(jobs.c.item_id).label("item_id"))
        .join(items_table, items_table.c.id == jobs.c.item_id)
        .where(items_table.c.question_id == question_id)
        .group_by(jobs.c.agent_id)
        .subquery()
    )
    gone = (
        sa.select(study_agents.c.agent_id)
        .join(questions, questions.c.study_id == study_agents.c.study_id)
        .where(questions.c.id == question_id, study_agents.c.removed_at.is_not(None))
    )
    statement = (
        sa.select(jobs.c.agent_id, jobs.c.status)
        .join(last, sa.and_(last.c.agent_id == jobs.c.agent_id, last.c.item_id == jobs.c.item_id))
        .where(jobs.c.agent_id.not_in(gone))
        .order_by(jobs.c.item_id, jobs.c.id)
    )
    return [(agent, status) for agent, status in c.execute(statement)]


def pending(c: sa.Connection, item: work_items.Item) -> list[Pending]:
    """Return the unfinished question jobs of a work item, in group order."""
    return [Pending(*row) for row in c.execute(_PENDING, {"item": item.id, "study": item.study_id}).all()]


def halve(c: sa.Connection, item: work_items.Item) -> list[int]:
    """Move the second half of a question item's open jobs to a new item, and queue both.

    Returns
    -------
    list of int
        Both items; empty if there are fewer than two open jobs or the claim was lost.
    """
    left = pending(c, item)
    if item.kind != QUESTION or len(left) < 2 or not work_items.put_back(c, item):
        return []
    made = work_items.split(c, item)
    moved = [job.id for job in left[len(left) // 2 :]]
    c.execute(jobs.update().where(jobs.c.id.in_(moved)).values(item_id=made))
    return [item.id, made]


def agents_ahead(c: sa.Connection, item: work_items.Item, items: int = 20) -> list[int]:
    """Return the agents of this item and the next ones of its question, to read them together."""
    values = {"item": item.id, "end": item.id + items, "question": item.question_id}
    return list(c.execute(_AHEAD, values).scalars())


def finish_answered(c: sa.Connection, item: work_items.Item) -> int:
    """Finish the jobs of a work item whose answers are stored, and return their number."""
    values = {"item": item.id, "question": item.question_id, "moment": now(c)}
    return c.execute(_FINISH_ANSWERED, values).rowcount


def finish(c: sa.Connection, job_id: str, result: Mapping[str, Any]) -> None:
    """Finish one job with its result and complete its progress."""
    c.execute(
        jobs.update()
        .where(jobs.c.id == job_id, jobs.c.status == "started")
        .values(status="finished", finished_at=now(c), result=dict(result), done=jobs.c.total)
    )


def hold(c: sa.Connection, job_id: str) -> None:
    """Serialize the transactions that decide about a job."""
    c.execute(sa.select(jobs.c.id).where(jobs.c.id == job_id).with_for_update())


def hold_open(c: sa.Connection, job_id: str) -> bool:
    """Lock a job until the transaction ends, and return whether it is unfinished."""
    status = c.execute(sa.select(jobs.c.status).where(jobs.c.id == job_id).with_for_update()).scalar()
    return bool(status == "started")


def set_detail(c: sa.Connection, job_id: str, **values: Any) -> None:
    """Add to the detail of a job."""
    detail = c.execute(sa.select(jobs.c.detail).where(jobs.c.id == job_id)).scalar_one()
    c.execute(jobs.update().where(jobs.c.id == job_id).values(detail=(detail or {}) | values))


def revise(c: sa.Connection, job_id: str, **changes: Any) -> None:
    """Update the result of a finished job after a later decision about its resource."""
    result = c.execute(sa.select(jobs.c.result).where(jobs.c.id == job_id)).scalar_one()
    c.execute(jobs.update().where(jobs.c.id == job_id).values(result=(result or {}) | changes))


def fail(c: sa.Connection, reasons: Mapping[str, tuple[str, str]]) -> None:
    """Fail unfinished jobs, each with a code and message."""
    ended = now(c)
    rows = [
        {"job": job, "ended": ended, "reason": {"code": code, "message": message}}
        for job, (code, message) in reasons.items()
    ]
    if rows:
        c.execute(_FAIL, rows)


def set_progress(c: sa.Connection, job_id: str, done: int, total: int) -> None:
    """Store the progress of a job."""
    c.execute(jobs.update().where(jobs.c.id == job_id).values(done=done, total=total))


def _job(row: Mapping[Any, Any]) -> Job:
    values = dict(row)
    text, value = values.pop("response_text"), values.pop("value")
    if values["kind"] == QUESTION and text is not None and values["status"] != "failed":
        told = {name: values[name] for name in ("agent_id", "question_id", "study_id")}
        values["result"] = told | {"response_text": text, "value": value}
    return Job(**values)


def _new_ids(moment: datetime, count: int) -> list[str]:
    # The time comes first, so that new rows go to the end of the index. The random parts are sorted, so that
    # the ids of one question sort in group order.
    time = f"{int(moment.timestamp() * 100):010x}"
    random = secrets.token_bytes(8 * count).hex()
    return [f"job_{time}{part}" for part in sorted(random[at : at + 16] for at in range(0, len(random), 16))]
