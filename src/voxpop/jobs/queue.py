"""What a job queue does: it carries the news that there is work, and never the work itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol


class JobQueue(Protocol):
    """Brings work items to whoever runs them.

    A queue may lose its memory at any time: the work items are rows of the database, and
    :mod:`voxpop.jobs.reconciler` finds those that nobody runs.
    """

    def put(self, item_ids: Iterable[int], *, study_id: int | None = None) -> None:
        """Say that these work items can be run; an item that is waiting already is not put twice.

        Parameters
        ----------
        item_ids
            In the order in which they are begun.
        study_id
            The study that they work on. What was put for it before is begun before them.
        """
        ...

    def crowded(self) -> bool:
        """Return whether work waits that could be run now if there were more threads."""
        ...

    def working(self) -> bool:
        """Return whether work is taken from it in this process now."""
        ...

    def start(self, run: Callable[[int], None]) -> None:
        """Begin to call ``run`` with the ids of work items, from one thread or several."""
        ...

    def stop(self, timeout: float) -> bool:
        """Finish what is in hand, and of what is waiting what can be run within ``timeout`` seconds.

        What is left stays in the database, for a later start or for somebody else.

        Returns
        -------
        bool
            Whether nothing is being run any more.
        """
        ...
