"""The data folder of a service: path of the database, and the lock that excludes a second service."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from voxpop.errors import ServiceStartError
from voxpop.records.database import Database


class FolderLock:
    """An exclusive lock on a data folder, held until :meth:`release`.

    Raises
    ------
    ServiceStartError
        Another service holds the folder, or it cannot be used; the message names it.
    """

    def __init__(self, folder: Path) -> None:
        self._lock = FileLock(folder / "service.lock", timeout=0, thread_local=False)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout as error:
            raise ServiceStartError(
                f"Another service is using the data folder {folder}; stop it, or choose another folder."
            ) from error
        except OSError as error:
            raise ServiceStartError(f"The data folder {folder} cannot be used: {error}.") from error

    def release(self) -> None:
        """Release the lock; calling it again is harmless."""
        self._lock.release()


def refuse_beside_service(database: Database, folder: Path) -> None:
    """Raise an error if a command would migrate the tables of a running service.

    Raises
    ------
    ServiceStartError
        The tables have an earlier version, and a service holds the lock.
    """
    if database.alone and database.outdated:
        FolderLock(folder).release()


def sqlite_url(folder: Path) -> str:
    """Return the address of the SQLite database in a data folder.

    Examples
    --------
    >>> sqlite_url(Path("/data"))
    'sqlite:////data/voxpop.sqlite'
    """
    return f"sqlite:///{folder / 'voxpop.sqlite'}"
