"""Counts, facets and samples of a population beside bare DuckDB and pandas, as ratios in one run.

Run by hand: ``python tests/benchmarks/bench_population.py [agents]``. pytest does not collect it. The file
is built (and timed) in a temporary folder unless ``VOXPOP_HOME`` names one where it is already.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pandas as pd

from voxpop.population import report
from voxpop.population.counting import FACETS
from voxpop.population.file import open_population
from voxpop.population.queries import Population
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter, between, where

AGENTS, SEED, TIMES = 1_000_000, 7, 7
BARE = (
    "country = 'USA' AND age BETWEEN {age} AND 64 AND gender = 'female' "
    "AND bmi_class IN ('obese_1', 'obese_2') AND smoking_status = 'never'"
)

Work = Callable[[int], object]


def five_fields(number: int) -> Filter:
    """Return a filter of five fields; another number gives another filter, so that nothing is remembered."""
    age = between(25 + number % 20, 64)
    classes = ["obese_1", "obese_2"]
    return where(country="USA", age=age, gender="female", bmi_class=classes, smoking_status="never")


def us_adults(number: int) -> Filter:
    """Return a filter that 40 % of the agents match; another number gives another filter."""
    return where(country="USA", age=between(25 + number % 20, 64))


def median(work: Work, times: int = TIMES) -> float:
    """Return the median of some runs in milliseconds; the first run is not counted."""
    found = []
    for number in range(times + 1):
        started = time.perf_counter()
        work(number)
        found.append((time.perf_counter() - started) * 1000)
    return sorted(found[1:])[times // 2]


@contextmanager
def folder() -> Iterator[Path]:
    """Give the folder where the population lies."""
    if os.environ.get("VOXPOP_HOME"):
        yield Path(os.environ["VOXPOP_HOME"])
        return
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def show(name: str, ours: float, target: str, **others: float) -> None:
    """Print one line: our time, the target, and the time of each other way with its ratio."""
    ratios = "  ".join(f"{label} {value:8.1f} ms (× {ours / value:.2f})" for label, value in others.items())
    sys.stdout.write(f"{name:44}{ours:8.1f} ms   {target:18}{ratios}\n")
    sys.stdout.flush()


def facets_of(frame: pd.DataFrame) -> dict[str, object]:
    """Count every field with pandas."""
    found: dict[str, object] = {}
    for name in FACETS:
        values = frame[name].explode() if FIELDS[name].kind == "list" else frame[name]
        found[name] = values.value_counts()
    return found


def chosen(frame: pd.DataFrame, age: int) -> pd.DataFrame:
    """Choose the agents of the five fields with pandas."""
    fits = (frame.country == "USA") & frame.age.between(age, 64) & (frame.gender == "female")
    fits &= frame.bmi_class.isin(["obese_1", "obese_2"]) & (frame.smoking_status == "never")
    return frame[fits]


def compare(population: Population, bare: duckdb.DuckDBPyConnection, frame: pd.DataFrame) -> None:
    """Print every comparison."""

    def query(text: str) -> Work:
        return lambda number: bare.execute(text.format(age=25 + number % 20)).fetchall()

    def union(where_: str) -> Work:
        return query(" UNION ALL ".join(_facet(name, where_) for name in FACETS))

    show(
        "count, 5 fields",
        median(lambda number: population.count(five_fields(number))),
        "<= 2.5 x bare",
        duckdb=median(query(f"SELECT count(*) FROM agents WHERE {BARE}")),
        pandas=median(lambda number: len(chosen(frame, 25 + number))),
    )
    population.count(five_fields(0))
    show("count, repeated", median(lambda _: population.count(five_fields(0))), "")
    for name, filter, text in (
        ("facets of all fields, everybody", lambda _: where(), "TRUE"),
        ("facets, US adults to 64", us_adults, "country = 'USA' AND age BETWEEN {age} AND 64"),
        ("facets, 5 fields", five_fields, BARE),
    ):
        first = time.perf_counter()
        population.facets(filter(99))
        cold = (time.perf_counter() - first) * 1000
        show(
            f"{name} (cold {cold:.0f} ms)",
            median(lambda number, f=filter: population.facets(f(number))),  # type: ignore[misc]
            "<= 120 ms cold",
            duckdb=median(union(text), 3),
            pandas=median(lambda _, t=text: facets_of(frame if t == "TRUE" else frame.query(_of(t))), 1),
        )
    repeated = five_fields(3)
    show("facets, repeated", median(lambda _: population.facets(repeated)), "<= 5 ms")
    random = query(f"SELECT id FROM agents WHERE {BARE} USING SAMPLE reservoir(500 ROWS) REPEATABLE (1)")
    everybody = query("SELECT id FROM agents USING SAMPLE reservoir(500 ROWS) REPEATABLE (1)")
    for method in ("random", "stratified", "balanced"):
        for name, filter, other, n in (
            ("5 fields", five_fields, random, 5),
            ("everybody", lambda _: where(), everybody, 0),
        ):
            show(
                f"recruit 500, {method}, {name}",
                median(
                    lambda number, f=filter, m=method: population.sample(
                        f(number), 500, seed=number, method=m
                    )
                ),  # type: ignore[misc]
                "<= 100 ms",
                duckdb=median(other),
                pandas=median(
                    lambda number, k=n: (chosen(frame, 25 + number) if k else frame).sample(
                        500, random_state=1
                    ),
                    3,
                ),
            )


def _of(text: str) -> str:
    return (
        text.format(age=30)
        .replace(" BETWEEN 30 AND 64", " >= 30 AND age <= 64")
        .replace(" IN ('obese_1', 'obese_2')", " in ['obese_1', 'obese_2']")
        .replace(" AND ", " and ")
        .replace(" = ", " == ")
    )


def _facet(name: str, where_: str) -> str:
    value = f"unnest({name})" if FIELDS[name].kind == "list" else name
    inside = f"(SELECT {value} AS v FROM agents WHERE {where_})"
    return f"SELECT '{name}', CAST(v AS VARCHAR), count(*) FROM {inside} WHERE v IS NOT NULL GROUP BY v"


def errors(population: Population) -> None:
    """Print the largest error of what is verified and holds, and the measures that are off beyond chance."""
    held = [cell for cell in report.cells(population) if not cell.superseded_by]
    for kind, scale, unit in (("share", 100, "pp (1 M: <= 0.5)"), ("odds ratio", 1, "x (1 M: <= 1.25)")):
        cells = [cell for cell in held if cell.kind == kind and (cell.verified or kind != "share")]
        worst = max(cells, key=report.error)
        sys.stdout.write(
            f"largest error of {len(cells):,} {kind}s: {report.error(worst) * scale:.2f} {unit}, "
        )
        sys.stdout.write(f"{worst.measure}: {worst.group}, {worst.value} (base {worst.base:,})\n")
    for line in report.lines(held):
        if line.flag == "off":
            sys.stdout.write(f"off beyond tolerance and chance: {line.measure}: {line.worst}\n")


def memory() -> float:
    """Return the most memory that this process has had, in MB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 if sys.platform == "linux" else 1024**2)


def main(agents: int) -> None:
    """Build, then compare."""
    with folder() as home:
        started = time.perf_counter()
        population = open_population(agents, SEED, home=home)
        built = time.perf_counter() - started
        each = built / agents * 1e6
        sys.stdout.write(f"{agents:,} agents open after {built:.1f} s, {each:.1f} us each (1 M: <= 20 us), ")
        sys.stdout.write(f"at most {memory():,.0f} MB (1 M: <= 1,500)\n")
        with population, duckdb.connect(str(population.path), read_only=True) as bare:
            errors(population)
            frame = bare.execute("SELECT * FROM agents").df()
            compare(population, bare, frame)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else AGENTS)
