"""The toolkit's budgets, each as a ratio to a baseline of the same run: `python bench_toolkit.py [AGENTS]`.

A made study of ten questions is saved from Arrow batches and from JSON, exported, verified and opened, and a
weighted crosstab is counted, in each case beside the least that DuckDB or the JSON decoder needs for it;
means of a continuous number are taken beside pandas.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import numpy as np
import pandas as pd
import pyarrow as pa

import voxpop as vp

KINDS = (
    "yes_no",
    "single_choice",
    "multi_choice",
    "scale",
    "number",
    "open",
    "ranking",
    "yes_no",
    "open",
    "scale",
)
VALUES = {
    "yes_no": ["true", "false"],
    "single_choice": ['"A"', '"B"', '"C"'],
    "multi_choice": ['["A"]', '["A","B"]', "[]"],
    "scale": [str(point) for point in range(11)],
    "number": [str(cents / 4) for cents in range(200)],
    "open": ["null"],
    "ranking": ['["A","B","C"]', '["B","A","C"]'],
}
STUDY = {"uuid": "5f0c4a0e-9d3b-4f6e-8a53-0d7f6f1c2b11", "id": 1, "title": "Made", "stage": "active"}
BATCH = 10_000


def questions() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for number, kind in enumerate(KINDS, 1):
        options = ["A", "B", "C"] if "choice" in kind or kind == "ranking" else None
        scale = {"min": 0, "max": 10} if kind == "scale" else None
        one = {"id": number, "uuid": f"q-{number}", "key": f"k{number}", "question": f"Question {number}?"}
        made.append({**one, "type": kind, "options": options, "scale": scale})
    return made


def agents(size: int) -> list[dict[str, Any]]:
    same = {"name": "Maria Miller", "country": "USA", "state": "CA", "education": "College graduate or above"}
    return [
        {"id": n, "uuid": f"a-{n:034d}", "age": 18 + n % 60, "gender": "male" if n % 2 else "female", **same}
        for n in range(1, size + 1)
    ]


def batches(size: int) -> Iterator[pa.RecordBatch]:
    """Make the answers of every agent to every question, as the service sends them."""
    number = 1
    for question, kind in enumerate(KINDS, 1):
        held = np.array(VALUES[kind], dtype=object)
        for first in range(1, size + 1, BATCH):
            ids = np.arange(first, min(first + BATCH, size + 1))
            many = ids.size
            yield pa.RecordBatch.from_pydict(
                {
                    "id": np.arange(number, number + many),
                    "question_id": np.full(many, question),
                    "agent_id": ids,
                    "job_id": [f"job_{place:08d}" for place in range(number, number + many)],
                    "response_text": [f"I would say {place % 997}, because of the price." for place in ids],
                    "value": pa.array(held[ids % held.size], pa.string()),
                    "answered_at": pa.array([1_790_000_000_000_000] * many, pa.timestamp("us", tz="UTC")),
                    "engine": ["made-1"] * many,
                }
            )
            number += many


def as_json(made: list[pa.RecordBatch]) -> bytes:
    """Write the answers as the documented JSON."""
    rows = []
    for batch in made:
        for row in batch.to_pylist():
            row["value"] = msgspec.Raw(row["value"].encode())
            rows.append(row)
    return msgspec.json.encode({"answers": rows})


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    made = work()
    return time.perf_counter() - begun, made


def memory() -> float:
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def tell(name: str, seconds: float, base: float, more: str) -> None:
    sys.stdout.write(
        f"{name:<34}{seconds:7.2f} s {seconds / base:6.2f} x baseline  {more}; {memory():,.0f} MB\n"
    )


def bench_tables(folder: Path, size: int) -> None:
    made, people = list(batches(size)), agents(size)
    rows = sum(batch.num_rows for batch in made)
    with duckdb.connect(folder / "bare.duckdb") as bare:
        bare.register("made", pa.Table.from_batches(made))
        base, _ = timed(lambda: bare.execute("CREATE TABLE answers AS FROM made"))
    with vp.Store(folder / "arrow.duckdb") as store:
        seconds, _ = timed(lambda: store.save_study(STUDY, questions(), [], people))
        tell("save agents", seconds, base, f"{size / seconds:,.0f} agents/s (budget 100,000)")
        seconds, _ = timed(lambda: store.save_study(STUDY, questions(), iter(made)))
        tell("save answers from Arrow", seconds, base, f"{rows / seconds:,.0f} rows/s (budget 1,000,000)")
        seconds, _ = timed(lambda: store.save_study(STUDY, questions(), iter(made)))
        tell("the same again", seconds, base, f"{rows / seconds:,.0f} rows/s")
        wrote, _ = timed(lambda: store.export(None, folder / "export"))
        checked, report = timed(lambda: vp.verify(folder / "export"))
        tell("export and verify", wrote + checked, base, f"ok {report.ok} (budget 6 s for 1 M answers)")
    seconds, opened = timed(lambda: vp.open_export(folder / "export"))
    tell("open the export", seconds, base, f"{rows / seconds:,.0f} rows/s")
    opened.close()
    body = as_json(made)
    base, _ = timed(lambda: msgspec.json.decode(body))
    with vp.Store(folder / "json.duckdb") as store:
        store.save_study(STUDY, questions(), [], people)
        seconds, _ = timed(lambda: store.save_study(STUDY, questions(), msgspec.json.decode(body)["answers"]))
        tell("save answers from JSON bytes", seconds, base, f"{rows / seconds:,.0f} rows/s (budget 250,000)")


def bench_crosstab(answers: int, people: int) -> None:
    with duckdb.connect() as database:
        database.execute(
            "CREATE TABLE people AS SELECT i AS agent_id, ['a', 'b', 'c', 'd'][1 + i % 4] AS region, "
            "['male', 'female'][1 + i % 2] AS gender, 0.5 + (hash(i) % 1000003) / 500000 AS weight "
            f"FROM range({people}) t(i)"
        )
        database.execute(
            f"CREATE TABLE answers AS SELECT i % {people} AS agent_id, "
            f"['yes', 'no', 'maybe'][1 + (i * 7) % 3] AS switch FROM range({answers}) t(i)"
        )
        rows = database.sql("SELECT * FROM answers JOIN people USING (agent_id)")
        bare = (
            "SELECT switch, gender, region, count(*), sum(weight), sum(weight * weight) "
            "FROM answers JOIN people USING (agent_id) GROUP BY ALL"
        )
        base = min(timed(lambda: database.execute(bare).fetchall())[0] for _ in range(3))
        seconds = min(
            timed(lambda: vp.crosstab(rows, "switch", by=["gender", "region"], weight="weight"))[0]
            for _ in range(3)
        )
        tell("weighted crosstab", seconds, base, f"{answers:,} answers, {people:,} agents (budget 1.3 x)")


def bench_means(rows: int) -> None:
    """Compare means of a continuous number by a cohort with pandas, in processor time.

    pandas computes the same five figures of each cohort, then three of them without the median. It has
    neither weights, nor the total, nor intervals, nor sums that are the same in any order of the rows.
    """
    chance = np.random.default_rng(1)
    people = pd.DataFrame(
        {
            "price": chance.gamma(3, 2, rows),
            "arm": chance.choice(list("abcd"), rows),
            "w": chance.uniform(0.2, 3, rows),
        }
    )
    five, three = (
        _least(lambda figures=figures: people.groupby("arm").price.agg(figures))  # type: ignore[misc]
        for figures in (["count", "mean", "std", "sem", "median"], ["count", "mean", "std"])
    )
    for name, weight in (("means of a continuous number", None), ("the same, weighted", "w")):
        seconds = _least(lambda weight=weight: vp.means(people, "price", by="arm", weight=weight))  # type: ignore[misc]
        more = f"{seconds / three:.2f} x three figures of pandas; {rows:,} rows (budget 3 x pandas)"
        tell(name, seconds, five, more)


def _least(work: Callable[[], Any]) -> float:
    """Return the least processor time of five runs."""
    taken = []
    for _ in range(5):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    bench_crosstab(100 * size, 10 * size)
    bench_means(10 * size)
    with tempfile.TemporaryDirectory() as folder:
        bench_tables(Path(folder), size)


if __name__ == "__main__":
    main()
