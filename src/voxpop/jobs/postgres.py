"""The queue for several machines: procrastinate on the database server, with one message per turn.

A message only says that an organization has work. The worker that receives it takes the organization's next
work items from the rows for a fraction of a second, then requeues the message behind those of other
organizations, so that a large question of one organization does not delay a small one of another. A message
that is lost, or whose worker died, is sent again by the next periodic check.
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
from voxpop.records import work_items
from voxpop.records.database import Database, in_turn_or_not

logger: logging.Logger = logging.getLogger(__name__)

TURN_S = 0.2
"""Duration of an organization's turn, in seconds, before others get theirs."""

_QUEUE = "voxpop"
_TASK = "voxpop.turn"
_POLL_S = 5.0  # fallback for lost notifications; the others arrive at once
_AGAIN_S = (0.2, 5.0)  # shortest and longest wait before reconnecting
_CONNECT_S = 5
_SPARE = 4  # connections of the queue beyond one per turn: heartbeat, fetching, periodic check
_BACKGROUND = ("listener", "update_heartbeats")  # procrastinate's names of these tasks
_GRACE_S = 2.0
_TELL_TRIES = 3

_TOLD = sa.text(
    "SELECT queueing_lock FROM procrastinate_jobs WHERE status = 'todo' AND queueing_lock = ANY(:locks)"
)
_CROWDED = sa.text("SELECT EXISTS (SELECT FROM procrastinate_jobs WHERE status = 'todo')")


