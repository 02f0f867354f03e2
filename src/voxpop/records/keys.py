"""API keys and organizations; a full key is known only when it is created."""

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
    """The caller identified by a key."""

    key_id: int
    organization_id: int
    kind: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class KeyInfo:
    """The public part of a key."""

    prefix: str
    organization: str
    scopes: tuple[str, ...]
    kind: str
    created_at: datetime
    revoked_at: datetime | None


def create_organization(c: sa.Connection, name: str, *, actor: str = audit.COMMAND_LINE) -> int:
    """Create an organization and return its id; raise :class:`Conflict` if the name is taken."""
    if not name.strip() or len(name) > 200:
        raise UsageError(f"An organization's name must have 1 to 200 characters, not {len(name.strip())}.")
    in_turn(c, "organizations")
    if organization_id(c, name) is not None:
        raise Conflict(f"There is already an organization {name!r}.")
    number = insert(c, organizations, name=name, created_at=now(c))
    audit.write(c, number, "organization.create", "organization", number, actor=actor)
    return number


def organization_id(c: sa.Connection, name: str) -> int | None:
    """Return the id of the organization with this name, or None."""
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
    """Create a key and return it in full, for the only time.

    Parameters
    ----------
    c
        A write connection.
    organization_id
        The owner of the key.
    scopes
        At least one of :data:`SCOPES`.
    kind
        ``live`` or ``free``.
    actor
        Actor for the audit log.

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
    """Return the caller with this key, or None if it is unknown, malformed or revoked."""
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
    """Return the public parts of all keys, oldest first."""
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
    """Revoke the keys with a prefix and return their number.

    Parameters
    ----------
    c
        A write connection.
    prefix
        The 16 characters shown by :func:`list_keys`, or the full key.
    actor
        Actor for the audit log.

    Raises
    ------
    NotFound
        No active key has this prefix.
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
