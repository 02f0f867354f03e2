"""`voxpop db`: a service's database is brought up to date, backed up, checked and restored."""

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
    """Look after a service's database."""


@app.command()
def upgrade(data: DATA = None, database: DATABASE = None) -> None:
    """Bring the tables up to date, those of the queue too; of several at once, one does it and all wait."""
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
    replace: Annotated[bool, typer.Option("--replace", help="Replace a file that is there.")] = False,
) -> None:
    """Copy the database into one file, beside a running service, and check the copy.

    The file holds everything, the service's signing key too: keep it where only you can read it. A PostgreSQL
    database is copied by pg_dump and restored by pg_restore.
    """
    from voxpop.records.addresses import is_server
    from voxpop.records.backup import back_up, dump_server

    address = database_url(data, database)
    if to.exists() and not replace:
        raise UsageError(f"--to: there is a file {to} already; --replace writes over it.")
    if is_server(address):
        dump_server(address, to)
        write(f"{to}: restore it with pg_restore --dbname=…")
        return
    version = back_up(_file(address), to)
    write(f"{to}: the database at version {version}, {to.stat().st_size:,} bytes, whole")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What `voxpop db backup` has written, or an automatic copy.")],
    data: DATA = None,
    database: DATABASE = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a database that is there.")] = False,
) -> None:
    """Put a backup in place of a SQLite database that no service uses; an earlier one is kept beside it."""
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
    """Check every page and index of a SQLite database, beside a running service; exit 1 on damage."""
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
    """Return the file of a SQLite address."""
    return Path(address.removeprefix("sqlite:///"))