class PostgresQueue:
    """Announces work to all workers on a database and, once started, is one of them.

    Parameters
    ----------
    database
        A database on a server with the tables of :func:`voxpop.jobs.postgres_schema.install`.
    concurrency
        Number of work items to run concurrently in this process.
    per_organization
        Number of work items of one organization to run concurrently, over all processes.
    takeover_s
        Seconds without a heartbeat after which a worker counts as dead.
    """

    def __init__(
        self, database: Database, *, concurrency: int = 2, per_organization: int = 4, takeover_s: float = 30.0
    ) -> None:
        self._database = database
        self._concurrency = concurrency
        self._most = per_organization
        self._takeover_s = takeover_s
        self._teller = App(connector=SyncPsycopgConnector()).job_manager  # uses our own connections
        self._run: Callable[[int], None] = lambda _: None
        self._rounds: defaultdict[int, Iterator[int]] = defaultdict(count)  # by organization
        self._connected = False
        self._stopping = threading.Event()
        self._stopped: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def put(self, item_ids: Iterable[int], *, study_id: int | None = None) -> None:
        """Announce work items; if that fails, the next periodic check finds them.

        The rows record which items follow others of their study.
        """
        ids = list(item_ids)
        if ids:
            self._attempt(lambda c: self._tell(c, work_items.organizations_of(c, ids)))

    def crowded(self) -> bool:
        """Return whether an organization waits for its turn."""
        try:
            with self._database.read() as c:
                search_in(c)
                return bool(c.execute(_CROWDED).scalar())
        except Unavailable:
            return False

    def working(self) -> bool:
        """Return whether the queue is connected to the server and takes work from it."""
        return self._connected and not self._stopping.is_set()

    def start(self, run: Callable[[int], None]) -> None:
        """Start to call ``run`` with the ids of work items from several threads; allowed only once."""
        if self._thread is not None:
            raise UsageError("This queue has already been started.")
        self._run = run
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._live()), name="voxpop-jobs", daemon=True
        )
        self._thread.start()

    def stop(self, timeout: float) -> bool:
        """Finish the running work items, and start no others.

        Returns
        -------
        bool
            Whether no item is running any more.
        """
        self._stopping.set()
        if self._thread is None:
            return True
        if self._loop is not None and self._stopped is not None:
            with suppress(RuntimeError):  # the loop has already ended
                self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(timeout + _GRACE_S)
        return not self._thread.is_alive()

    def look_around(self) -> None:
        """Announce all unclaimed work: that of dead workers, and that of lost messages."""

        def look(c: sa.Connection) -> None:
            if in_turn_or_not(c, "look around"):
                self._tell(c, work_items.waiting_by_organization(c))

        self._attempt(look)

    def _tell(self, c: sa.Connection, waiting: Mapping[int, int]) -> None:
        """Send each organization a message per item up to its limit, including messages that wait."""
        wanted = {
            f"{organization}/{place}": (organization, place)
            for organization, count in waiting.items()
            for place in range(min(count, self._most))
        }
        self._say(c, wanted)

    def _say(self, c: sa.Connection, wanted: Mapping[str, tuple[int, int]]) -> None:
        """Send messages by name; messages that already wait are not sent twice."""
        search_in(c)
        for _ in range(_TELL_TRIES):
            told = set(c.execute(_TOLD, {"locks": list(wanted)}).scalars())
            messages = [_message(name, *what) for name, what in wanted.items() if name not in told]
            if not messages:
                return
            try:
                with c.begin_nested():
                    self._teller.batch_defer_jobs(messages, connection=c.connection.driver_connection)
            except AlreadyEnqueued:  # another process has just sent one of them
                continue
            return

    def _attempt(self, tell: Callable[[sa.Connection], None]) -> None:
        try:
            with self._database.begin() as c:
                tell(c)
        except (Unavailable, ProcrastinateException, sa.exc.SQLAlchemyError) as error:
            logger.warning(
                "Work could not be announced; workers will find it by polling: %s",
                str(error).split("\n")[0],
            )

    def _turn(self, organization: int, place: int) -> None:
        """Run one turn of an organization; the task behind each message."""
        try:
            with self._database.seat(organization, self._most) as seated:
                if not seated:
                    return  # the holder of the seat checks for work again after releasing it
                self._work_for(organization)
        except Unavailable as error:
            logger.warning("A turn of work was interrupted: %s", error)
        except Exception:  # thread boundary: the rows are unchanged, and a later check finds them
            logger.exception("A work item could not be run; it stays in the database.")

        def tell_of_the_rest(c: sa.Connection) -> None:
            if work_items.waiting_of(c, organization, 1):  # the other places have their own messages
                self._say(c, {f"{organization}/{place}": (organization, place)})

        self._attempt(tell_of_the_rest)

    def _work_for(self, organization: int) -> None:
        """Run items of one organization for one turn, rotating among its studies."""
        ends = time.monotonic() + TURN_S
        while not self._stopping.is_set() and time.monotonic() < ends:
            with self._database.read() as c:
                waiting = work_items.turns_of(c, organization, self._most)
            if not waiting:
                return
            self._run(waiting[next(self._rounds[organization]) % len(waiting)])

    async def _live(self) -> None:
        """Work until told to stop; reconnect if the server goes away."""
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
                logger.warning("The queue is unavailable; trying again in %.1f s: %s", pause, why)
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
        """Repeat the periodic check, and delete the messages of dead workers."""
        while True:
            await asyncio.to_thread(self.look_around)
            for stalled in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=self._takeover_s):
                assert stalled.id is not None
                with suppress(ProcrastinateException):  # another process has deleted it
                    await app.job_manager.finish_job_by_id_async(
                        job_id=stalled.id, status=Status.ABORTED, delete_job=True
                    )
            await asyncio.sleep(self._takeover_s / 5)


async def _watch_worker() -> None:
    """Raise once procrastinate's worker has lost its listener or heartbeat.

    The worker watches its own background tasks only until the first of them has ended, and without periodic
    tasks one ends at once. After a restart of the server it would find work by polling alone, and each turn
    of 0.2 s would wait up to 5 s for the next.
    """
    ends, found = time.monotonic() + _CONNECT_S, list[asyncio.Task[object]]()
    while len(found) < len(_BACKGROUND):
        if time.monotonic() > ends:
            raise Unavailable("The queue's worker has not started.")
        await asyncio.sleep(0.05)
        found = [task for task in asyncio.all_tasks() if task.get_name() in _BACKGROUND]
    done, _ = await asyncio.wait(found, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error
    raise Unavailable("The queue's worker has stopped listening.")


def _message(name: str, organization: int, place: int) -> Job:
    # The first message of each organization comes before the second of any other.
    return Job(
        queue=_QUEUE,
        lock=None,
        queueing_lock=name,
        task_name=_TASK,
        priority=-place,
        task_kwargs={"organization": organization, "place": place},
    )


def _note(loop: asyncio.AbstractEventLoop, context: Mapping[str, object]) -> None:
    """Keep background errors of the queue out of the log, since the rows record the pending work."""
    logger.debug("Background error of the queue: %s", context.get("message"))
