"""How often each key calls: so many calls a minute, and a clear word on when to go on.

One service counts in its memory; services on a database server count together, in its tables.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from voxpop.errors import RateLimited
from voxpop.records import call_counts
from voxpop.records.database import Clock, Database

MINUTE = 60


@dataclass(frozen=True, slots=True)
class Minute:
    """How many calls a key has made in this minute, and after how many seconds the next one begins."""

    used: int
    reset_in_s: int


class Rates(Protocol):
    """Counts the calls of each key by the minute."""

    def take(self, key_id: int, limit: int | None) -> None:
        """Count one call; :class:`RateLimited` when the key has made ``limit`` calls in this minute."""
        ...

    def minute(self, key_id: int) -> Minute:
        """Return how many calls a key has made in this minute."""
        ...


def open_rates(database: Database, clock: Clock) -> Rates:
    """Return who counts the calls of the services on a database."""
    return OwnRates(clock) if database.alone else SharedRates(database)


class OwnRates:
    """Counts the calls of each key by the minutes of the clock, in the memory of this process.

    Parameters
    ----------
    clock
        Gives aware UTC datetimes.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._minute = 0
        self._used: dict[int, int] = {}

    def take(self, key_id: int, limit: int | None) -> None:
        """Count one call.

        Raises
        ------
        RateLimited
            The key has made ``limit`` calls in this minute; this one is not counted.
        """
        minute, left = self._now()
        with self._lock:
            if minute != self._minute:
                self._minute, self._used = minute, {}
            used = self._used.get(key_id, 0)
            if limit is None or used < limit:
                self._used[key_id] = used + 1
                return
        raise _limited(limit, left)

    def minute(self, key_id: int) -> Minute:
        """Return how many calls a key has made in this minute."""
        minute, left = self._now()
        with self._lock:
            return Minute(self._used.get(key_id, 0) if minute == self._minute else 0, left)

    def _now(self) -> tuple[int, int]:
        minute, second = divmod(int(self._clock().timestamp()), MINUTE)
        return minute, MINUTE - second


class SharedRates:
    """Counts the calls of each key in a database, for all services on it, by the minutes of its server.

    Parameters
    ----------
    database
        On a server.
    monotonic
        Gives seconds that only grow.
    """

    def __init__(self, database: Database, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._monotonic = monotonic
        self._over: dict[int, tuple[int, float]] = {}  # of refused keys: the limit, and until when

    def take(self, key_id: int, limit: int | None) -> None:
        """Count one call; a key that was refused is refused for the rest of the minute without a look.

        Raises
        ------
        RateLimited
            The key has made ``limit`` calls in this minute; this one is not counted.
        """
        if limit is None:
            return
        over, until = self._over.get(key_id, (0, 0.0))
        if over == limit and (still := until - self._monotonic()) > 0:
            raise _limited(limit, math.ceil(still))
        with self._database.begin() as c:
            if call_counts.take(c, key_id, limit):
                return
            _, left = call_counts.minute(c, key_id)
        self._over[key_id] = limit, self._monotonic() + left - 1  # the seconds left are rounded up
        raise _limited(limit, left)

    def minute(self, key_id: int) -> Minute:
        """Return how many calls a key has made in this minute; of a key without a limit none are counted."""
        with self._database.read() as c:
            return Minute(*call_counts.minute(c, key_id))


def _limited(limit: int, left: int) -> RateLimited:
    return RateLimited(
        f"This key may make {limit:,} calls a minute; the next one begins in {left} s.", retry_after=left
    )
