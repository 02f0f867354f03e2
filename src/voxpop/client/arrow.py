"""Arrow over HTTP: an answer that is read batch by batch, so that memory does not grow with it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from voxpop.client.transport import Transport
from voxpop.errors import ServiceError

if TYPE_CHECKING:
    import httpx
    import pyarrow as pa

ARROW = "application/vnd.apache.arrow.stream"
_LACKING = {404, 405, 406}


@contextmanager
def batches(
    transport: Transport, path: str, params: Mapping[str, Any] | None = None
) -> Iterator[Iterator[pa.RecordBatch] | None]:
    """Open an answer as Arrow batches; give None when the service has no Arrow there."""
    with ExitStack() as opened:
        try:
            response = opened.enter_context(transport.stream(path, params, accept=ARROW))
        except ServiceError as error:
            if error.status not in _LACKING:
                raise
            yield None
            return
        if response.headers.get("Content-Type", "").partition(";")[0].strip() != ARROW:
            yield None
            return
        import pyarrow as pa  # imported where used: a client alone does not need it

        yield iter(pa.ipc.open_stream(io.BufferedReader(_Pieces(response), 1 << 20)))


def table_of(found: Iterator[pa.RecordBatch]) -> pa.Table | None:
    """Put batches together; None when there is not one."""
    import pyarrow as pa

    held = list(found)
    return pa.Table.from_batches(held) if held else None


class _Pieces(io.RawIOBase):
    """The bytes of an answer as they come in, as a file to read."""

    def __init__(self, response: httpx.Response) -> None:
        self._pieces = response.iter_bytes()
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        taken = min(len(buffer), len(self._rest))
        buffer[:taken] = self._rest[:taken]
        self._rest = self._rest[taken:]
        return taken
