"""Finds the work that nobody runs: what a stopped process left, and what a lost message left."""

from __future__ import annotations

import logging

from voxpop.jobs.queue import JobQueue
from voxpop.records import work
from voxpop.records.database import Database

logger: logging.Logger = logging.getLogger(__name__)


def recover(database: Database, queue: JobQueue) -> int:
    """Queue all unfinished work at the start of a service, and return how many items there were.

    Where one process alone works on the database, whatever is claimed now was claimed by a process that is
    gone. Elsewhere another worker may hold it, so its claim has to run out first.
    """
    if database.alone:
        with database.begin() as c:
            left = work.release_left(c)
        if left:
            logger.info("%s work items were left unfinished by a stopped service; they run again.", left)
    batches = find(database)
    for batch in batches:
        queue.put(batch.items, study_id=batch.study_id)
    return sum(len(batch.items) for batch in batches)


def find(database: Database) -> list[work.Batch]:
    """Return the work items that anybody may take now, oldest first."""
    with database.read() as c:
        return work.batches(c)
