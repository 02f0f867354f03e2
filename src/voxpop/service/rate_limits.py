"""Per-key rate limiting: N calls per minute, with ``Retry-After``.

A single service counts in memory; services on a database server share counts in its tables.
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
    """Calls of a key in this minute, and the seconds until the next one."""

    used: int
    reset_in_s: int


class Rates(Protocol):
    """Rate limiter with a count per key and minute."""

    def take(self, key_id: int, limit: int | None) -> None:
        """Count one call; raise :class:`RateLimited` if the key has reached ``limit`` in this minute."""
        ...

    def minute(self, key_id: int) -> Minute:
        """Return the calls of a key in this minute."""
        ...


def open_rates(database: Database, clock: Clock) -> Rates:
    """Return the rate limiter for this database."""
    return OwnRates(clock) if database.alone else SharedRates(database)


class OwnRates:
    """Rate limiter in the memory of this process.

    Parameters
    ----------
    clock
        Returns aware UTC datetimes.
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
            The key has reached ``limit`` in this minute; this call is not counted.
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
        """Return the calls of a key in this minute."""
        minute, left = self._now()
        with self._lock:
            return Minute(self._used.get(key_id, 0) if minute == self._minute else 0, left)

    def _now(self) -> tuple[int, int]:
        minute, second = divmod(int(self._clock().timestamp()), MINUTE)
        return minute, MINUTE - second


class SharedRates:
    """Rate limiter shared by all services on a database server, by the server's clock.

    Parameters
    ----------
    database
        A database server.
    monotonic
        Monotonic clock in seconds.
    """

    def __init__(self, database: Database, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._monotonic = monotonic
        self._over: dict[int, tuple[int, float]] = {}  # refused keys: limit and end time

    def take(self, key_id: int, limit: int | None) -> None:
        """Count one call; a refused key stays refused for the rest of the minute without a query.

        Raises
        ------
        RateLimited
            The key has reached ``limit`` in this minute; this call is not counted.
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
        self._over[key_id] = limit, self._monotonic() + left - 1  # round up the seconds left
        raise _limited(limit, left)

    def minute(self, key_id: int) -> Minute:
        """Return the calls of a key in this minute; keys without a limit are not counted."""
        with self._database.read() as c:
            return Minute(*call_counts.minute(c, key_id))


def _limited(limit: int, left: int) -> RateLimited:
    return RateLimited(
        f"This key may make {limit:,} calls a minute; the next one begins in {left} s.", retry_after=left
    )
