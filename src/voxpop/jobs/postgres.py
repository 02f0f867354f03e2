"""The queue of several machines: procrastinate on the database server, a message per organization's turn.

A message says "this organization has work" and nothing else. Whoever gets it takes the organization's next
work items from the rows, for a fraction of a second, and then puts the message back behind those of others:
so a large question of one organization does not hold up the small one of another. A message that is lost, or
that died with its worker, is told anew by whoever looks around next.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count

import psycopg
import sqlalchemy as sa
from procrastinate import App, PsycopgConnector, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ProcrastinateException
from procrastinate.jobs import Job, Status

from voxpop.errors import Unavailable, UsageError
from voxpop.jobs.postgres_schema import SEARCH_PATH, install, search_in
from voxpop.records import work
from voxpop.records.database import Database, in_turn_or_not

logger: logging.Logger = logging.getLogger(__name__)

TURN_S = 0.2
"""How long an organization is worked for before others get their turn."""

_QUEUE = "voxpop"
_TASK = "voxpop.turn"
_POLL_S = 5.0  # for news that were not heard; all others come at once
_AGAIN_S = (0.2, 5.0)  # the shortest and the longest wait before connecting anew
_CONNECT_S = 5
_SPARE = 4  # connections of the queue beside one per turn: heartbeat, fetching, looking around
_BACKGROUND = ("listener", "update_heartbeats")  # as procrastinate names these tasks
_GRACE_S = 2.0
_TELL_TRIES = 3

_TOLD = sa.text(
    "SELECT queueing_lock FROM procrastinate_jobs WHERE status = 'todo' AND queueing_lock = ANY(:locks)"
)
_CROWDED = sa.text("SELECT EXISTS (SELECT FROM procrastinate_jobs WHERE status = 'todo')")


class PostgresQueue:
    """Tells all workers on one database of work, and is one of them once it is started.

    Parameters
    ----------
    database
        A database on a server, with the tables of :func:`voxpop.jobs.postgres_schema.install`.
    concurrency
        How many work items are done at once here.
    per_organization
        How many work items of one organization are done at once, everywhere.
    takeover_s
        After how many seconds without a sign of life a worker counts as dead.
    """

    def __init__(
        self, database: Database, *, concurrency: int = 2, per_organization: int = 4, takeover_s: float = 30.0
    ) -> None:
        self._database = database
        self._concurrency = concurrency
        self._most = per_organization
        self._takeover_s = takeover_s
        self._teller = App(connector=SyncPsycopgConnector()).job_manager  # is lent our own connections
        self._run: Callable[[int], None] = lambda _: None
        self._rounds: defaultdict[int, Iterator[int]] = defaultdict(count)  # of each organization
        self._connected = False
        self._stopping = threading.Event()
        self._stopped: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def put(self, item_ids: Iterable[int], *, study_id: int | None = None) -> None:
        """Say that these work items can be run; when that cannot be said now, it is found out later.

        The rows know which of them follow others of their study.
        """
        ids = list(item_ids)
        if ids:
            self._attempt(lambda c: self._tell(c, work.organizations_of(c, ids)))

    def crowded(self) -> bool:
        """Return whether an organization waits for its turn."""
        try:
            with self._database.read() as c:
                search_in(c)
                return bool(c.execute(_CROWDED).scalar())
        except Unavailable:
            return False

    def working(self) -> bool:
        """Return whether it is connected to the server and takes work from it."""
        return self._connected and not self._stopping.is_set()

    def start(self, run: Callable[[int], None]) -> None:
        """Begin to call ``run`` with the ids of work items, from several threads; once only."""
        if self._thread is not None:
            raise UsageError("This queue was started already.")
        self._run = run
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._live()), name="voxpop-jobs", daemon=True
        )
        self._thread.start()

    def stop(self, timeout: float) -> bool:
        """Finish the work items in hand, and begin no other.

        Returns
        -------
        bool
            Whether nothing is being run any more.
        """
        self._stopping.set()
        if self._thread is None:
            return True
        if self._loop is not None and self._stopped is not None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(timeout + _GRACE_S)
        return not self._thread.is_alive()

    def look_around(self) -> None:
        """Tell of all work that nobody runs: of dead workers, and of news that were lost."""

        def look(c: sa.Connection) -> None:
            if in_turn_or_not(c, "look around"):
                self._tell(c, work.waiting_by_organization(c))

        self._attempt(look)

    def _tell(self, c: sa.Connection, waiting: Mapping[int, int]) -> None:
        """Give each organization a message per item, as many as it may have at once; those waiting count."""
        wanted = {
            f"{organization}/{place}": (organization, place)
            for organization, count in waiting.items()
            for place in range(min(count, self._most))
        }
        self._say(c, wanted)

    def _say(self, c: sa.Connection, wanted: Mapping[str, tuple[int, int]]) -> None:
        """Put messages by their names; those that wait already are not put twice."""
        search_in(c)
        for _ in range(_TELL_TRIES):
            told = set(c.execute(_TOLD, {"locks": list(wanted)}).scalars())
            messages = [_message(name, *what) for name, what in wanted.items() if name not in told]
            if not messages:
                return
            try:
                with c.begin_nested():
                    self._teller.batch_defer_jobs(messages, connection=c.connection.driver_connection)
            except AlreadyEnqueued:  # somebody else has told of one of them just now
                continue
            return

    def _attempt(self, tell: Callable[[sa.Connection], None]) -> None:
        try:
            with self._database.begin() as c:
                tell(c)
        except (Unavailable, ProcrastinateException, sa.exc.SQLAlchemyError) as error:
            logger.warning(
                "The workers could not be told of work; they find it themselves: %s",
                str(error).split("\n")[0],
            )

    def _turn(self, organization: int, place: int) -> None:
        """Work for one organization for a while; the task behind each message."""
        try:
            with self._database.seat(organization, self._most) as seated:
                if not seated:
                    return  # whoever sits there looks once more after getting up
                self._work_for(organization)
        except Unavailable as error:
            logger.warning("A turn of work was broken off: %s", error)
        except Exception:  # the thread's boundary: the rows are as they were, and somebody will see them
            logger.exception("A work item could not be run; it stays in the database.")

        def tell_of_the_rest(c: sa.Connection) -> None:
            if work.waiting_of(c, organization, 1):  # the other places have messages of their own
                self._say(c, {f"{organization}/{place}": (organization, place)})

        self._attempt(tell_of_the_rest)

    def _work_for(self, organization: int) -> None:
        """Run items of one organization for a while, of its studies in rotation."""
        ends = time.monotonic() + TURN_S
        while not self._stopping.is_set() and time.monotonic() < ends:
            with self._database.read() as c:
                waiting = work.turns_of(c, organization, self._most)
            if not waiting:
                return
            self._run(waiting[next(self._rounds[organization]) % len(waiting)])

    async def _live(self) -> None:
        """Work until told to stop; when the server goes away, wait until it is back."""
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_default_executor(
            ThreadPoolExecutor(self._concurrency + _SPARE, thread_name_prefix="voxpop-work")
        )
        self._loop.set_exception_handler(_note)
        if self._stopping.is_set():
            return
        shortest, longest = _AGAIN_S
        pause = shortest
        while not self._stopped.is_set():
            begun = time.monotonic()
            try:
                await self._work()
            except (ProcrastinateException, psycopg.Error, Unavailable, OSError) as error:
                why = " ".join(str(error.__cause__ or error).split())
                logger.warning("The queue is away; trying again in %.1f s: %s", pause, why)
            pause = shortest if time.monotonic() - begun > longest else min(longest, 2 * pause)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), pause)

    async def _work(self) -> None:
        assert self._stopped is not None
        await asyncio.to_thread(install, self._database)
        connector = PsycopgConnector(
            conninfo=self._database.server_address,
            min_size=1,
            max_size=self._concurrency + _SPARE,
            timeout=_CONNECT_S,
            kwargs={
                "options": f"-c search_path={SEARCH_PATH.replace(' ', '')}",
                "application_name": "voxpop queue",
                "connect_timeout": _CONNECT_S,
            },
        )
        app = App(connector=connector)
        app.task(name=_TASK, queue=_QUEUE)(self._turn)
        async with app.open_async():
            tasks = [
                asyncio.create_task(self._serve(app)),
                asyncio.create_task(self._look_after(app)),
                asyncio.create_task(_watch_worker()),
                asyncio.create_task(self._stopped.wait()),
            ]
            self._connected = True
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            finally:
                self._connected = False
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, app: App) -> None:
        await app.run_worker_async(
            queues=[_QUEUE],
            concurrency=self._concurrency,
            install_signal_handlers=False,
            delete_jobs="always",
            fetch_job_polling_interval=_POLL_S,
            update_heartbeat_interval=self._takeover_s / 3,
            stalled_worker_timeout=self._takeover_s,
        )

    async def _look_after(self, app: App) -> None:
        """Look around again and again, and clear away the messages of workers that are dead."""
        while True:
            await asyncio.to_thread(self.look_around)
            for stalled in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=self._takeover_s):
                assert stalled.id is not None
                with suppress(ProcrastinateException):  # somebody else has cleared it away
                    await app.job_manager.finish_job_by_id_async(
                        job_id=stalled.id, status=Status.ABORTED, delete_job=True
                    )
            await asyncio.sleep(self._takeover_s / 5)


async def _watch_worker() -> None:
    """Raise once procrastinate's worker hears no news or shows no sign of life any more.

    The worker watches its own background tasks only until the first of them has ended, and without periodic
    tasks one ends at once. After a restart of the server it would find work by polling alone, and each turn
    of 0.2 s would wait up to 5 s for the next.
    """
    ends, found = time.monotonic() + _CONNECT_S, list[asyncio.Task[object]]()
    while len(found) < len(_BACKGROUND):
        if time.monotonic() > ends:
            raise Unavailable("The worker of the queue has not started.")
        await asyncio.sleep(0.05)
        found = [task for task in asyncio.all_tasks() if task.get_name() in _BACKGROUND]
    done, _ = await asyncio.wait(found, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error
    raise Unavailable("The worker of the queue hears no news any more.")


def _message(name: str, organization: int, place: int) -> Job:
    # The first message of each organization comes before the further ones of any other.
    return Job(
        queue=_QUEUE,
        lock=None,
        queueing_lock=name,
        task_name=_TASK,
        priority=-place,
        task_kwargs={"organization": organization, "place": place},
    )


def _note(loop: asyncio.AbstractEventLoop, context: Mapping[str, object]) -> None:
    """Keep what breaks in the background of the queue out of the log: the rows tell what is to be done."""
    logger.debug("In the background of the queue: %s", context.get("message"))
