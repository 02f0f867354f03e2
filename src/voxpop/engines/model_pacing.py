"""The pace of calls: fewer at once while the provider turns some away, none while it is to be left alone."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

FEWEST_IN_A_ROW = 3
"""So many texts given up in a row, or half of what may be under way if that is more, with nothing answered
meanwhile, mean that the provider is out of order."""


class OutOfOrder(Exception):
    """The provider is out of order; ``reason`` is what the calls before ended with."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Pace:
    """How many calls may be under way at once, and from when on.

    A provider that turns a call away halves the number; each round of answered calls raises it by one, up to
    the most that was asked for. Where the provider is out of order, whoever waits is told so; who comes later
    may try. It is used by the calls of one event loop.

    Parameters
    ----------
    most
        The most calls under way at once.

    Examples
    --------
    >>> async def turned_away(pace):
    ...     async with pace.call(pace.round) as began:
    ...         pace.slow_down(0.0, began)
    ...     return pace.allowed
    >>> asyncio.run(turned_away(Pace(16)))
    8
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._allowed = float(most)
        self._under_way = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._not_before = 0.0  # by the loop's clock
        self._slowed_at = 0.0
        self._given_up = 0
        self._reason: Exception | None = None
        self.answered: int = 0
        self.round: int = 0

    @property
    def allowed(self) -> int:
        """How many calls may be under way now."""
        return int(self._allowed)

    @asynccontextmanager
    async def call(self, came_in: int) -> AsyncIterator[float]:
        """Wait until a call may be made, and make it; gives the moment when it began.

        Parameters
        ----------
        came_in
            The round in which the text was begun that the call is for.

        Raises
        ------
        OutOfOrder
            The provider was found out of order since then.
        """
        while True:
            if self._reason is not None and came_in < self.round:
                raise OutOfOrder(self._reason)
            left = self._not_before - _now()
            if left > 0:
                await pause(left)
            elif self._under_way >= self.allowed:
                turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.append(turn)
                try:
                    await turn
                except asyncio.CancelledError:
                    self._wake()  # it may have been this one's turn
                    raise
            else:
                break
        self._under_way += 1
        try:
            yield _now()
        finally:
            self._under_way -= 1
            self._wake()

    def served(self) -> None:
        """Note that a call was answered."""
        self.answered += 1
        self._given_up = 0
        self._allowed = min(float(self._most), self._allowed + 1.0 / self._allowed)

    def slow_down(self, seconds: float, began: float) -> None:
        """Note that a call was turned away, and that the provider wants to be left alone for so long."""
        now = _now()
        if began >= self._slowed_at:  # else it was under way when the pace was slowed down already
            self._allowed = max(1.0, self._allowed / 2)
            self._slowed_at = now
        self._not_before = max(self._not_before, now + seconds)

    def give_up(self, reason: Exception, *, for_all: bool = False) -> None:
        """Note that a text was given up; for all, or with enough of them in a row, a new round begins."""
        self._given_up += 1
        if for_all or self._given_up >= max(FEWEST_IN_A_ROW, self._most // 2):
            self._given_up = 0
            self._reason = reason
            self.round += 1
            while self._waiting:
                turn = self._waiting.popleft()
                if not turn.done():
                    turn.set_result(None)

    def _wake(self) -> None:
        free = self.allowed - self._under_way
        while self._waiting and free > 0:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1


async def pause(seconds: float) -> None:
    """Let time pass; a cancelled call ends it."""
    never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    try:
        async with asyncio.timeout(seconds):
            await never
    except TimeoutError:
        return


def _now() -> float:
    return asyncio.get_running_loop().time()
