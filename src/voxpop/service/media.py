"""Media assets: upload, list, and safe download of unchanged files."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Header, Query, Response

from voxpop.records import media
from voxpop.records.media import MediaAsset
from voxpop.service.answering import encoded, paged
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.bodies import JsonRequest
from voxpop.service.errors import documented
from voxpop.service.uploads import LargeRequest, checked_file, checked_mime, decoded
from voxpop.wire.media import MediaIn, MediaList, MediaResponse
from voxpop.wire.media_kinds import KINDS

_SHOWN = ("id", "uuid", "filename", "mime", "bytes", "sha256", "created_at")
_UNRUN = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
}
"""Headers that keep browsers from rendering a file as a page."""


class LargeBodyRoute(KeyedRoute):
    """A keyed route with a large body."""

    reader: type[JsonRequest] = LargeRequest


router: APIRouter = APIRouter(prefix="/v1/media-assets", tags=["media"], route_class=LargeBodyRoute)


@router.post(
    "",
    summary="Upload a file for questions",
    response_model=MediaResponse,
    status_code=201,
    dependencies=[needs("studies:write", logs="media.upload")],
    responses=documented(400, 401, 403, 413, 415),
)
def upload(call: CallDep, body: MediaIn) -> Response:
    """Store a PNG, JPEG, GIF, WEBP or PDF file of up to 20 MB, to attach to questions by id.

    The bytes must be a complete file of the type in ``mime``.
    """
    mime = checked_mime(body.mime)
    data = decoded(body.file_data)
    checked_file(data, mime)
    digest = hashlib.sha256(data).hexdigest()
    with call.state.database.begin() as connection:
        asset = media.create(
            connection, call.organization, filename=body.filename, mime=mime, sha256=digest, content=data
        )
    call.writing.about("media_asset", asset.id)
    return encoded({"media_asset": asset_shape(asset)}, 201)


@router.get(
    "",
    summary="The organization's media assets",
    response_model=MediaList,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403),
)
def list_media(
    call: CallDep,
    limit: Annotated[int, Query(ge=1, le=500, description="Assets in one answer.")] = 50,
    offset: Annotated[int, Query(ge=0, lt=2**63, description="Assets to skip.")] = 0,
) -> Response:
    """Return one page of the organization's media assets, newest first, without their bytes."""
    with call.state.database.read() as connection:
        total, found = media.list_(connection, call.organization, limit=limit, offset=offset)
    return paged("media_assets", map(asset_shape, found), total=total, limit=limit, offset=offset)


@router.get(
    "/{media_asset_id}",
    summary="One media asset",
    response_model=MediaResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def read(call: CallDep, media_asset_id: str) -> Response:
    """Return an asset by id or UUID, without its bytes."""
    with call.state.database.read() as connection:
        asset = media.get(connection, call.organization, media_asset_id)
    return encoded({"media_asset": asset_shape(asset)})


@router.get(
    "/{media_asset_id}/content",
    summary="The bytes of a media asset",
    response_class=Response,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404)
    | {
        200: {
            "description": "The bytes as they were uploaded.",
            "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in KINDS},
        },
        304: {"description": "The bytes are those of the ETag in If-None-Match."},
    },
)
def content(
    call: CallDep,
    media_asset_id: str,
    if_none_match: Annotated[str | None, Header(description="ETags of the bytes that are there.")] = None,
) -> Response:
    """Return the bytes of an asset as a download; the ETag is their SHA-256."""
    with call.state.database.read() as connection:
        asset = media.get(connection, call.organization, media_asset_id)
        headers = _UNRUN | {"ETag": f'"{asset.sha256}"'}
        if _is_there(if_none_match, asset.sha256):
            return Response(status_code=304, headers=headers)
        data = media.content(connection, call.organization, asset.id)
    headers["Content-Disposition"] = disposition(asset.filename)
    return Response(data, headers=headers, media_type=asset.mime)


def asset_shape(asset: MediaAsset) -> dict[str, Any]:
    """Return a media asset in its wire form, without its bytes."""
    return {name: getattr(asset, name) for name in _SHOWN}


def disposition(filename: str) -> str:
    r"""Return a Content-Disposition header with the file name in ASCII and UTF-8.

    Examples
    --------
    >>> disposition('Ümlaut "1".png')
    'attachment; filename="_mlaut _1_.png"; filename*=UTF-8\'\'%C3%9Cmlaut%20%221%22.png'
    """
    plain = "".join(sign if " " <= sign <= "~" and sign not in '"\\%;' else "_" for sign in filename)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(filename, safe='')}"


def _is_there(if_none_match: str | None, tag: str) -> bool:
    tags = [each.strip().removeprefix("W/") for each in (if_none_match or "").split(",")]
    return "*" in tags or f'"{tag}"' in tags
