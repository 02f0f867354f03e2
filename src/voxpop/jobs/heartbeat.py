"""Heartbeat: renews the claims of running work items, however long they take."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from voxpop.errors import VoxpopError
from voxpop.records import work_items
from voxpop.records.database import Database

logger: logging.Logger = logging.getLogger(__name__)


class Heartbeat:
    """Renews the claims of work items on a background thread.

    Parameters
    ----------
    database
        Holds the work items.
    every
        Seconds between renewals; much shorter than a lease.
    """

    def __init__(self, database: Database, *, every: float = 60.0) -> None:
        self._database = database
        self._every = every
        self._items: dict[int, work_items.Item] = {}
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextmanager
    def of(self, item: work_items.Item) -> Iterator[None]:
        """Renew the claim of an item until the end of the block."""
        with self._lock:
            self._items[item.id] = item
            if self._thread is None:
                self._thread = threading.Thread(target=self._beat, name="voxpop-claims", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                if self._items.get(item.id) is item:
                    del self._items[item.id]

    def stop(self) -> None:
        """Stop renewing claims."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join(2.0)

    def _beat(self) -> None:
        while not self._ended.wait(self._every):
            with self._lock:
                items = list(self._items.values())
            try:
                for item in items:
                    with self._database.begin() as c:
                        work_items.renew(c, item)
            except VoxpopError as error:  # leases are long enough for another attempt
                logger.warning("The claims of work items could not be renewed: %s", error)
