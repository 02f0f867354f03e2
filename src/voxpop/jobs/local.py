"""The queue of the embedded service: daemon threads in the same process."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable

from voxpop.errors import UsageError

logger = logging.getLogger(__name__)


class LocalQueue:
    """Runs work items in the order they were put, on threads that wake as soon as there is work.

    Parameters
    ----------
    find
        Gives the work items that nobody runs; asked when a thread has had nothing to do for a while, so
        that an item whose run broke down is not forgotten.
    every
        How many seconds without work that is.
    grace
        How many seconds :meth:`stop` gives the items that are being run, beyond its timeout.
    threads
        How many items are run at once: one where running them takes the processor, more where it waits.

    Examples
    --------
    >>> queue, done = LocalQueue(), []
    >>> queue.put([3, 1, 3])
    >>> queue.start(done.append)
    >>> queue.stop(timeout=5)
    True
    >>> done
    [3, 1]
    """

    def __init__(
        self,
        find: Callable[[], Iterable[int]] | None = None,
        *,
        every: float = 30.0,
        grace: float = 2.0,
        threads: int = 1,
    ) -> None:
        self._find = find
        self._every = every
        self._grace = grace
        self._waiting: deque[int] = deque()
        self._known: set[int] = set()
        self._changed = threading.Condition()
        self._until: float | None = None  # set by stop(): when to leave the rest
        names = ["voxpop-jobs", *(f"voxpop-jobs-{number}" for number in range(2, threads + 1))]
        self._threads = [threading.Thread(target=self._work, name=name, daemon=True) for name in names]
        self._run: Callable[[int], None] | None = None

    def put(self, item_ids: Iterable[int]) -> None:
        """Say that these work items can be run; an item that is waiting already is not put twice."""
        with self._changed:
            for item in item_ids:
                if item not in self._known:
                    self._known.add(item)
                    self._waiting.append(item)
                    self._changed.notify()

    def start(self, run: Callable[[int], None]) -> None:
        """Begin to call ``run`` with the ids of work items; once only."""
        if self._run is not None:
            raise UsageError("This queue was started already.")
        self._run = run
        for thread in self._threads:
            thread.start()

    def stop(self, timeout: float) -> bool:
        """Run what is waiting for at most ``timeout`` seconds, then stop; the rest stays in the database.

        Returns
        -------
        bool
            Whether nothing is being run any more; False when an item outlasted the grace.
        """
        with self._changed:
            self._until = time.monotonic() + timeout
            self._changed.notify_all()
        if self._run is None:
            return True
        until = time.monotonic() + timeout + self._grace
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _work(self) -> None:
        assert self._run is not None
        while self._wait():
            try:
                item = self._take()
                if item is not None:
                    self._run(item)
                elif self._find is not None:
                    self.put(self._find())
            except Exception:  # the thread's boundary: the rows are as they were, and find() will see them
                logger.exception("A work item could not be run; it stays in the database.")

    def _wait(self) -> bool:
        """Wait for work or for the next look around; False when it is time to end."""
        with self._changed:
            if not self._waiting and self._until is None:
                self._changed.wait(self._every)
            if self._until is None:
                return True
            return bool(self._waiting) and time.monotonic() < self._until

    def _take(self) -> int | None:
        with self._changed:
            if not self._waiting:
                return None
            item = self._waiting.popleft()
            self._known.discard(item)
            return item
