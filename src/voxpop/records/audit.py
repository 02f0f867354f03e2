"""The audit log of an organization: actor, action, object and time, but no contents and no secrets.

An entry is written in the transaction of the action it records, so it exists exactly if that was committed.
Entries are not hash-chained, because every writer of an organization would then wait for the previous one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from voxpop.records.append_only import KEPT_DAYS
from voxpop.records.database import now
from voxpop.records.schema import api_keys, audit_log, organizations

KEY, LINK, COMMAND_LINE, SERVICE = "key", "link", "command line", "service"
"""Kinds of actor: an API key, a secret link, the command line, and the service itself."""

DONE = "done"
_SETTLED = timedelta(minutes=10)
"""No transaction stays open longer than this: a server ends it much earlier."""

_PLAIN = audit_log.insert()
_NUMBERED = audit_log.insert().values(transaction_number=sa.text("pg_current_xact_id()::text::bigint"))
_OLDEST_OPEN = sa.text("pg_snapshot_xmin(pg_current_snapshot())::text::bigint")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the log.

    Attributes
    ----------
    actor : str
        ``key``, ``link``, ``command line`` or ``service``.
    key_prefix : str or None
        The first characters of the key that acted, as ``voxpop keys list`` shows them.
    object_kind, object_id : str
        Kind and id of the object; the id is null if it has none.
    quantity : int or None
        Number of agents, answers or keys affected, if there is one.
    request_id : str or None
        The ``X-Request-Id`` of the call.
    """

    id: int
    at: datetime
    actor: str
    key_id: int | None
    key_prefix: str | None
    action: str
    object_kind: str
    object_id: str | None
    quantity: int | None
    outcome: str
    request_id: str | None


def write(
    c: sa.Connection,
    organization_id: int,
    action: str,
    object_kind: str,
    object_id: object = None,
    *,
    actor: str,
    key_id: int | None = None,
    quantity: int | None = None,
    request_id: str | None = None,
) -> None:
    """Add an entry in the transaction of the action.

    Parameters
    ----------
    c, organization_id
        The connection that wrote the effect, and the organization.
    action
        Action, for example ``study.share``.
    object_kind, object_id
        To what.
    actor, key_id
        Who did it.
    quantity
        Number of objects affected.
    request_id
        The call.
    """
    row: dict[str, Any] = {
        "organization_id": organization_id,
        "at": now(c),
        "actor": actor,
        "key_id": key_id,
        "action": action,
        "object_kind": object_kind,
        "object_id": None if object_id is None else str(object_id),
        "quantity": quantity,
        "outcome": DONE,
        "request_id": request_id,
    }
    if c.dialect.name == "sqlite":
        c.execute(_PLAIN, {**row, "transaction_number": 0})
    else:
        c.execute(_NUMBERED, row)


def list_(c: sa.Connection, organization_id: int, *, after: int = 0, limit: int = 500) -> list[Entry]:
    """Return entries with a higher id than ``after``, oldest first.

    Reading on from the last id misses no entry. On a server, transactions may commit out of order, so an
    entry is held back while one with a lower id may still be committed.
    """
    mine = [audit_log.c.organization_id == organization_id, audit_log.c.id > after]
    if c.dialect.name != "sqlite":
        settled = audit_log.c.at < now(c) - _SETTLED
        mine.append(sa.or_(settled, audit_log.c.transaction_number < _OLDEST_OPEN))
    return list(_entries(c, mine, limit))


def list_all(c: sa.Connection, organization: str | None = None) -> Iterator[tuple[str, Entry]]:
    """Yield the entries of one or all organizations with the organization's name, oldest first."""
    mine = [] if organization is None else [organizations.c.name == organization]
    statement = _SELECT.add_columns(organizations.c.name).join(
        organizations, organizations.c.id == audit_log.c.organization_id
    )
    rows = c.execution_options(yield_per=1_000).execute(statement.where(*mine).order_by(audit_log.c.id))
    for row in rows:
        yield row[-1], Entry(*row[:-1])


def prune(c: sa.Connection) -> int:
    """Delete entries older than :data:`KEPT_DAYS` days and return their number."""
    old = now(c) - timedelta(days=KEPT_DAYS, minutes=1)  # compared with the clock of the database
    return c.execute(audit_log.delete().where(audit_log.c.at < old)).rowcount


_SELECT = sa.select(
    *(api_keys.c.prefix if name == "key_prefix" else audit_log.c[name] for name in Entry.__dataclass_fields__)
).select_from(audit_log.outerjoin(api_keys, api_keys.c.id == audit_log.c.key_id))


def _entries(c: sa.Connection, where: list[sa.ColumnElement[bool]], limit: int) -> Iterator[Entry]:
    for row in c.execute(_SELECT.where(*where).order_by(audit_log.c.id).limit(limit)):
        yield Entry(*row)
