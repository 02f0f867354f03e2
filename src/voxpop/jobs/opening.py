"""Setup shared by all processes that run work: database, queue, engine and population.

The embedded database uses threads as its queue; a database server uses procrastinate.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from voxpop.engines.engine import Engine
from voxpop.engines.informed import informed
from voxpop.engines.registry import open_engine
from voxpop.engines.several import Engines
from voxpop.engines.survey_file import opened_survey
from voxpop.errors import ServiceStartError
from voxpop.jobs.apart import Apart, Recipe
from voxpop.jobs.heartbeat import Heartbeat
from voxpop.jobs.local import LocalQueue
from voxpop.jobs.queue import JobQueue
from voxpop.jobs.reconciler import find
from voxpop.jobs.runner import Runner
from voxpop.population.file import open_named
from voxpop.population.queries import Population
from voxpop.population.reference import POPULATION_VERSION
from voxpop.records import model_calls, work_items
from voxpop.records.addresses import is_server, not_ready
from voxpop.records.database import Clock, Database
from voxpop.records.people import BroughtAgents
from voxpop.settings import EngineSettings, ServiceSettings, WorkSettings

if TYPE_CHECKING:
    from voxpop.jobs.watching import Watch

logger: logging.Logger = logging.getLogger(__name__)

_LEASE_SHARE = 0.7
"""Length of a lease as a share of the takeover time; the rest is for noticing that a lease expired."""

_AGAIN_S = (0.1, 2.0)  # shortest and longest pause while a server starts
_LOG_EVERY_S = 5.0
_PER_LEASE = 3  # renewals per lease, so that one may fail
_BATCH_THREADS = 64  # which wait; a batch holds the texts of all of them
_REMOTE_THREADS = 4  # so that one slow agent out of a hundred does not block other items
_PER_ITEM, _SPARE = 2, 3
"""Connections per concurrent work item (its seat and its queries), and for everything else."""


def open_database(
    url: str, clock: Clock, settings: WorkSettings, check: Callable[[Database], None] = lambda _: None
) -> Database:
    """Open a database for a process that runs work, and migrate its tables and those of its queue.

    Parameters
    ----------
    url, clock, settings
        The database URL, the clock and the work settings.
    check
        Called with the database before anything in it is changed; an error leaves it unchanged.

    Raises
    ------
    ServiceStartError
        The database cannot be opened, or the libraries for a server are not installed.
    """
    lease = timedelta(seconds=_LEASE_SHARE * settings.takeover_s)
    connections = max(settings.connections, _PER_ITEM * settings.concurrency + _SPARE)
    database = Database.open(url, clock=clock, lease=lease, connections=connections, check=check)
    if database.alone:
        database.check_in_background()
        return database
    try:
        from voxpop.jobs.postgres_schema import install  # optional extra

        install(database)
    except ModuleNotFoundError as error:
        database.close()
        raise _missing(error) from error
    except BaseException:
        database.close()
        raise
    return database


def await_server(url: str, stopping: threading.Event, *, refused: bool = False) -> bool:
    """Wait while a database server starts or recovers; permanent errors surface when it is opened.

    Parameters
    ----------
    url
        The URL of the database; never waits for a file.
    stopping
        Event that ends the wait.
    refused
        Whether to wait as well while the address refuses connections.

    Returns
    -------
    bool
        False if ``stopping`` was set.
    """
    if not is_server(url) or find_spec("psycopg") is None:
        return not stopping.is_set()
    pause, longest = _AGAIN_S
    logged_until = 0.0
    while (why := not_ready(url, refused=refused)) is not None:
        if time.monotonic() >= logged_until:
            logger.warning("The database server is not ready; waiting for it: %s.", why)
            logged_until = time.monotonic() + _LOG_EVERY_S
        if stopping.wait(pause):
            return False
        pause = min(longest, 2 * pause)
    return not stopping.is_set()


def open_queue(database: Database, settings: WorkSettings, *, threads: int | None = None) -> JobQueue:
    """Return the queue of a database opened with :func:`open_database`.

    Parameters
    ----------
    database, settings
        The database and the work settings.
    threads
        Number of work items that the queue of the embedded database runs concurrently, all of one study if
        necessary; by default its own number of threads, with one item per study.
    """
    if database.alone:
        taken = {} if threads is None else {"threads": threads, "at_once": threads}

        def owner(item_id: int) -> int | None:
            with database.read() as c:
                return next(iter(work_items.organizations_of(c, [item_id])), None)

        return LocalQueue(lambda: find(database), owner=owner, every=settings.takeover_s / 5, **taken)
    from voxpop.jobs.postgres import PostgresQueue  # optional extra

    return PostgresQueue(
        database,
        concurrency=max(settings.concurrency, threads or 0),
        per_organization=settings.per_organization,
        takeover_s=settings.takeover_s,
    )


def open_population_of(name: str, *, home: Path, progress: Callable[[str], None] | None = None) -> Population:
    """Open the population that a service draws from, and log if it is of an older version.

    Raises
    ------
    PopulationError
        The population cannot be built or read, or is of another version and its file is missing.
    """
    population = open_named(name, home=home, progress=progress)
    if population.version != POPULATION_VERSION:
        logger.warning(
            "This service continues with population %s, on which its data are based; "
            "a new data folder or database gets %s.",
            population.version,
            POPULATION_VERSION,
        )
    return population


def open_work(
    database: Database,
    population: Population,
    engines: Engines,
    settings: ServiceSettings,
    clock: Clock,
    held: ExitStack,
    *,
    home: Path,
    watch: Watch | None = None,
) -> tuple[JobQueue, Runner]:
    """Return the queue of a database and the runner of its items; the queue is not started yet.

    Parameters
    ----------
    database, population, engines, settings, clock
        Parts of the runner.
    held
        Receives the resources to close at the end.
    home
        Folder of populations and of cached answers of language models.
    watch
        Metrics, if wanted.
    """
    population.guests = BroughtAgents(database)
    engine = engines.default
    threads = _BATCH_THREADS if engines.batched else _REMOTE_THREADS if engines.remote else None
    queue = open_queue(database, settings.work, threads=threads)
    heartbeat = Heartbeat(database, every=database.lease.total_seconds() / _PER_LEASE)
    held.callback(heartbeat.stop)
    apart = Apart(Recipe(database.address, database.lease, home, population.path, settings))
    held.callback(apart.close)
    runner = Runner(
        database,
        population,
        engine.respondent,
        clock,
        queue=queue,
        planner=engine.planner,
        writer=engine.writer,
        heartbeat=heartbeat,
        watch=watch,
    )
    runner.apart, runner.engines = apart, engines
    if watch is not None:
        watch.look_at(database)
    return queue, runner


def open_engines_of(database: Database, settings: ServiceSettings, home: Path, seed: int) -> Engines:
    """Open all engines of a service, with the survey of people in front of them if there is one.

    Engines already open are closed if one cannot be opened.
    """
    survey = opened_survey(settings.knowledge)
    with ExitStack() as opened:
        found: dict[str, Engine] = {}
        for one in (settings.engine, *settings.others):
            engine = open_engine_of(database, one, home, seed)
            opened.callback(engine.close)
            found[one.name] = engine if survey is None else informed(engine, survey)
        opened.pop_all()
    return Engines(found)


def open_engine_of(database: Database, settings: EngineSettings, home: Path, seed: int) -> Engine:
    """Open the engine; the budget of a language model includes earlier spend on this database."""
    if not settings.is_model:
        return open_engine(settings, home=home)
    with database.read() as c:
        before = model_calls.total(c, engine=settings.name)
    return open_engine(
        settings,
        home=home,
        seed=seed,
        taken_microdollars=before.cost_microdollars,
        taken_tokens=before.input_tokens + before.output_tokens,
    )


def _missing(error: ModuleNotFoundError) -> ServiceStartError:
    return ServiceStartError(f"The library {error.name} is not installed; voxpop[postgres] brings it.")
