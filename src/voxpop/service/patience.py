"""Patience with slow callers: a head, a body and an answer each have their time, then the line is cut.

Without that, callers who send a byte a minute hold as many lines as the service can open, at no cost.
"""

from __future__ import annotations

import asyncio
import time

import h11
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 10.0
"""How long the head of a call may take, from the first byte or from the opening of the line."""

BODY_S = 20.0
"""How long the body of a call may take, beside a second for each :data:`BODY_RATE` bytes."""

BODY_RATE = 2_000
"""The slowest line, in bytes a second, on which a whole body arrives in time."""

ANSWER_S = 60.0
"""How long a caller may take no part of an answer."""


class PatientProtocol(H11Protocol):
    """The protocol of the server, with an end to the wait for a head."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first call."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Go on waiting while a head is not whole."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        elif self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
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
    """Return what gives a body that arrives in time; else it raises 408 and the line is cut.

    Parameters
    ----------
    receive
        Gives the parts of the body.
    """
    begun, total, more = 0.0, 0, True

    async def received() -> Message:
        nonlocal begun, total, more
        if not more:
            return await receive()  # the end of the connection, for which a held call waits
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
    """Return what sends the parts of an answer, and gives up on a caller who takes none of it any more."""

    async def sent(message: Message) -> None:
        if message["type"] != "http.response.body" or not message.get("more_body", False):
            await send(message)
            return
        async with asyncio.timeout(ANSWER_S):
            await send(message)

    return sent
