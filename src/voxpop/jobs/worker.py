"""A worker: a process that runs the work of a service and answers no calls."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from voxpop.engines.registry import open_engine
from voxpop.errors import ServiceStartError, UsageError
from voxpop.jobs.opening import open_database, open_engines_of, open_population_of, open_work
from voxpop.jobs.preparing import prepare_later
from voxpop.jobs.readiness import Ready, look
from voxpop.records.addresses import is_server
from voxpop.records.database import Clock, Database, utc_now
from voxpop.records.facts import population_of
from voxpop.settings import ServiceSettings

if TYPE_CHECKING:
    from voxpop.jobs.watching import Watch


class Worker:
    """Runs work from its creation until :meth:`stop`; any number of workers may share a database.

    Parameters
    ----------
    database_url
        URL of the service's database on a server.
    home
        Folder of populations. The service's population is built there if it is missing and of the current
        version.
    settings
        Engine and work settings; the defaults if omitted.
    progress
        Called with a sentence for each long step.
    clock
        Returns aware UTC datetimes.
    watch
        Metrics, if wanted.

    Raises
    ------
    UsageError
        The database is not on a server.
    ServiceStartError
        The database cannot be opened, or no service was started on it yet.
    PopulationError
        The population cannot be built or read, or is of another version and its file is missing.
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
                "Workers need a database server: use --database postgresql://…; "
                "a service on a SQLite file runs its own work."
            )
        chosen = settings or ServiceSettings()
        with ExitStack() as held:

            def check(database: Database) -> None:  # before any table is changed
                with database.read() as c:
                    if population_of(c) is None:
                        raise ServiceStartError(
                            "No service was started on this database yet, so its population is unknown; "
                            "start voxpop serve first."
                        )
                for one in (chosen.engine, *chosen.others):
                    open_engine(one, home=home).close()

            database = open_database(database_url, clock, chosen.work, check)
            held.callback(database.close)
            with database.read() as c:
                name = population_of(c)
            assert name is not None  # checked above
            engines = open_engines_of(database, chosen, home, int(name.split("-")[-2]))
            held.callback(engines.close)
            population = open_population_of(name, home=home, progress=progress)
            held.callback(population.close)
            self._queue, runner = open_work(
                database, population, engines, chosen, clock, held, home=home, watch=watch
            )
            held.callback(prepare_later(runner.prepare))
            self._engines, self._database, self._stopping = engines, database, False
            self._held = held.pop_all()
        self._queue.start(runner.run_item)

    def ready(self) -> Ready:
        """Return whether the worker can do work now."""
        return look(self._database, self._queue, stopping=self._stopping)

    def stop(self, drain_s: float) -> bool:
        """Start no other work, finish running items within the given seconds, and close everything.

        Returns
        -------
        bool
            Whether all items were finished; otherwise other workers take them over.
        """
        self._stopping = True
        drained = self._queue.stop(drain_s)
        if not drained:
            self._engines.close()  # puts back the items of a language model now
            drained = self._queue.stop(0.0)
        self._held.close()
        return drained
