"""The usage ledger: answers requested and delivered, and the remaining monthly quota.

The unit is one agent's answer to one question. The monthly total is changed by one guarded statement, so that
concurrent callers cannot exceed the quota together.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from voxpop.errors import QuotaExceeded
from voxpop.records.database import now
from voxpop.records.inserting import insert_new
from voxpop.records.references import new_uuid
from voxpop.records.schema import usage_cycles, usage_events

ANSWERS = "answers"
"""The kind of usage: agents' answers."""


@dataclass(frozen=True, slots=True)
class Meter:
    """The account whose answers are counted, and its monthly limit.

    Attributes
    ----------
    organization_id : int
    kind : str
        ``live`` or ``free``; each kind of key has its own quota.
    limit : int or None
        Answers per calendar month (UTC); None for no limit.
    """

    organization_id: int
    kind: str
    limit: int | None


@dataclass(frozen=True, slots=True)
class UsageEvent:
    """One entry of the ledger.

    Attributes
    ----------
    quantity : int
        Number of answers.
    status : str
        ``recorded`` at acceptance; ``reserved`` until settled, then ``committed`` for delivered answers and
        ``voided`` for the rest.
    """

    id: str
    kind: str
    quantity: int
    status: str


@dataclass(frozen=True, slots=True)
class Month:
    """Use of a month's quota."""

    used: int
    cycle_start: datetime
    cycle_end: datetime
    pending_event_count: int


_NEW_EVENT = usage_events.insert()
_EVENT = [usage_events.c[name] for name in UsageEvent.__dataclass_fields__]
# Locked until the transaction ends, because the next write depends on it.
_WHOLE_EVENT = sa.select(usage_events).where(usage_events.c.id == sa.bindparam("event")).with_for_update()


def record(c: sa.Connection, meter: Meter, quantity: int, *, operation_id: str | None = None) -> UsageEvent:
    """Record requested answers; raise :class:`QuotaExceeded` if the month has too few left."""
    return _count(c, meter, quantity, "recorded", operation_id)


def reserve(c: sa.Connection, meter: Meter, quantity: int, *, operation_id: str | None = None) -> UsageEvent:
    """Reserve answers for work of unknown extent; see :func:`settle`."""
    return _count(c, meter, quantity, "reserved", operation_id)


def enlarge(c: sa.Connection, meter: Meter, event_id: str, quantity: int) -> None:
    """Extend a reservation; raise :class:`QuotaExceeded` if the month has too few answers left."""
    event = c.execute(_WHOLE_EVENT, {"event": event_id}).one()
    _take(c, meter, quantity, event.cycle_start)
    more = usage_events.c.quantity + quantity
    c.execute(usage_events.update().where(usage_events.c.id == event_id).values(quantity=more))


def shrink(c: sa.Connection, event_id: str, quantity: int) -> None:
    """Void what an event holds above a quantity, because fewer answers are asked for than were reserved."""
    held = c.execute(_WHOLE_EVENT, {"event": event_id}).one().quantity
    void_part(c, event_id, held - quantity)


def settle(c: sa.Connection, event_id: str, delivered: int) -> None:
    """Commit the delivered part of a reservation and void the rest; settled events do not change."""
    event = c.execute(_WHOLE_EVENT, {"event": event_id}).one()
    if event.status != "reserved":
        return
    delivered = min(delivered, event.quantity)
    changes: dict[str, Any] = {"status": "committed" if delivered else "voided", "settled_at": now(c)}
    if delivered:
        changes["quantity"] = delivered
        _void(c, event, event.quantity - delivered)
    else:
        _take_back(c, event, event.quantity)
    c.execute(usage_events.update().where(usage_events.c.id == event_id).values(changes))


def void_part(c: sa.Connection, event_id: str, quantity: int) -> None:
    """Void answers of a recorded or reserved event that agents failed to give."""
    if quantity <= 0:
        return
    event = c.execute(_WHOLE_EVENT, {"event": event_id}).one()
    quantity = min(quantity, event.quantity)
    _void(c, event, quantity)
    left = usage_events.c.quantity - quantity
    c.execute(usage_events.update().where(usage_events.c.id == event_id).values(quantity=left))


