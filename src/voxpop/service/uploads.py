"""Uploads: decode large JSON and base64 bodies off the event loop, and check the bytes."""

from __future__ import annotations

import binascii
import hashlib
import json
import mmap
import re
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import IO, Any, Self

import msgspec
from fastapi.concurrency import run_in_threadpool

from voxpop.errors import InvalidRequest
from voxpop.service.admission import Admission, tenant_here
from voxpop.service.bodies import JsonRequest, digest_of, refuse_many_names, refuse_many_values
from voxpop.wire.media import LARGEST_FILE
from voxpop.wire.media_kinds import ALIASES, KINDS, fault_of, kind_of, looks_like

_PIECE = 2**18
"""Characters of base64 to decode at a time, which takes about a millisecond."""

_PAUSE_S = 0.0005
"""Pause between two pieces, during which other threads run.

Without it they wait for the interpreter lock for 5 ms per statement, and a call has dozens of statements.
"""

_IN_MEMORY = 2**20
"""Bytes of a body to keep in memory while receiving it."""

_STRANGE = re.compile(r"[^A-Za-z0-9+/=]")


class LargeRequest(JsonRequest):
    """A request with a large body, received into a file and parsed in a thread.

    Bodies are received concurrently, and a few at a time are decoded and stored in fair turns, so a slow
    caller uses neither memory nor the turn of others.
    """

    _whole: _Body | None = None

    @asynccontextmanager
    async def received(self) -> AsyncIterator[Self]:
        """Receive the body, and hold a decoding turn within the block."""
        if self.method != "POST":
            async with super().received():
                yield self
            return
        admission: Admission = self.app.state.service.admission
        tenant = tenant_here()
        with admission.upload(tenant), _Body() as self._whole:
            async with super().received(), admission.decoding.slot(tenant):
                yield self

    async def body(self) -> bytes:
        """Receive the body and return only its first bytes, which the framework keeps."""
        if self._whole is None:
            return await super().body()
        if not self._whole.complete:
            async for piece in self.stream():
                if self._whole.add(piece):
                    await run_in_threadpool(self._whole.write)
            self._whole.complete = True
        return self._whole.first

    async def digest(self) -> str:
        """Return a digest of address and raw body, without parsing megabytes again."""
        await self.body()
        if self._whole is None:
            return await super().digest()
        return digest_of(self.method, self.url.path, self.url.query, self._whole.hash.hexdigest())

    async def json(self) -> Any:
        """Return the parsed JSON body."""
        if self._whole is None:
            return await super().json()
        return await run_in_threadpool(self._whole.parse)


class _Body:
    """A received body: up to :data:`_IN_MEMORY` bytes in memory, the rest in a temporary file."""

    def __init__(self) -> None:
        self.complete = False
        self.first = b""
        self.hash = hashlib.sha256()
        self._end = bytearray()  # not written to the file yet
        self._file: IO[bytes] | None = None
        self._held = ExitStack()

    def __enter__(self) -> _Body:
        return self

    def __exit__(self, *_: object) -> None:
        self._end = bytearray()
        self._held.close()

    def add(self, piece: bytes) -> bool:
        """Add a piece and return whether it is time to write."""
        if not self.first:
            self.first = bytes(piece[:16])
        self.hash.update(piece)
        self._end += piece
        return len(self._end) >= _IN_MEMORY

    def write(self) -> None:
        """Write the buffered pieces to the file."""
        if self._file is None:
            self._file = self._held.enter_context(tempfile.TemporaryFile(prefix="voxpop-upload-"))  # noqa: SIM115
        self._file.write(self._end)
        self._end = bytearray()

    def parse(self) -> Any:
        """Return the parsed JSON body."""
        if self._file is None:
            return _parsed(self._end)
        self.write()
        self._file.flush()
        with mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            return _parsed(mapped)


def checked_mime(mime: str) -> str:
    """Return the file type named by ``mime``; raise 415 if it is not supported.

    Examples
    --------
    >>> checked_mime("image/JPG")
    'image/jpeg'
    """
    name = mime.strip().lower()
    kind = ALIASES.get(name, name)
    if kind not in KINDS:
        raise _unsupported("mime", f"must be one of {', '.join(KINDS)}, not {mime[:80]!r}")
    return kind


def decoded(text: str) -> bytearray:
    """Decode base64.

    Raises
    ------
    InvalidRequest
        400 if it is not strict base64 or is empty, 413 if it decodes to more than 20 MB.
    """
    size = 3 * (len(text) // 4) - text.count("=", max(0, len(text) - 2))
    if size > LARGEST_FILE:
        problem = f"must have at most {LARGEST_FILE:,} bytes (20 MB) when decoded, not {size:,}"
        raise InvalidRequest(
            f"file_data: {problem}.",
            status=413,
            code="payload_too_large",
            details={"fields": {"file_data": [problem]}},
        )
    data = bytearray(size)
    at = 0
    for start in range(0, len(text), _PIECE):
        last = start + _PIECE >= len(text)
        try:
            piece = binascii.a2b_base64(text[start : start + _PIECE], strict_mode=True)
        except ValueError as error:
            raise _broken(text, start, str(error)) from None
        if not last and len(piece) != _PIECE // 4 * 3:
            raise _broken(text, start, "it goes on after its padding")
        data[at : at + len(piece)] = piece
        at += len(piece)
        if not last:
            time.sleep(_PAUSE_S)
    if at != size or not size:
        raise _broken(text, len(text), "its padding is wrong" if text else "it is empty")
    return data


def checked_file(data: bytes | bytearray, mime: str) -> None:
    """Refuse bytes that are not a complete file of a type.

    Raises
    ------
    InvalidRequest
        415, with the detected type in the message.
    """
    found = kind_of(data)
    if found is None:
        raise _unsupported("file_data", f"must be the bytes of {mime}, but they are {looks_like(data)}")
    if found != mime:
        raise _unsupported("file_data", f"must be the bytes of {mime}, but they are {found}")
    fault = fault_of(data, mime)
    if fault is not None:
        raise _unsupported("file_data", f"must be a whole file of {mime}: it begins as one, but {fault}")


def _parsed(body: bytearray | mmap.mmap) -> Any:
    refuse_many_values(body)
    try:
        data = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        data = json.loads(body[:])  # slower, but tells where the mistake is
    refuse_many_names(data)
    return data


def _broken(text: str, start: int, reason: str) -> InvalidRequest:
    """Describe the error in the piece of base64 that starts at a position."""
    strange = _STRANGE.search(text, start)
    if text.startswith("data:"):
        reason = "it begins with 'data:'; send what follows the comma"
    elif strange is not None and strange.group() in "-_":
        reason = f"{strange.group()!r} at character {strange.start()}; use + and / (the standard alphabet)"
    elif strange is not None:
        reason = f"{strange.group()!r} at character {strange.start()} is not base64"
    problem = f"must be base64 with padding: {reason}"
    return InvalidRequest(f"file_data: {problem}.", details={"fields": {"file_data": [problem]}})


def _unsupported(field: str, problem: str) -> InvalidRequest:
    return InvalidRequest(
        f"{field}: {problem}.",
        status=415,
        code="unsupported_media_type",
        details={"fields": {field: [problem]}},
    )
