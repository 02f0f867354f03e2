"""State of a running service: database, population, engine and queue."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from voxpop.engines.engine import Engine
from voxpop.engines.question import Question
from voxpop.engines.registry import open_engine
from voxpop.engines.several import Engines
from voxpop.jobs.opening import open_database, open_engines_of, open_population_of, open_work
from voxpop.jobs.preparing import prepare_later
from voxpop.jobs.queue import JobQueue
from voxpop.jobs.readiness import Ready, look
from voxpop.jobs.reconciler import recover
from voxpop.jobs.runner import Runner
from voxpop.population.queries import Population
from voxpop.population.reference import name_of
from voxpop.records.addresses import is_server
from voxpop.records.database import Clock, Database, utc_now
from voxpop.records.facts import keep_to_population, population_for
from voxpop.records.folder import FolderLock, sqlite_url
from voxpop.records.signing import key_of_database
from voxpop.service.admission import THREADS, Admission, run_in_threadpool
from voxpop.service.draws import Draws
from voxpop.service.guesses import Guesses
from voxpop.service.payments import Payments
from voxpop.service.payments_opening import open_payments
from voxpop.service.rate_limits import Rates, open_rates
from voxpop.service.recent import Recent, Shared
from voxpop.service.signing import Signer
from voxpop.settings import ServiceSettings
from voxpop.version import __version__
from voxpop.vocabulary.bounds import unread_notice

if TYPE_CHECKING:
    from voxpop.jobs.watching import Watch

P = ParamSpec("P")
T = TypeVar("T")

_DRAIN_S = 2.0
_FEWEST_THREADS = 4
POLL_S = (0.05, 2.0)
"""Minimum and maximum of the polling hint, in seconds."""


class Closing:
    """Signals held calls that the service is stopping."""

    def __init__(self) -> None:
        self._closed = False
        self._lock = threading.Lock()
        self._held: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    def is_set(self) -> bool:
        """Return whether the service is stopping."""
        return self._closed

    def set(self) -> None:
        """Wake all waiters; callable from any thread."""
        with self._lock:
            self._closed = True
            held = list(self._held.items())
        for event, loop in held:
            loop.call_soon_threadsafe(event.set)

    async def wait(self, seconds: float, event: asyncio.Event | None = None) -> bool:
        """Wait up to a timeout, and return whether the service is stopping or the event is set."""
        event = event or asyncio.Event()
        with self._lock:
            if self._closed:
                return True
            self._held[event] = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            return False
        finally:
            with self._lock:
                del self._held[event]
        return True


class OnceWritten:
    """The queue for routes: announces work once the transaction that created it is committed.

    Parameters
    ----------
    queue
        The underlying queue.
    database
        The database of the transactions.
    """

    def __init__(self, queue: JobQueue, database: Database) -> None:
        self._queue = queue
        self._database = database

    def put(self, item_ids: Iterable[int], *, study_id: int | None = None) -> None:
        """Announce runnable work items."""
        items = list(item_ids)
        self._database.once_written(lambda: self._queue.put(items, study_id=study_id))

    def crowded(self) -> bool:
        """Return whether runnable work is waiting for a thread."""
        return self._queue.crowded()

    def working(self) -> bool:
        """Return whether this process is taking work."""
        return self._queue.working()

    def start(self, run: Callable[[int], None]) -> None:
        """Start running work."""
        self._queue.start(run)

    def stop(self, timeout: float) -> bool:
        """Finish the current work and stop."""
        return self._queue.stop(timeout)


@dataclass(slots=True)
class ServiceState:
    """Everything that routes need; created by :func:`open_service`, released by :meth:`close`.

    Attributes
    ----------
    database, population, engines, queue, runner
        The rooms behind the service.
    payments : Payments
        The payment provider.
    settings : ServiceSettings
        Settings of the service.
    clock : callable
        Returns aware UTC datetimes.
    version : str
        The version of voxpop.
    recent : Recent
        Short-lived cache for polling.
    rates : Rates
        Rate limiter per key.
    guesses : Guesses
        Limiter of unknown keys per address.
    signer : Signer
        Signs attestations of studies.
    admission : Admission
        Shared capacities: open calls, held polls, uploads, threads.
    works : bool
        Whether this process also runs jobs.
    watch : Watch or None
        Metrics, if enabled.
    closing : Closing
        Set when the service starts to stop.
    listens_at : str
        Listening address, ``http://host:port``, set by the server.
    draws : Draws
        Pending draws of new groups.
    shared : Shared
        Running reads shared by concurrent calls.
    """

    database: Database
    population: Population
    engines: Engines
    queue: JobQueue
    runner: Runner
    payments: Payments
    settings: ServiceSettings
    clock: Clock
    version: str
    recent: Recent
    rates: Rates
    guesses: Guesses
    signer: Signer
    admission: Admission
    works: bool = True
    watch: Watch | None = None
    closing: Closing = field(default_factory=Closing)
    listens_at: str = "http://127.0.0.1"
    draws: Draws = field(default_factory=Draws)
    shared: Shared = field(default_factory=Shared)
    _held: ExitStack = field(default_factory=ExitStack, repr=False)

    @property
    def engine(self) -> Engine:
        """The default engine."""
        return self.engines.default

    @property
    def root_url(self) -> str:
        """The root of all links: the public URL, or else the listening address."""
        return self.settings.public_url or self.listens_at

    def poll_after(self, left: int) -> float:
        """Return the polling hint in seconds for a number of open answers.

        Half the time that the simulator needs, within :data:`POLL_S`. A remote engine takes seconds per
        answer.
        """
        shortest, longest = POLL_S
        if self.engines.remote:
            return min(longest, 0.1 + left / 500)
        return min(longest, max(shortest, round(left / 20_000, 2)))

    def noticed(self, question: Question, engine: Engine | None = None) -> Question:
        """Return a question with what to know before its answers are used, where the engine can tell."""
        return replace(question, notice=(engine or self.engine).notice(question))

    def unread(self, text: str, what: str) -> str | None:
        """Return a notice for a text that is read only in part; None if it is short, or for a model."""
        chosen = self.settings.engine
        reads_all = chosen.is_model and chosen.values_by is None
        return None if reads_all else unread_notice(text, what)

    async def read(self, look: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a short database read for an asynchronous route.

        With the embedded database it is faster than a thread switch and cannot block.
        """
        if self.database.alone:
            return look(*args, **kwargs)
        return await run_in_threadpool(look, *args, **kwargs)

    def ready(self) -> Ready:
        """Return whether the service is ready."""
        return look(self.database, self.queue if self.works else None, stopping=self.closing.is_set())

    def close(self) -> None:
        """Stop the work, which resumes at the next start, and release everything; idempotent."""
        self.closing.set()
        self._held.close()


