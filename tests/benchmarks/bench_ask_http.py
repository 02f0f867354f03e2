"""Asking over HTTP, from call to saved: `python bench_ask_http.py [QUESTIONS] [AGENTS ...]`.

A group of each size is asked 20 different questions in one study of ``vp.local`` (2 are enough to compare
sizes). Client, service and worker run in this process: the first rate is that of their processor time
together, the second that of the clock. Budgets: 10,000 answers per second, as many at the 20th question as at
the 2nd, and the same for 100 and for 100,000 agents.

The baseline of the same run writes the same rows of ``answers`` and ``jobs`` into a copy of their tables,
with their indexes, by a bare ``executemany`` of SQLite.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from bench_ask import KINDS, SHOWN

import voxpop as vp
from voxpop.client import Client

SIZES = (100, 10_000, 100_000)
AT_ONCE = 10_000
COPIED = ("answers", "jobs")


def asked(client: Client, size: int, count: int) -> list[tuple[float, float]]:
    """Ask a group some questions; return seconds of the processor and of the clock for each of them."""
    numbers = range(1, size + 1)
    group = client.groups.create(f"Group of {size}", agent_ids=numbers[:AT_ONCE])
    for start in range(AT_ONCE, size, AT_ONCE):
        client.groups.add_agents(group, numbers[start : start + AT_ONCE])
    study = client.studies.create(f"Study of {size}", group=group)
    taken = []
    for at in range(count):
        used, begun = time.process_time(), time.perf_counter()
        client.questions.ask(study, KINDS["unlike"](at))
        (*_, last) = client.questions.wait(study)
        taken.append((time.process_time() - used, time.perf_counter() - begun))
        assert last.answer_count == size, last
    return taken


def bare(path: Path, rows: int) -> float:
    """Return the processor time that SQLite takes to write so many rows of answers and jobs."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as source:
        made = {
            name: source.execute(
                "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC",
                (name,),
            ).fetchall()
            for name in COPIED
        }
        held = {name: source.execute(f"SELECT * FROM {name} LIMIT ?", (rows,)).fetchall() for name in COPIED}
    with sqlite3.connect(path.parent / "copied.sqlite") as database:
        database.execute("PRAGMA journal_mode = WAL")
        for statements in made.values():
            for (statement,) in statements:
                database.execute(statement)
        begun = time.process_time()
        for name, part in held.items():
            database.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(part[0]))})", part)
            database.commit()
        return time.process_time() - begun


def main(count: int, sizes: list[int]) -> None:
    """Ask groups of each size, and print the rates."""
    with tempfile.TemporaryDirectory() as folder:
        with vp.local(agents=max(*sizes, 1_000), data=folder) as client:
            for size in sizes:
                taken = asked(client, size, count)
                for at in (place for place in SHOWN if place <= count):
                    processor, clock = taken[at - 1]
                    sys.stdout.write(
                        f"{size:>8,} agents, question {at:>2}: {size / processor:>8,.0f} answers/s of "
                        f"processor time, {size / clock:>8,.0f}/s of the clock\n"
                    )
                    sys.stdout.flush()
        path = next(Path(folder).glob("**/*.sqlite"))
        rows = max(sizes)
        sys.stdout.write(f"bare executemany of both rows: {rows / bare(path, rows):,.0f} answers/s\n")


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    main(numbers[0] if numbers else max(SHOWN), numbers[1:] or list(SIZES))
