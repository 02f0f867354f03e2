"""`voxpop pull`, `export` and `verify`: from a service to tables, and from tables to a checked export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from voxpop.cli.output import write
from voxpop.client import Client
from voxpop.connecting import connect
from voxpop.errors import UsageError
from voxpop.fieldwork import Study
from voxpop.settings import ClientSettings
from voxpop.tables import Store
from voxpop.tables import verify as verify_export

STUDY = Annotated[str, typer.Argument(help="Id or UUID of the study at the service of VOXPOP_BASE_URL.")]


def pull(study: STUDY, to: Annotated[Path, typer.Option(help="DuckDB file; made when it is new.")]) -> None:
    """Pull a study's questions, answers and agents into a DuckDB file."""
    with _service() as client:
        handle = Study.open(client, study)  # before the file: a study that is not there leaves no file
        with Store(to) as store:
            saved = handle.pull(into=store)
    write(f"{to}: {saved}")


def export(study: STUDY, to: Annotated[Path, typer.Option(help="Folder to write.")]) -> None:
    """Export a study as a folder of Parquet files with codebook, provenance and manifest."""
    with _service() as client, Store() as store:
        handle = Study.open(client, study)
        handle.pull(into=store)
        store.export(handle, to)
    write(str(to))


def verify(folder: Annotated[Path, typer.Argument(help="Folder of an export.")]) -> None:
    """Check every file and cell of an export against its manifest; exit 1 on any difference, naming it."""
    report = verify_export(folder)
    write(str(report))
    if not report.ok:
        raise typer.Exit(1)


def _service() -> Client:
    if ClientSettings.from_environment().base_url is None:
        raise UsageError("Which service? Set VOXPOP_BASE_URL and VOXPOP_API_KEY.")
    return connect()
