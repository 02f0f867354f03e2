"""Timeouts for slow callers: request head, body and response must each make progress.

Without them, callers who send one byte a minute could hold every connection of the service.
"""

from __future__ import annotations

import asyncio
import time

import h11
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 10.0
"""Timeout of the request head, from the first byte or from the opening of the connection."""

BODY_S = 20.0
"""Timeout of the request body, plus a second per :data:`BODY_RATE` bytes."""

BODY_RATE = 2_000
"""Slowest accepted connection, in bytes per second."""

ANSWER_S = 60.0
"""Timeout for a caller that reads nothing of a response."""


class PatientProtocol(H11Protocol):
    """The HTTP protocol of the server with a timeout for the request head."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout for the first call."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Keep the timeout running while the head is incomplete."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        elif self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        if self._waiting is not None:
            self._waiting.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(HEAD_S, self._give_up)

    def _give_up(self) -> None:
        self._waiting = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()


def timely(receive: Receive) -> Receive:
    """Return a receive function that raises 408 and closes the connection if the body is too slow.

    Parameters
    ----------
    receive
        The original receive function.
    """
    begun, total, more = 0.0, 0, True

    async def received() -> Message:
        nonlocal begun, total, more
        if not more:
            return await receive()  # the disconnect, for which a held call waits
        begun = begun or time.monotonic()
        try:
            async with asyncio.timeout(begun + BODY_S + total / BODY_RATE - time.monotonic()):
                message = await receive()
        except TimeoutError:
            raise HTTPException(
                408, f"The body did not arrive within {BODY_S:g} s.", {"Connection": "close"}
            ) from None
        total, more = total + len(message.get("body", b"")), message.get("more_body", False)
        return message

    return received


def untiring(send: Send) -> Send:
    """Return a send function that gives up on a caller that stops reading."""

    async def sent(message: Message) -> None:
        if message["type"] != "http.response.body" or not message.get("more_body", False):
            await send(message)
            return
        async with asyncio.timeout(ANSWER_S):
            await send(message)

    return sent
