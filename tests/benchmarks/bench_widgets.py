"""Response time of the explorer to a click: `python bench_widgets.py [AGENTS]`, 1,000,000 without a number.

Five facets are open. Each change (a condition more or less, another question or comparison, a search) is done
four times; the median without the first time is told: counts, table with letters, chart, quotes and the
tree for the browser. The baseline of the same run is what DuckDB alone needs to count the five facets and the
table's cells.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

import voxpop as vp
from voxpop.vocabulary import FIELDS
from voxpop.widgets import Explorer

BUDGET = 0.2
FACETS = ("age", "gender", "state", "bmi_class", "health_conditions")
ILL = ("hypertension", "asthma", "type_2_diabetes", "depression", "migraine")


def people(size: int) -> pa.Table:
    """Make people with a profile and the answers to four questions."""
    draw = np.random.default_rng(7)

    def among(levels: Any) -> pa.Array:
        codes = pa.array(draw.integers(0, len(levels), size), pa.int32())
        return pa.DictionaryArray.from_arrays(codes, pa.array(list(levels)))

    many = np.concatenate([[0], np.cumsum(draw.integers(0, 3, size))]).astype(np.int32)
    had = pa.array(np.array(ILL, dtype=object)[draw.integers(0, len(ILL), many[-1])])
    said = [
        f"It would have to be {word}, I think, reason {n}."
        for word in ("cheaper", "sweeter")
        for n in range(999)
    ]
    return pa.table(
        {
            "agent_id": np.arange(size),
            "age": draw.integers(18, 90, size),
            "gender": among(FIELDS["gender"].levels),
            "state": among(("CA", "TX", "NY", "FL", "OH", "WA")).cast(pa.string()),
            "bmi_class": among(FIELDS["bmi_class"].levels),
            "health_conditions": pa.ListArray.from_arrays(pa.array(many), had),
            "switch": among(("yes", "no")),
            "likely": draw.integers(0, 11, size),
            "where": pa.ListArray.from_arrays(
                pa.array(np.arange(size + 1, dtype=np.int32)), among(("Store", "Online")).cast(pa.string())
            ),
            "why": among(said).cast(pa.string()),
        }
    )


def changes(explorer: Explorer) -> dict[str, Callable[[], None]]:
    def set_(name: str, value: Any) -> Callable[[], None]:
        return lambda: setattr(explorer, name, value)

    ill = vp.where(gender="female", bmi_class="obese", health_conditions=["asthma", "migraine"])
    return {
        "one condition": set_("filters", vp.where(gender="female")),
        "two, one of several levels": set_("filters", vp.where(gender="female", bmi_class="obese")),
        "three, one on a list": set_("filters", ill),
        "compare by BMI class": set_("by", "bmi_class"),
        "a scale": set_("question", "likely"),
        "a multiple choice": set_("question", "where"),
        "search in the answers": lambda: explorer._do_quote("cheaper", None),
        "no search": lambda: explorer._do_quote("", None),
        "a yes or no": set_("question", "switch"),
        "ages 25 to 64": set_("filters", vp.where(age=vp.between(25, 64))),
        "together": set_("by", None),
        "everybody": set_("filters", vp.where()),
    }


def bare(table: pa.Table) -> float:
    """Return the median time of counting the five facets and a table's cells in DuckDB alone."""
    database = duckdb.connect()
    database.from_arrow(table.drop_columns(["why", "where"])).create("people")
    plain = [f"SELECT {name}::VARCHAR, count(*) FROM people GROUP BY ALL" for name in FACETS[:-1]]
    lists = f"SELECT v, count(*) FROM (SELECT unnest({FACETS[-1]}) AS v FROM people) GROUP BY ALL"
    cells = "SELECT switch, bmi_class, gender, count(*) FROM people GROUP BY ALL"
    took = []
    for _ in range(7):
        begun = time.perf_counter()
        for text in (*plain, lists, cells):
            database.execute(text).fetchall()
        took.append(time.perf_counter() - begun)
    return statistics.median(took)


def bench(size: int) -> bool:
    table = people(size)
    base = bare(table)
    sys.stdout.write(f"{'DuckDB alone, facets and cells':<34}{1000 * base:7.0f} ms\n")
    begun = time.perf_counter()
    explorer = Explorer(table)
    explorer._look.open_fields.update(FACETS)
    explorer._worker.idle(600)
    sys.stdout.write(f"{'the first time':<34}{1000 * (time.perf_counter() - begun):7.0f} ms\n")
    took: dict[str, list[float]] = {}
    for _ in range(4):
        for name, change in changes(explorer).items():
            begun = time.perf_counter()
            change()
            explorer._count_soon()
            explorer._worker.idle(600)
            took.setdefault(name, []).append(time.perf_counter() - begun)
            if explorer.error is not None:
                raise explorer.error
    usual = {name: statistics.median(times[1:]) for name, times in took.items()}
    for name, seconds in usual.items():
        sys.stdout.write(f"{name:<34}{1000 * seconds:7.0f} ms{seconds / base:6.2f} x baseline\n")
    slowest = max(usual.values())
    explorer.close()
    sys.stdout.write(f"slowest {1000 * slowest:.0f} ms of {1000 * BUDGET:.0f}\n")
    return slowest <= BUDGET


if __name__ == "__main__":
    sys.exit(0 if bench(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000) else 1)
