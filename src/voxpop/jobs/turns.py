"""Turns: long work lets other work go first when there is any, and goes on where it was."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from voxpop.jobs.queue import JobQueue
from voxpop.records import work
from voxpop.records.database import Clock

TURN = timedelta(milliseconds=50)
"""How long a work item may be run while others wait."""


class Turn:
    """One run of a work item that is done in parts.

    Parameters
    ----------
    queue
        Knows whether other work waits.
    clock
        Gives aware UTC datetimes.

    Attributes
    ----------
    over : bool
        Whether the item was put back, with what it has done so far, and is to be queued again.
    """

    def __init__(self, queue: JobQueue, clock: Clock) -> None:
        self._queue = queue
        self._clock = clock
        self._until = clock() + TURN
        self.over: bool = False

    def hold(self, c: sa.Connection, item: work.Item) -> bool:
        """Hold the item for its next part, or put it back; to be called where a part is stored.

        Returns
        -------
        bool
            False when the claim has passed to another worker, whose effects then count.
        """
        if self._clock() < self._until or not self._queue.crowded():
            return work.renew(c, item)
        return self.end(c, item)

    def end(self, c: sa.Connection, item: work.Item) -> bool:
        """Put the item back, to be queued again; False when the claim has passed to another worker."""
        self.over = work.put_back(c, item)
        return self.over
