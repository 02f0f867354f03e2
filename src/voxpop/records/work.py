"""Work items: what is to be done, who has claimed it until when, and how often it was tried."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa

from voxpop.records.database import now
from voxpop.records.schema import UtcDateTime, jobs, work_items

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


# Statements that run for every work item are built once: building them anew takes longer than running them.
_earlier = work_items.alias("earlier")
_BLOCKED = sa.exists().where(
    _earlier.c.study_id == work_items.c.study_id,
    _earlier.c.question_id < work_items.c.question_id,
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
_WAITING = sa.select(work_items.c.id).where(_CLAIMABLE).order_by(work_items.c.id)
_FIRST_UNFINISHED = (
    sa.select(sa.func.min(work_items.c.question_id))
    .where(work_items.c.study_id == sa.bindparam("study"), work_items.c.state.in_(UNFINISHED))
    .scalar_subquery()
)
_NEXT = (
    sa.select(work_items.c.id)
    .where(
        work_items.c.study_id == sa.bindparam("study"),
        work_items.c.question_id == _FIRST_UNFINISHED,
        work_items.c.question_id > sa.bindparam("question"),
        work_items.c.state == "queued",
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
) -> list[int]:
    """Queue equal work items and return their ids in order."""
    row = {
        "organization_id": organization_id,
        "kind": kind,
        "study_id": study_id,
        "question_id": question_id,
        "state": "queued",
        "attempts": 0,
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
        None when it is done, when another worker has it, or while an earlier question is unfinished.
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


def next_question(c: sa.Connection, item: Item) -> list[int]:
    """Return the items of the study's next question, once the item's own question is done."""
    return list(c.execute(_NEXT, {"study": item.study_id, "question": item.question_id}).scalars())


def _leave(c: sa.Connection, item: Item, state: str) -> bool:
    values = {"item": item.id, "attempt": item.attempts, "next_state": state}
    return bool(c.execute(_LEAVE, values).rowcount)


def of_job(c: sa.Connection, job_id: str) -> list[int]:
    """Return the work item that ends a job, as a list of one; empty when there is no such job."""
    return list(c.execute(sa.select(jobs.c.item_id).where(jobs.c.id == job_id)).scalars())
