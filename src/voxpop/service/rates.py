"""How often each key calls: so many calls a minute, and a clear word on when to go on."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from voxpop.errors import RateLimited
from voxpop.records.database import Clock

MINUTE = 60


@dataclass(frozen=True, slots=True)
class Minute:
    """How many calls a key has made in this minute, and after how many seconds the next one begins."""

    used: int
    reset_in_s: int


class Rates:
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
        raise RateLimited(
            f"This key may make {limit:,} calls a minute; the next one begins in {left} s.", retry_after=left
        )

    def minute(self, key_id: int) -> Minute:
        """Return how many calls a key has made in this minute."""
        minute, left = self._now()
        with self._lock:
            return Minute(self._used.get(key_id, 0) if minute == self._minute else 0, left)

    def _now(self) -> tuple[int, int]:
        minute, second = divmod(int(self._clock().timestamp()), MINUTE)
        return minute, MINUTE - second
