"""Media assets: files uploaded once and attached to questions."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from voxpop.wire.base import In, Out, Page, Words

LARGEST_FILE = 20_000_000
"""Maximum size of a decoded file in bytes."""

MOST_ATTACHMENTS = 10
"""Maximum number of media assets per question."""

_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that can disguise a file name when displayed."""


def _file_name(name: str) -> str:
    if "/" in name or "\\" in name:
        raise ValueError("must be a name without a folder: no / and no \\")
    if name.strip() in (".", ".."):
        raise ValueError(f"must name a file; {name.strip()} is a folder")
    if any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") or sign in _DIRECTIONS for sign in name):
        raise ValueError("must have no control characters or line breaks")
    return name


FileName = Annotated[Words, AfterValidator(_file_name)]
"""A file name without a folder."""

_NAMED = {"description": "The id or UUID of a media asset."}
Reference = Annotated[
    Any,
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1},
                {"type": "string", "description": "A UUID, or the digits of a number."},
                {"type": "object", "properties": {"media_asset_id": _NAMED}, "required": ["media_asset_id"]},
                {"type": "object", "properties": {"id": _NAMED}, "required": ["id"]},
            ]
        }
    ),
]
"""A reference to a media asset; the service checks all references of a question together."""


def _as_list(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


References = Annotated[list[Reference], Field(max_length=100), BeforeValidator(_as_list)]
"""The attachments of a question; duplicates count once."""

ATTACHMENTS = (
    f"Up to {MOST_ATTACHMENTS} media assets that go with it: ids or UUIDs, "
    "or objects with media_asset_id or id. The embedded engine does not look at them, and its answers say so."
)
"""Description of the field ``attachments``."""


class MediaIn(In):
    """Body of ``POST /v1/media-assets``."""

    filename: FileName = Field(
        min_length=1, max_length=255, description="The file's name without a folder, 1 to 255 characters."
    )
    mime: str = Field(
        max_length=255,
        description="image/png, image/jpeg, image/gif, image/webp or application/pdf; what the bytes are.",
    )
    file_data: str = Field(description="The file's bytes as base64 with padding; up to 20 MB when decoded.")
    encoding: Literal["base64"] = Field(default="base64", description="Always base64.")


class Attachment(Out):
    """A media asset attached to a question."""

    id: int = Field(description="The asset's id.")
    uuid: str = Field(description="The asset's UUID.")
    filename: str = Field(description="The file's name.")
    mime: str = Field(description="What the file is, for example image/png.")
    bytes: int = Field(description="The file's size in bytes.")


class MediaAsset(Attachment):
    """An uploaded file, which questions refer to by id."""

    sha256: str = Field(description="The SHA-256 of the bytes, 64 hexadecimal digits.")
    created_at: datetime | None = Field(default=None, description="When it was uploaded, UTC.")


class MediaResponse(Out):
    """One media asset."""

    media_asset: MediaAsset = Field(description="The asset.")


class MediaList(Page):
    """One page of the organization's media assets."""

    media_assets: list[MediaAsset] = Field(description="The assets, newest first.")
