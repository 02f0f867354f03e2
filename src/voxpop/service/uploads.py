"""Uploads: megabytes of JSON and base64 become bytes, beside the event loop, and the bytes are checked."""

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
"""Characters of base64 that are decoded at a time, in about a millisecond."""

_PAUSE_S = 0.0005
"""How long other threads may run between two pieces.

Without it they wait for the interpreter for 5 ms at each of their statements, and a call has dozens of them.
"""

_IN_MEMORY = 2**20
"""Bytes of a body that are kept in memory while it is received."""

_STRANGE = re.compile(r"[^A-Za-z0-9+/=]")


class LargeRequest(JsonRequest):
    """A call whose body may be large: it is received into a file and parsed in a thread.

    Bodies are received side by side, and a few at a time are decoded and stored, in fair turns: a caller on a
    slow line takes no memory and no turn of others.
    """

    _whole: _Body | None = None

    @asynccontextmanager
    async def received(self) -> AsyncIterator[Self]:
        """Receive the body, and hold a turn to decode it for as long as the block takes."""
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
        """Receive the body; return its first bytes alone: the framework keeps them until the call ends."""
        if self._whole is None:
            return await super().body()
        if not self._whole.complete:
            async for piece in self.stream():
                if self._whole.add(piece):
                    await run_in_threadpool(self._whole.write)
            self._whole.complete = True
        return self._whole.first

    async def digest(self) -> str:
        """Return a digest of what was sent where, byte by byte: parsing megabytes again would take long."""
        await self.body()
        if self._whole is None:
            return await super().digest()
        return digest_of(self.method, self.url.path, self.url.query, self._whole.hash.hexdigest())

    async def json(self) -> Any:
        """Return the body as JSON values."""
        if self._whole is None:
            return await super().json()
        return await run_in_threadpool(self._whole.parse)


class _Body:
    """A body as it arrives: in memory up to :data:`_IN_MEMORY` bytes, what is more in a temporary file."""

    def __init__(self) -> None:
        self.complete = False
        self.first = b""
        self.hash = hashlib.sha256()
        self._end = bytearray()  # what is not in the file yet
        self._file: IO[bytes] | None = None
        self._held = ExitStack()

    def __enter__(self) -> _Body:
        return self

    def __exit__(self, *_: object) -> None:
        self._end = bytearray()
        self._held.close()

    def add(self, piece: bytes) -> bool:
        """Take the next piece, and return whether it is time to write."""
        if not self.first:
            self.first = bytes(piece[:16])
        self.hash.update(piece)
        self._end += piece
        return len(self._end) >= _IN_MEMORY

    def write(self) -> None:
        """Write what is in memory into the file."""
        if self._file is None:
            self._file = self._held.enter_context(tempfile.TemporaryFile(prefix="voxpop-upload-"))  # noqa: SIM115
        self._file.write(self._end)
        self._end = bytearray()

    def parse(self) -> Any:
        """Return the body as JSON values."""
        if self._file is None:
            return _parsed(self._end)
        self.write()
        self._file.flush()
        with mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            return _parsed(mapped)


def checked_mime(mime: str) -> str:
    """Return the kind of file that a caller's ``mime`` names; 415 when it is none of the five.

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
    """Return the bytes that base64 stands for.

    Raises
    ------
    InvalidRequest
        400 when it is not strict base64 or stands for nothing, 413 when it stands for more than 20 MB.
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
    """Refuse bytes that are not a whole file of a kind.

    Raises
    ------
    InvalidRequest
        415, with what they are in the message.
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
        data = json.loads(body[:])  # it reads more, and says where a mistake is
    refuse_many_names(data)
    return data


def _broken(text: str, start: int, reason: str) -> InvalidRequest:
    """Say what is wrong with the piece of base64 that starts there."""
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
