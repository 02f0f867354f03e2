"""Group commit: acknowledged writes to a SQLite file survive a power failure.

With ``synchronous=NORMAL`` a commit is written to the write-ahead log, which the system may hold in memory
for a while. :class:`GroupCommit` syncs the log after the turn, once for all commits made meanwhile. The
guarantee is that of ``synchronous=FULL``, but the next writer does not wait for the disk.
"""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path

from voxpop.errors import Unavailable

logger = logging.getLogger(__name__)


def sync_file(path: Path) -> None:
    """Flush a file to disk; a missing log has already been merged into its database."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return
    try:
        getattr(os, "fdatasync", os.fsync)(descriptor)
    finally:
        os.close(descriptor)


class GroupCommit:
    """Syncs the write-ahead log of a database on behalf of all waiting threads.

    Parameters
    ----------
    database
        The database file; None if nothing needs syncing.
    """

    def __init__(self, database: Path | None) -> None:
        self._log = database.with_name(f"{database.name}-wal") if database is not None else None
        self._changed = threading.Condition()
        self._started = 0
        self._ended = 0
        self._running = False

    def outlive(self) -> None:
        """Wait until all commits of this thread survive a power failure.

        Raises
        ------
        Unavailable
            The sync failed: the writes are committed but may be lost.
        """
        if self._log is None:
            return
        with self._changed:
            needed = self._started + 1  # a running sync may have started before this commit
            while self._ended < needed:
                if self._running:
                    self._changed.wait()
                else:
                    self._sync(self._log)

    def _sync(self, log: Path) -> None:
        """Sync the log, releasing the caller's lock meanwhile; waiting threads then check again."""
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
