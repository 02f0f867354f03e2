"""Asking and answering in one thread: `python bench_ask.py [AGENTS]`, 2,000 agents, 20 questions a study.

It prints the processor time per answer, from asked to saved, at the 2nd, 10th and 20th question of studies of
unlike questions and of questions that resemble each other; late over early questions is to stay near 1. The
baseline in the same run writes the same rows with a bare ``executemany`` of SQLite. "Read again" keeps no
earlier answers in the process, as after a restart.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from voxpop.jobs.asking import ask
from voxpop.jobs.histories import Histories
from voxpop.jobs.runner import Runner
from voxpop.population.file import Population, open_population
from voxpop.records import groups, keys, studies
from voxpop.records.database import Database
from voxpop.vocabulary.filters import where
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question

UNLIKE = (
    *("Do you own a dog?", "Do you like your job?", "Do you drink coffee?", "Do you trust the news?"),
    *("Would you move abroad?", "Do you exercise regularly?", "Would you buy an electric car?"),
    *("Do you enjoy cooking?", "Do you travel by train?", "Do you read books?", "Do you smoke?"),
    *("Do you feel safe at night?", "Do you donate to charity?", "Do you play video games?"),
    *("Would you work from home?", "Do you like tea?", "Do you use coupons?", "Do you have a garden?"),
    *("Do you follow sports?", "Would you switch banks?"),
)
KINDS: dict[str, Callable[[int], str]] = {
    "unlike": lambda at: UNLIKE[at],
    "liking": lambda at: f"Do you like lunch number {at + 1}?",
    "prices": lambda at: f"Would you buy lunch number {at + 1} for ${at + 5}?",
    "worth": lambda at: f"How much would you pay for lunch number {at + 1}?",
    "open": lambda at: f"What do you think of lunch number {at + 1}?",
}
SHOWN = (2, 10, 20)


class Queue:
    """Keeps work items until they are run."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def put(self, item_ids: list[int], *, study_id: int | None = None) -> None:
        self.items += item_ids

    def crowded(self) -> bool:
        return False


def asked(
    database: Database, population: Population, agents: list[int], kind: str, cold: bool
) -> list[float]:
    """Return the processor time per answer of each question of a study, in microseconds."""
    queue = Queue()
    with database.begin() as c:
        organization = keys.create_organization(c, f"{kind} {cold}")
        group = groups.create(
            c,
            organization,
            name="g",
            description=None,
            filters={},
            sample_method="random",
            seed=1,
            shortfall=0,
            agent_ids=agents,
        )
        study = studies.create(c, organization, title="t", objective=None, group=group)
    runner = Runner(database, population, EmbeddedRespondent(), database.clock, queue=queue)
    taken = []
    for at in range(max(SHOWN)):
        question = read_question(KINDS[kind](at))
        begun = time.process_time()
        ask(database, queue, organization, study.id, question)
        while queue.items:
            if cold:
                runner._histories = Histories(capacity=0)
            runner.run_item(queue.items.pop(0))
        taken.append((time.process_time() - begun) / len(agents) * 1e6)
    return taken


def bare(path: Path, agents: int) -> float:
    """Return the processor time that SQLite takes to write the rows of one answer, in microseconds."""
    with sqlite3.connect(path) as database:
        (columns,) = database.execute("SELECT count(*) FROM pragma_table_info('answers')").fetchone()
        rows = database.execute("SELECT * FROM answers ORDER BY id DESC LIMIT ?", (agents,)).fetchall()
        database.execute("CREATE TABLE copied AS SELECT * FROM answers WHERE false")
        database.execute("CREATE UNIQUE INDEX copied_once ON copied (question_id, agent_id)")
        begun = time.process_time()
        database.executemany(f"INSERT INTO copied VALUES ({', '.join('?' * columns)})", rows)
        database.commit()
        return (time.process_time() - begun) / len(rows) * 1e6


def main(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        population = open_population(100_000, 7, home=Path(folder))
        agents = population.sample(where(), size, seed=1)
        database = Database.open(f"sqlite:///{folder}/voxpop.sqlite")
        for kind in KINDS:
            for cold in (False, True):
                taken = asked(database, population, agents, kind, cold=cold)
                shown = "".join(f"{taken[at - 1]:8.1f} µs ({1e6 / taken[at - 1]:6,.0f}/s)" for at in SHOWN)
                ratio = min(taken[-3:]) / min(taken[1:4])
                name = f"{kind}, {'read again' if cold else 'kept'}"
                sys.stdout.write(f"{name:22}{shown}   late over early x {ratio:.2f}\n")
                sys.stdout.flush()
        database.close()
        sys.stdout.write(f"bare executemany      {bare(Path(folder, 'voxpop.sqlite'), size):8.1f} µs\n")
        population.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