def of_operation(c: sa.Connection, operation_id: str) -> list[UsageEvent]:
    """Return the events of an operation in order."""
    statement = (
        sa.select(*_EVENT)
        .where(usage_events.c.operation_id == operation_id)
        .order_by(usage_events.c.created_at, usage_events.c.id)
    )
    return [UsageEvent(*row) for row in c.execute(statement)]


def this_month(c: sa.Connection, meter: Meter) -> Month:
    """Return the usage of the current calendar month (UTC)."""
    start, end = _cycle(now(c))
    used = c.execute(
        sa.select(usage_cycles.c.used).where(_is_cycle(meter.organization_id, meter.kind, start))
    ).scalar()
    pending = c.execute(
        sa.select(sa.func.count())
        .select_from(usage_events)
        .where(usage_events.c.organization_id == meter.organization_id, usage_events.c.status == "reserved")
    ).scalar_one()
    return Month(used or 0, start, end, pending)


def _count(
    c: sa.Connection, meter: Meter, quantity: int, status: str, operation_id: str | None
) -> UsageEvent:
    start, _ = _cycle(now(c))
    _take(c, meter, quantity, start)
    event = UsageEvent(new_uuid(), ANSWERS, quantity, status)
    row = {
        "id": event.id,
        "organization_id": meter.organization_id,
        "operation_id": operation_id,
        "key_kind": meter.kind,
        "kind": event.kind,
        "quantity": quantity,
        "status": status,
        "cycle_start": start,
        "created_at": now(c),
    }
    c.execute(_NEW_EVENT, row)
    return event


def _take(c: sa.Connection, meter: Meter, quantity: int, start: datetime) -> None:
    row = {"organization_id": meter.organization_id, "kind": meter.kind, "cycle_start": start, "used": 0}
    insert_new(c, usage_cycles, [row], key=("organization_id", "kind", "cycle_start"))
    wanted = usage_cycles.update().where(_is_cycle(meter.organization_id, meter.kind, start))
    if meter.limit is not None:
        wanted = wanted.where(usage_cycles.c.used + quantity <= meter.limit)
    if not c.execute(wanted.values(used=usage_cycles.c.used + quantity)).rowcount:
        raise _exceeded(c, meter, quantity, start)


def _exceeded(c: sa.Connection, meter: Meter, requested: int, start: datetime) -> QuotaExceeded:
    assert meter.limit is not None
    cycle = _is_cycle(meter.organization_id, meter.kind, start)
    used = c.execute(sa.select(usage_cycles.c.used).where(cycle)).scalar_one()
    _, end = _cycle(start)
    return QuotaExceeded(
        f"This needs {requested:,} answers and the month has {max(0, meter.limit - used):,} of "
        f"{meter.limit:,} left; the next one begins on {end:%Y-%m-%d}. Nothing was queued.",
        details={
            "limit": meter.limit,
            "used": used,
            "requested": requested,
            "cycle_end": f"{end:%Y-%m-%dT%H:%M:%SZ}",
        },
    )


def _void(c: sa.Connection, event: sa.Row[Any], quantity: int) -> None:
    """Record the undelivered part of an event and return it to the month's quota."""
    if not quantity:
        return
    moment = now(c)
    voided = dict(event._mapping) | {
        "id": new_uuid(),
        "quantity": quantity,
        "status": "voided",
        "part_of": event.id,
        "created_at": moment,
        "settled_at": moment,
    }
    c.execute(usage_events.insert().values(voided))
    _take_back(c, event, quantity)


def _take_back(c: sa.Connection, event: sa.Row[Any], quantity: int) -> None:
    cycle = _is_cycle(event.organization_id, event.key_kind, event.cycle_start)
    c.execute(usage_cycles.update().where(cycle).values(used=usage_cycles.c.used - quantity))


def _is_cycle(organization_id: int, kind: str, start: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(
        usage_cycles.c.organization_id == organization_id,
        usage_cycles.c.kind == kind,
        usage_cycles.c.cycle_start == start,
    )


def _cycle(moment: datetime) -> tuple[datetime, datetime]:
    """Return the start of this calendar month and of the next."""
    start = moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    year, month = divmod(start.month, 12)
    return start, start.replace(year=start.year + year, month=month + 1)
