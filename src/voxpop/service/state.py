"""What a running service holds: its database, its agents, who answers for them, and the work in hand."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from voxpop.jobs.opening import open_database, open_engine_of, open_population_of, open_work
from voxpop.jobs.queue import JobQueue
from voxpop.jobs.readiness import Ready, look
from voxpop.jobs.reconciler import recover
from voxpop.jobs.runner import Runner
from voxpop.population.queries import Population
from voxpop.population.reference import name_of
from voxpop.questions.question import Question
from voxpop.records.addresses import is_server
from voxpop.records.database import Clock, Database, utc_now
from voxpop.records.facts import keep_to_population, population_for
from voxpop.records.folder import FolderLock, sqlite_url
from voxpop.records.signing import key_of_database
from voxpop.respondents.embedded import notice_of
from voxpop.respondents.engines import open_engine
from voxpop.respondents.protocol import Respondent
from voxpop.service.admission import THREADS, Admission, run_in_threadpool
from voxpop.service.draws import Draws
from voxpop.service.guesses import Guesses
from voxpop.service.payments import Payments
from voxpop.service.payments_opening import open_payments
from voxpop.service.rates import Rates, open_rates
from voxpop.service.recent import Recent, Shared
from voxpop.service.signing import Signer
from voxpop.settings import ServiceSettings
from voxpop.theses.restating import Restater
from voxpop.version import __version__
from voxpop.vocabulary.bounds import unread_notice

if TYPE_CHECKING:
    from voxpop.jobs.watching import Watch

P = ParamSpec("P")
T = TypeVar("T")

_DRAIN_S = 2.0
_FEWEST_THREADS = 4
POLL_S = (0.05, 2.0)
"""The shortest and the longest hint on when to ask for a job again, in seconds."""


class Closing:
    """Tells calls that are being held open that the service stops."""

    def __init__(self) -> None:
        self._closed = False
        self._lock = threading.Lock()
        self._held: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    def is_set(self) -> bool:
        """Return whether the service has begun to stop."""
        return self._closed

    def set(self) -> None:
        """Wake everybody who waits; from any thread."""
        with self._lock:
            self._closed = True
            held = list(self._held.items())
        for event, loop in held:
            loop.call_soon_threadsafe(event.set)

    async def wait(self, seconds: float, event: asyncio.Event | None = None) -> bool:
        """Wait at most so long, and return whether the service stops, or the event was set."""
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
    """The queue as the routes know it: it hears of work when the transaction that made the work is committed.

    Parameters
    ----------
    queue
        The queue itself.
    database
        Whose transactions.
    """

    def __init__(self, queue: JobQueue, database: Database) -> None:
        self._queue = queue
        self._database = database

    def put(self, item_ids: Iterable[int], *, study_id: int | None = None) -> None:
        """Say that these work items can be run."""
        items = list(item_ids)
        self._database.once_written(lambda: self._queue.put(items, study_id=study_id))

    def crowded(self) -> bool:
        """Return whether work waits that could be run now if there were more threads."""
        return self._queue.crowded()

    def working(self) -> bool:
        """Return whether work is taken from it in this process now."""
        return self._queue.working()

    def start(self, run: Callable[[int], None]) -> None:
        """Begin to run work."""
        self._queue.start(run)

    def stop(self, timeout: float) -> bool:
        """Finish what is in hand."""
        return self._queue.stop(timeout)


@dataclass(slots=True)
class ServiceState:
    """Everything that routes need; made by :func:`open_service`, let go by :meth:`close`.

    Attributes
    ----------
    database, population, respondent, queue, runner
        The rooms behind the service.
    payments : Payments
        Who takes payments.
    settings : ServiceSettings
        How it behaves.
    clock : callable
        Gives aware UTC datetimes.
    version : str
        The version of voxpop.
    recent : Recent
        What polling has read a moment ago.
    rates : Rates
        How often each key has called in this minute.
    guesses : Guesses
        How many unknown keys each address has sent in this minute.
    signer : Signer
        Signs what the service says of studies.
    admission : Admission
        What the callers share: open calls, held polls, uploads, threads.
    restater : Restater or None
        Who says what theses claim; None takes them in their own words.
    works : bool
        Whether this process does work, too.
    watch : Watch or None
        Counts calls and work, where somebody asked for that.
    closing : Closing
        Set when the service begins to stop.
    listens_at : str
        Where calls are heard, ``http://host:port``; whoever opens the port says it.
    draws : Draws
        The line of the calls that draw agents for a new group.
    shared : Shared
        Reads that calls share while they are under way.
    """

    database: Database
    population: Population
    respondent: Respondent
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
    restater: Restater | None = None
    works: bool = True
    watch: Watch | None = None
    closing: Closing = field(default_factory=Closing)
    listens_at: str = "http://127.0.0.1"
    draws: Draws = field(default_factory=Draws)
    shared: Shared = field(default_factory=Shared)
    _held: ExitStack = field(default_factory=ExitStack, repr=False)

    @property
    def root_url(self) -> str:
        """The address that every link begins with: the public one, or else that on which calls are heard."""
        return self.settings.public_url or self.listens_at

    def poll_after(self, left: int) -> float:
        """Return after how many seconds to ask again, when so many answers are still to be made.

        Half the time that the embedded engine takes for them, but within :data:`POLL_S`. A language model
        takes seconds for a single answer.
        """
        shortest, longest = POLL_S
        if not self.settings.engine.embedded:
            return min(longest, 0.1 + left / 500)
        return min(longest, max(shortest, round(left / 20_000, 2)))

    def noticed(self, question: Question) -> Question:
        """Return a question with what whoever asks it should know of its answers; a model's as it is."""
        return replace(question, notice=notice_of(question)) if self.settings.engine.embedded else question

    def unread(self, text: str, what: str) -> str | None:
        """Return what to tell of a text of which not all is read; None of one that is, and for a model."""
        return unread_notice(text, what) if self.settings.engine.embedded else None

    async def read(self, look: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a short look into the database for an asynchronous route.

        In the embedded database it takes less time than a change of threads, and nobody can hold it up.
        """
        if self.database.alone:
            return look(*args, **kwargs)
        return await run_in_threadpool(look, *args, **kwargs)

    def ready(self) -> Ready:
        """Return whether the service can do what it is there for now."""
        return look(self.database, self.queue if self.works else None, stopping=self.closing.is_set())

    def close(self) -> None:
        """Stop the work, which goes on at the next start, and let everything go; again is harmless."""
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
    """Open the service's state, build its population when it is not there yet, and start working.

    Parameters
    ----------
    data
        The folder that keeps groups, studies and answers; one service at a time may use it.
    database_url
        A database instead of the SQLite file in ``data``; several services may work on one of a server.
    agents, seed
        Size and seed of the population.
    home
        The folder that keeps populations.
    settings
        How the service behaves; the defaults without it.
    progress
        Called with a sentence for each long step.
    clock
        Gives aware UTC datetimes.
    works
        Whether this process does the work too, or leaves all of it to workers beside it.
    watch
        Counts calls and work; nobody does without it.

    Raises
    ------
    ServiceStartError
        Another service uses the folder, the database cannot be opened, its agents are of a population of
        another seed or size, or the engine's library is not installed.
    UsageError
        The engine's budget cannot be kept.
    PopulationError
        The population cannot be built or read, or is of another version and its file is not there.
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
        engine = open_engine_of(database, chosen.engine, home, seed)
        held.callback(engine.close)
        payments = open_payments(database, chosen.payments)
        held.callback(payments.close)
        population = opened.population_of(name)
        queue, runner = open_work(database, population, engine, chosen, clock, held, home=home, watch=watch)
        if not chosen.engine.embedded:
            held.callback(queue.stop, 0.0)  # what a language model was doing is put back now
            held.callback(engine.close)
        held.callback(queue.stop, _DRAIN_S)
        if works:
            if database.alone:  # a queue of several machines looks around by itself
                recover(database, queue)
            queue.start(runner.run_item)
        return ServiceState(
            database=database,
            population=population,
            respondent=engine.respondent,
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
            restater=engine.restater,
            works=works,
            watch=watch,
            _held=held.pop_all(),
        )


class _Checked:
    """All that may refuse a start, looked at before a table is changed; it keeps the population it opened."""

    def __init__(
        self, settings: ServiceSettings, name: str, home: Path, progress: Callable[[str], None] | None
    ) -> None:
        self._settings, self._name, self._home, self._progress = settings, name, home, progress
        self._population: Population | None = None

    def check(self, database: Database) -> None:
        """Raise what would refuse the start later; the tables may be those of an earlier version."""
        with database.read() as connection:
            name = population_for(connection, self._name)
        open_engine(self._settings.engine, home=self._home).close()
        open_payments(database, self._settings.payments).close()
        self.population_of(name)

    def population_of(self, name: str) -> Population:
        """Return the population of a name, which is opened once."""
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
    """Return what callers share; on a server there are no more threads than connections for them."""
    threads = THREADS
    if not database.alone:
        threads = max(
            _FEWEST_THREADS, min(THREADS, settings.work.connections - 2 * settings.work.concurrency)
        )
    if watch is None:
        return Admission(settings.open_calls, threads=threads)
    database.write_turns.waited = lambda seconds: watch.wait("write", seconds)
    return Admission(settings.open_calls, threads=threads, refused=watch.refusal, waited=watch.wait)
