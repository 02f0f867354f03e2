"""Readiness: whether each part of a process can currently do its work."""

from __future__ import annotations

from dataclasses import dataclass

from voxpop.jobs.queue import JobQueue
from voxpop.records.database import Database

OK = "ok"


@dataclass(frozen=True, slots=True)
class Ready:
    """Readiness of a process.

    Attributes
    ----------
    status : str
        ``ok`` if every part is, ``unavailable`` if the database or the queue is not, or ``stopping``.
    database : str
        ``ok`` if it can be read and written; otherwise ``damaged``, ``full`` (no disk space left) or
        ``unavailable``.
    queue : str
        ``ok`` if this process takes work from it, ``unavailable`` if it cannot, ``none`` if other processes
        do.
    """

    status: str
    database: str
    queue: str


def look(database: Database, queue: JobQueue | None, *, stopping: bool = False) -> Ready:
    """Check whether the database can be read and written, and whether the queue works.

    Parameters
    ----------
    database
        The database.
    queue
        The queue from which this process takes work; None if it takes none.
    stopping
        Whether the process is about to end and should get no new work.
    """
    reached = database.state()
    working = "none" if queue is None else OK if queue.working() else "unavailable"
    well = reached == OK and working != "unavailable"
    return Ready("stopping" if stopping else OK if well else "unavailable", reached, working)
