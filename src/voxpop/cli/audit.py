"""`voxpop audit`: read and prune the audit log, also while a server is running."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voxpop.cli.output import write
from voxpop.cli.places import DATA, DATABASE, database_url
from voxpop.errors import NotFound

if TYPE_CHECKING:
    from voxpop.records.database import Database

app: typer.Typer = typer.Typer(no_args_is_help=True)


@app.command("list")
def list_(
    organization: Annotated[
        str | None, typer.Option(help="Name of the organization; all of them without it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    data: DATA = None,
    database: DATABASE = None,
) -> None:
    """List entries, oldest first: time, organization, actor, action, object, quantity and request id."""
    from voxpop.records import audit as records  # SQLAlchemy: half the start time of other commands
    from voxpop.records import keys

    with _open(data, database) as opened, opened.read() as connection:
        if organization is not None and keys.organization_id(connection, organization) is None:
            raise NotFound(f"There is no organization {organization!r}; `voxpop keys list` shows them.")
        for name, entry in records.list_all(connection, organization):
            told = {**asdict(entry), "at": entry.at.isoformat().replace("+00:00", "Z")}
            if as_json:
                write(json.dumps({"organization": name, **told}))
                continue
            who = f"{entry.key_prefix}…" if entry.key_prefix else entry.actor
            what = f"{entry.object_kind} {entry.object_id}" if entry.object_id else entry.object_kind
            many = "" if entry.quantity is None else str(entry.quantity)
            write("\t".join([told["at"], name, who, entry.action, what, many, entry.request_id or ""]))


@app.command()
def prune(data: DATA = None, database: DATABASE = None) -> None:
    """Delete entries older than two years; the database refuses to delete newer ones."""
    from voxpop.records import audit as records
    from voxpop.records.append_only import KEPT_DAYS

    with _open(data, database) as opened, opened.begin() as connection:
        gone = records.prune(connection)
    write(f"deleted {gone} entries older than {KEPT_DAYS} days")


def _open(data: Path | None, database: str | None) -> closing[Database]:
    from voxpop.records.database import Database

    return closing(Database.open(database_url(data, database)))
