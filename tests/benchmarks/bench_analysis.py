"""A weighted two-way banner with letters beside its baselines: `python bench_analysis.py [AGENTS]`.

Ten answers per agent lie in a DuckDB file. Every way to count them runs in a process of its own: the bare
aggregation in DuckDB, `voxpop`, polars (where it is installed) and `pandas.crosstab`. Told are the peak
memory of its first run, with what that needed beyond its start; then the best time of seven more, each in
turn with the bare aggregation in the same process, and the ratio of the two, by the clock and in the time
of all processors, which says more where others work beside. polars and pandas get their frames for nothing:
reading them is not timed.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb

import voxpop as vp

BY = ["gender", "region"]
JOINED = "SELECT switch, gender, region, weight FROM answers JOIN people USING (agent_id)"
BARE = (
    f"SELECT switch, gender, region, count(*), sum(weight), sum(weight * weight) FROM ({JOINED}) GROUP BY ALL"
)
TIMES = 7


def build(path: Path, agents: int) -> None:
    """Write the agents with their weights, and ten answers of each."""
    with duckdb.connect(path) as database:
        database.execute(
            "CREATE TABLE people AS SELECT i AS agent_id, ['a', 'b', 'c', 'd'][1 + i % 4] AS region, "
            "['male', 'female'][1 + (hash(i) % 2)::BIGINT] AS gender, "
            "0.5 + (hash(i) % 1000003) / 500000 AS weight "
            f"FROM range({agents}) t(i)"
        )
        database.execute(
            f"CREATE TABLE answers AS SELECT i % {agents} AS agent_id, "
            f"['yes', 'no', 'maybe'][1 + (hash(i) % 3)::BIGINT] AS switch FROM range({10 * agents}) t(i)"
        )


def bare(path: Path) -> tuple[Callable[[], Any], Any]:
    """Aggregate in DuckDB, and nothing else: no bases, no letters, no exact sums."""
    database = duckdb.connect(path, read_only=True)
    return lambda: database.execute(BARE).fetchall(), database


def banner(path: Path) -> tuple[Callable[[], Any], Any]:
    """Make the banner, with letters, and print it."""
    database = duckdb.connect(path, read_only=True)
    rows = database.sql(JOINED)
    return lambda: repr(vp.crosstab(rows, "switch", by=BY, weight="weight", sig=True)), database


def with_polars(path: Path) -> tuple[Callable[[], Any], Any]:
    """Aggregate in polars, frames in memory."""
    import polars

    database = duckdb.connect(path, read_only=True)
    people, answers = (
        polars.from_arrow(database.table(name).to_arrow_table()) for name in ("people", "answers")
    )

    def work() -> Any:
        weight = polars.col("weight")
        joined = answers.lazy().join(people.lazy(), on="agent_id")
        sums = [polars.len(), weight.sum(), (weight * weight).sum().alias("squares")]
        return joined.group_by("switch", *BY).agg(sums).collect()

    return work, database


def with_pandas(path: Path) -> tuple[Callable[[], Any], Any]:
    """Join and cross in pandas, frames in memory: weighted sums only."""
    import pandas as pd

    database = duckdb.connect(path, read_only=True)
    people, answers = (database.table(name).df() for name in ("people", "answers"))

    def work() -> Any:
        joined = answers.merge(people, on="agent_id")
        across = [joined[name] for name in BY]
        return pd.crosstab(joined["switch"], across, values=joined["weight"], aggfunc="sum")

    return work, database


WAYS = {"bare DuckDB": bare, "voxpop banner": banner, "polars": with_polars, "pandas.crosstab": with_pandas}


def peak() -> float:
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def measure(way: str, path: Path) -> None:
    """Run one way in this process and write its figures as JSON."""
    work, database = WAYS[way](path)
    before = peak()
    work()
    highest = peak()
    runs = {"bare": lambda: database.execute(BARE).fetchall(), "way": work}
    seconds: dict[str, list[float]] = {}
    for _ in range(TIMES):
        for name, run in runs.items():
            begun, worked = time.perf_counter(), time.process_time()
            run()
            seconds.setdefault(name, []).append(time.perf_counter() - begun)
            seconds.setdefault(f"{name} cpu", []).append(time.process_time() - worked)
    database.close()
    told = {name: min(own) for name, own in seconds.items()} | {"peak": highest, "before": before}
    sys.stdout.write(json.dumps(told))


def main() -> None:
    if len(sys.argv) > 2:
        measure(sys.argv[1], Path(sys.argv[2]))
        return
    agents = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.duckdb"
        build(path, agents)
        sys.stdout.write(f"{10 * agents:,} answers of {agents:,} agents; budget 1.3 x, 400 MB\n")
        for way in WAYS:
            if way == "polars" and find_spec("polars") is None:
                sys.stdout.write(f"{way:<18} not installed\n")
                continue
            done = subprocess.run(
                [sys.executable, __file__, way, str(path)], capture_output=True, text=True, check=True
            )
            told = json.loads(done.stdout)
            more = told["peak"] - told["before"]
            sys.stdout.write(
                f"{way:<18}{told['way']:7.2f} s {told['way'] / told['bare']:6.2f} x  "
                f"processor {told['way cpu']:5.2f} s {told['way cpu'] / told['bare cpu']:6.2f} x  "
                f"peak {told['peak']:6,.0f} MB "
                f"({more:,.0f} beyond its start)\n"
            )


if __name__ == "__main__":
    main()
