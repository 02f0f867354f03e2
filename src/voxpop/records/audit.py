"""The audit log of an organization: who did what to what, and when; never what was said or any secret.

An entry is written in the transaction of what it tells of: what was undone has none, what was committed has
one. Entries are not chained by hashes: every writer of an organization would then wait for the one before it.
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
"""Who can act: a key, whoever has a secret link, somebody at the command line, the service by itself."""

DONE = "done"
_SETTLED = timedelta(minutes=10)
"""After this time no transaction that began before is still open: a server ends them much earlier."""

_NUMBER = sa.text("pg_current_xact_id()::text::bigint")
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
        What was acted on; the id is null where there is none.
    quantity : int or None
        How many agents, answers or keys it was about, where that is a number.
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
    """Add an entry, in the transaction of what it tells of.

    Parameters
    ----------
    c, organization_id
        The connection that has written the effect, and whose log.
    action
        What was done, as ``study.share``.
    object_kind, object_id
        To what.
    actor, key_id
        Who did it.
    quantity
        How many it was about.
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
        "transaction_number": 0 if c.dialect.name == "sqlite" else _NUMBER,
    }
    c.execute(audit_log.insert().values(row))


def list_(c: sa.Connection, organization_id: int, *, after: int = 0, limit: int = 500) -> list[Entry]:
    """Return entries with a higher id than ``after``, oldest first.

    No entry is missed by going on after the last one: what comes later has a higher id. On a server, where
    transactions end in another order than they began, an entry is held back while an earlier one may come.
    """
    mine = [audit_log.c.organization_id == organization_id, audit_log.c.id > after]
    if c.dialect.name != "sqlite":
        settled = audit_log.c.at < now(c) - _SETTLED
        mine.append(sa.or_(settled, audit_log.c.transaction_number < _OLDEST_OPEN))
    return list(_entries(c, mine, limit))


def list_all(c: sa.Connection, organization: str | None = None) -> Iterator[tuple[str, Entry]]:
    """Give the entries of one or of all organizations with the organization's name, oldest first."""
    mine = [] if organization is None else [organizations.c.name == organization]
    statement = _SELECT.add_columns(organizations.c.name).join(
        organizations, organizations.c.id == audit_log.c.organization_id
    )
    rows = c.execution_options(yield_per=1_000).execute(statement.where(*mine).order_by(audit_log.c.id))
    for row in rows:
        yield row[-1], Entry(*row[:-1])


def prune(c: sa.Connection) -> int:
    """Delete the entries that are older than :data:`KEPT_DAYS` and return how many; others cannot be."""
    old = now(c) - timedelta(days=KEPT_DAYS, minutes=1)  # the database looks at its own clock
    return c.execute(audit_log.delete().where(audit_log.c.at < old)).rowcount


_SELECT = sa.select(
    *(api_keys.c.prefix if name == "key_prefix" else audit_log.c[name] for name in Entry.__dataclass_fields__)
).select_from(audit_log.outerjoin(api_keys, api_keys.c.id == audit_log.c.key_id))


def _entries(c: sa.Connection, where: list[sa.ColumnElement[bool]], limit: int) -> Iterator[Entry]:
    for row in c.execute(_SELECT.where(*where).order_by(audit_log.c.id).limit(limit)):
        yield Entry(*row)
