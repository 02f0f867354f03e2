"""Limits on guessed keys: an address that sends too many is refused for the rest of the minute.

Keys have 256 random bits and cannot be guessed, but each guess costs a database read. Known keys still pass,
so that clients behind the same proxy do not lock each other out.
"""

from __future__ import annotations

import threading

from voxpop.errors import RateLimited
from voxpop.records.database import Clock

_MINUTE = 60
_MOST = 10_000


class Guesses:
    """Counts unknown keys per address and minute.

    Parameters
    ----------
    clock
        Returns aware UTC datetimes.
    most
        Maximum per address and minute; None for no limit.

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
        """Allow the lookup of a key, given its digest.

        Raises
        ------
        RateLimited
            The address sent too many unknown keys in this minute, and this key is not known.
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
        """Count an unknown key."""
        minute, _ = self._now()
        with self._lock:
            if minute != self._minute or len(self._wrong) >= _MOST:
                self._minute, self._wrong = minute, {}
            self._wrong[address] = self._wrong.get(address, 0) + 1

    def right(self, digest: bytes) -> None:
        """Remember a known key."""
        if digest not in self._good:
            with self._lock:
                if len(self._good) >= _MOST:
                    self._good = set()
                self._good.add(digest)

    def _now(self) -> tuple[int, int]:
        minute, second = divmod(int(self._clock().timestamp()), _MINUTE)
        return minute, _MINUTE - second
