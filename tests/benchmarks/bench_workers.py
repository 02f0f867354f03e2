"""Work done by one and by several processes: `python bench_workers.py [ROUNDS]`, 8 rounds of 5,000 answers.

A service on SQLite, one on PostgreSQL that works itself, and one with 1, 2 and 4 workers: answers per second
from the first question to the last answer, single jobs per second with 8 callers, how long a question of ten
waits behind another organization's large one, and how long the work of a killed worker lies idle. Beside it
what the embedded engine alone gives in one thread of this process, which is what the cores allow; and, per
answer, the processor time of the service, of all workers and of the server, which other load changes little.

The PostgreSQL is the one of the tests, with fsync off: on a disk it has to wait for, commits cost more.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))
os.environ.setdefault("VOXPOP_HOME", tempfile.mkdtemp(prefix="voxpop-bench-"))

import httpx
from errands import AGENTS, SETTINGS, Site

from machines import Cluster, cluster
from voxpop.population.file import open_population
from voxpop_simulator.embedded import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question

SIZE, SMALL, SINGLE, CALLERS = 5_000, 10, 200, 8


def say(name: str, *figures: str) -> None:
    sys.stdout.write(f"{name:34}" + "".join(f"{figure:>20}" for figure in figures) + "\n")
    sys.stdout.flush()


def bare() -> float:
    """Return how many answers a second the engine gives, a hundred agents at a time."""
    population = open_population(int(AGENTS), 7, home=Path(os.environ["VOXPOP_HOME"]))
    question, engine = read_question("Do you smoke? 0"), EmbeddedRespondent()
    agents = population.agents(population.sample(_everybody(), SIZE, seed=1))
    begun = time.perf_counter()
    for start in range(0, SIZE, 100):
        list(engine.answer(agents[start : start + 100], question, {}, seed=7))
    population.close()
    return SIZE / (time.perf_counter() - begun)


def _everybody() -> Any:
    from voxpop.vocabulary.filters import where

    return where()


@contextmanager
def site(folder: Path, server: Cluster | None, workers: int | None, **environ: str) -> Iterator[Site]:
    """Run a service; None workers means that it works itself."""
    SETTINGS.update(environ)
    made = Site(folder, server, workers=workers)
    try:
        yield made
    finally:
        made.close()


def study(http: httpx.Client, size: int) -> str:
    """Recruit a group and make a study on it; return the address of its questions."""
    recruited = http.post("/research-groups/recruit", json={"filters": {}, "group_size": size})
    group = recruited.raise_for_status().json()["group"]
    made = http.post("/research-studies", json={"title": "t", "research_group_uuid": group["uuid"]})
    return f"/research-studies/{made.raise_for_status().json()['study']['id']}/questions"


def answers(http: httpx.Client, rounds: int) -> float:
    """Return how many answers a second are given to questions that are asked at once, of as many studies."""
    places = [study(http, SIZE) for _ in range(rounds)]
    begun = time.perf_counter()
    for number, place in enumerate(places):
        http.post(place, json={"question": f"Do you smoke? {number}"}).raise_for_status()
    for place in places:
        await_answers(http, place)
    return SIZE * rounds / (time.perf_counter() - begun)


def cpu_s(*pids: int) -> float:
    """Return how many seconds of processor time processes and their children, dead or alive, have taken."""
    ticks = 0
    for pid in pids:
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += sum(map(int, stat[11:15]))
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                with suppress(OSError):  # a connection of the server that has ended meanwhile
                    told = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                    ticks += sum(map(int, told[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def await_answers(http: httpx.Client, place: str) -> None:
    while True:
        (*_, asked) = http.get(place, params={"answers": False}).json()["questions"]
        if asked["answer_count"] == asked["asked_count"]:
            return
        time.sleep(0.02)


def spent(made: Site) -> tuple[float, float, float]:
    """Return the processor time of the service, of its workers and of its database server, in seconds."""
    workers = cpu_s(*(worker.pid for worker in made.workers))
    return cpu_s(made.service.pid), workers, cpu_s(made.server.pid) if made.server else 0.0


def singles(http: httpx.Client) -> float:
    """Return how many questions to one agent each are asked and answered a second."""
    place = study(http, 1)

    def ask(number: int) -> None:
        asked = http.post(place, json={"question": f"Do you own a dog? {number}"}).raise_for_status().json()
        http.get(f"/jobs/{asked['job_ids'][0]}", params={"wait_seconds": 60}).raise_for_status()

    begun = time.perf_counter()
    with ThreadPoolExecutor(CALLERS) as callers:
        list(callers.map(ask, range(SINGLE)))
    return SINGLE / (time.perf_counter() - begun)


def waits(http: httpx.Client, other: httpx.Client, times: int) -> tuple[float, float]:
    """Return how long a question of ten takes alone, and while another organization is asked much."""

    def small(number: int) -> float:
        begun = time.perf_counter()
        asked = other.post(place, json={"question": f"Do you like tea? {number}"}).raise_for_status().json()
        other.get(f"/jobs/{asked['job_ids'][-1]}", params={"wait_seconds": 60}).raise_for_status()
        return time.perf_counter() - begun

    place = study(other, SMALL)
    alone = [small(number) for number in range(times)]
    large = study(http, SIZE)
    beside: list[float] = []
    for number in range(3):
        http.post(large, json={"question": f"Would you move house? {number}"}).raise_for_status()
    while len(beside) < times and http.get(large, params={"answers": False}).json()["poll_after_s"]:
        beside.append(small(times + len(beside)))
    await_answers(http, large)
    return median(alone), median(beside) if beside else float("nan")


def takeover(made: Site) -> float:
    """Kill a worker that has work in hand; return how long it takes until all is done."""
    place = study(made.http, SIZE)
    made.http.post(place, json={"question": "Do you smoke?"}).raise_for_status()
    while not made.rows("SELECT id FROM work_items WHERE state = 'claimed'"):
        time.sleep(0.002)
    made.workers[0].kill()
    begun = time.perf_counter()
    await_answers(made.http, place)
    return time.perf_counter() - begun


def main(rounds: int) -> None:
    alone = bare()
    say("the engine in one thread", f"{alone:,.0f} answers/s")
    names = (
        "answers/s",
        "of the engine",
        "µs of processor",
        "single jobs/s",
        "ten, alone",
        "ten, beside 15,000",
    )
    say("", *names)
    with cluster() as server, tempfile.TemporaryDirectory() as folder:
        setups: list[tuple[str, Cluster | None, int | None]] = [("SQLite", None, None)]
        setups += [("PostgreSQL, the service works", server, None)]
        setups += [(f"PostgreSQL, {count} workers", server, count) for count in (1, 2, 4)]
        for name, on, count in setups:
            with site(Path(folder) / name, on, count, VOXPOP_TAKEOVER="30") as made:
                other = httpx.Client(base_url=made.http.base_url, timeout=120)
                other.headers["Authorization"] = f"Bearer {made.key('other')}"
                answers(made.http, 1)
                before = spent(made)
                rate = answers(made.http, rounds)
                costs = [
                    (after - was) / (SIZE * rounds) * 1e6
                    for was, after in zip(before, spent(made), strict=True)
                ]
                single = singles(made.http)
                idle, busy = waits(made.http, other, 10)
                other.close()
            figures = [f"{rate:,.0f}", f"x {rate / alone:.2f}", " + ".join(f"{each:.0f}" for each in costs)]
            figures.append(f"{single:,.0f}")
            say(name, *figures, f"{idle * 1000:.0f} ms", f"{busy * 1000:.0f} ms")
        for seconds in (2.0, 10.0, 30.0):
            told = {"VOXPOP_TAKEOVER": str(seconds)}
            with site(Path(folder) / f"takeover {seconds:g}", server, 2, **told) as made:
                say(f"killed worker, VOXPOP_TAKEOVER={seconds:g}", f"{takeover(made):.1f} s to the end")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8)
