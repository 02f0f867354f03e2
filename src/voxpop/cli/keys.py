"""`voxpop keys`: create, list and revoke API keys, also while a server is running."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voxpop.cli.output import write
from voxpop.cli.places import DATA, DATABASE, database_url
from voxpop.errors import UsageError

if TYPE_CHECKING:
    from voxpop.records.database import Database

app: typer.Typer = typer.Typer(no_args_is_help=True)
SCOPES = ("studies:read", "studies:write", "billing:read", "billing:write", "free:ask", "audit:read")


@app.command()
def create(
    organization: Annotated[str, typer.Option(help="Name of the organization, created if missing.")],
    scope: Annotated[list[str], typer.Option(help=f"One of {', '.join(SCOPES)}; repeat for more.")],
    kind: Annotated[str, typer.Option(help="live or free.")] = "live",
    data: DATA = None,
    database: DATABASE = None,
) -> None:
    """Create a key and print it; it is never shown again."""
    from voxpop.records import keys as records  # SQLAlchemy: half the start time of other commands

    if not organization.strip():
        raise UsageError("--organization must not be empty.")
    for name in scope:
        if name not in SCOPES:
            raise UsageError(f"--scope {name!r} is unknown; allowed: {', '.join(SCOPES)}.")
    if kind not in ("live", "free"):
        raise UsageError(f"--kind must be live or free, not {kind!r}.")
    with _open(data, database) as opened, opened.begin() as connection:
        number = records.organization_id(connection, organization)
        if number is None:
            number = records.create_organization(connection, organization)
        key = records.create_key(connection, number, scope, kind=kind)
    write(key)


@app.command("list")
def list_(data: DATA = None, database: DATABASE = None) -> None:
    """List keys by prefix, kind, organization, scopes and state; full keys are never shown."""
    from voxpop.records import keys as records

    with _open(data, database) as opened, opened.read() as connection:
        for key in records.list_keys(connection):
            state = f"revoked {key.revoked_at:%Y-%m-%d}" if key.revoked_at else "active"
            write(
                "\t".join([f"{key.prefix}…", key.kind, key.organization, " ".join(sorted(key.scopes)), state])
            )


@app.command()
def revoke(
    prefix: Annotated[
        str, typer.Argument(help="The first characters of the key, as `keys list` shows them.")
    ],
    data: DATA = None,
    database: DATABASE = None,
) -> None:
    """Revoke the key that starts with PREFIX."""
    from voxpop.records import keys as records

    with _open(data, database) as opened, opened.begin() as connection:
        records.revoke(connection, prefix.rstrip("…"))
    write(f"revoked {prefix}")


def _open(data: Path | None, database: str | None) -> closing[Database]:
    from voxpop.records.database import Database
    from voxpop.records.folder import refuse_beside_service

    address = database_url(data, database)
    folder = Path(address.removeprefix("sqlite:///")).parent
    return closing(Database.open(address, check=lambda opened: refuse_beside_service(opened, folder)))
