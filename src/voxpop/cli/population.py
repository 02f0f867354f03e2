"""`voxpop population`: build the file that agents are drawn from."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from voxpop.cli.output import write
from voxpop.connecting import AGENTS, SEED
from voxpop.errors import UsageError
from voxpop.population.file import open_population
from voxpop.settings import home

app = typer.Typer(no_args_is_help=True)


@app.callback()
def population() -> None:
    """Build the file that agents are drawn from."""


@app.command()
def build(
    agents: Annotated[int, typer.Option(help="How many agents, 1,000 to 10,000,000.")] = AGENTS,
    seed: Annotated[int, typer.Option(help="Same seed, size and version: same agents.")] = SEED,
) -> None:
    """Build a population, unless it is there already, and print where it lies."""
    if not 1_000 <= agents <= 10_000_000:
        raise UsageError(f"--agents must be 1,000 to 10,000,000, not {agents:,}.")
    started = time.monotonic()
    with open_population(agents, seed, home=home(), progress=_say) as built:
        write(str(built.path))
    _say(f"{agents:,} agents, ready in {time.monotonic() - started:.1f} s")


def _say(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
