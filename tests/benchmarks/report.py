"""The benchmarks at small sizes, as a row of docs/benchmarks.md: `python tests/benchmarks/report.py`.

Every figure is a ratio to a baseline of the same run, so that runs on different machines can be compared.
A figure that a benchmark no longer prints is an error.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from voxpop.version import __version__

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "benchmarks.md"
HISTORY = "## History\n"
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Figure:
    """A ratio that a benchmark prints.

    Attributes
    ----------
    name : str
        The column of the history.
    command : str
        The benchmark and its arguments.
    pattern : str
        Finds the ratio in what it prints, as its only group.
    baseline : str
        What is 1.
    budget : str
        The ratio that the design allows at full size, if it names one.
    """

    name: str
    command: str
    pattern: str
    baseline: str
    budget: str = NOTHING


RATIO = r"([\d.]+)"
STARTUP, ASK, TOOLKIT = "bench_startup.py", "bench_ask.py 400", "bench_toolkit.py 10000"
RECRUIT = "bench_recruit.py 100000"
POPULATION, ANALYSIS = "bench_population.py 100000", "bench_analysis.py 50000"
PULL = "bench_pull.py 30000 10000 'bare arrow' arrow 'bare insert' 'bare json' json"
FIGURES = (
    Figure("import", STARTUP, rf"^import voxpop .* {RATIO} x httpx", "`import httpx`"),
    Figure("local", STARTUP, rf"^vp\.local\(\), population there .* {RATIO} x$", "`import httpx`"),
    Figure(
        "ask late", ASK, rf"^unlike, kept .* x {RATIO}$", "2nd question of a study (measured: the 20th)", "1"
    ),
    Figure("count", POPULATION, rf"^count, 5 fields .*duckdb .*?× {RATIO}\)", "bare DuckDB query", "2.5"),
    Figure("facets", POPULATION, rf"^facets, 5 fields .*duckdb .*?× {RATIO}\)", "bare DuckDB query"),
    Figure(
        "recruit", POPULATION, rf"^recruit 500, random, 5 fields .*duckdb .*?× {RATIO}\)", "bare DuckDB query"
    ),
    Figure("quotas", RECRUIT, rf"^quotas of 1,000, 3 cells .*duckdb .*?× {RATIO}\)", "bare DuckDB query"),
    Figure("screen", RECRUIT, rf"^screen of [\d,]+ agents .*duckdb .*?× {RATIO}\)", "bare DuckDB read"),
    Figure("plan", RECRUIT, rf"^plan of a text .*duckdb .*?× {RATIO}\)", "bare DuckDB query"),
    Figure("pull Arrow", PULL, rf"^arrow: .* CPU, {RATIO} x the floor", "bare transport and bare insert"),
    Figure("pull JSON", PULL, rf"^json: .* CPU, {RATIO} x the floor", "bare transport and bare insert"),
    Figure("save", TOOLKIT, rf"^save answers from Arrow .* {RATIO} x baseline", "bare DuckDB insert"),
    Figure("export", TOOLKIT, rf"^export and verify .* {RATIO} x baseline", "bare DuckDB insert"),
    Figure("crosstab", TOOLKIT, rf"^weighted crosstab .* {RATIO} x baseline", "bare DuckDB query", "1.3"),
    Figure("means", TOOLKIT, rf"^means of a continuous number .* {RATIO} x baseline", "pandas", "3"),
    Figure(
        "banner", ANALYSIS, rf"^voxpop banner .* processor +[\d.]+ s +{RATIO} x", "bare DuckDB query", "1.3"
    ),
)
FIRST = ("date", "version", "commit", "load", *(figure.name for figure in FIGURES))


def found(figure: Figure, printed: str) -> str:
    """Return the ratio in what a benchmark printed."""
    ratios = re.findall(figure.pattern, printed, re.MULTILINE)
    if len(ratios) != 1:
        raise SystemExit(f"{figure.command} printed {len(ratios)} times what is looked for as {figure.name}.")
    return f"{float(ratios[0]):.2f}"


def measured(figures: Sequence[Figure]) -> dict[str, str]:
    """Run each benchmark once, in an empty home."""
    ratios: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as home:
        for command in dict.fromkeys(figure.command for figure in figures):
            sys.stdout.write(f"{command} ...\n")
            sys.stdout.flush()
            script, *arguments = shlex.split(command)
            ran = subprocess.run(
                [sys.executable, str(Path(__file__).with_name(script)), *arguments],
                env={**os.environ, "VOXPOP_HOME": home, "VOXPOP_PROGRESS": "off"},
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            for figure in figures:
                if figure.command == command:
                    ratios[figure.name] = found(figure, ran.stdout)
    return ratios


def history(page: str) -> list[dict[str, str]]:
    """Read the rows of the history, each with its own columns."""
    lines = [line for line in page.partition(HISTORY)[2].splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]] if cells else []


def page_of(rows: Sequence[Mapping[str, str]]) -> str:
    """Write the page: what each figure means, and the history with the newest run first."""
    old = [name for row in rows for name in row if name not in FIRST]
    columns = [*FIRST, *dict.fromkeys(old)]
    meanings = [
        f"| {figure.name} | {figure.baseline} | {figure.budget} | `{figure.command}` |" for figure in FIGURES
    ]
    past = ["| " + " | ".join(row.get(name, NOTHING) for name in columns) + " |" for row in rows]
    return "\n".join(
        [
            "# Benchmarks",
            "",
            "Each figure is the time of voxpop divided by the time of a baseline in the same run; lower is",
            "better. The runs use small sizes, at which fixed costs weigh more than at the sizes of the",
            "budgets, so compare rows only with each other. `load` is the load average at the start of the",
            "run; on two cores, ratios of wall-clock times are noisy when it exceeds 1.",
            "",
            "`python tests/benchmarks/report.py` runs all benchmarks in a few minutes and adds a row.",
            "",
            "| figure | baseline (1.00) | budget at full size | benchmark |",
            "|---|---|---|---|",
            *meanings,
            "",
            HISTORY,
            "| " + " | ".join(columns) + " |",
            "|" + "---|" * len(columns),
            *past,
            "",
        ]
    )


def commit() -> str:
    """Return the commit, with a plus sign where the sources differ from it."""

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout

    changed = git("status", "--porcelain", "--", "src", "tests/benchmarks").strip()
    return git("rev-parse", "--short=8", "HEAD").strip() + ("+" if changed else "")


def main() -> None:
    first = {
        "date": datetime.now(UTC).date().isoformat(),
        "version": __version__,
        "commit": commit(),
        "load": f"{os.getloadavg()[0]:.1f}",
    }
    rows = history(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else []
    PAGE.write_text(page_of([{**first, **measured(FIGURES)}, *rows]), encoding="utf-8")
    sys.stdout.write(f"Added a row to {PAGE.relative_to(ROOT)}.\n")


if __name__ == "__main__":
    main()