def open_service(
    data: Path,
    *,
    database_url: str | None = None,
    agents: int = 100_000,
    seed: int = 7,
    home: Path,
    settings: ServiceSettings | None = None,
    progress: Callable[[str], None] | None = None,
    clock: Clock = utc_now,
    works: bool = True,
    watch: Watch | None = None,
) -> ServiceState:
    """Open the service's state, build its population if missing, and start the work.

    Parameters
    ----------
    data
        Folder of groups, studies and answers; used by one service at a time.
    database_url
        Database to use instead of the SQLite file in ``data``; a server may be shared by several services.
    agents, seed
        Size and seed of the population.
    home
        Folder of the populations.
    settings
        Settings; defaults if omitted.
    progress
        Called with a sentence for each long step.
    clock
        Returns aware UTC datetimes.
    works
        Whether this process also runs jobs, or leaves them to separate workers.
    watch
        Metrics, if enabled.

    Raises
    ------
    ServiceStartError
        Another service uses the folder, the database cannot be opened or belongs to a population of another
        seed or size, or the engine's library is not installed.
    UsageError
        The engine's budget cannot be kept.
    PopulationError
        The population cannot be built or read, or has another version whose file is missing.
    """
    chosen = settings or ServiceSettings()
    with ExitStack() as held:
        address = database_url or sqlite_url(data)
        if not is_server(address):
            held.callback(FolderLock(data).release)
        opened = _Checked(chosen, name_of(seed, agents), home, progress)
        held.callback(opened.close)
        database = open_database(address, clock, chosen.work, opened.check)
        held.callback(database.close)
        with database.begin() as connection:
            name = keep_to_population(connection, name_of(seed, agents))
            key = chosen.signing_key or key_of_database(connection)
        engines = open_engines_of(database, chosen, home, seed)
        held.callback(engines.close)
        payments = open_payments(database, chosen.payments)
        held.callback(payments.close)
        population = opened.population_of(name)
        queue, runner = open_work(database, population, engines, chosen, clock, held, home=home, watch=watch)
        if engines.remote:
            held.callback(queue.stop, 0.0)  # interrupted work of a remote engine is released now
            held.callback(engines.close)
        held.callback(queue.stop, _DRAIN_S)
        if works:
            if database.alone:  # a shared queue recovers work by itself
                recover(database, queue)
            queue.start(runner.run_item)
            held.callback(prepare_later(runner.prepare))
        return ServiceState(
            database=database,
            population=population,
            engines=engines,
            queue=OnceWritten(queue, database),
            runner=runner,
            payments=payments,
            settings=chosen,
            clock=clock,
            version=__version__,
            recent=Recent(database),
            rates=open_rates(database, clock),
            guesses=Guesses(clock, chosen.rate_guesses),
            signer=Signer(chosen.name, key),
            admission=_admission(database, chosen, watch),
            works=works,
            watch=watch,
            _held=held.pop_all(),
        )


class _Checked:
    """Checks that may refuse a start, made before any table changes."""

    def __init__(
        self, settings: ServiceSettings, name: str, home: Path, progress: Callable[[str], None] | None
    ) -> None:
        self._settings, self._name, self._home, self._progress = settings, name, home, progress
        self._population: Population | None = None

    def check(self, database: Database) -> None:
        """Raise errors that would prevent the start; the tables may have an earlier version."""
        with database.read() as connection:
            name = population_for(connection, self._name)
        for one in (self._settings.engine, *self._settings.others):
            open_engine(one, home=self._home).close()
        open_payments(database, self._settings.payments).close()
        self.population_of(name)

    def population_of(self, name: str) -> Population:
        """Return the population of a name, opening it once."""
        if self._population is None or self._population.name != name:
            self.close()
            self._population = open_population_of(name, home=self._home, progress=self._progress)
        return self._population

    def close(self) -> None:
        """Close the population."""
        if self._population is not None:
            self._population.close()
            self._population = None


def _admission(database: Database, settings: ServiceSettings, watch: Watch | None) -> Admission:
    """Return the shared capacities; a database server limits the threads to its connections."""
    threads = THREADS
    if not database.alone:
        threads = max(
            _FEWEST_THREADS, min(THREADS, settings.work.connections - 2 * settings.work.concurrency)
        )
    if watch is None:
        return Admission(settings.open_calls, threads=threads)
    database.write_turns.waited = lambda seconds: watch.wait("write", seconds)
    return Admission(settings.open_calls, threads=threads, refused=watch.refusal, waited=watch.wait)
