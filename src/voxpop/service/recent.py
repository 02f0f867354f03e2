"""Short-lived caching and sharing of reads that many callers repeat."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Any

from voxpop.records.database import Database

FOR_SECONDS = 0.25
_MOST = 10_000


class Recent:
    """A cache of a quarter of a second that every write of this process clears.

    Changes by this process are visible at once, and changes by others, such as ``voxpop keys revoke``, within
    that time.

    Parameters
    ----------
    database
        The database whose writes clear the cache.
    monotonic
        Monotonic clock in seconds.
    """

    def __init__(self, database: Database, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._known: dict[Hashable, tuple[float, Any]] = {}
        database.after_write(self._forget)

    def look(self, name: Hashable, read: Callable[[], Any], *, keep: Callable[[Any], bool]) -> Any:
        """Return the cached value of a name, or read it and cache it if ``keep`` allows."""
        moment = self._monotonic()
        known = self._known  # writes replace this dict, so that values read before a write are not kept
        until, value = known.get(name, (0.0, None))
        if moment < until:
            return value
        value = read()
        if keep(value):
            if len(known) >= _MOST:
                known.clear()
            known[name] = (moment + FOR_SECONDS, value)
        return value

    def _forget(self) -> None:
        self._known = {}


class Shared:
    """Lets concurrent calls share one read."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, asyncio.Future[Any]] = {}

    async def look(self, name: Hashable, read: Callable[[], Awaitable[Any]]) -> Any:
        """Return the result of ``read``, or of the running read of the same name."""
        under_way = self._under_way.get(name)
        if under_way is None:
            under_way = asyncio.ensure_future(read())
            self._under_way[name] = under_way
            under_way.add_done_callback(lambda _: self._under_way.pop(name))
        return await asyncio.shield(under_way)
