"""Bulk answers over HTTP, read batch by batch, so that memory does not grow with them.

Arrow is asked for first; lines of JSON and the documented JSON become batches of the same shape. A stream
that breaks off is taken up again behind the last answer that came.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from voxpop.client.jsonrows import Rows, from_json, from_lines
from voxpop.client.transport import Transport
from voxpop.errors import ConnectionFailed, ServiceError

if TYPE_CHECKING:
    import httpx
    import pyarrow as pa

ARROW = "application/vnd.apache.arrow.stream"
LINES = "application/x-ndjson"
JSON = "application/json"
ANY_FORM = f"{ARROW}, {LINES};q=0.9, {JSON};q=0.5"
LACKING = frozenset({404, 405, 406})
"""What a service answers that does not have a bulk read; it is an addition."""

_END = b"\xff\xff\xff\xff\x00\x00\x00\x00"


@contextmanager
def batches(
    transport: Transport, path: str, params: Mapping[str, Any] | None = None
) -> Iterator[Iterator[pa.RecordBatch] | None]:
    """Open an answer as Arrow batches; give None when the service has no Arrow there."""
    with ExitStack() as opened:
        try:
            response = opened.enter_context(transport.stream(path, params, accept=ARROW))
        except ServiceError as error:
            if error.status not in LACKING:
                raise
            yield None
            return
        yield _from_arrow(transport, response) if _form(response) == ARROW else None


def answers(transport: Transport, path: str, after: int = 0) -> Iterator[Rows]:
    """Give the answers behind ``after`` in batches, in whatever form the service has them.

    A connection that breaks off is opened again behind the last answer that came, as often as calls are
    repeated.

    Raises
    ------
    ServiceError
        The service has no bulk read (its status is among ``LACKING``), or its answer cannot be read.
    ConnectionFailed
        The connection broke off again and again.
    """
    last, failures = after, 0
    while True:
        try:
            with transport.stream(path, {"after": last} if last else None, accept=ANY_FORM) as response:
                for batch in _read(transport, response):
                    yield batch
                    if (come := newest(batch)) > last:
                        last, failures = come, 0
            return
        except ConnectionFailed:
            failures += 1
            if failures > transport.retries:
                raise
        transport.pause(failures)


def newest(batch: Rows) -> int:
    """Return the highest number of an answer in a batch, 0 when there is none."""
    if isinstance(batch, list):
        return max((one["id"] for one in batch if isinstance(one.get("id"), int)), default=0)
    import pyarrow.compute as pc

    return int(pc.max(batch["id"]).as_py() or 0) if "id" in batch.schema.names else 0


def table_of(found: Iterator[pa.RecordBatch]) -> pa.Table | None:
    """Put batches together; None when there is not one."""
    import pyarrow as pa

    held = list(found)
    return pa.Table.from_batches(held) if held else None


def _form(response: httpx.Response) -> str:
    return str(response.headers.get("Content-Type", "")).partition(";")[0].strip()


def _read(transport: Transport, response: httpx.Response) -> Iterator[Rows]:
    form = _form(response)
    if form == ARROW:
        return _from_arrow(transport, response)
    if form == LINES:
        return from_lines(response.iter_bytes(), transport.base_url)
    return from_json(response.iter_bytes(), transport.base_url)


def _from_arrow(transport: Transport, response: httpx.Response) -> Iterator[pa.RecordBatch]:
    """Read batches; a stream without its end mark, or damaged, has broken off."""
    import pyarrow as pa  # imported where used: a client alone does not need it

    pieces = _Pieces(response)
    try:
        yield from pa.ipc.open_stream(io.BufferedReader(pieces, 1 << 20))
        complete = pieces.ends_with(_END)
    except (pa.ArrowException, OSError) as error:
        raise ConnectionFailed(
            f"The Arrow stream of {transport.base_url} is truncated or damaged: {error}."
        ) from error
    if not complete:
        raise ConnectionFailed(f"The Arrow stream of {transport.base_url} is truncated: it has no end mark.")


class _Pieces(io.RawIOBase):
    """The bytes of an answer as they come in, as a file to read."""

    def __init__(self, response: httpx.Response) -> None:
        self._pieces = response.iter_bytes()
        self._rest = memoryview(b"")
        self._tail = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
            self._tail = (self._tail + piece[-8:])[-8:]
        taken = min(len(buffer), len(self._rest))
        buffer[:taken] = self._rest[:taken]
        self._rest = self._rest[taken:]
        return taken

    def ends_with(self, mark: bytes) -> bool:
        """Read what is left, and say whether the last bytes are these."""
        self._rest = memoryview(b"")
        for piece in self._pieces:
            self._tail = (self._tail + piece[-8:])[-8:]
        return self._tail == mark
