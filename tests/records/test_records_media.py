"""Media assets are stored as they came, seen by their organization alone, and read without their bytes."""

from __future__ import annotations

import hashlib
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa

from media_files import png
from voxpop.errors import NotFound
from voxpop.records import media
from voxpop.records.media import MediaAsset

CONTENT = png()


def create(c: sa.Connection, organization: int, name: str = "logo.png") -> MediaAsset:
    digest = hashlib.sha256(CONTENT).hexdigest()
    return media.create(
        c, organization, filename=name, mime="image/png", sha256=digest, content=bytearray(CONTENT)
    )


def test_a_file_is_read_as_it_was_stored(c: sa.Connection, org: int) -> None:
    made = create(c, org, "Löwe 🦁.png")
    assert (made.filename, made.mime, made.bytes) == ("Löwe 🦁.png", "image/png", len(CONTENT))
    assert str(UUID(made.uuid)) == made.uuid
    for reference in (made.id, str(made.id), made.uuid, made.uuid.upper()):
        assert media.get(c, org, reference) == made
    content = media.content(c, org, made.id)
    assert (type(content), content) == (bytes, CONTENT)
    assert create(c, org).id != made.id


def test_another_organization_sees_none(c: sa.Connection, org: int, other: int) -> None:
    made = create(c, org)
    for owner, reference in ((other, made.id), (other, made.uuid), (org, 10**6), (org, 2**70), (org, "x")):
        with pytest.raises(NotFound, match="no media asset"):
            media.get(c, owner, reference)
    with pytest.raises(NotFound):
        media.content(c, other, made.id)
    assert media.list_(c, other, limit=10, offset=0) == (0, [])
    assert media.named(c, other, [made.id], [made.uuid]) == []


def test_assets_are_listed_newest_first(c: sa.Connection, org: int) -> None:
    made = [create(c, org, f"{number}.png") for number in range(3)]
    assert media.list_(c, org, limit=2, offset=0) == (3, [made[2], made[1]])
    assert media.list_(c, org, limit=2, offset=2) == (3, [made[0]])


def test_assets_are_found_by_numbers_and_uuids_together(c: sa.Connection, org: int) -> None:
    made = [create(c, org) for _ in range(3)]
    found = media.named(c, org, [made[0].id, 2**62], [made[2].uuid, made[0].uuid, "no such"])
    assert sorted(found, key=lambda one: one.id) == [made[0], made[2]]
    assert media.named(c, org, []) == []


def test_bytes_are_read_only_where_they_are_asked_for(c: sa.Connection, org: int) -> None:
    made = create(c, org)
    read: list[str] = []

    @sa.event.listens_for(c, "before_cursor_execute")
    def note(*call: Any) -> None:
        read.append(call[2])

    media.get(c, org, made.id)
    media.list_(c, org, limit=10, offset=0)
    media.named(c, org, [made.id])
    assert not any("content" in statement for statement in read)
    media.content(c, org, made.id)
    assert "content" in read[-1]
