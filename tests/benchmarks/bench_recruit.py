"""Quota samples, screening and plans of texts beside bare DuckDB, as ratios in one run.

Run by hand: ``python tests/benchmarks/bench_recruit.py [agents]``. pytest does not collect it. The file is
built in a temporary folder unless ``VOXPOP_HOME`` names one where it is already.
"""

from __future__ import annotations

import sys
import time

import duckdb
from bench_population import SEED, folder, median, show

from voxpop.engines.registry import default_engine
from voxpop.jobs.screening import Screening
from voxpop.jobs.shelf import AgentShelf
from voxpop.population.corpus import corpus
from voxpop.population.file import open_population
from voxpop.population.queries import Population
from voxpop.population.quotas import Design, read_design
from voxpop.vocabulary import FIELDS
from voxpop.vocabulary.filters import Filter, between, where

AGENTS, SIZE, SCREENED = 1_000_000, 1_000, 100_000
US = where(country="USA")
CELLS = [
    {"filters": where(gender="female", age=between(max=44)).to_json(), "size": 300},
    {"filters": where(gender="female", age=between(45)).to_json(), "size": 250},
    {"filters": where(gender="male").to_json(), "size": 450},
]
MARGINS = {
    "margins": {
        "gender": {"female": 0.5, "male": 0.5},
        "age": {"18-34": 0.3, "35-54": 0.35, "55+": 0.35},
        "urban_rural": {"urban": 0.8, "rural": 0.2},
    }
}
TEXTS = (
    "US men between 30 and 45 who own a cat",
    "nurses or teachers in Texas who do not smoke",
    "adults in California with type 2 diabetes who have children",
    "people over 60 in the UK who are retired",
)
DOGS = [{"criterion": "own a dog", "question": "Do you own a dog?", "keep": "yes"}]
CELL = "SELECT id FROM agents WHERE country = 'USA' AND {} USING SAMPLE reservoir({} ROWS) REPEATABLE (1)"


def us_from(number: int) -> Filter:
    """Return a filter that most of the USA match; another number gives another filter."""
    return where(country="USA", age=between(18 + number % 5))


def quotas(population: Population, bare: duckdb.DuckDBPyConnection) -> None:
    """Print the draws by cells and by margins beside three reservoir samples."""
    parts = (
        ("gender = 'female' AND age < 45", 300),
        ("gender = 'female' AND age > 44", 250),
        ("gender = 'male'", 450),
    )

    def sampled(_: int) -> object:
        return [bare.execute(CELL.format(*part)).fetchall() for part in parts]

    for name, given in (("3 cells", CELLS), ("3 margins", MARGINS)):
        design: Design = read_design(given, None, SIZE)
        show(
            f"quotas of {SIZE:,}, {name}",
            median(lambda number, d=design: population.draw(us_from(number), SIZE, seed=number, design=d)),  # type: ignore[misc]
            "<= 300 ms",
            duckdb=median(sampled),
        )


def screen(population: Population, bare: duckdb.DuckDBPyConnection) -> None:
    """Print a screening that all candidates are asked beside reading them."""
    many = min(SCREENED, population.count(US))
    ids = population.sample(US, many, seed=1)
    screening = Screening(AgentShelf(population), default_engine().respondent, DOGS, seed=SEED)
    begun = time.perf_counter()
    asked, kept = screening.run(ids, many, screened=0, kept=(), note=lambda _, __: None)
    ours = (time.perf_counter() - begun) * 1000
    begun = time.perf_counter()
    bare.execute("SELECT * FROM agents WHERE id IN (SELECT unnest(?::INTEGER[]))", [ids]).fetchall()
    show(f"screen of {asked:,} agents", ours, "<= 10,000 ms", duckdb=(time.perf_counter() - begun) * 1000)
    sys.stdout.write(f"{len(kept):,} of them own a dog\n")


def plans(population: Population, bare: duckdb.DuckDBPyConnection) -> None:
    """Print the plan of a text beside a count of agents, the first one apart."""
    planner, titles = default_engine().planner, corpus()
    labels = {
        name: population.labels(name) for name, row in FIELDS.items() if row.kind in ("category", "list")
    }
    begun = time.perf_counter()
    planner.prepare(labels=labels, titles=titles)
    show("preparing the planner, in the background", (time.perf_counter() - begun) * 1000, "")
    begun = time.perf_counter()
    planner.plan(TEXTS[0], labels=labels, titles=titles)
    show("plan of the first text", (time.perf_counter() - begun) * 1000, "<= 50 ms")

    def one(number: int) -> object:  # a new text every time, so that nothing is remembered
        text = f"{TEXTS[number % len(TEXTS)]} and are at most {70 + number} years old"
        return planner.plan(text, labels=labels, titles=titles)

    counted = "SELECT count(*) FROM agents WHERE country = 'USA' AND age >= 18"
    show("plan of a text", median(one), "<= 50 ms", duckdb=median(lambda _: bare.execute(counted).fetchall()))


def main(agents: int) -> None:
    """Open the population, then compare."""
    with folder() as home:
        population = open_population(agents, SEED, home=home)
        try:
            with duckdb.connect(str(population.path), read_only=True) as bare:
                plans(population, bare)
                quotas(population, bare)
                screen(population, bare)
        finally:
            population.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else AGENTS)
