"""`voxpop population`: build the population file and compare it with its reference figures."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from voxpop.cli.output import write
from voxpop.connecting import AGENTS, SEED
from voxpop.errors import UsageError
from voxpop.settings import home

app: typer.Typer = typer.Typer(no_args_is_help=True)

AGENTS_OPTION = Annotated[int, typer.Option(help="How many agents, 1,000 to 10,000,000.")]
SEED_OPTION = Annotated[int, typer.Option(help="Same seed, size and version: same agents.")]

_WIDTH = 200
_LEGEND = """\
pp: percentage points. ×: factor between odds ratios. chi²/n: squared errors in standard errors of a random
sample of this size, mean. Flags: ok; sample, together more than chance gives, but within the limit (0.5 pp,
× 1.25); few, beyond it, but no more than chance gives among so few agents; off, beyond both; superseded,
another figure contradicts it and holds."""


@app.callback()
def population() -> None:
    """Build the population file and compare it with its reference figures."""


@app.command()
def build(
    agents: AGENTS_OPTION = AGENTS,
    seed: SEED_OPTION = SEED,
    out: Annotated[Path | None, typer.Option(help="A new file to build instead of the cached one.")] = None,
) -> None:
    """Build a population if it does not exist yet, and print its path."""
    _check(agents)
    from voxpop.population.file import build_file, open_population  # DuckDB and numpy: slow to import

    started = time.monotonic()
    if out is not None:
        build_file(out.expanduser(), agents, seed, progress=_say)
        write(str(out.expanduser()))
    else:
        with open_population(agents, seed, home=home(), progress=_say) as built:
            write(str(built.path))
    _say(f"{agents:,} agents, ready in {time.monotonic() - started:.1f} s")


@app.command()
def report(
    agents: AGENTS_OPTION = AGENTS,
    seed: SEED_OPTION = SEED,
    as_json: Annotated[bool, typer.Option("--json", help="Every figure, as JSON.")] = False,
    page: Annotated[
        Path | None, typer.Option(help="A Markdown page to write, with its picture in the folder pictures.")
    ] = None,
) -> None:
    """Compare a population with the reference figures: margins, shares in groups, ratios between groups."""
    _check(agents)
    from voxpop.cli import joint_page, joint_text  # scipy: only this command needs it
    from voxpop.population import associations, joints
    from voxpop.population import report as reporting
    from voxpop.population.file import open_population

    with open_population(agents, seed, home=home(), progress=_say) as opened:
        cells = reporting.cells(opened)
        joint = joints.compare(opened)
        related = associations.associations(opened)
        name = opened.name
    found, summary = reporting.lines(cells), joints.lines(joint)
    if page is not None:
        told = joint_page.Told(name, agents, seed, found, joint, summary, related)
        for path in joint_page.save(page.expanduser(), told):
            _say(f"wrote {path}")
    if as_json:
        content = {
            "population": name,
            "agents": agents,
            "seed": seed,
            "largest_error": reporting.LARGEST_ERROR,
            "largest_factor": reporting.LARGEST_FACTOR,
            "lines": [reporting.as_record(line) for line in found],
            "cells": [reporting.as_record(cell) for cell in cells],
            "joint": {
                "targets": joint_text.TARGETS,
                "lines": [joints.as_record(line) for line in summary],
                "shares": [joints.as_record(cell) for cell in joint.cells],
                "ratios": [joints.as_record(one) for one in joint.ratios],
                "left_out": joint.left_out,
                "associations": [associations.as_record(one) for one in related],
            },
        }
        write(json.dumps(content))
        return
    _show(name, found)
    joint_text.show(name, joint, summary, related)


def _show(name: str, found: list[Any]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{name}: expected against achieved", title_justify="left", box=SIMPLE_HEAD)
    for heading in ("reference table", "measure", "figures", "least base", "largest", "mean", "chi²/n"):
        table.add_column(heading, justify="left" if heading in ("reference table", "measure") else "right")
    for heading in ("verified", "flag", "largest at"):
        table.add_column(heading)
    for line in sorted(found, key=lambda each: (bool(each.superseded_by), each.kind, not each.verified)):
        share = line.kind == "share"
        where = f"superseded by {line.superseded_by}" if line.superseded_by else line.worst
        table.add_row(
            line.table,
            line.measure,
            f"{line.cells:,}",
            f"{line.base:,}",
            f"{line.largest * 100:.2f} pp" if share else f"× {line.largest:.2f}",
            f"{line.mean * 100:.2f} pp" if share else f"× {line.mean:.2f}",
            "" if line.chi_square is None else f"{line.chi_square:,.1f}",
            "yes" if line.verified else "no",
            line.flag,
            where,
        )
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH)
    console.print(table)
    console.print(_LEGEND)


def _check(agents: int) -> None:
    if not 1_000 <= agents <= 10_000_000:
        raise UsageError(f"--agents must be 1,000 to 10,000,000, not {agents:,}.")


def _say(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
