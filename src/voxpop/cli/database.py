"""`voxpop db`: upgrade, back up, restore and check the database of a service."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from voxpop.cli.output import write
from voxpop.cli.places import DATA, DATABASE, database_url
from voxpop.errors import BackupError, UsageError

app: typer.Typer = typer.Typer(no_args_is_help=True)


@app.callback()
def db() -> None:
    """Maintain the database of a service."""


@app.command()
def upgrade(data: DATA = None, database: DATABASE = None) -> None:
    """Upgrade the tables, including those of the queue; concurrent upgrades wait for the first one."""
    from voxpop.jobs.opening import open_database
    from voxpop.records.database import HEAD, utc_now
    from voxpop.records.folder import refuse_beside_service
    from voxpop.settings import WorkSettings

    address = database_url(data, database)
    opened = open_database(
        address, utc_now, WorkSettings(), lambda held: refuse_beside_service(held, _file(address).parent)
    )
    opened.close()
    write(f"The database is at version {HEAD}.")


@app.command()
def backup(
    to: Annotated[Path, typer.Option(help="File to write.")],
    data: DATA = None,
    database: DATABASE = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite an existing file.")] = False,
) -> None:
    """Copy the database into one file, also while a service is running, and check the copy.

    The file contains everything, including the signing key of the service: keep it private. PostgreSQL
    databases are copied with pg_dump and restored with pg_restore.
    """
    from voxpop.records.addresses import is_server
    from voxpop.records.backup import back_up, dump_server

    address = database_url(data, database)
    if to.exists() and not replace:
        raise UsageError(f"--to: {to} already exists; use --replace to overwrite it.")
    if is_server(address):
        dump_server(address, to)
        write(f"{to}: restore it with pg_restore --dbname=…")
        return
    version = back_up(_file(address), to)
    write(f"{to}: the database at version {version}, {to.stat().st_size:,} bytes, whole")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup made by `voxpop db backup`, or an automatic copy.")],
    data: DATA = None,
    database: DATABASE = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite an existing database.")] = False,
) -> None:
    """Restore a backup as the SQLite database of a stopped service; the old database is kept."""
    from voxpop.records.addresses import is_server
    from voxpop.records.backup import restore as restore_file
    from voxpop.records.database import HEAD
    from voxpop.records.folder import FolderLock

    address = database_url(data, database)
    if is_server(address):
        raise UsageError("A PostgreSQL database is restored with pg_restore --clean --dbname=… FILE.")
    path = _file(address)
    lock = FolderLock(path.parent)
    try:
        earlier = restore_file(file, path, newest=HEAD, replace=replace)
    finally:
        lock.release()
    kept = "" if earlier is None else f"; the database that was there is kept: {earlier}"
    write(f"{path}: restored from {file}{kept}")


@app.command()
def check(data: DATA = None, database: DATABASE = None) -> None:
    """Check every page and index of a SQLite database, also in use; exit 1 if it is damaged."""
    from voxpop.records.addresses import is_server
    from voxpop.records.integrity import damage, told

    address = database_url(data, database)
    if is_server(address):
        raise UsageError("A PostgreSQL database is checked with pg_amcheck.")
    path = _file(address)
    if not path.is_file():
        raise BackupError(f"There is no database {path}.")
    if (why := damage(path, thorough=True)) is not None:
        raise BackupError(told(path, why))
    write(f"{path}: whole")


def _file(address: str) -> Path:
    """Return the file path of a SQLite address."""
    return Path(address.removeprefix("sqlite:///"))
