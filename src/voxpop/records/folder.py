"""The data folder of a service: where its database lies, and the lock that keeps a second service out."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from voxpop.errors import ServiceStartError
from voxpop.records.database import Database


class FolderLock:
    """The claim of one service on one data folder, held until :meth:`release`.

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
        """Let go of the folder; again is harmless."""
        self._lock.release()


def refuse_beside_service(database: Database, folder: Path) -> None:
    """Keep a command from migrating the tables of a service that is running: they are of its version.

    Raises
    ------
    ServiceStartError
        The tables are of an earlier version, and a service holds the folder.
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
