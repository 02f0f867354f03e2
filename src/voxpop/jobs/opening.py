"""What every process that does work opens: the database, its queue, and who answers for agents.

The embedded database has a thread for a queue, a server has procrastinate.
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
from voxpop.engines.registry import open_engine
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
from voxpop.records import model_calls, work
from voxpop.records.addresses import is_server, not_ready
from voxpop.records.database import Clock, Database
from voxpop.settings import EngineSettings, ServiceSettings, WorkSettings

if TYPE_CHECKING:
    from voxpop.jobs.watching import Watch

logger = logging.getLogger(__name__)

_LEASE_SHARE = 0.7
"""Of the time after which work is taken over: the rest is for noticing that a claim has run out."""

_AGAIN_S = (0.1, 2.0)  # the shortest and the longest pause while a server starts
_LOG_EVERY_S = 5.0
_PER_LEASE = 3  # renewals of a claim, so that one may fail
_REMOTE_THREADS = 4  # a hundred agents whose last one takes long do not hold up the others
_PER_ITEM, _SPARE = 2, 3
"""Connections for each work item at once, its seat and what it reads or writes; and for all else."""


def open_database(
    url: str, clock: Clock, settings: WorkSettings, check: Callable[[Database], None] = lambda _: None
) -> Database:
    """Open a database for a process that works on it, and bring its tables and those of its queue up to date.

    Parameters
    ----------
    url, clock, settings
        Where it is, what time it is, and how its work is shared.
    check
        Called with the database before anything of it is changed; what it raises leaves it as it is.

    Raises
    ------
    ServiceStartError
        It cannot be opened, or the libraries for a server are not installed.
    """
    lease = timedelta(seconds=_LEASE_SHARE * settings.takeover_s)
    connections = max(settings.connections, _PER_ITEM * settings.concurrency + _SPARE)
    database = Database.open(url, clock=clock, lease=lease, connections=connections, check=check)
    if database.alone:
        database.check_in_background()
        return database
    try:
        from voxpop.jobs.postgres_schema import install  # the extra

        install(database)
    except ModuleNotFoundError as error:
        database.close()
        raise _missing(error) from error
    except BaseException:
        database.close()
        raise
    return database


def await_server(url: str, stopping: threading.Event, *, refused: bool = False) -> bool:
    """Wait while a database server starts or recovers; what is wrong for good is left to its opening.

    Parameters
    ----------
    url
        The address of the database; a file is never waited for.
    stopping
        Ends the waiting.
    refused
        Whether to wait for a server that nobody hears at the address yet, too.

    Returns
    -------
    bool
        False when told to stop.
    """
    if not is_server(url) or find_spec("psycopg") is None:
        return not stopping.is_set()
    pause, longest = _AGAIN_S
    logged_until = 0.0
    while (why := not_ready(url, refused=refused)) is not None:
        if time.monotonic() >= logged_until:
            logger.warning("The database server is not ready, and is waited for: %s.", why)
            logged_until = time.monotonic() + _LOG_EVERY_S
        if stopping.wait(pause):
            return False
        pause = min(longest, 2 * pause)
    return not stopping.is_set()


def open_queue(database: Database, settings: WorkSettings, *, threads: int | None = None) -> JobQueue:
    """Return the queue of a database that :func:`open_database` has opened.

    Parameters
    ----------
    database, settings
        The database, and how its work is shared.
    threads
        How many work items the embedded database's queue runs at once, all of one study if need be; its
        own number, one of each study, without it.
    """
    if database.alone:
        taken = {} if threads is None else {"threads": threads, "at_once": threads}

        def owner(item_id: int) -> int | None:
            with database.read() as c:
                return next(iter(work.organizations_of(c, [item_id])), None)

        return LocalQueue(lambda: find(database), owner=owner, every=settings.takeover_s / 5, **taken)
    from voxpop.jobs.postgres import PostgresQueue  # the extra

    return PostgresQueue(
        database,
        concurrency=max(settings.concurrency, threads or 0),
        per_organization=settings.per_organization,
        takeover_s=settings.takeover_s,
    )


def open_population_of(name: str, *, home: Path, progress: Callable[[str], None] | None = None) -> Population:
    """Open the population that a service draws from, and say so where it is not of today's version.

    Raises
    ------
    PopulationError
        It cannot be built or read, or is of another version and its file is not there.
    """
    population = open_named(name, home=home, progress=progress)
    if population.version != POPULATION_VERSION:
        logger.warning(
            "This service goes on with population %s, from which its agents are; "
            "a new data folder or database gets %s.",
            population.version,
            POPULATION_VERSION,
        )
    return population


def open_work(
    database: Database,
    population: Population,
    engine: Engine,
    settings: ServiceSettings,
    clock: Clock,
    held: ExitStack,
    *,
    home: Path,
    watch: Watch | None = None,
) -> tuple[JobQueue, Runner]:
    """Return the queue of a database and who runs its items; the queue is not started yet.

    Parameters
    ----------
    database, population, engine, settings, clock
        What the work is done with.
    held
        Is told what to let go of in the end.
    home
        The folder that keeps populations and the answers of language models.
    watch
        Counts what is done; nobody does without it.
    """
    queue = open_queue(database, settings.work, threads=_REMOTE_THREADS if engine.remote else None)
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
    runner.apart = apart
    if watch is not None:
        watch.look_at(database)
    return queue, runner


def open_engine_of(database: Database, settings: EngineSettings, home: Path, seed: int) -> Engine:
    """Open the engine; the budget of a language model counts what was spent on this database before."""
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
