"""Group commit: acknowledged writes to a SQLite file outlive a power cut.

A commit with ``synchronous=NORMAL`` is in the write-ahead log, which the system may keep in memory for a
while. :class:`GroupCommit` syncs the log after the writer's turn, once for all who have committed meanwhile.
It does what ``synchronous=FULL`` does, but the next writer need not wait for the disk.
"""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path

from voxpop.errors import Unavailable

logger = logging.getLogger(__name__)


def sync_file(path: Path) -> None:
    """Write what the system holds of a file to its disk; a log that is gone was merged into its database."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return
    try:
        getattr(os, "fdatasync", os.fsync)(descriptor)
    finally:
        os.close(descriptor)


class GroupCommit:
    """Syncs the write-ahead log of a database for all threads that wait for it.

    Parameters
    ----------
    database
        The database file; None needs no syncing.
    """

    def __init__(self, database: Path | None) -> None:
        self._log = database.with_name(f"{database.name}-wal") if database is not None else None
        self._changed = threading.Condition()
        self._started = 0
        self._ended = 0
        self._running = False

    def outlive(self) -> None:
        """Return once everything that this thread has committed outlives a power cut.

        Raises
        ------
        Unavailable
            The disk did not take it; it is committed, and may be lost.
        """
        if self._log is None:
            return
        with self._changed:
            needed = self._started + 1  # a sync that runs now began before our commit, perhaps
            while self._ended < needed:
                if self._running:
                    self._changed.wait()
                else:
                    self._sync(self._log)

    def _sync(self, log: Path) -> None:
        """Sync the log without the lock, which the caller holds; those who have waited decide anew then."""
        self._running, self._started = True, self._started + 1
        self._changed.release()
        failure: OSError | None = None
        try:
            sync_file(log)
        except OSError as error:
            failure = error
        finally:
            self._changed.acquire()
            self._running = False
            self._changed.notify_all()
        if failure is not None:
            logger.error("The disk did not take what was committed: %s.", failure)
            raise Unavailable("The disk does not take what is written; try again.") from failure
        self._ended = self._started
