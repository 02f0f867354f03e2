"""Readiness: whether a process can do what it is there for now, part by part."""

from __future__ import annotations

from dataclasses import dataclass

from voxpop.jobs.queue import JobQueue
from voxpop.records.database import Database

OK = "ok"


@dataclass(frozen=True, slots=True)
class Ready:
    """The state of a process.

    Attributes
    ----------
    status : str
        ``ok`` when every part is, ``unavailable`` when the database or the queue is not, ``stopping``.
    database : str
        ``ok`` when it can be read and written; else ``damaged``, ``full`` (its disk takes no more) or
        ``unavailable``.
    queue : str
        ``ok`` when work is taken from it here, ``unavailable`` when it is not, ``none`` where others do it.
    """

    status: str
    database: str
    queue: str


def look(database: Database, queue: JobQueue | None, *, stopping: bool = False) -> Ready:
    """Ask the database whether it can be read and written, and the queue whether it works.

    Parameters
    ----------
    database
        Where the state is.
    queue
        Where this process takes work from; None where it does none.
    stopping
        Whether the process is about to end, so that nobody should begin anything with it.
    """
    reached = database.state()
    working = "none" if queue is None else OK if queue.working() else "unavailable"
    well = reached == OK and working != "unavailable"
    return Ready("stopping" if stopping else OK if well else "unavailable", reached, working)
