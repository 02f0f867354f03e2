"""Guesses at keys: an address that sends too many unknown ones is not listened to for the rest of the minute.

Keys have 256 random bits, so nobody finds one; but each guess is a look into the database. A key that was
good before is let pass all the same, so that nobody is locked out by a neighbour behind the same proxy.
"""

from __future__ import annotations

import threading

from voxpop.errors import RateLimited
from voxpop.records.database import Clock

_MINUTE = 60
_MOST = 10_000


class Guesses:
    """Counts the unknown keys of each address by the minutes of the clock.

    Parameters
    ----------
    clock
        Gives aware UTC datetimes.
    most
        How many an address may send in a minute; None is no limit.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> guesses = Guesses(lambda: datetime(2026, 1, 1, 12, 0, 45, tzinfo=UTC), most=1)
    >>> guesses.listen("192.0.2.7", b"digest")
    >>> guesses.wrong("192.0.2.7")
    >>> try:
    ...     guesses.listen("192.0.2.7", b"digest")
    ... except RateLimited as refused:
    ...     refused.retry_after
    15
    """

    def __init__(self, clock: Clock, most: int | None) -> None:
        self._clock = clock
        self._most = most
        self._lock = threading.Lock()
        self._minute = 0
        self._wrong: dict[str, int] = {}
        self._good: set[bytes] = set()

    def listen(self, address: str, digest: bytes) -> None:
        """Let a key be looked at, by its digest.

        Raises
        ------
        RateLimited
            The address has sent too many unknown keys in this minute, and this one was never a good one.
        """
        if self._most is None or address not in self._wrong:
            return
        minute, left = self._now()
        with self._lock:
            if minute != self._minute:
                self._minute, self._wrong = minute, {}
            tired = self._wrong.get(address, 0) >= self._most
        if tired and digest not in self._good:
            raise RateLimited(
                f"This address has sent too many unknown keys; it is heard again in {left} s.",
                retry_after=left,
            )

    def wrong(self, address: str) -> None:
        """Count a key that nobody has."""
        minute, _ = self._now()
        with self._lock:
            if minute != self._minute or len(self._wrong) >= _MOST:
                self._minute, self._wrong = minute, {}
            self._wrong[address] = self._wrong.get(address, 0) + 1

    def right(self, digest: bytes) -> None:
        """Remember a key that somebody has."""
        if digest not in self._good:
            with self._lock:
                if len(self._good) >= _MOST:
                    self._good = set()
                self._good.add(digest)

    def _now(self) -> tuple[int, int]:
        minute, second = divmod(int(self._clock().timestamp()), _MINUTE)
        return minute, _MINUTE - second
