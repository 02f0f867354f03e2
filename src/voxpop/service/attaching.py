"""Attachments of questions: parsing the three reference forms, and the wire form."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from voxpop.errors import InvalidRequest
from voxpop.records import media
from voxpop.records.media import MediaAsset
from voxpop.records.questions import AskedQuestion
from voxpop.service.auth import Call
from voxpop.wire.media import MOST_ATTACHMENTS

_SHOWN = ("id", "uuid", "filename", "mime", "bytes")
_KEYS = ("media_asset_id", "id")
_UUID = re.compile(r"[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
_LARGEST = 2**63 - 1


def attachments_of(c: sa.Connection, call: Call, given: Sequence[Any] | None) -> list[int]:
    """Return the ids of the media assets attached to a question, without duplicates, in order.

    Parameters
    ----------
    c
        A read or write connection; assets are never deleted.
    call
        The call, whose organization must own the assets.
    given
        The body's ``attachments``: ids, UUIDs, or objects with ``media_asset_id`` or ``id``.

    Raises
    ------
    InvalidRequest
        Some are unknown to this organization (the message names all of them), or there are too many.
    """
    if not given:
        return []
    names = [_named(one) for one in given]
    numbers = {name for name in names if isinstance(name, int)}
    uuids = {name for name in names if isinstance(name, str)}
    found: dict[int | str, int] = {}
    for asset in media.named(c, call.organization, numbers, uuids):
        found |= {asset.id: asset.id, asset.uuid: asset.id}
    unknown = [_shown(one) for one, name in zip(given, names, strict=True) if name not in found]
    if unknown:
        problems = [f"unknown media asset {one}" for one in dict.fromkeys(unknown)]
        raise _refusal(problems, "upload files with POST /v1/media-assets and name them by media_asset.id")
    ids = list(dict.fromkeys(found[name] for name in names if name is not None))
    if len(ids) > MOST_ATTACHMENTS:
        raise _refusal([f"must be at most {MOST_ATTACHMENTS} media assets, not {len(ids)}"])
    return ids


def attachment_shapes(
    c: sa.Connection, call: Call, questions: Iterable[AskedQuestion]
) -> dict[int, list[dict[str, Any]]]:
    """Return the attachments of questions in their wire form, by question."""
    asked = [question for question in questions if question.attachments]
    wanted = {number for question in asked for number in question.attachments}
    assets = {asset.id: asset for asset in media.named(c, call.organization, wanted)}
    return {
        question.id: [attachment_shape(assets[number]) for number in question.attachments if number in assets]
        for question in asked
    }


def attachment_shape(asset: MediaAsset) -> dict[str, Any]:
    """Return the wire form of an attached media asset."""
    return {name: getattr(asset, name) for name in _SHOWN}


def _named(one: Any) -> int | str | None:
    """Return the id or dashed UUID of an attachment reference; None if it is malformed."""
    if isinstance(one, dict):
        keys = [key for key in _KEYS if key in one]
        if len(keys) != 1 or len(one) != 1:
            problem = f"must be an id, or an object with media_asset_id or id alone, not {_shown(one)}"
            raise _refusal([problem])
        one = one[keys[0]]
    if isinstance(one, str) and one.isascii() and one.isdigit() and len(one) <= 19:
        one = int(one)
    if isinstance(one, str) and _UUID.fullmatch(one):
        return str(uuid.UUID(one))
    if isinstance(one, bool) or not isinstance(one, int | str):
        raise _refusal([f"must be ids, or objects with media_asset_id or id, not {_shown(one)}"])
    return one if isinstance(one, int) and 0 < one <= _LARGEST else None


def _refusal(problems: list[str], hint: str = "") -> InvalidRequest:
    told = "; ".join(problems[:3]) + (f" (and {len(problems) - 3} more)" if len(problems) > 3 else "")
    message = f"attachments: {told}{f'; {hint}' if hint else ''}."
    return InvalidRequest(message, details={"fields": {"attachments": problems}})


def _shown(one: Any) -> str:
    if isinstance(one, dict) and len(one) == 1:
        one = next((one[key] for key in _KEYS if key in one), one)
    return repr(one)[:80]
