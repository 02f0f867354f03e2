"""Work items: pending work, claims with leases, and attempts.

A claim expires unless renewed, measured by the clock of the database server if there is one, since the clocks
of several machines differ. An expired claim, or one found when the only process starts, means that a process
died: it counts in ``deaths``, not as a failure of the item.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from voxpop.records.columns import UtcDateTime
from voxpop.records.database import lease_of, now
from voxpop.records.schema import jobs, work_items

UNFINISHED = ("queued", "claimed")


@dataclass(frozen=True, slots=True)
class Item:
    """A claimed work item; ``attempts`` distinguishes this claim from earlier and later ones.

    ``deaths`` counts the processes that died while they held it.
    """

    id: int
    organization_id: int
    kind: str
    study_id: int | None
    question_id: int | None
    attempts: int
    waits: int = 0
    deaths: int = 0

    @property
    def failures(self) -> int:
        """Number of attempts since the last progress, including this one, without deaths."""
        return self.attempts - self.waits


@dataclass(frozen=True, slots=True)
class Backlog:
    """Backlog: waiting and claimed items, their organizations, and the age of the oldest."""

    waiting: int
    claimed: int
    organizations: int
    oldest_s: float


class Batch(NamedTuple):
    """Work items that run in order, one at a time."""

    study_id: int | None
    items: list[int]


# Statements that run for every work item are built once: building them takes longer than running them.
_LAST = 2**62  # after every question
_IN_TURN = 64  # candidate items for a worker
_LOOK_UP = 1_000  # ids per statement
_earlier = work_items.alias("earlier")
_BLOCKED = sa.exists().where(
    _earlier.c.study_id == work_items.c.study_id,
    _earlier.c.question_id < sa.case((work_items.c.after_questions, _LAST), else_=work_items.c.question_id),
    _earlier.c.state.in_(UNFINISHED),
)
_MOMENT = sa.bindparam("moment", type_=UtcDateTime)
_OURS = sa.and_(
    work_items.c.id == sa.bindparam("item"),
    work_items.c.state == "claimed",
    work_items.c.attempts == sa.bindparam("attempt"),
)
_DIED: Mapping[str, Any] = {"deaths": work_items.c.deaths + 1, "waits": work_items.c.waits + 1}
_NEW = work_items.insert().returning(work_items.c.id, sort_by_parameter_order=True)
_LEAVE = work_items.update().where(_OURS).values(state=sa.bindparam("next_state"), lease_until=None)


class _Timed:
    """Statements that compare claims with the time of one clock."""

    def __init__(self, clock: sa.ColumnElement[Any], until: sa.ColumnElement[Any]) -> None:
        self.claimable = sa.or_(
            work_items.c.state == "queued",
            sa.and_(work_items.c.state == "claimed", work_items.c.lease_until < clock),
        )
        self.claim = (
            work_items.update()
            .where(work_items.c.id == sa.bindparam("item"), self.claimable, ~_BLOCKED)
            .values(
                state="claimed",
                attempts=work_items.c.attempts + 1,
                lease_until=until,
                started_at=sa.func.coalesce(work_items.c.started_at, _MOMENT),
                **{
                    name: sa.case((work_items.c.state == "claimed", counted), else_=work_items.c[name])
                    for name, counted in _DIED.items()
                },
            )
            .returning(*[work_items.c[name] for name in Item.__dataclass_fields__])
        )
        self.renew = work_items.update().where(_OURS).values(lease_until=until)
        self.waiting = (
            sa.select(work_items.c.id, work_items.c.study_id, work_items.c.question_id)
            .where(self.claimable)
            .order_by(work_items.c.id)
        )
        mine = work_items.c.organization_id == sa.bindparam("organization")
        self.waiting_of = (
            sa.select(work_items.c.id)
            .where(mine, self.claimable, ~_BLOCKED)
            .order_by(work_items.c.id)
            .limit(sa.bindparam("limit"))
        )
        self.turns_of = _in_turns(sa.and_(mine, self.claimable))
        self.by_organization = (
            sa.select(work_items.c.organization_id, sa.func.count())
            .where(self.claimable)
            .group_by(work_items.c.organization_id)
            .order_by(work_items.c.organization_id)
        )


def _in_turns(takable: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the runnable items: the first of every batch, then the second of every batch, and so on.

    Batches as in :func:`batches`: one per study, and one per question outside a study.
    """
    of_study, of_question = work_items.c.study_id, work_items.c.question_id
    beside = sa.case((of_study.is_(None), of_question))
    alone = sa.case((sa.and_(of_study.is_(None), of_question.is_(None)), work_items.c.id))
    place = sa.func.row_number().over(
        partition_by=(of_study, beside, alone),
        order_by=(work_items.c.after_questions, of_question, work_items.c.id),
    )
    ranked = sa.select(work_items.c.id, place.label("place")).where(takable).subquery()
    return (
        sa.select(work_items.c.id)
        .join(ranked, ranked.c.id == work_items.c.id)
        .where(ranked.c.place <= sa.bindparam("limit"), ~_BLOCKED)
        .order_by(ranked.c.place, work_items.c.id)
        .limit(_IN_TURN)
    )


