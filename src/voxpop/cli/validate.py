"""`voxpop validate`: hold an engine against people's answers to survey questions."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voxpop.cli.output import write
from voxpop.connecting import AGENTS, SEED
from voxpop.engines.cost import Cost, estimated, together
from voxpop.engines.registry import check, open_engine
from voxpop.errors import UsageError, VoxpopError
from voxpop.population.file import open_population
from voxpop.settings import EngineSettings, home
from voxpop.vocabulary.filters import where

if TYPE_CHECKING:
    from voxpop.engines.agents import Agent
    from voxpop.engines.engine import Engine
    from voxpop.validation.engine_validation import EngineValidation
    from voxpop.validation.item_set import ItemSet

_MEASURED = 20
"""Number of agents whose prompts the estimate of the cost measures, per item."""

_WIDTH = 170


def validate(
    engine: Annotated[
        str, typer.Option(help="An installed engine, openai:MODEL or anthropic:MODEL.")
    ] = "simulator",
    agents: Annotated[int, typer.Option(help="How many US adults to ask, 100 to 100,000.")] = 1_000,
    items: Annotated[
        int | None, typer.Option(help="How many items, a fixed random choice. Default: all.")
    ] = None,
    benchmark: Annotated[str, typer.Option(help="gss, or a CSV file with your own figures.")] = "gss",
    seed: Annotated[int, typer.Option(help="Same seed: same agents, answers and intervals.")] = SEED,
    population: Annotated[
        int, typer.Option(help="Size of the population that agents are drawn from.")
    ] = AGENTS,
    page: Annotated[
        Path | None, typer.Option(help="A Markdown page to write, with its picture in the folder pictures.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Every figure, as JSON.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Call a remote engine without asking first.")] = False,
) -> None:
    """Hold an engine against people's answers to survey questions, beside baselines and a repeated survey."""
    _check(agents, items, population)
    settings = EngineSettings.from_environment(name=engine)
    check(settings)
    if settings.values_by is not None:
        raise UsageError(
            f"The values of {engine} are those of {settings.values_by}, and validation scores values: "
            f"--engine {settings.values_by}."
        )
    from voxpop.validation.engine_text import coverage  # pandas: only this command needs it
    from voxpop.validation.engine_validation import validate_engine
    from voxpop.validation.item_tables import item_set

    held = item_set(benchmark)
    held = held if items is None else held.first(items)
    with open_population(population, seed, home=home(), progress=_say) as opened:
        asked = opened.agents(opened.sample(where(country="USA"), agents, seed=seed))
        name = opened.name
    if len(asked) < agents:
        raise UsageError(
            f"The population {name} has {len(asked):,} US adults; ask fewer, or give a larger --population."
        )
    answering = open_engine(settings, home=home(), seed=seed)
    try:
        if answering.remote and not yes:
            _confirm(answering, asked, held)
        found = validate_engine(
            answering.respondent, asked, held, seed=seed, population=name, progress=_progress(len(held.items))
        )
    finally:
        answering.close()
    if not found.sections:
        raise VoxpopError(f"Too few answers to score. {coverage(found)}")
    if page is not None:
        from voxpop.cli.validate_page import save  # the charts take a second to load

        for path in save(
            page.expanduser(), found, _command(engine, agents, items, benchmark, seed, population)
        ):
            _say(f"wrote {path}")
    if as_json:
        write(json.dumps(found.to_json()))
    else:
        _show(found)


def _check(agents: int, items: int | None, population: int) -> None:
    if not 100 <= agents <= 100_000:
        raise UsageError(f"--agents must be 100 to 100,000, not {agents:,}.")
    if items is not None and items < 1:
        raise UsageError(f"--items must be 1 or more, not {items:,}.")
    if not 1_000 <= population <= 10_000_000:
        raise UsageError(f"--population must be 1,000 to 10,000,000, not {population:,}.")


def _confirm(engine: Engine, asked: list[Agent], held: ItemSet) -> None:
    """Ask before a remote engine is called: how many calls, and about how much they cost."""
    cost = _cost(engine, asked, held)
    told = f"{engine.name} will be called about {cost.calls:,} times{_in_words(cost)}."
    if not sys.stdin.isatty():
        raise UsageError(f"{told} Add --yes to go on, or lower --agents and --items.")
    typer.confirm(f"{told} Go on?", abort=True, err=True)


def _cost(engine: Engine, asked: list[Agent], held: ItemSet) -> Cost:
    """Return the cost of all items by the engine's own estimate."""
    from voxpop.validation.item_answers import put_to

    total = Cost()
    for item in held.items:
        agents = [asked[place] for place in put_to(asked, item.asked_of)]
        total = together(total, estimated(engine, agents[:_MEASURED], len(agents), item.asked(), ()))
    return total


def _in_words(cost: Cost) -> str:
    if cost.cost_microdollars is None:
        return "; its price is not known (VOXPOP_ENGINE_PRICES sets it), so the cost is not either"
    sizes = (
        f"observed in {cost.observed:,} calls" if cost.observed else "usual, since no call was observed yet"
    )
    return (
        f", for about ${cost.cost_microdollars / 1_000_000:,.2f}: {cost.input_tokens:,} tokens read and "
        f"{cost.output_tokens:,} written, of sizes {sizes} (cached answers are free)"
    )


def _command(engine: str, agents: int, items: int | None, benchmark: str, seed: int, population: int) -> str:
    """Return the command that makes the page again."""
    parts = ["voxpop validate", f"--engine {engine}", f"--agents {agents}"]
    if items is not None:
        parts.append(f"--items {items}")
    if benchmark != "gss":
        parts.append(f"--benchmark {Path(benchmark).name}")
    if seed != SEED:
        parts.append(f"--seed {seed}")
    if population != AGENTS:
        parts.append(f"--population {population}")
    return " ".join([*parts, "--page FILE"])


def _show(found: EngineValidation) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from voxpop.validation.engine_text import column_notes, headings, rows_of, shown, verdicts

    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH, highlight=False)
    console.print(f"{found.engine} against {found.held.name}: {found.held.source}\n", markup=False)
    for title, section in shown(found):
        table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
        for place, heading in enumerate(headings(section)):
            table.add_column(heading, justify="right" if place else "left", no_wrap=True)
        for row in rows_of(section):
            table.add_row(*row)
        console.print(table)
    for line in verdicts(found):
        console.print(line, markup=False)
    console.print("In brackets: 95 % interval from a bootstrap over families of questions.", markup=False)
    for line in column_notes(found):
        console.print(line, markup=False)


def _progress(items: int) -> Callable[[int], None]:
    """Return a function that tells every tenth of the items, if stderr is a terminal."""

    def tell(done: int) -> None:
        if sys.stderr.isatty() and (done == items or done % max(1, items // 10) == 0):
            _say(f"{done:,} of {items:,} items asked")

    return tell


def _say(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
