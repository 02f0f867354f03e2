"""Backups of a service's database: made while the service runs, checked, and restored."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from voxpop.errors import BackupError
from voxpop.files import sync, whole_file
from voxpop.records.integrity import COPIES, damage, read_only

_KEPT = 2
"""Number of automatic copies to keep."""

_PRIVATE = 0o600  # a database contains share links and the signing key of the service
_AUTOMATIC = "before-*.sqlite"


def back_up(path: Path, to: Path, *, thorough: bool = True) -> str:
    """Copy a SQLite database into one file, also while a service runs, and check the copy.

    Parameters
    ----------
    path : Path
        The database.
    to : Path
        The copy; the file appears only when it is complete and synced to disk.
    thorough : bool, default True
        Whether to compare the indexes with their tables as well.

    Returns
    -------
    str
        The version of the tables.

    Raises
    ------
    BackupError
        There is no database, it is damaged, or the copy cannot be written.
    """
    if not path.is_file():
        raise BackupError(f"There is no database {path}.")
    try:
        with whole_file(to) as draft:
            _copy(path, draft)
            draft.chmod(_PRIVATE)
            version = _checked(draft, f"The database {path}", thorough=thorough)
    except (OSError, sqlite3.Error) as error:
        what = "is damaged" if "malformed" in str(error) else f"cannot be copied to {to}"
        raise BackupError(f"The database {path} {what}: {error}.") from error
    to.chmod(_PRIVATE)
    return version


def keep_copy(path: Path, version: str, now: datetime) -> Path:
    """Copy a database before a migration; the last two such copies are kept."""
    folder = path.parent / COPIES
    folder.mkdir(exist_ok=True, mode=0o700)
    made = folder / f"before-{now.astimezone(UTC):%Y%m%dT%H%M%S}Z-schema-{version}.sqlite"
    back_up(path, made, thorough=False)
    for old in sorted(folder.glob(_AUTOMATIC))[:-_KEPT]:
        old.unlink()
    return made


def restore(file: Path, path: Path, *, newest: str, replace: bool) -> Path | None:
    """Replace a database that no service has open by a copy.

    Parameters
    ----------
    file : Path
        The copy; it is not changed.
    path : Path
        The database. An existing one is kept under another name.
    newest : str
        Newest schema version that this voxpop knows.
    replace : bool
        Whether an existing database is replaced.

    Returns
    -------
    Path or None
        New path of the previous database.

    Raises
    ------
    BackupError
        The copy is missing, damaged, from another program or a newer voxpop, or a database exists already.
    """
    if not file.is_file():
        raise BackupError(f"There is no backup {file}.")
    if path.exists() and file.samefile(path):
        raise BackupError(f"{file} is the database itself, not a backup of it.")
    if path.exists() and not replace:
        raise BackupError(f"There is a database {path} already; --replace puts the backup in its place.")
    path.parent.mkdir(parents=True, exist_ok=True)
    earlier = None
    try:
        version = _checked(file, f"The backup {file}")
        if version > newest:
            raise BackupError(
                f"A newer voxpop wrote {file} (version {version}, ours is {newest}); update it."
            )
        with whole_file(path) as draft:
            _copy(file, draft)
            draft.chmod(_PRIVATE)
            _checked(draft, f"The copy of {file}")
            if path.exists():
                path.chmod(_PRIVATE)
                earlier = _set_aside(path)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"The backup {file} cannot be restored to {path}: {error}.") from error
    return earlier


def dump_server(url: str, to: Path, find: Callable[[str], str | None] = shutil.which) -> None:
    """Copy a PostgreSQL database with ``pg_dump`` into a file in custom format.

    Raises
    ------
    BackupError
        ``pg_dump`` is not installed or fails; the message gives the reason.
    """
    program = find("pg_dump")
    if program is None:
        raise BackupError(
            "A backup of a PostgreSQL database needs pg_dump, which is not installed here; install the "
            "PostgreSQL client programs, or run pg_dump --format=custom where they are."
        )
    given = sa.make_url(url)
    password = given.password or given.query.get("password")
    secret = {} if password is None else {"PGPASSWORD": str(password)}  # others can read arguments
    bare = sa.URL.create(
        "postgresql",
        username=given.username,
        host=given.host,
        port=given.port,
        database=given.database,
        query={name: value for name, value in given.query.items() if name != "password"},
    ).render_as_string()
    try:
        with whole_file(to) as draft:
            command = [program, "--format=custom", "--no-password", f"--file={draft}", f"--dbname={bare}"]
            environ = os.environ | secret
            done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)  # nosec B603
            if done.returncode != 0:
                why = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
                raise BackupError(f"pg_dump failed: {why}")
            draft.chmod(_PRIVATE)
    except OSError as error:
        raise BackupError(f"The database cannot be copied to {to}: {error}.") from error


def _copy(path: Path, draft: Path) -> None:
    """Copy a consistent snapshot into one file that needs no WAL."""
    with closing(sqlite3.connect(read_only(path), uri=True, timeout=30)) as source:
        draft.touch(_PRIVATE)
        with closing(sqlite3.connect(draft)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")


def _checked(path: Path, what: str, *, thorough: bool = True) -> str:
    """Return the schema version of a file, or raise an error that says what is wrong with it."""
    if (why := damage(path, thorough=thorough)) is not None:
        raise BackupError(f"{what} is damaged: {why}.")
    with closing(sqlite3.connect(read_only(path), uri=True)) as connection:
        there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
        found = connection.execute("SELECT version_num FROM alembic_version").fetchone() if there else None
    if found is None or not str(found[0]).isdigit():
        raise BackupError(f"{what} is not a database of voxpop.")
    return str(found[0])


def _set_aside(path: Path) -> Path:
    """Copy a database and its WAL to another name; the original stays in place."""
    folder = path.parent / COPIES
    folder.mkdir(exist_ok=True, mode=0o700)
    aside = folder / f"replaced-{datetime.now(UTC):%Y%m%dT%H%M%S%f}Z.sqlite"
    log = path.with_name(f"{path.name}-wal")
    try:
        with closing(sqlite3.connect(path)) as connection:  # closing the last connection removes the WAL
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError:  # damaged: keep what is there, and keep its WAL away from the new file
        if log.exists():
            shutil.copyfile(log, aside.with_name(f"{aside.name}-wal"))
    shutil.copyfile(path, aside)
    aside.chmod(_PRIVATE)
    sync(aside)
    sync(folder)
    for left in (log, path.with_name(f"{path.name}-shm")):
        left.unlink(missing_ok=True)
    return aside
