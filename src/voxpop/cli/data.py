"""`voxpop pull`, `export`, `verify` and `diff`: from a service to tables to verified exports."""

from __future__ import annotations

# Commands import what they need: loading tables and analysis takes longer than starting a service.
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voxpop.cli.output import write
from voxpop.connecting import connect
from voxpop.errors import UsageError
from voxpop.settings import ClientSettings

if TYPE_CHECKING:
    from voxpop.client import Client

STUDY = Annotated[
    str,
    typer.Argument(help="Id or UUID of a study, on the service of VOXPOP_BASE_URL or in --store."),
]
STUDIES = Annotated[
    list[str] | None, typer.Argument(help="Ids or UUIDs of studies. Default: everything the key may read.")
]
FOLDER = Annotated[Path, typer.Argument(help="Folder of an export.")]


def pull(
    to: Annotated[Path, typer.Option(help="DuckDB file, created if missing.")],
    studies: STUDIES = None,
    attachments: Annotated[bool, typer.Option(help="Also download the attached files.")] = False,
    again: Annotated[
        bool, typer.Option(help="Read answers again even if the file already has them.")
    ] = False,
) -> None:
    """Pull studies, or everything the key may read, into a DuckDB file; later pulls add what is new."""
    from voxpop.fieldwork import Study
    from voxpop.fieldwork import pull as pull_all
    from voxpop.tables import Store

    with _service() as client:
        # Opened before the file, so that a missing study or service leaves no file behind.
        handles = [Study.open(client, study) for study in studies or ()]
        if not handles:
            next(iter(client.studies.list()), None)
        with Store(to) as store:
            wanted = [handle.id for handle in handles] or None
            pulled = pull_all(client, store, studies=wanted, attachments=attachments, again=again)
            write(f"{to}: {pulled.studies[0] if len(pulled.studies) == 1 == len(handles) else pulled}")


def export(
    study: STUDY,
    to: Annotated[Path, typer.Option(help="Folder to write.")],
    format: Annotated[
        list[str] | None,
        typer.Option(help="Format besides Parquet, such as csv; repeat for several. A wrong name lists all."),
    ] = None,
    store: Annotated[Path | None, typer.Option(help="DuckDB file to read instead of a service.")] = None,
    attachments: Annotated[bool, typer.Option(help="Also download the attached files.")] = False,
) -> None:
    """Export a study as a folder of Parquet files with codebook, provenance and manifest."""
    from voxpop.fieldwork import Study
    from voxpop.tables import Store

    if store is not None:
        if not store.is_file():
            raise UsageError(f"There is no store {store}; voxpop pull makes one.")
        with Store(store) as held:
            held.export(study, to, formats=format or ())
    else:
        with _service() as client, Store() as held:
            handle = Study.open(client, study)
            handle.pull(into=held, attachments=attachments)
            held.export(handle, to, formats=format or ())
    write(str(to))


def verify(
    folder: FOLDER,
    key: Annotated[
        str | None,
        typer.Option(help="Key whose signature is required: its fingerprint, or a file with the public key."),
    ] = None,
) -> None:
    """Check every file, table and signature of an export; exit 1 on any difference, naming it."""
    from voxpop.checking import verify as verify_export

    report = verify_export(folder, key=key)
    write(str(report))
    if not report.ok:
        raise typer.Exit(1)


def diff(
    before: Annotated[Path, typer.Argument(help="Folder of the first export.")],
    after: Annotated[Path, typer.Argument(help="Folder of the second export.")],
) -> None:
    """List the rows and cells that differ between two exports; exit 1 if any do."""
    from voxpop.tables import diff as diff_exports

    found = diff_exports(before, after)
    write(str(found))
    if not found.same:
        raise typer.Exit(1)


def _service() -> Client:
    if ClientSettings.from_environment().base_url is None:
        raise UsageError("Which service? Set VOXPOP_BASE_URL and VOXPOP_API_KEY.")
    return connect()
