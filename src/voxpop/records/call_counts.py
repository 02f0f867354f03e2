"""Calls per key and minute, counted by one statement so that services share a limit."""

from __future__ import annotations

from functools import cache

import sqlalchemy as sa

from voxpop.records.schema import key_minutes

_MINUTE = sa.cast(sa.func.floor(sa.extract("epoch", sa.func.clock_timestamp()) / 60), sa.BigInteger)
_SECOND = sa.cast(sa.func.floor(sa.extract("epoch", sa.func.clock_timestamp())), sa.BigInteger) % 60
_USED = sa.select(key_minutes.c.used).where(
    key_minutes.c.key_id == sa.bindparam("key"), key_minutes.c.minute == _MINUTE
)


def take(c: sa.Connection, key_id: int, limit: int) -> bool:
    """Count one call of a key in the current minute of the server; return False if none is left.

    The commit does not wait for the disk: a power failure may lose the last half second of counts.
    """
    c.exec_driver_sql("SET LOCAL synchronous_commit = off")
    return c.execute(_take(), {"key": key_id, "limit": limit}).first() is not None


def minute(c: sa.Connection, key_id: int) -> tuple[int, int]:
    """Return the calls of a key in this minute, and the seconds until the next one."""
    row = c.execute(sa.select(_USED.scalar_subquery(), _SECOND), {"key": key_id}).one()
    return row[0] or 0, 60 - row[1]


@cache
def _take() -> sa.Executable:
    from sqlalchemy.dialects import postgresql  # an import that the embedded service does not need

    new = postgresql.insert(key_minutes).values(key_id=sa.bindparam("key"), minute=_MINUTE, used=1)
    return new.on_conflict_do_update(
        index_elements=["key_id"],
        set_={
            "minute": new.excluded.minute,
            "used": sa.case((key_minutes.c.minute == new.excluded.minute, key_minutes.c.used + 1), else_=1),
        },
        where=sa.or_(
            key_minutes.c.minute != new.excluded.minute,
            key_minutes.c.used < sa.bindparam("limit", type_=sa.BigInteger),
        ),
    ).returning(key_minutes.c.used)
