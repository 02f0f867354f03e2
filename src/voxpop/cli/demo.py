"""`voxpop demo`: one study from filter to verified export, on the embedded service."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from voxpop.errors import StoreError, UsageError
from voxpop.files import whole_file

if TYPE_CHECKING:
    from voxpop.client import Client
    from voxpop.fieldwork import Study
    from voxpop.tables import Store
    from voxpop.vocabulary.question_types import BuiltInType

QUESTIONS: tuple[tuple[str, BuiltInType, str], ...] = (
    ("switch", "yes_no", "Would you switch to a lower-sugar snack?"),
    ("price", "number", "How much would you pay for a box of 12, in dollars?"),
    ("why", "open", "What would make you switch?"),
)


def demo(
    size: Annotated[int, typer.Option(help="How many agents to ask, 10 to 2,000.")] = 300,
    out: Annotated[Path, typer.Option(help="Folder for the output.")] = Path("voxpop-demo"),
) -> None:
    """Recruit, ask, complete, share, pull, tabulate, export and verify one study."""
    if not 10 <= size <= 2_000:
        raise UsageError(f"--size must be 10 to 2,000, not {size:,}.")
    console = Console(highlight=False)
    console.print()
    console.print("[bold]voxpop[/bold]  audience research with synthetic participants")
    console.print("[dim]Agents are simulated. What they answer is not evidence about people.[/dim]\n")
    out.mkdir(parents=True, exist_ok=True)
    _Demo(console, size, out).run()


class _Demo:
    """Run the steps in order and print one line for each."""

    def __init__(self, console: Console, size: int, out: Path) -> None:
        self.console, self.size, self.out = console, size, out
        self.started = time.monotonic()

    def run(self) -> None:
        from voxpop.connecting import local
        from voxpop.tables import Store

        with self.step("Start") as told:
            client = local()
            told.append(f"{client.about()['population']['agents']:,} agents in the embedded service")
        with client, Store(self.out / "snacks.duckdb") as store:
            study = self.fieldwork(client)
            self.tabulate(study, store)
            self.export(study, store)
        self.console.print(
            f"\n[dim]{time.monotonic() - self.started:.1f} s in all. Next, in a notebook:[/dim]"
        )
        self.console.print('  import voxpop as vp; store = vp.Store("snacks.duckdb"); store.studies()\n')

    def fieldwork(self, client: Client) -> Study:
        """Recruit, ask the questions in order, complete and share."""
        from voxpop.fieldwork import Study, recruit
        from voxpop.vocabulary import between, where

        audience = where(country="USA", age=between(25, 64), health_drug_classes="glp1_agonist")
        with self.step("Recruit") as told:
            group = recruit(client, audience, size=self.size, name="GLP-1 users", seed=1)
            told.append(
                f"{group.agent_count} of {client.filters.count(audience):,} that match: {audience.sentence()}"
            )
        study = Study.create(client, group, title="Snack switching", objective="Who would switch, and why?")
        for key, kind, text in QUESTIONS:
            with self.step("Ask") as told:
                asked = study.ask(text, key=key, type=kind)
                told.append(f"{text}\n[dim]{asked.answer_count} answered, {asked.failed_count} failed[/dim]")
        with self.step("Complete") as told:
            analysis = study.complete()
            told.append(f"{len(analysis.steps)} steps of analysis, every claim with the answers it rests on")
        with self.step("Share") as told:
            page = self.out / "shared.html"
            with whole_file(page) as draft:
                draft.write_bytes(client.fetch_shared(study.share()))
            told.append(f"the public page, saved as [cyan]{page}[/cyan]")
        return study

    def tabulate(self, study: Study, store: Store) -> None:
        """Pull the study into DuckDB and print a banner table."""
        from voxpop.analysis import crosstab

        with self.step("Pull") as told:
            told.append(str(study.pull(into=store)))
        with self.step("Tabulate") as told:
            table = crosstab(store.respondents(study), "switch", by=["gender", "bmi_class"])
            told.append("who would switch, by gender and BMI class")
        self.console.print()
        self.console.print(str(table), markup=False, soft_wrap=True)
        self.console.print()

    def export(self, study: Study, store: Store) -> None:
        """Export, and verify the export as its recipient would."""
        from voxpop.tables import verify

        folder = self.out / "export"
        with self.step("Export") as told:
            store.export(study, folder)
            told.append(f"data, codebook, provenance and manifest in [cyan]{folder}[/cyan]")
        with self.step("Verify") as told:
            report = verify(folder)
            if not report.ok:
                raise StoreError(f"The export in {folder} does not match its manifest: {report}")
            told.append(f"{report}")
        self.line("Tables", f"kept in [cyan]{self.out / 'snacks.duckdb'}[/cyan]")

    @contextmanager
    def step(self, name: str) -> Iterator[list[str]]:
        """Time a step, then print its line with the text that the block appended to the list."""
        told: list[str] = []
        begun = time.monotonic()
        yield told
        taken = time.monotonic() - begun
        self.line(name, told[0], f"{taken:.1f} s")

    def line(self, name: str, text: str, aside: str = "") -> None:
        """Print a step as three columns: name, result and a side note."""
        row = Table.grid(padding=(0, 2), expand=False)
        row.add_column(width=16)
        row.add_column(width=min(self.console.width, 110) - 28)
        row.add_column(justify="right", style="dim")
        row.add_row(f"[green]✓[/green] {name}", text, aside)
        self.console.print(Padding(row, (0, 0, 0, 2)))
