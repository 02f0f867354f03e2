"""Adaptive concurrency of model calls, with back-off on rate limits and a circuit breaker for outages."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

FEWEST_IN_A_ROW = 3
"""Number of texts abandoned in a row that counts as an outage, or half of the maximum concurrency if more."""


class OutOfOrder(Exception):
    """Raised during an outage of the provider; ``reason`` is the error of the earlier calls."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(str(reason))
        self.reason = reason


MOST_PATIENT = 8
"""Maximum timeout of a call, as a multiple of the timeout in the settings."""


class Timeouts:
    """Timeout of calls, adapted to the server.

    It doubles when a call times out, so that a slow server can answer in the end, and is halved again by
    answers that come early.

    Parameters
    ----------
    least
        Timeout of the first call in seconds.

    Examples
    --------
    >>> timeouts = Timeouts(60.0)
    >>> timeouts.missed()
    >>> timeouts.seconds
    120.0
    >>> timeouts.met(2.0)
    >>> timeouts.seconds
    60.0
    """

    def __init__(self, least: float) -> None:
        self.least: float = least
        self.seconds: float = least

    @property
    def most(self) -> float:
        """Maximum timeout in seconds."""
        return MOST_PATIENT * self.least

    def missed(self) -> None:
        """Record a call that timed out."""
        self.seconds = min(self.most, 2 * self.seconds)

    def met(self, seconds: float) -> None:
        """Record an answer after some seconds."""
        if seconds < self.seconds / 4:
            self.seconds = max(self.least, self.seconds / 2)


class Pace:
    """Limit on the number of concurrent calls, and on their earliest start.

    A call that is rate-limited or times out halves the limit, and each round of answered calls raises it by
    one, up to the maximum. After an outage, waiting calls fail, while texts started later may try again. Use
    it with the calls of one event loop only.

    Parameters
    ----------
    most
        Maximum number of concurrent calls.

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
        self._not_before = 0.0  # time of the event loop
        self._slowed_at = 0.0
        self._given_up = 0
        self._reason: Exception | None = None
        self.answered: int = 0
        self.round: int = 0

    @property
    def allowed(self) -> int:
        """Number of calls that may run concurrently now."""
        return int(self._allowed)

    @asynccontextmanager
    async def call(self, came_in: int) -> AsyncIterator[float]:
        """Wait until a call may start, and yield its start time.

        Parameters
        ----------
        came_in
            The round in which the text of this call was started.

        Raises
        ------
        OutOfOrder
            The provider had an outage since that round.
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
                    self._wake()  # the free slot may have been given to this call
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
        """Record that a call was answered."""
        self.answered += 1
        self._given_up = 0
        self._allowed = min(float(self._most), self._allowed + 1.0 / self._allowed)

    def slow_down(self, seconds: float, began: float) -> None:
        """Record that a call was rate-limited or timed out, and start no call for some seconds."""
        now = _now()
        if began >= self._slowed_at:  # otherwise the limit was already halved after this call started
            self._allowed = max(1.0, self._allowed / 2)
            self._slowed_at = now
        self._not_before = max(self._not_before, now + seconds)

    def give_up(self, reason: Exception, *, for_all: bool = False) -> None:
        """Record an abandoned text; start a new round after enough in a row, or at once with ``for_all``."""
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
    """Sleep for some seconds; cancellation ends the sleep."""
    never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    try:
        async with asyncio.timeout(seconds):
            await never
    except TimeoutError:
        return


def _now() -> float:
    return asyncio.get_running_loop().time()
