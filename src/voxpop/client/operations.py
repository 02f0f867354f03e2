"""Operations: the outcome of accepted calls."""

from __future__ import annotations

from voxpop.client.checks import identifier
from voxpop.client.shapes import read
from voxpop.client.transport import Transport
from voxpop.wire.operations import Operation, OperationResponse


class Operations:
    """``client.operations``: accepted calls."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, operation_id: str) -> Operation:
        """Return an operation with its usage; raise :class:`NotFound` if it does not exist."""
        path = f"/organization/operations/{identifier(operation_id, 'operation')}"
        return read(OperationResponse, self._transport.get(path)).operation
