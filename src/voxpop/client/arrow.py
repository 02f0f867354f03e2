"""Bulk reads of answers over HTTP in batches, with bounded memory.

Arrow is requested first; NDJSON and the documented JSON are converted to the same batches. An interrupted
stream resumes after the last answer received.
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
"""Status codes of services without the additive bulk read."""

_END = b"\xff\xff\xff\xff\x00\x00\x00\x00"


@contextmanager
def batches(
    transport: Transport, path: str, params: Mapping[str, Any] | None = None
) -> Iterator[Iterator[pa.RecordBatch] | None]:
    """Yield Arrow batches of a response, or None if the service does not send Arrow."""
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
    """Yield the answers after an id in batches, in whatever format the service offers.

    A broken connection resumes after the last answer received, up to the number of retries.

    Raises
    ------
    ServiceError
        The service has no bulk read (its status is among ``LACKING``), or its answer cannot be read.
    ConnectionFailed
        The connection broke repeatedly.
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
    """Return the highest answer id of a batch; 0 if it is empty."""
    if isinstance(batch, list):
        return max((one["id"] for one in batch if isinstance(one.get("id"), int)), default=0)
    import pyarrow.compute as pc

    return int(pc.max(batch["id"]).as_py() or 0) if "id" in batch.schema.names else 0


def table_of(found: Iterator[pa.RecordBatch]) -> pa.Table | None:
    """Concatenate batches; return None if there are none."""
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
    """Yield batches; a stream that is damaged or lacks its end marker counts as interrupted."""
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
    """A file object over the bytes of a streamed response."""

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
        """Read the rest and return whether it ends with these bytes."""
        self._rest = memoryview(b"")
        for piece in self._pieces:
            self._tail = (self._tail + piece[-8:])[-8:]
        return self._tail == mark
