"""Who calls with which key, remembered for a moment, so that polling does not read keys over and over."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

import sqlalchemy as sa

from voxpop.records import keys
from voxpop.records.database import Database
from voxpop.records.keys import Caller

FOR_SECONDS = 0.25
_MOST = 10_000


class Keyring:
    """Finds the caller of a key.

    What was found holds for a quarter of a second, and not beyond the next write of this process. So a key
    that is revoked in this process is refused at once, and one that is revoked beside it hardly later.

    Parameters
    ----------
    database
        Where the keys are.
    monotonic
        Gives seconds that only grow.
    """

    def __init__(self, database: Database, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._monotonic = monotonic
        self._found: dict[bytes, tuple[float, Caller]] = {}
        with database.read() as connection:
            sa.event.listen(connection.engine, "commit", self._forget)

    def caller(self, key: str) -> Caller | None:
        """Return who calls with this key; None when it is unknown, malformed or revoked."""
        digest = hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
        known = self._found.get(digest)
        if known is not None and self._monotonic() < known[0]:
            return known[1]
        found = self._found  # replaced, not emptied, by a write: what is read before it is not kept after it
        with self._database.read() as connection:
            caller = keys.authenticate(connection, key)
        if caller is not None:
            if len(found) >= _MOST:
                found.clear()
            found[digest] = (self._monotonic() + FOR_SECONDS, caller)
        return caller

    def _forget(self, _: sa.Connection) -> None:
        self._found = {}
