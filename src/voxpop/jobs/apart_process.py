"""Entry point of the separate process in which :mod:`voxpop.jobs.apart` runs one work item.

The process reads its task from standard input, which stays open while its parent lives. It writes JSON lines
to standard output: log records, a ready message and finally the outcome of the item.
"""

from __future__ import annotations

import logging
import os
import pickle  # nosec B403
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import asdict
from typing import IO, Any

import msgspec

from voxpop.jobs.apart import Outcome, Put, Recipe
from voxpop.jobs.logs import JsonLines, thread_of
from voxpop.jobs.opening import open_engines_of
from voxpop.jobs.runner import Runner
from voxpop.population.queries import Population
from voxpop.records import work_items
from voxpop.records.database import Database, utc_now
from voxpop.records.people import BroughtAgents

_PARENT_GONE = 3


class _Teller(logging.Handler):
    """Sends log records to the parent, which has the handlers."""

    def __init__(self, out: IO[bytes]) -> None:
        super().__init__()
        self._out = out
        self.setFormatter(JsonLines())

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        self._out.write(self.format(record).encode() + b"\n")
        self._out.flush()


class _Remembered:
    """A queue that records items for the queue of the parent."""

    def __init__(self) -> None:
        self.put_here: list[Put] = []

    def put(self, item_ids: Iterable[int], *, study_id: int | None = None) -> None:
        """Record these work items."""
        self.put_here.append(Put(list(item_ids), study_id))

    def crowded(self) -> bool:
        """Return False, because no item waits for this process."""
        return False

    def working(self) -> bool:
        """Return True."""
        return True

    def start(self, run: Callable[[int], None]) -> None:
        """Do nothing, because the item is given."""

    def stop(self, timeout: float) -> bool:
        """Return True, because nothing runs in the background."""
        return True


def main() -> None:
    """Run the work item named on standard input."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keep the output of libraries out of the messages to the parent
    recipe, item = pickle.load(sys.stdin.buffer)  # nosec B301
    threading.Thread(target=_end_with_parent, name="voxpop-parent", daemon=True).start()
    logging.basicConfig(handlers=[_Teller(out)], level=logging.INFO)
    outcome = _run(recipe, item, lambda: _tell(out, {"ready": True}))
    _tell(out, asdict(outcome))


def _run(recipe: Recipe, item: work_items.Item, ready: Callable[[], None]) -> Outcome:
    queue = _Remembered()
    with ExitStack() as held:
        database = Database.open(recipe.database_url, lease=recipe.lease)
        held.callback(database.close)
        population = Population(recipe.population)
        held.callback(population.close)
        population.guests = BroughtAgents(database)
        engines = open_engines_of(database, recipe.settings, recipe.home, population.seed)
        held.callback(engines.close)
        engine = engines.default
        runner = Runner(
            database,
            population,
            engine.respondent,
            utc_now,
            queue=queue,
            planner=engine.planner,
            writer=engine.writer,
        )
        runner.engines = engines
        ready()
        with thread_of() as counted:
            word = runner.handle(item)
    return Outcome(word, queue.put_here, {name: n for name, n in counted.items() if type(n) is int})


def _tell(out: IO[bytes], line: dict[str, Any]) -> None:
    out.write(msgspec.json.encode(line) + b"\n")
    out.flush()


def _end_with_parent() -> None:
    while sys.stdin.buffer.read(1):
        pass
    os._exit(_PARENT_GONE)


if __name__ == "__main__":
    main()
