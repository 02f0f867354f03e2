"""Turns: long work yields to waiting work, and continues where it stopped."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from voxpop.jobs.queue import JobQueue
from voxpop.records import work_items
from voxpop.records.database import Clock

TURN = timedelta(milliseconds=50)
"""Maximum time to run a work item while others wait."""


class Turn:
    """One run of a work item that is processed in parts.

    Parameters
    ----------
    queue
        Knows whether other work waits.
    clock
        Returns aware UTC datetimes.

    Attributes
    ----------
    over : bool
        Whether the item was put back with its results so far, and must be queued again.
    """

    def __init__(self, queue: JobQueue, clock: Clock) -> None:
        self._queue = queue
        self._clock = clock
        self._until = clock() + TURN
        self.over: bool = False

    def hold(self, c: sa.Connection, item: work_items.Item) -> bool:
        """Keep the item for its next part, or put it back; call it when a part is stored.

        Returns
        -------
        bool
            False if the claim has passed to another worker, whose effects then count.
        """
        if self._clock() < self._until or not self._queue.crowded():
            return work_items.renew(c, item)
        return self.end(c, item)

    def end(self, c: sa.Connection, item: work_items.Item) -> bool:
        """Put the item back to be queued again; return False if the claim has passed to another worker."""
        self.over = work_items.put_back(c, item)
        return self.over