_OWN_CLOCK = _Timed(_MOMENT, sa.bindparam("until", type_=UtcDateTime))
_SERVER_CLOCK = _Timed(
    sa.func.clock_timestamp(),
    sa.func.clock_timestamp() + sa.bindparam("lease", type_=sa.Interval(native=True)),
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
        A write connection, the organization, the kind of work and the number of items.
    study_id, question_id
        The study and question to work on.
    after_questions
        Whether to wait until all questions of the study have ended.
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
    return list(c.execute(_NEW, [dict(row) for _ in range(count)]).scalars())


def claim(c: sa.Connection, item_id: int, lease: timedelta | None = None) -> Item | None:
    """Claim a work item for the database's lease, or for a given one.

    Returns
    -------
    Item or None
        None if it is done, claimed by another worker, or waits for an unfinished question.
    """
    row = c.execute(_timed(c).claim, {"item": item_id, **_times(c, lease)}).first()
    return None if row is None else Item(*row)


def finish(c: sa.Connection, item: Item) -> bool:
    """Finish a claimed item; return False if the claim was lost to another worker."""
    return _leave(c, item, "done")


def release(c: sa.Connection, item: Item) -> bool:
    """Release a claimed item to the queue; return False if the claim was lost."""
    return _leave(c, item, "queued")


def wait_for_questions(c: sa.Connection, item: Item, study_id: int) -> bool:
    """Release an item until all questions of a study have ended; return False if the claim was lost."""
    waiting = _LEAVE.values(study_id=study_id, after_questions=True, waits=item.attempts, deaths=0)
    values = {"item": item.id, "attempt": item.attempts, "next_state": "queued"}
    return bool(c.execute(waiting, values).rowcount)


def put_back(c: sa.Connection, item: Item) -> bool:
    """Release an item that continues later; return False if the claim was lost.

    Unlike :func:`release`, this does not count as a failed attempt.
    """
    waiting = _LEAVE.values(waits=item.attempts)
    values = {"item": item.id, "attempt": item.attempts, "next_state": "queued"}
    return bool(c.execute(waiting, values).rowcount)


def died(c: sa.Connection, item: Item) -> bool:
    """Release an item whose separate process has died; return False if the claim was lost."""
    values = {"item": item.id, "attempt": item.attempts, "next_state": "queued"}
    return bool(c.execute(_LEAVE.values(**_DIED), values).rowcount)


def ease(c: sa.Connection, item: Item, deaths: int) -> None:
    """Lower the deaths of an item after the part that caused them was removed."""
    c.execute(work_items.update().where(work_items.c.id == item.id).values(deaths=deaths))


def split(c: sa.Connection, item: Item) -> int:
    """Queue a new item for some jobs of a claimed one; both are suspect and start over.

    Returns
    -------
    int
        The id of the new item; the caller releases the claimed one.
    """
    (made,) = create(
        c, item.organization_id, item.kind, count=1, study_id=item.study_id, question_id=item.question_id
    )
    c.execute(work_items.update().where(work_items.c.id.in_((item.id, made))).values(deaths=1))
    return made


def renew(c: sa.Connection, item: Item) -> bool:
    """Renew the claim of an item; return False if it was lost."""
    values = {"item": item.id, "attempt": item.attempts, **_times(c)}
    return bool(c.execute(_timed(c).renew, values).rowcount)


def release_left(c: sa.Connection) -> int:
    """Release all claimed items when the only process of a database starts."""
    left = work_items.update().where(work_items.c.state == "claimed")
    return c.execute(left.values(state="queued", lease_until=None, **_DIED)).rowcount


def waiting(c: sa.Connection) -> list[int]:
    """Return the items free to claim, oldest first, including those with expired claims."""
    return list(c.execute(_timed(c).waiting, _times(c)).scalars())


def waiting_of(c: sa.Connection, organization_id: int, limit: int) -> list[int]:
    """Return the first runnable items of one organization."""
    wanted = {"organization": organization_id, "limit": limit, **_times(c)}
    return list(c.execute(_timed(c).waiting_of, wanted).scalars())


def turns_of(c: sa.Connection, organization_id: int, limit: int) -> list[int]:
    """Return runnable items of one organization: the first of each batch, then the second ones.

    Parameters
    ----------
    c, organization_id
        Where, and whose.
    limit
        Maximum number per study, or per question outside a study.
    """
    wanted = {"organization": organization_id, "limit": limit, **_times(c)}
    return list(c.execute(_timed(c).turns_of, wanted).scalars())


def waiting_by_organization(c: sa.Connection) -> dict[int, int]:
    """Return the number of items free to claim, by organization."""
    return {row[0]: row[1] for row in c.execute(_timed(c).by_organization, _times(c))}


def organizations_of(c: sa.Connection, item_ids: Iterable[int]) -> dict[int, int]:
    """Return the number of given items per organization."""
    wanted, found = list(item_ids), dict[int, int]()
    for start in range(0, len(wanted), _LOOK_UP):
        these = work_items.c.id.in_(wanted[start : start + _LOOK_UP])
        statement = sa.select(work_items.c.organization_id, sa.func.count()).where(these)
        for row in c.execute(statement.group_by(work_items.c.organization_id)):
            found[row[0]] = found.get(row[0], 0) + row[1]
    return found


def batches(c: sa.Connection) -> list[Batch]:
    """Return the items of :func:`waiting`, grouped by study or question."""
    found: dict[tuple[int | None, ...], Batch] = {}
    for item, study, question in c.execute(_timed(c).waiting, _times(c)):
        alone = item if study is None and question is None else None
        name = (study, None, None) if study is not None else (None, question, alone)
        found.setdefault(name, Batch(study, [])).items.append(item)
    return list(found.values())


def backlog(c: sa.Connection) -> Backlog:
    """Return the backlog of all organizations."""
    states = sa.select(
        sa.func.count().filter(work_items.c.state == "queued"),
        sa.func.count().filter(work_items.c.state == "claimed"),
        sa.func.count(work_items.c.organization_id.distinct()),
        sa.func.min(work_items.c.created_at),
    ).where(work_items.c.state.in_(UNFINISHED))
    waiting, claimed, organizations, oldest = c.execute(states).one()
    age = (now(c) - oldest).total_seconds() if oldest is not None else 0.0
    return Backlog(waiting, claimed, organizations, max(0.0, age))


def next_question(c: sa.Connection, item: Item) -> list[int]:
    """Return the items unblocked by a finished question: the next question, or what follows the last."""
    return list(c.execute(_NEXT, {"study": item.study_id, "question": item.question_id}).scalars())


def _leave(c: sa.Connection, item: Item, state: str) -> bool:
    values = {"item": item.id, "attempt": item.attempts, "next_state": state}
    return bool(c.execute(_LEAVE, values).rowcount)


def _timed(c: sa.Connection) -> _Timed:
    return _OWN_CLOCK if c.dialect.name == "sqlite" else _SERVER_CLOCK


def _times(c: sa.Connection, lease: timedelta | None = None) -> Mapping[str, Any]:
    moment, wanted = now(c), lease_of(c) if lease is None else lease
    return {"moment": moment, "until": moment + wanted, "lease": wanted}


def of_job(c: sa.Connection, job_id: str) -> list[int]:
    """Return the work item of a job as a list; empty if there is no such job."""
    return list(c.execute(sa.select(jobs.c.item_id).where(jobs.c.id == job_id)).scalars())
