"""The protocol of job queues, which announce work but do not hold it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol


class JobQueue(Protocol):
    """Announces work items to the threads or processes that run them.

    A queue may lose its memory at any time: work items are database rows, and :mod:`voxpop.jobs.reconciler`
    finds the unclaimed ones.
    """

    def put(self, item_ids: Iterable[int], *, study_id: int | None = None) -> None:
        """Queue work items; an item that is already waiting is not added twice.

        Parameters
        ----------
        item_ids
            Ids in the order in which the items start.
        study_id
            The study of the items. Items queued earlier for the same study start first.
        """
        ...

    def crowded(self) -> bool:
        """Return whether work is waiting that more threads could run now."""
        ...

    def working(self) -> bool:
        """Return whether this process currently takes work from the queue."""
        ...

    def start(self, run: Callable[[int], None]) -> None:
        """Start to call ``run`` with the ids of work items, from one or several threads."""
        ...

    def stop(self, timeout: float) -> bool:
        """Finish running items, and waiting ones that fit within ``timeout`` seconds.

        The rest stays in the database for a later start or another process.

        Returns
        -------
        bool
            Whether no item is running any more.
        """
        ...
