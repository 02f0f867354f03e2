"""The linearized variance of a survey beside its weighted crosstab: `python bench_designs.py [ROWS]`.

Rows with weight, strata, clusters, a question, a number and a region lie in a Parquet file. Each estimate
runs in a process of its own, five times in turn with the weighted crosstab of the same rows; told are the
best times, their ratio (by the clock and in the time of all processors) and the peak memory.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

import voxpop as vp

TIMES = 5
CLUSTERED = vp.Design("weight", strata="stratum", clusters="psu", nest=True)
ROWWISE = vp.Design("weight", strata="stratum")
FINITE = vp.Design("plain", strata="stratum", fpc="size")
WAYS: dict[str, Callable[[Any], Any]] = {
    "share, clusters": lambda rows: vp.estimate(rows, "switch", "region", design=CLUSTERED),
    "mean, clusters": lambda rows: vp.estimate(rows, "price", design=CLUSTERED),
    "mean by region, clusters": lambda rows: vp.estimate(rows, "price", "region", design=CLUSTERED),
    "share, no clusters": lambda rows: vp.estimate(rows, "switch", level="yes", design=ROWWISE),
    "mean, no clusters": lambda rows: vp.estimate(rows, "price", design=ROWWISE),
    "share, few weights, fpc": lambda rows: vp.estimate(rows, "switch", "region", design=FINITE),
}


def build(path: Path, rows: int) -> None:
    """Write the rows: 50 strata of 40 clusters each."""
    duckdb.sql(
        "SELECT (hash(i) % 50)::INT AS stratum, (hash(i + 1) % 40)::INT AS psu, "
        "['yes', 'no', 'maybe'][1 + (hash(i * 7) % 3)::BIGINT] AS switch, "
        "['a', 'b', 'c', 'd'][1 + (hash(i * 3) % 4)::BIGINT] AS region, "
        "(hash(i * 5) % 1000003) / 1000.0 AS price, 0.5 + (hash(i * 11) % 1000003) / 500000 AS weight, "
        f"1.5 + stratum / 50 AS plain, 2 * {rows} AS size FROM range({rows}) t(i)"
    ).write_parquet(str(path))


def peak() -> float:
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def measure(way: str, path: Path) -> None:
    """Run one estimate in this process and write its figures as JSON."""
    rows = duckdb.connect().read_parquet(str(path))
    work = WAYS[way]
    before = peak()
    repr(work(rows))
    highest = peak()
    runs = {
        "crosstab": lambda: repr(vp.crosstab(rows, "switch", "region", weight="weight")),
        "way": lambda: repr(work(rows)),
    }
    seconds: dict[str, list[float]] = {}
    for _ in range(TIMES):
        for name, run in runs.items():
            begun, worked = time.perf_counter(), time.process_time()
            run()
            seconds.setdefault(name, []).append(time.perf_counter() - begun)
            seconds.setdefault(f"{name} cpu", []).append(time.process_time() - worked)
    told = {name: min(own) for name, own in seconds.items()} | {"peak": highest, "before": before}
    sys.stdout.write(json.dumps(told))


def main() -> None:
    if len(sys.argv) > 2:
        measure(sys.argv[1], Path(sys.argv[2]))
        return
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "survey.parquet"
        build(path, many)
        sys.stdout.write(f"{many:,} rows; budget 3 x the weighted crosstab\n")
        for way in WAYS:
            done = subprocess.run(
                [sys.executable, __file__, way, str(path)], capture_output=True, text=True, check=True
            )
            told = json.loads(done.stdout)
            sys.stdout.write(
                f"{way:<26}{told['way']:7.2f} s {told['way'] / told['crosstab']:6.2f} x  "
                f"processor {told['way cpu']:5.2f} s {told['way cpu'] / told['crosstab cpu']:6.2f} x  "
                f"crosstab {told['crosstab']:5.2f} s  peak {told['peak']:6,.0f} MB "
                f"({told['peak'] - told['before']:,.0f} beyond its start)\n"
            )


if __name__ == "__main__":
    main()
