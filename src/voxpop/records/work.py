"""Work items: what is to be done, who has claimed it until when, and how often it was tried."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

import sqlalchemy as sa

from voxpop.records.columns import UtcDateTime
from voxpop.records.database import now
from voxpop.records.schema import jobs, work_items

UNFINISHED = ("queued", "claimed")
LEASE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Item:
    """A work item in the hands of a worker; ``attempts`` tells this claim from an earlier or later one."""

    id: int
    organization_id: int
    kind: str
    study_id: int | None
    question_id: int | None
    attempts: int
    waits: int = 0

    @property
    def failures(self) -> int:
        """How often it was tried, this time included, since it last went on."""
        return self.attempts - self.waits


class Batch(NamedTuple):
    """Work items that are to be run in their order, one at a time."""

    study_id: int | None
    items: list[int]


# Statements that run for every work item are built once: building them anew takes longer than running them.
_LAST = 2**62  # behind every question
_earlier = work_items.alias("earlier")
_BLOCKED = sa.exists().where(
    _earlier.c.study_id == work_items.c.study_id,
    _earlier.c.question_id < sa.case((work_items.c.after_questions, _LAST), else_=work_items.c.question_id),
    _earlier.c.state.in_(UNFINISHED),
)
_CLAIMABLE = sa.or_(
    work_items.c.state == "queued",
    sa.and_(
        work_items.c.state == "claimed", work_items.c.lease_until < sa.bindparam("moment", type_=UtcDateTime)
    ),
)
_CLAIM = (
    work_items.update()
    .where(work_items.c.id == sa.bindparam("item"), _CLAIMABLE, ~_BLOCKED)
    .values(
        state="claimed",
        attempts=work_items.c.attempts + 1,
        lease_until=sa.bindparam("until"),
        started_at=sa.func.coalesce(work_items.c.started_at, sa.bindparam("moment", type_=UtcDateTime)),
    )
    .returning(*[work_items.c[name] for name in Item.__dataclass_fields__])
)
_LEAVE = (
    work_items.update()
    .where(
        work_items.c.id == sa.bindparam("item"),
        work_items.c.state == "claimed",
        work_items.c.attempts == sa.bindparam("attempt"),
    )
    .values(state=sa.bindparam("next_state"), lease_until=None)
)
_WAITING = (
    sa.select(work_items.c.id, work_items.c.study_id, work_items.c.question_id)
    .where(_CLAIMABLE)
    .order_by(work_items.c.id)
)
_FIRST_UNFINISHED = (
    sa.select(sa.func.min(work_items.c.question_id))
    .where(work_items.c.study_id == sa.bindparam("study"), work_items.c.state.in_(UNFINISHED))
    .scalar_subquery()
)
_NEXT = (
    sa.select(work_items.c.id)
    .where(
        work_items.c.study_id == sa.bindparam("study"),
        work_items.c.state == "queued",
        sa.or_(
            sa.and_(
                work_items.c.question_id == _FIRST_UNFINISHED,
                work_items.c.question_id > sa.bindparam("question"),
            ),
            sa.and_(work_items.c.after_questions, _FIRST_UNFINISHED.is_(None)),
        ),
    )
    .order_by(work_items.c.id)
)


def create(
    c: sa.Connection,
    organization_id: int,
    kind: str,
    *,
    count: int,
    study_id: int | None,
    question_id: int | None,
    after_questions: bool = False,
) -> list[int]:
    """Queue equal work items and return their ids in order.

    Parameters
    ----------
    c, organization_id, kind, count
        A connection that writes, whose work, what kind, and how many items.
    study_id, question_id
        What it works on.
    after_questions
        Whether it can be done only when all questions of the study have ended.
    """
    row = {
        "organization_id": organization_id,
        "kind": kind,
        "study_id": study_id,
        "question_id": question_id,
        "state": "queued",
        "attempts": 0,
        "after_questions": after_questions,
        "created_at": now(c),
    }
    if not count:
        return []
    statement = work_items.insert().returning(work_items.c.id, sort_by_parameter_order=True)
    return list(c.execute(statement, [dict(row) for _ in range(count)]).scalars())


def claim(c: sa.Connection, item_id: int, lease: timedelta = LEASE) -> Item | None:
    """Take a work item in hand.

    Returns
    -------
    Item or None
        None when it is done, when another worker has it, or while a question that it follows is unfinished.
    """
    moment = now(c)
    row = c.execute(_CLAIM, {"item": item_id, "moment": moment, "until": moment + lease}).first()
    return None if row is None else Item(*row)


def finish(c: sa.Connection, item: Item) -> bool:
    """End a claimed item; False when the claim has passed to somebody else, whose effects then count."""
    return _leave(c, item, "done")


def release(c: sa.Connection, item: Item) -> bool:
    """Put a claimed item back into the queue; False when the claim has passed to somebody else."""
    return _leave(c, item, "queued")


def wait_for_questions(c: sa.Connection, item: Item, study_id: int) -> bool:
    """Put a claimed item back until all questions of a study have ended; False when the claim has passed."""
    waiting = _LEAVE.values(study_id=study_id, after_questions=True, waits=item.attempts)
    values = {"item": item.id, "attempt": item.attempts, "next_state": "queued"}
    return bool(c.execute(waiting, values).rowcount)


def put_back(c: sa.Connection, item: Item) -> bool:
    """Put an item that goes on later back into the queue; False when the claim has passed to somebody else.

    Unlike :func:`release` this counts as no failure.
    """
    waiting = _LEAVE.values(waits=item.attempts)
    values = {"item": item.id, "attempt": item.attempts, "next_state": "queued"}
    return bool(c.execute(waiting, values).rowcount)


def renew(c: sa.Connection, item: Item, lease: timedelta = LEASE) -> bool:
    """Hold a claimed item for longer; False when the claim has passed to somebody else."""
    held = _LEAVE.values(lease_until=now(c) + lease)
    values = {"item": item.id, "attempt": item.attempts, "next_state": "claimed"}
    return bool(c.execute(held, values).rowcount)


def release_left(c: sa.Connection) -> int:
    """Put back every claimed item, for the start of the only process that works on this database."""
    claimed = work_items.c.state == "claimed"
    return c.execute(work_items.update().where(claimed).values(state="queued", lease_until=None)).rowcount


def waiting(c: sa.Connection) -> list[int]:
    """Return the items that anybody may take, oldest first; those whose claim has run out too."""
    return list(c.execute(_WAITING, {"moment": now(c)}).scalars())


def batches(c: sa.Connection) -> list[Batch]:
    """Return the items of :func:`waiting`, those of one study or of one question together."""
    found: dict[tuple[int | None, ...], Batch] = {}
    for item, study, question in c.execute(_WAITING, {"moment": now(c)}):
        alone = item if study is None and question is None else None
        name = (study, None, None) if study is not None else (None, question, alone)
        found.setdefault(name, Batch(study, [])).items.append(item)
    return list(found.values())


def next_question(c: sa.Connection, item: Item) -> list[int]:
    """Return what can go on now that a question is done: the study's next one, or what follows the last."""
    return list(c.execute(_NEXT, {"study": item.study_id, "question": item.question_id}).scalars())


def _leave(c: sa.Connection, item: Item, state: str) -> bool:
    values = {"item": item.id, "attempt": item.attempts, "next_state": state}
    return bool(c.execute(_LEAVE, values).rowcount)


def of_job(c: sa.Connection, job_id: str) -> list[int]:
    """Return the work item that ends a job, as a list of one; empty when there is no such job."""
    return list(c.execute(sa.select(jobs.c.item_id).where(jobs.c.id == job_id)).scalars())
