"""The queue of the embedded service: a few daemon threads in the same process, which take turns."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable

from voxpop.errors import UsageError
from voxpop.records.work import Batch

logger = logging.getLogger(__name__)


class LocalQueue:
    """Runs work items on threads that wake as soon as there is work.

    What is put together is a batch, and so is all work on one study: its items are begun in their order.
    Batches take turns, item by item: a small one does not wait for the end of a large one, and one long item
    holds up no more than one thread.

    Parameters
    ----------
    find
        Gives the work items that nobody runs; asked when there has been nothing to do for a while, so that
        an item whose run broke down is not forgotten.
    threads
        How many there are.
    beside
        Whether items of one batch are run beside each other. Without it each waits for the one before, and
        the answers of a study come in their order.
    every
        How many seconds without work that is.
    grace
        How many seconds :meth:`stop` gives the items that are being run, beyond its timeout.

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
        find: Callable[[], Iterable[Batch]] | None = None,
        *,
        threads: int = 2,
        beside: bool = False,
        every: float = 30.0,
        grace: float = 2.0,
    ) -> None:
        self._find = find
        self._beside = beside
        self._every = every
        self._grace = grace
        self._changed = threading.Condition()  # held wherever the next four are looked at
        self._batches: dict[Hashable, deque[int]] = {}
        self._turns: deque[Hashable] = deque()  # batches whose next item can be run
        self._waiting: set[int] = set()
        self._running: set[int] = set()
        self._until: float | None = None  # set by stop(): when to leave the rest
        self._run: Callable[[int], None] | None = None
        self._threads = [
            threading.Thread(target=self._work, name=f"voxpop-jobs-{number}", daemon=True)
            for number in range(1, threads + 1)
        ]

    def put(self, item_ids: Iterable[int], *, study_id: int | None = None) -> None:
        """Say that these work items can be run; an item that is waiting already is not put twice."""
        with self._changed:
            self._put(item_ids, study_id)

    def crowded(self) -> bool:
        """Return whether a batch waits for a thread."""
        with self._changed:
            return bool(self._turns)

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
        for thread in self._threads:
            thread.join(max(0.0, self._until + self._grace - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _work(self) -> None:
        assert self._run is not None
        while self._wait():
            try:
                taken = self._take()
                if taken is None:
                    self._look()
                    continue
                try:
                    self._run(taken[1])
                finally:
                    self._give_back(*taken)
            except Exception:  # the thread's boundary: the rows are as they were, and find() will see them
                logger.exception("A work item could not be run; it stays in the database.")

    def _wait(self) -> bool:
        """Wait for work or for the next look around; False when it is time to end."""
        with self._changed:
            if not self._turns and self._until is None:
                self._changed.wait(self._every)
            if self._until is None:
                return True
            return bool(self._turns) and time.monotonic() < self._until

    def _put(self, item_ids: Iterable[int], study_id: int | None) -> None:
        new = [item for item in dict.fromkeys(item_ids) if item not in self._waiting]
        if not new:
            return
        self._waiting.update(new)
        name = object() if study_id is None else study_id
        if name in self._batches:
            self._batches[name] += new
        else:
            self._batches[name] = deque(new)
            self._turns.append(name)
            self._changed.notify()

    def _take(self) -> tuple[Hashable, int] | None:
        """Take the next item of the batch whose turn it is."""
        with self._changed:
            if not self._turns:
                return None
            name = self._turns.popleft()
            item = self._batches[name].popleft()
            self._waiting.discard(item)
            self._running.add(item)
            if self._beside:
                self._turn_of(name)
            return name, item

    def _give_back(self, name: Hashable, item: int) -> None:
        with self._changed:
            self._running.discard(item)
            if not self._beside:
                self._turn_of(name)

    def _turn_of(self, name: Hashable) -> None:
        if self._batches[name]:
            self._turns.append(name)
            self._changed.notify()
        else:
            del self._batches[name]

    def _look(self) -> None:
        """Put what nobody runs; what runs here is left alone, however long ago it was claimed."""
        for batch in self._find() if self._find is not None else ():
            with self._changed:
                self._put([item for item in batch.items if item not in self._running], batch.study_id)
