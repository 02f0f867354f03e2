"""`voxpop db`: the tables of a service's database, brought up to date before a new version starts."""

from __future__ import annotations

import typer

from voxpop.cli.output import write
from voxpop.cli.places import DATA, DATABASE, database_url

app = typer.Typer(no_args_is_help=True)


@app.callback()
def db() -> None:
    """Look after a service's database."""


@app.command()
def upgrade(data: DATA = None, database: DATABASE = None) -> None:
    """Bring the tables up to date, those of the queue too; of several at once, one does it and all wait."""
    from voxpop.jobs.opening import open_database
    from voxpop.records.database import HEAD, utc_now
    from voxpop.settings import WorkSettings

    opened = open_database(database_url(data, database), utc_now, WorkSettings())
    opened.close()
    write(f"The database is at version {HEAD}.")
