"""Idempotency keys: a repeated call gets the response of the first one and has no further effect."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa

from voxpop.errors import Conflict
from voxpop.records.database import now
from voxpop.records.inserting import insert_if_new
from voxpop.records.schema import idempotency_keys

KEPT_FOR = timedelta(hours=24)
"""Lifetime of an idempotency key."""

LARGEST_ANSWER = 4 * 1024 * 1024
"""Maximum size in bytes of a stored, compressed response; asking 100,000 agents takes half of it."""

_SWEPT_ONE_IN = 16
_MOST_SWEPT = 500


@dataclass(frozen=True, slots=True)
class FirstResponse:
    """Response of the first call with a key.

    Attributes
    ----------
    status : int
    body : bytes or None
        None if it was too large to store.
    """

    status: int
    body: bytes | None


def find(c: sa.Connection, organization_id: int, key: str, digest: str) -> FirstResponse | None:
    """Return the response stored for a key within the last day, or None if the key is free.

    Raises
    ------
    Conflict
        ``idempotency_key_conflict``: it came with another body or at another address.
    """
    row = c.execute(_one(organization_id, key)).first()
    if row is None or row.created_at < now(c) - KEPT_FOR:
        return None
    return _answer_of(row, digest)


def claim(c: sa.Connection, organization_id: int, key: str, digest: str) -> FirstResponse | None:
    """Claim a key for the current call, or return the response of the call that used it.

    Of two concurrent calls one claims the key and the other waits for it to end. A call that claims the key
    ends with :func:`keep`; a failed call is rolled back together with its claim.

    Raises
    ------
    Conflict
        ``idempotency_key_conflict``: it came with another body or at another address.
    """
    moment = now(c)
    row = {"organization_id": organization_id, "key": key, "digest": digest, "created_at": moment}
    found = None
    if not insert_if_new(c, idempotency_keys, row, key=("organization_id", "key")):
        found = c.execute(_one(organization_id, key).with_for_update()).first()
        if found is None or found.created_at < moment - KEPT_FOR:
            c.execute(idempotency_keys.delete().where(_is(organization_id, key)))
            c.execute(idempotency_keys.insert().values(row))
            found = None
    if zlib.crc32(key.encode()) % _SWEPT_ONE_IN == 0:
        sweep(c)
    return None if found is None else _answer_of(found, digest)


def keep(c: sa.Connection, organization_id: int, key: str, status: int, body: bytes) -> None:
    """Store the response of the call that claimed the key, in its transaction."""
    packed: bytes | None = zlib.compress(body, 1)
    if packed is not None and len(packed) > LARGEST_ANSWER:
        packed = None
    mine = _is(organization_id, key)
    c.execute(idempotency_keys.update().where(mine).values(status=status, body=packed))


def sweep(c: sa.Connection) -> int:
    """Delete a batch of expired keys, oldest first, and return their number."""
    old = (
        sa.select(idempotency_keys.c.organization_id, idempotency_keys.c.key)
        .where(idempotency_keys.c.created_at < now(c) - KEPT_FOR)
        .order_by(idempotency_keys.c.created_at)
        .limit(_MOST_SWEPT)
        .with_for_update(skip_locked=True)  # another call may be deleting or claiming some of them
    )
    gone = [tuple(row) for row in c.execute(old)]
    if not gone:
        return 0
    named = sa.tuple_(idempotency_keys.c.organization_id, idempotency_keys.c.key)
    c.execute(idempotency_keys.delete().where(named.in_(gone)))
    return len(gone)


def _is(organization_id: int, key: str) -> sa.ColumnElement[bool]:
    return sa.and_(idempotency_keys.c.organization_id == organization_id, idempotency_keys.c.key == key)


def _one(organization_id: int, key: str) -> sa.Select[tuple[str, int, bytes, object]]:
    kept = idempotency_keys.c
    return sa.select(kept.digest, kept.status, kept.body, kept.created_at).where(_is(organization_id, key))


def _answer_of(row: sa.Row[tuple[str, int, bytes, object]], digest: str) -> FirstResponse:
    if row.digest != digest or row.status is None:
        raise conflict()
    return FirstResponse(row.status, None if row.body is None else zlib.decompress(row.body))


def conflict() -> Conflict:
    """Return the error for a key that was used with another call."""
    return Conflict(
        "This Idempotency-Key was used before with another body or at another address; "
        "send what was sent then, or take a new key.",
        code="idempotency_key_conflict",
    )
