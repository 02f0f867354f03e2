"""The queue of the embedded service: a few daemon threads in the same process, with fair scheduling."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable

from voxpop.errors import Unavailable, UsageError
from voxpop.records.work_items import Batch
from voxpop.records.write_turns import BACKGROUND, write_as

logger: logging.Logger = logging.getLogger(__name__)

THREADS = 2
"""Number of work items to run concurrently, from different batches."""


class LocalQueue:
    """Runs work items on threads that wake as soon as there is work.

    The items of a study, like others that are put together, form a batch and start in order. Organizations
    take turns item by item, and so do the batches of an organization: a small batch does not wait for the end
    of a large one, and one long item blocks no more than one thread.

    Parameters
    ----------
    find
        Returns unclaimed work items; called after an idle period, so that items whose run failed are found
        again.
    threads
        Number of threads.
    at_once
        Number of items of one batch to run concurrently: one for CPU-bound items, more for items that wait
        for a remote engine.
    owner
        Returns the organization of a work item; by default all items belong to one.
    every
        Seconds of idleness after which ``find`` is called.
    grace
        Seconds that :meth:`stop` waits for running items beyond its timeout.

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
        threads: int = THREADS,
        at_once: int = 1,
        owner: Callable[[int], Hashable] = lambda _: None,
        every: float = 30.0,
        grace: float = 2.0,
    ) -> None:
        self._find = find
        self._at_once = at_once
        self._owner = owner
        self._every = every
        self._grace = grace
        self._changed = threading.Condition()  # guards the next six attributes
        self._batches: dict[Hashable, deque[int]] = {}
        self._owners: dict[Hashable, Hashable] = {}  # by batch
        # By organization, the batches from which an item may be taken; both in turn order.
        self._turns: dict[Hashable, dict[Hashable, None]] = {}
        self._taken: Counter[Hashable] = Counter()  # running items by batch
        self._waiting: set[int] = set()
        self._running: set[int] = set()
        self._until: float | None = None  # set by stop(): when to abandon the rest
        self._run: Callable[[int], None] | None = None
        self._threads = [
            threading.Thread(target=self._work, name=f"voxpop-jobs-{number}", daemon=True)
            for number in range(1, threads + 1)
        ]

    def put(self, item_ids: Iterable[int], *, study_id: int | None = None) -> None:
        """Queue work items; an item that is already waiting is not added twice."""
        self._put(list(item_ids), study_id)

    def crowded(self) -> bool:
        """Return whether a batch waits for a thread."""
        with self._changed:
            return bool(self._turns)

    def working(self) -> bool:
        """Return whether the threads are alive and have not been stopped."""
        return self._until is None and all(thread.is_alive() for thread in self._threads)

    def start(self, run: Callable[[int], None]) -> None:
        """Start to call ``run`` with the ids of work items; allowed only once."""
        if self._run is not None:
            raise UsageError("This queue has already been started.")
        self._run = run
        for thread in self._threads:
            thread.start()

    def stop(self, timeout: float) -> bool:
        """Run waiting items for at most ``timeout`` seconds, then stop; the rest stays in the database.

        Returns
        -------
        bool
            Whether no item is running any more; False if an item outlasted the grace period.
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
        write_as(BACKGROUND)
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
            except Exception:  # thread boundary: the rows are unchanged, and find() returns them
                logger.exception("A work item could not be run; it stays in the database.")

    def _wait(self) -> bool:
        """Wait for work or for the next call of ``find``; return False when it is time to end."""
        with self._changed:
            if not self._turns and self._until is None:
                self._changed.wait(self._every)
            if self._until is None:
                return True
            return bool(self._turns) and time.monotonic() < self._until

    def _put(self, item_ids: list[int], study_id: int | None, *, again: bool = True) -> None:
        """Queue items; running items are queued only if ``again`` is true."""
        owner = self._owner_of(item_ids, study_id)
        with self._changed:
            there = self._waiting if again else self._waiting | self._running
            new = [item for item in dict.fromkeys(item_ids) if item not in there]
            if not new:
                return
            self._waiting.update(new)
            name = object() if study_id is None else study_id
            self._owners.setdefault(name, owner)
            self._batches.setdefault(name, deque()).extend(new)
            self._line_up(name)

    def _owner_of(self, item_ids: list[int], study_id: int | None) -> Hashable:
        """Return the organization of items in one batch, read before taking the lock."""
        with self._changed:
            if not item_ids or study_id in self._owners:
                return self._owners.get(study_id)
        try:
            return self._owner(item_ids[0])
        except Unavailable as error:  # run them anyway, as items without an organization
            logger.warning("The organization of work items cannot be read: %s", error)
            return None

    def _take(self) -> tuple[Hashable, int] | None:
        """Take the next item of the next batch of the next organization."""
        with self._changed:
            if not self._turns:
                return None
            owner = next(iter(self._turns))
            batches = self._turns.pop(owner)
            name = next(iter(batches))
            del batches[name]
            if batches:
                self._turns[owner] = batches  # to the end of the line
            item = self._batches[name].popleft()
            self._taken[name] += 1
            self._waiting.discard(item)
            self._running.add(item)
            self._line_up(name)
            return name, item

    def _give_back(self, name: Hashable, item: int) -> None:
        with self._changed:
            self._running.discard(item)
            self._taken[name] -= 1
            self._line_up(name)
            if not self._batches[name] and not self._taken[name]:
                del self._batches[name], self._taken[name], self._owners[name]

    def _line_up(self, name: Hashable) -> None:
        """Give a batch a turn at the end of the line, if one of its items may be taken."""
        batches = self._turns.get(self._owners[name], {})
        if self._batches[name] and self._taken[name] < self._at_once and name not in batches:
            batches[name] = None
            self._turns.setdefault(self._owners[name], batches)
            self._changed.notify()

    def _look(self) -> None:
        """Queue unclaimed items; running ones are left out, however old their claim."""
        for batch in self._find() if self._find is not None else ():
            self._put(batch.items, batch.study_id, again=False)
