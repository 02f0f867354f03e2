"""Keeps the claims of the work in hand alive, so that they can be short and a dead worker's soon run out."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from voxpop.errors import Unavailable
from voxpop.records import work
from voxpop.records.database import Database

logger = logging.getLogger(__name__)

_PER_LEASE = 3  # renewals, so that one may fail


class Leases:
    """Renews the claims of one process from a thread of its own, which runs from the first item on.

    Parameters
    ----------
    database
        Where the claims are; its lease says how soon they have to be renewed.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._held: dict[int, work.Item] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def kept(self, item: work.Item) -> Iterator[None]:
        """Hold an item for as long as its work takes."""
        with self._lock:
            self._held[item.id] = item
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._renew, name="voxpop-leases", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                if self._held.get(item.id) is item:
                    del self._held[item.id]

    def close(self) -> None:
        """Renew nothing any more; what is still in hand passes to others in time."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _renew(self) -> None:
        every = self._database.lease.total_seconds() / _PER_LEASE
        while not self._closed.wait(every):
            with self._lock:
                held = list(self._held.values())
            if not held:
                continue
            try:
                with self._database.begin() as c:
                    for item in held:
                        work.renew(c, item)
            except Unavailable as error:
                logger.warning("The claims of %s work items could not be renewed: %s", len(held), error)
