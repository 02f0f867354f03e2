"""Reads that are remembered for a moment or shared, so that many callers do not read the same rows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Any

from voxpop.records.database import Database

FOR_SECONDS = 0.25
_MOST = 10_000


class Recent:
    """A memory of a quarter of a second, which a write of this process empties.

    So a change made in this process is seen at once, and one that is made beside it, such as a key that
    ``voxpop keys`` revokes, hardly later.

    Parameters
    ----------
    database
        Whose writes empty it.
    monotonic
        Gives seconds that only grow.
    """

    def __init__(self, database: Database, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._known: dict[Hashable, tuple[float, Any]] = {}
        database.after_write(self._forget)

    def look(self, name: Hashable, read: Callable[[], Any], *, keep: Callable[[Any], bool]) -> Any:
        """Return what is remembered under this name, or read it and remember it where ``keep`` says so."""
        moment = self._monotonic()
        known = self._known  # a write puts another one here: what was read before it is not kept after it
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
    """Lets calls that want the same at the same time wait for one read of it."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, asyncio.Future[Any]] = {}

    async def look(self, name: Hashable, read: Callable[[], Awaitable[Any]]) -> Any:
        """Return what ``read`` gives, or what the read under this name gives that is under way."""
        under_way = self._under_way.get(name)
        if under_way is None:
            under_way = asyncio.ensure_future(read())
            self._under_way[name] = under_way
            under_way.add_done_callback(lambda _: self._under_way.pop(name))
        return await asyncio.shield(under_way)
