"""Integrity checks of SQLite files, the meaning of their errors, and advice on damage."""

from __future__ import annotations

import logging
import re
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sqlalchemy.exc import DBAPIError

from voxpop.errors import ServiceStartError, Unavailable

logger: logging.Logger = logging.getLogger(__name__)

COPIES = "backups"
"""Folder of the automatic copies, beside the database."""

AT_ONCE = 256 << 20
"""Largest database in bytes to check before a service starts (0.4 s); larger ones are checked meanwhile."""

_LEAST_FREE = 16 << 20  # free bytes; below this the disk counts as full
_RESTORED_S = 600.0  # seconds; a restore takes longer
_DAMAGED = {11, 26}  # SQLITE_CORRUPT and SQLITE_NOTADB, in the low byte of the code
_GARBLED = re.compile("could not decode to utf-8|malformed|not a database", re.IGNORECASE)


def damage(path: Path, *, thorough: bool = False) -> str | None:
    """Return what is wrong with a SQLite file, or None if it is intact.

    Parameters
    ----------
    path : Path
        The file; it is opened read-only and may be in use.
    thorough : bool, default False
        Whether to compare every index with its table as well: 14 s per gigabyte instead of 1.5 s.

    Raises
    ------
    sqlite3.OperationalError
        The file cannot be read now.
    """
    check = "integrity_check" if thorough else "quick_check"
    try:
        with closing(sqlite3.connect(read_only(path), uri=True, timeout=30)) as connection:
            found = [row[0] for row in connection.execute(f"PRAGMA {check}(3)")]
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return str(error)
    return None if found == ["ok"] else "; ".join(" ".join(line.split()) for line in found)


def is_damage(error: BaseException) -> bool:
    """Return whether a SQLite error means that the file is damaged."""
    if not isinstance(error, sqlite3.DatabaseError):
        return False
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _DAMAGED
    return isinstance(error, sqlite3.OperationalError) and bool(_GARBLED.search(str(error)))


def told(path: Path, why: str) -> str:
    """Return a message that a database is damaged and how to restore it."""
    folder = path.parent
    place = f"--data {folder}" if path.name == "voxpop.sqlite" else f"--database sqlite:///{path}"
    return (
        f"The database {path} is damaged ({why.rstrip('.')[:300]}). Stop the service and restore a backup: "
        f"voxpop db restore FILE {place} --replace. Automatic copies, where there are any, lie in "
        f"{folder / COPIES}."
    )


def read_only(path: Path) -> str:
    """Return the SQLite URI that opens a file read-only."""
    return f"file:{quote(str(path))}?mode=ro"


class DatabaseFile:
    """State of the file of a database, including any damage found; a server has no file.

    Parameters
    ----------
    name : str or None
        Path as in the database address.
    """

    def __init__(self, name: str | None) -> None:
        self.path: Path | None = None if name is None else Path(name.removeprefix("file:"))
        self._damage: str | None = None

    def has_no_room(self) -> bool:
        """Return whether the disk of the file is nearly full."""
        return self.path is not None and shutil.disk_usage(self.path.parent).free < _LEAST_FREE

    def refuse_start(self) -> None:
        """Raise :class:`ServiceStartError` if the file is damaged; skip large files."""
        if self.path is None or not self.path.is_file() or self._is_large():
            return
        if (why := damage(self.path)) is not None:
            raise ServiceStartError(told(self.path, why))

    def check_in_background(self) -> threading.Thread | None:
        """Check a file that was too large to check at the start; None if nothing is left to check."""
        if self.path is None or not self._is_large():
            return None
        thread = threading.Thread(target=self._check, name="voxpop-check", daemon=True)
        thread.start()
        return thread

    def refuse_use(self) -> None:
        """Raise :class:`Unavailable` after damage was found, since writing could make it worse."""
        if self._damage is not None:
            raise _damaged()

    def refusal(self, error: Exception) -> Unavailable | None:
        """Return a message for an error that concerns the file; None for other errors."""
        raised = error.orig if isinstance(error, DBAPIError) else error
        if raised is not None and is_damage(raised):
            self._note(str(raised))
            return _damaged()
        if not isinstance(raised, sqlite3.OperationalError):
            return None
        why = str(raised)
        if "locked" in why:
            return Unavailable("Another process is writing to the database; try again.")
        if re.search("full|readonly|disk I/O|unable to open", why):
            logger.error("The database's disk refuses: %s.", why)
            state = "full" if re.search("full|disk I/O", why) else "unavailable"
            return Unavailable(
                "The disk refuses the database now; try again later.", details={"database": state}
            )
        return None

    def _is_large(self) -> bool:
        return self.path is not None and self.path.stat().st_size > AT_ONCE

    def _check(self) -> None:
        assert self.path is not None
        try:
            if (why := damage(self.path)) is not None:
                self._note(why)
        except sqlite3.Error as error:
            logger.warning("The database could not be checked: %s.", error)

    def _note(self, why: str) -> None:
        if self._damage is None and self.path is not None:
            self._damage = why
            logger.critical("%s", told(self.path, why))


def _damaged() -> Unavailable:
    return Unavailable(
        "The service's database is damaged; its operator has to restore a backup (voxpop db restore).",
        details={"database": "damaged"},
        retry_after=_RESTORED_S,
    )
