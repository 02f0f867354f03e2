"""Reconciliation: finds unclaimed work that a stopped process or a lost message left behind."""

from __future__ import annotations

import logging

from voxpop.jobs.queue import JobQueue
from voxpop.records import work_items
from voxpop.records.database import Database

logger: logging.Logger = logging.getLogger(__name__)


def recover(database: Database, queue: JobQueue) -> int:
    """Queue all unfinished work at the start of a service, and return the number of items.

    If only one process works on the database, all current claims belong to a process that has ended.
    Otherwise another worker may hold them, so they must expire first.
    """
    if database.alone:
        with database.begin() as c:
            left = work_items.release_left(c)
        if left:
            logger.info("%s work items were left unfinished by a stopped service; they run again.", left)
    batches = find(database)
    for batch in batches:
        queue.put(batch.items, study_id=batch.study_id)
    return sum(len(batch.items) for batch in batches)


def find(database: Database) -> list[work_items.Batch]:
    """Return the work items that can be claimed now, oldest first."""
    with database.read() as c:
        return work_items.batches(c)
