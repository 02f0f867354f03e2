"""The queue of the embedded service: a few daemon threads in the same process, which take turns."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable

from voxpop.errors import Unavailable, UsageError
from voxpop.records.work import Batch
from voxpop.records.write_turns import BACKGROUND, write_as

logger: logging.Logger = logging.getLogger(__name__)

THREADS = 2
"""How many work items are run at once, of different batches."""


class LocalQueue:
    """Runs work items on threads that wake as soon as there is work.

    The items of a study, and others that are put together, are taken in their order. Organizations take
    turns, item by item, and within each of them such batches do: a small one does not wait for the end of a
    large one, and one long item holds up no more than one thread.

    Parameters
    ----------
    find
        Gives the work items that nobody runs; asked when there has been nothing to do for a while, so that
        an item whose run broke down is not forgotten.
    threads
        How many there are.
    at_once
        How many items of one batch are run at once: one where running them takes the processor, more where
        it waits for somebody.
    owner
        Gives the organization of a work item; without it all of them are of one.
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
        self._changed = threading.Condition()  # held wherever the next six are looked at
        self._batches: dict[Hashable, deque[int]] = {}
        self._owners: dict[Hashable, Hashable] = {}  # of each batch
        # Of each organization the batches of which an item may be taken; both in the order of their turns.
        self._turns: dict[Hashable, dict[Hashable, None]] = {}
        self._taken: Counter[Hashable] = Counter()  # how many items of a batch are being run
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
        self._put(list(item_ids), study_id)

    def crowded(self) -> bool:
        """Return whether a batch waits for a thread."""
        with self._changed:
            return bool(self._turns)

    def working(self) -> bool:
        """Return whether its threads are alive and were not told to stop."""
        return self._until is None and all(thread.is_alive() for thread in self._threads)

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

    def _put(self, item_ids: list[int], study_id: int | None, *, again: bool = True) -> None:
        """Line items up; those that are being run only where they are to be run ``again``."""
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
        """Return the organization of items that are put together, before anything is locked: it is read."""
        with self._changed:
            if not item_ids or study_id in self._owners:
                return self._owners.get(study_id)
        try:
            return self._owner(item_ids[0])
        except Unavailable as error:  # they are run all the same, beside those of nobody
            logger.warning("The organization of work items cannot be read: %s", error)
            return None

    def _take(self) -> tuple[Hashable, int] | None:
        """Take the next item of the batch whose turn it is, of the organization whose turn it is."""
        with self._changed:
            if not self._turns:
                return None
            owner = next(iter(self._turns))
            batches = self._turns.pop(owner)
            name = next(iter(batches))
            del batches[name]
            if batches:
                self._turns[owner] = batches  # behind the others
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
        """Give a batch its next turn, behind the others, if an item of it may be taken."""
        batches = self._turns.get(self._owners[name], {})
        if self._batches[name] and self._taken[name] < self._at_once and name not in batches:
            batches[name] = None
            self._turns.setdefault(self._owners[name], batches)
            self._changed.notify()

    def _look(self) -> None:
        """Put what nobody runs; what runs here is left alone, however long ago it was claimed."""
        for batch in self._find() if self._find is not None else ():
            self._put(batch.items, batch.study_id, again=False)
