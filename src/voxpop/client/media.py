"""Media assets: images and documents that are uploaded once and attached to questions."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from voxpop.client.checks import HasId, Ref, identifier
from voxpop.client.pagination import by_offset
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import UsageError
from voxpop.wire.media import LARGEST_FILE, MOST_ATTACHMENTS, MediaAsset, MediaIn, MediaList, MediaResponse
from voxpop.wire.media_kinds import ALIASES, KINDS, kind_of, looks_like

Source = str | os.PathLike[str] | bytes | bytearray | memoryview
"""A file by its path, or its bytes."""


class Media:
    """``client.media``: files to attach to questions."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def upload(
        self,
        source: Source,
        filename: str | None = None,
        mime: str | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> MediaAsset:
        """Upload a PNG, JPEG, GIF, WEBP or PDF file, and return the asset for use as an attachment.

        Parameters
        ----------
        source : path or bytes
            The file, up to 20 MB.
        filename : str, optional
            Name of the file without a folder; defaults to the name in the path, or one derived from the type.
        mime : str, optional
            Media type, for example ``image/png``; detected from the bytes by default.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments within 24 hours returns the first response
            and has no further effect. By default each call has its own key.

        Raises
        ------
        UsageError
            The file does not exist, is empty or too large, or has none of the five types; nothing was sent.
        InvalidRequest
            The file is incomplete.

        Examples
        --------
        ::

            logo = client.media.upload("logo.png")
            client.questions.ask(study, "Would you trust this brand?", attachments=[logo])
        """
        data = _bytes_of(source)
        kind = _checked_kind(data, mime)
        if filename is None:
            named = Path(source).name if isinstance(source, str | os.PathLike) else ""
            filename = named or f"attachment.{kind.rpartition('/')[2]}"
        text = base64.b64encode(data).decode("ascii")
        sent = body(MediaIn, filename=filename, mime=kind, file_data=text, encoding="base64")
        return read(
            MediaResponse, self._transport.post("/media-assets", sent, key=idempotency_key)
        ).media_asset

    def get(self, asset: Ref) -> MediaAsset:
        """Return the name, type, size and digest of an asset.

        Examples
        --------
        ::

            client.media.get(17).sha256
        """
        return read(MediaResponse, self._transport.get(_path(asset))).media_asset

    def list(self) -> Iterator[MediaAsset]:
        """Iterate over the assets of the organization, newest first."""

        def fetch(limit: int, offset: int) -> tuple[Sequence[MediaAsset], int | None]:
            page = read(MediaList, self._transport.get("/media-assets", {"limit": limit, "offset": offset}))
            return page.media_assets or (), page.total

        return by_offset(fetch)

    def content(self, asset: Ref) -> bytes:
        """Return the bytes of an asset as uploaded.

        Examples
        --------
        ::

            Path("logo.png").write_bytes(client.media.content(logo))
        """
        with self._transport.stream(f"{_path(asset)}/content", accept="*/*") as answer:
            return answer.read()

    def uploaded(self, attachments: Iterable[Any]) -> Sequence[int | str]:
        """Return the ids of attachments, uploading those that are paths.

        A file uploaded this way within the last day, under the same name, is not uploaded again.

        Parameters
        ----------
        attachments : list of MediaAsset, id or Path
            Attachments of a question. A string is an id or a UUID; pass a file as a ``Path``.
        """
        given = _listed(attachments)
        for one in given:
            if not isinstance(one, os.PathLike):
                _reference(one)
            elif not Path(one).is_file():
                raise UsageError(f"There is no file {os.fspath(one)!r} to attach.")
        return [
            identifier_of(self.upload(one, idempotency_key=_upload_key(one)))
            if isinstance(one, os.PathLike)
            else _reference(one)
            for one in given
        ]


def attachment_ids(attachments: Iterable[Any]) -> Sequence[int | str]:
    """Return the ids of attachments that are already uploaded.

    Examples
    --------
    >>> attachment_ids([17, "18", {"media_asset_id": 19}])
    [17, '18', 19]
    """
    return [_reference(one) for one in _listed(attachments)]


def identifier_of(asset: HasId) -> int | str:
    """Return the id or the UUID of an asset."""
    number = asset.id
    return number if isinstance(number, int) else identifier(asset, "media asset")


def _upload_key(path: os.PathLike[str]) -> str:
    """Return the idempotency key of a file, derived from its name and bytes."""
    given = Path(path)
    digest = hashlib.sha256(given.read_bytes()).hexdigest() if given.stat().st_size <= LARGEST_FILE else ""
    return f"upload-{hashlib.sha256(f'{given.name} {digest}'.encode()).hexdigest()}"


def _listed(attachments: Iterable[Any]) -> Sequence[Any]:
    single = isinstance(attachments, str | bytes | os.PathLike | dict | HasId)
    if single or not isinstance(attachments, Iterable):
        raise UsageError(f"attachments must be a list, for example [17], not {attachments!r}.")
    given = [*attachments]
    if len(given) > MOST_ATTACHMENTS:
        raise UsageError(f"attachments has {len(given)} entries; {MOST_ATTACHMENTS} are allowed.")
    return given


def _reference(one: Any) -> int | str:
    if isinstance(one, os.PathLike | bytes):
        raise UsageError(
            "attachments takes media assets or their ids: upload the file with client.media.upload first."
        )
    if isinstance(one, dict):
        one = one.get("media_asset_id", one.get("id"))
    if isinstance(one, HasId) and not isinstance(one, int | str):
        return identifier_of(one)
    if hasattr(one, "__index__") and not isinstance(one, bool):
        return int(one)
    text = identifier(one, "media asset")
    if not text.isdigit() and len(text.replace("-", "")) != 32:
        raise UsageError(
            f"{one!r} is not the id or UUID of a media asset; a file is given as Path({one!r}) to study.ask, "
            "or uploaded with client.media.upload."
        )
    return text


def _bytes_of(source: Source) -> bytes | bytearray | memoryview:
    if isinstance(source, bytes | bytearray | memoryview):
        data, size, name = source, len(source), "The file"
    elif isinstance(source, str | os.PathLike):
        path = Path(source)
        name = f"{os.fspath(source)!r}"
        if not path.is_file():
            raise UsageError(f"There is no file {name}; upload takes a path or bytes.")
        size = path.stat().st_size
        data = path.read_bytes() if 0 < size <= LARGEST_FILE else b""
    else:
        raise UsageError(f"upload takes the path of a file or its bytes, not {source!r}.")
    if not size:
        raise UsageError(f"{name} is empty.")
    if size > LARGEST_FILE:
        raise UsageError(f"{name} has {size:,} bytes; {LARGEST_FILE:,} (20 MB) are allowed.")
    return data


def _checked_kind(data: bytes | bytearray | memoryview, mime: str | None) -> str:
    start = bytes(data[:2_000])
    found = kind_of(start)
    if found is None:
        allowed = ", ".join(KINDS)
        raise UsageError(f"The file is {looks_like(start)}; allowed are {allowed}.")
    if mime is not None and ALIASES.get(mime.strip().lower(), mime.strip().lower()) != found:
        raise UsageError(f"mime is {mime!r}, but the bytes are {found}.")
    return found


def _path(asset: Ref) -> str:
    return f"/media-assets/{identifier(asset, 'media asset')}"
