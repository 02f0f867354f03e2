"""Command registration, and the one place that turns errors into a stderr line and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from voxpop.cli import audit, data, database, demo, keys, lab, mcp, population, serve, validate, worker
from voxpop.errors import UsageError, VoxpopError

app: typer.Typer = typer.Typer(
    name="voxpop",
    help="Audience research with synthetic participants. What agents answer is not evidence about people.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("lab")(lab.lab)
app.command("serve")(serve.serve)
app.command("worker")(worker.worker)
app.command("mcp")(mcp.mcp)
app.command("validate")(validate.validate)
app.command("pull")(data.pull)
app.command("export")(data.export)
app.command("verify")(data.verify)
app.command("diff")(data.diff)
app.add_typer(database.app, name="db", help="Upgrade, back up, check and restore a service's database.")
app.add_typer(audit.app, name="audit", help="Read the log of who did what.")
app.add_typer(keys.app, name="keys", help="Create, list and revoke API keys.")
app.add_typer(population.app, name="population", help="Build the file that agents are drawn from.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted.

    Examples
    --------
    >>> from voxpop.cli import main
    >>> main(["population", "build", "--agents", "10"])
    2
    """
    try:
        outcome = app(args=list(arguments) if arguments is not None else None, standalone_mode=False)
    except typer.Abort:
        return _fail("Interrupted.", 130)
    except typer.TyperException as error:
        return _fail(f"{error.format_message()} See voxpop --help.", error.exit_code)
    except UsageError as error:
        return _fail(str(error), 2)
    except VoxpopError as error:
        return _fail(str(error), 1)
    except KeyboardInterrupt:
        return _fail("Interrupted.", 130)
    except OSError as error:
        return _fail(f"{error.strerror or error}: {error.filename}" if error.filename else str(error), 1)
    return outcome if isinstance(outcome, int) else 0


def _fail(message: str, code: int) -> int:
    sys.stderr.write(f"voxpop: {' '.join(message.split())}\n")
    return code
