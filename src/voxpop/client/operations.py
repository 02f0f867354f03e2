"""Operations: what became of a call that was accepted once."""

from __future__ import annotations

from voxpop.client.checks import identifier
from voxpop.client.shapes import read
from voxpop.client.transport import Transport
from voxpop.wire.operations import Operation, OperationAnswer


class Operations:
    """``client.operations``: accepted calls."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, operation_id: str) -> Operation:
        """Read an operation with what it was counted as; :class:`NotFound` when there is none of this id."""
        path = f"/organization/operations/{identifier(operation_id, 'operation')}"
        return read(OperationAnswer, self._transport.get(path)).operation
