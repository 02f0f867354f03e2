"""API keys and the organizations they belong to; a whole key is known only at the moment it is made."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from voxpop.errors import Conflict, NotFound, UsageError
from voxpop.records import audit
from voxpop.records.database import in_turn, now
from voxpop.records.inserting import insert
from voxpop.records.schema import api_keys, organizations
from voxpop.vocabulary.nearest import nearest

SCOPES = ("studies:read", "studies:write", "billing:read", "billing:write", "free:ask", "audit:read")
KINDS = ("live", "free")
PREFIX_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a call, as told by the key."""

    key_id: int
    organization_id: int
    kind: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class KeyInfo:
    """What may be shown of a key."""

    prefix: str
    organization: str
    scopes: tuple[str, ...]
    kind: str
    created_at: datetime
    revoked_at: datetime | None


def create_organization(c: sa.Connection, name: str, *, actor: str = audit.COMMAND_LINE) -> int:
    """Make an organization and return its number; a name that is taken is a :class:`Conflict`."""
    if not name.strip() or len(name) > 200:
        raise UsageError(f"An organization's name must have 1 to 200 characters, not {len(name.strip())}.")
    in_turn(c, "organizations")
    if organization_id(c, name) is not None:
        raise Conflict(f"There is already an organization {name!r}.")
    number = insert(c, organizations, name=name, created_at=now(c))
    audit.write(c, number, "organization.create", "organization", number, actor=actor)
    return number


def organization_id(c: sa.Connection, name: str) -> int | None:
    """Return the number of the organization with this name, or None."""
    found: int | None = c.execute(sa.select(organizations.c.id).where(organizations.c.name == name)).scalar()
    return found


def create_key(
    c: sa.Connection,
    organization_id: int,
    scopes: Iterable[str],
    *,
    kind: str = "live",
    actor: str = audit.COMMAND_LINE,
) -> str:
    """Make a key and return it whole, for the only time.

    Parameters
    ----------
    c
        A connection that writes.
    organization_id
        Whose key it is.
    scopes
        At least one of :data:`SCOPES`.
    kind
        ``live`` or ``free``.
    actor
        Who makes it, for the audit log.

    Raises
    ------
    UsageError
        A scope or the kind is unknown, or there is no scope.
    """
    wanted = list(dict.fromkeys(scopes))
    for scope in wanted:
        if scope not in SCOPES:
            near = nearest(scope, SCOPES)
            hint = f"; did you mean {near[0]}" if near else ""
            raise UsageError(f"scope {scope!r} is unknown{hint}; allowed: {', '.join(SCOPES)}.")
    if not wanted:
        raise UsageError(f"A key needs at least one scope; allowed: {', '.join(SCOPES)}.")
    if kind not in KINDS:
        raise UsageError(f"kind must be live or free, not {kind!r}.")
    key = f"vp_{kind}_{secrets.token_urlsafe(32)}"
    insert(
        c,
        api_keys,
        organization_id=organization_id,
        prefix=key[:PREFIX_LENGTH],
        digest=_digest(key),
        kind=kind,
        scopes=wanted,
        created_at=now(c),
    )
    audit.write(c, organization_id, "key.create", "key", key[:PREFIX_LENGTH], actor=actor)
    return key


def authenticate(c: sa.Connection, key: str) -> Caller | None:
    """Return who calls with this key, or None when it is unknown, malformed or revoked."""
    if not key.startswith(("vp_live_", "vp_free_")):
        return None
    digest = _digest(key)
    row = c.execute(
        sa.select(api_keys).where(api_keys.c.digest == digest, api_keys.c.revoked_at.is_(None))
    ).first()
    if row is None or not secrets.compare_digest(row.digest, digest):
        return None
    return Caller(row.id, row.organization_id, row.kind, frozenset(row.scopes))


def list_keys(c: sa.Connection) -> list[KeyInfo]:
    """Return what may be shown of all keys, oldest first."""
    rows = c.execute(
        sa.select(
            api_keys.c.prefix,
            organizations.c.name,
            api_keys.c.scopes,
            api_keys.c.kind,
            api_keys.c.created_at,
            api_keys.c.revoked_at,
        )
        .join(organizations, organizations.c.id == api_keys.c.organization_id)
        .order_by(api_keys.c.id)
    )
    return [KeyInfo(row[0], row[1], tuple(row[2]), row[3], row[4], row[5]) for row in rows]


def revoke(c: sa.Connection, prefix: str, *, actor: str = audit.COMMAND_LINE) -> int:
    """Revoke the keys that start so and return how many there were.

    Parameters
    ----------
    c
        A connection that writes.
    prefix
        The 16 characters that :func:`list_keys` shows, or the whole key.
    actor
        Who revokes it, for the audit log.

    Raises
    ------
    NotFound
        No key starts so that is not revoked yet.
    """
    named = sa.and_(api_keys.c.prefix == prefix[:PREFIX_LENGTH], api_keys.c.revoked_at.is_(None))
    owners = list(c.execute(sa.select(api_keys.c.organization_id).where(named)).scalars())
    revoked = c.execute(api_keys.update().where(named).values(revoked_at=now(c))).rowcount
    for owner in owners:
        audit.write(c, owner, "key.revoke", "key", prefix[:PREFIX_LENGTH], actor=actor)
    if not revoked:
        raise NotFound(
            f"No active key starts with {prefix[:PREFIX_LENGTH]!r}; `voxpop keys list` shows the keys."
        )
    return revoked


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
