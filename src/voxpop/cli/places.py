"""Command-line options for the location of the service's state."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from voxpop.errors import UsageError
from voxpop.settings import home

DATA = Annotated[
    Path | None,
    typer.Option(help="Folder of the service's state. Default: the `service` folder of VOXPOP_HOME."),
]
DATABASE = Annotated[
    str | None, typer.Option(help="Address of a database instead of a folder. Default: VOXPOP_DATABASE_URL.")
]

WORKER_DATABASE = Annotated[
    str | None,
    typer.Option(help="Address of the service's database, postgresql://… Default: VOXPOP_DATABASE_URL."),
]


def server_url(database: str | None) -> str:
    """Return the given database server address, or the one from the environment."""
    chosen = database or os.environ.get("VOXPOP_DATABASE_URL")
    if not chosen:
        raise UsageError("Which database? Give --database postgresql://…, or set VOXPOP_DATABASE_URL.")
    return chosen


def data_folder(data: Path | None) -> Path:
    """Return the folder of the service's state."""
    return data.expanduser() if data is not None else home() / "service"


def database_url(data: Path | None, database: str | None) -> str:
    """Return the database address: given, from the environment, or the SQLite file of the folder."""
    chosen = database or (os.environ.get("VOXPOP_DATABASE_URL") if data is None else None)
    if chosen:
        return chosen
    folder = data_folder(data)
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'voxpop.sqlite'}"
