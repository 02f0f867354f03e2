"""Media assets: files attached to questions; their bytes are loaded only on demand."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from voxpop.records.database import now
from voxpop.records.inserting import insert
from voxpop.records.references import find, missing, new_uuid
from voxpop.records.schema import media_assets as table

_NOUN = "media asset"


@dataclass(frozen=True, slots=True)
class MediaAsset:
    """A stored file without its content; see :func:`content`.

    Attributes
    ----------
    mime : str
        Media type, for example ``image/png`` or ``application/pdf``.
    bytes : int
        Its size.
    sha256 : str
        SHA-256 digest of its content, in hexadecimal.
    """

    id: int
    uuid: str
    filename: str
    mime: str
    bytes: int
    sha256: str
    created_at: datetime


_COLUMNS = [table.c[name] for name in MediaAsset.__dataclass_fields__]


def create(
    c: sa.Connection,
    organization_id: int,
    *,
    filename: str,
    mime: str,
    sha256: str,
    content: bytes | bytearray,
) -> MediaAsset:
    """Store a file; storing the same file again creates another asset."""
    number = insert(
        c,
        table,
        uuid=new_uuid(),
        organization_id=organization_id,
        filename=filename,
        mime=mime,
        bytes=len(content),
        sha256=sha256,
        content=content,
        created_at=now(c),
    )
    return get(c, organization_id, number)


def get(c: sa.Connection, organization_id: int, reference: int | str) -> MediaAsset:
    """Return one asset by number or UUID; :class:`NotFound` when this organization has none such."""
    row = c.execute(sa.select(*_COLUMNS).where(find(table, organization_id, reference, noun=_NOUN))).first()
    if row is None:
        raise missing(_NOUN, reference)
    return MediaAsset(*row)


def content(c: sa.Connection, organization_id: int, asset_id: int) -> bytes:
    """Return the bytes of an asset."""
    mine = sa.and_(table.c.organization_id == organization_id, table.c.id == asset_id)
    found: bytes | None = c.execute(sa.select(table.c.content).where(mine)).scalar()
    if found is None:
        raise missing(_NOUN, asset_id)
    return found


def list_(c: sa.Connection, organization_id: int, *, limit: int, offset: int) -> tuple[int, list[MediaAsset]]:
    """Return how many assets there are and one page of them, newest first."""
    mine = table.c.organization_id == organization_id
    total = c.execute(sa.select(sa.func.count()).select_from(table).where(mine)).scalar_one()
    page = sa.select(*_COLUMNS).where(mine).order_by(table.c.id.desc()).limit(limit).offset(offset)
    return total, [MediaAsset(*row) for row in c.execute(page)]


def named(
    c: sa.Connection, organization_id: int, ids: Collection[int], uuids: Collection[str] = ()
) -> list[MediaAsset]:
    """Return the assets of this organization with the given ids and UUIDs.

    Parameters
    ----------
    c, organization_id
        Where, and whose.
    ids, uuids
        Ids below 2**63, and UUIDs with dashes; unknown ones are skipped.
    """
    if not ids and not uuids:
        return []
    wanted = sa.or_(table.c.id.in_(list(ids)), table.c.uuid.in_(list(uuids)))
    rows = c.execute(sa.select(*_COLUMNS).where(table.c.organization_id == organization_id, wanted))
    return [MediaAsset(*row) for row in rows]
