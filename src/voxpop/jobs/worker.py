"""A worker: a process that does the work of a service and answers no calls."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from voxpop.engines.registry import open_engine
from voxpop.errors import ServiceStartError, UsageError
from voxpop.jobs.opening import open_database, open_engine_of, open_population_of, open_work
from voxpop.jobs.readiness import Ready, look
from voxpop.records.addresses import is_server
from voxpop.records.database import Clock, Database, utc_now
from voxpop.records.facts import population_of
from voxpop.settings import ServiceSettings

if TYPE_CHECKING:
    from voxpop.jobs.watching import Watch


class Worker:
    """Works from the moment it is made until :meth:`stop`; any number of them work on one database.

    Parameters
    ----------
    database_url
        The address of the service's database, on a server.
    home
        The folder that keeps populations; the service's own is built there when it is not there yet and
        is of today's version.
    settings
        Which engine answers for agents, and how the work is shared; the defaults without it.
    progress
        Called with a sentence for each long step.
    clock
        Gives aware UTC datetimes.
    watch
        Counts what is done; nobody does without it.

    Raises
    ------
    UsageError
        The database is not on a server.
    ServiceStartError
        It cannot be opened, or no service was started on it yet.
    PopulationError
        The population cannot be built or read, or is of another version and its file is not there.
    """

    def __init__(
        self,
        database_url: str,
        *,
        home: Path,
        settings: ServiceSettings | None = None,
        progress: Callable[[str], None] | None = None,
        clock: Clock = utc_now,
        watch: Watch | None = None,
    ) -> None:
        if not is_server(database_url):
            raise UsageError(
                "Workers share a database server: give --database postgresql://…; "
                "a service on a SQLite file does its work itself."
            )
        chosen = settings or ServiceSettings()
        with ExitStack() as held:

            def check(database: Database) -> None:  # before a table is changed
                with database.read() as c:
                    if population_of(c) is None:
                        raise ServiceStartError(
                            "No service was started on this database yet, so nobody knows which agents it "
                            "has; start voxpop serve first."
                        )
                open_engine(chosen.engine, home=home).close()

            database = open_database(database_url, clock, chosen.work, check)
            held.callback(database.close)
            with database.read() as c:
                name = population_of(c)
            assert name is not None  # as it was a moment ago
            engine = open_engine_of(database, chosen.engine, home, int(name.split("-")[-2]))
            held.callback(engine.close)
            population = open_population_of(name, home=home, progress=progress)
            held.callback(population.close)
            self._queue, runner = open_work(
                database, population, engine, chosen, clock, held, home=home, watch=watch
            )
            self._engine, self._database, self._stopping = engine, database, False
            self._held = held.pop_all()
        self._queue.start(runner.run_item)

    def ready(self) -> Ready:
        """Return whether the worker can do work now."""
        return look(self._database, self._queue, stopping=self._stopping)

    def stop(self, drain_s: float) -> bool:
        """Begin no other work, finish what is in hand within so many seconds, and let everything go.

        Returns
        -------
        bool
            Whether all of it was finished; else others take it over.
        """
        self._stopping = True
        drained = self._queue.stop(drain_s)
        if not drained:
            self._engine.close()  # what a language model was doing is put back now
            drained = self._queue.stop(0.0)
        self._held.close()
        return drained
