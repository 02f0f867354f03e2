"""The PostgreSQL queue: announcements, turns of organizations, and recovery from lost messages."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from prometheus_client import generate_latest

from postgres_server import PostgresServer
from run_out import run_out
from voxpop import settings
from voxpop.errors import UsageError
from voxpop.jobs.postgres import PostgresQueue
from voxpop.jobs.postgres_schema import SCHEMA, install
from voxpop.jobs.watching import Watch
from voxpop.records import keys, work_items
from voxpop.records.database import Database, in_turn
from voxpop.records.schema import work_items as items_table

ROOT = Path(__file__).parents[2]

Make = Callable[..., PostgresQueue]


@pytest.fixture(params=["postgresql"])
def database_url(postgres: PostgresServer) -> Iterator[str]:
    address = postgres.new()
    yield address
    postgres.give_back(address)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database.open(database_url)
    install(opened)
    yield opened
    opened.close()


@pytest.fixture
def make(database: Database) -> Iterator[Make]:
    made: list[PostgresQueue] = []

    def queue(**settings: Any) -> PostgresQueue:
        made.append(PostgresQueue(database, **({"takeover_s": 1.0} | settings)))
        return made[-1]

    yield queue
    for each in made:
        assert each.stop(10)


def queued(database: Database, organization: str, count: int) -> list[int]:
    """Add work of an arbitrary kind."""
    with database.begin() as c:
        number = keys.organization_id(c, organization) or keys.create_organization(c, organization)
        return work_items.create(c, number, "question", count=count, study_id=None, question_id=None)


def messages(database: Database) -> int:
    with database.read() as c:
        return int(c.exec_driver_sql(f"SELECT count(*) FROM {SCHEMA}.procrastinate_jobs").scalar_one())


def waiting(database: Database) -> int:
    with database.read() as c:
        return int(c.exec_driver_sql("SELECT count(*) FROM pg_locks WHERE NOT granted").scalar_one())


def listening(database: Database) -> bool:
    with database.read() as c:
        asked = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() "
        return bool(c.exec_driver_sql(asked + "AND query ILIKE 'LISTEN%%')").scalar_one())


def until(said: Callable[[], bool]) -> None:
    ends = time.monotonic() + 20
    while not said():
        assert time.monotonic() < ends
        time.sleep(0.01)


class Hands:
    """A runner that claims and finishes items, and records their organizations in order."""

    def __init__(self, database: Database, each_s: float = 0.0) -> None:
        self.database = database
        self.each_s = each_s
        self.done: list[tuple[int, int]] = []
        self.busy: Counter[int] = Counter()
        self.busiest: Counter[int] = Counter()
        self._lock = threading.Lock()

    def __call__(self, number: int) -> None:
        with self.database.begin() as c:
            item = work_items.claim(c, number)
        if item is None:
            return
        with self._lock:
            self.busy[item.organization_id] += 1
            self.busiest |= self.busy
        time.sleep(self.each_s)
        with self._lock:
            self.busy[item.organization_id] -= 1
            self.done.append((item.organization_id, number))
        with self.database.begin() as c:
            work_items.finish(c, item)


def test_work_that_is_told_of_before_or_after_the_start_is_done_once(database: Database, make: Make) -> None:
    queue, hands = make(), Hands(database)
    items = queued(database, "a", 30)
    queue.put(items)
    queue.start(hands)
    until(lambda: len(hands.done) == 30)
    more = queued(database, "a", 5)
    queue.put(more)
    until(lambda: len(hands.done) == 35)
    assert sorted(number for _, number in hands.done) == items + more
    until(lambda: messages(database) == 0)


def test_what_is_told_twice_makes_no_more_messages_than_may_be_worked_on(
    database: Database, make: Make
) -> None:
    queue, items = make(per_organization=4), queued(database, "a", 100)
    for _ in range(3):
        queue.put(items)
    assert messages(database) == 4
    queue.put(queued(database, "b", 1))
    assert messages(database) == 5


def test_several_tell_of_the_same_work_at_once(database: Database, make: Make) -> None:
    queue, items = make(), queued(database, "a", 100)
    with ThreadPoolExecutor(8) as crowd:
        list(crowd.map(lambda _: queue.put(items), range(8)))
    assert messages(database) == 4


def test_the_small_work_of_one_comes_before_most_of_the_large_work_of_another(
    database: Database, make: Make
) -> None:
    queue, hands = make(concurrency=2), Hands(database, each_s=0.02)
    queue.put(queued(database, "large", 200))
    queue.start(hands)
    until(lambda: len(hands.done) >= 10)
    small = queued(database, "small", 2)
    queue.put(small)
    until(lambda: len(hands.done) == 202)
    places = [place for place, (_, number) in enumerate(hands.done) if number in small]
    assert max(places) < 100


def test_an_organization_has_no_more_in_hand_at_once_than_it_may(database: Database, make: Make) -> None:
    hands = Hands(database, each_s=0.02)
    queues = [make(concurrency=4, per_organization=2) for _ in range(2)]
    items = queued(database, "a", 60)
    for queue in queues:
        queue.start(hands)
    for start in range(0, 60, 10):
        queues[0].put(items[start : start + 10])
    until(lambda: len(hands.done) == 60)
    (most,) = hands.busiest.values()
    assert most <= 2


def test_messages_that_are_lost_are_told_anew(database: Database, make: Make) -> None:
    queue, hands = make(), Hands(database)
    queued(database, "a", 20)  # and nobody is told
    queue.start(hands)
    until(lambda: len(hands.done) == 20)


def test_even_all_tables_of_the_queue_may_be_lost(database: Database, make: Make) -> None:
    items = queued(database, "a", 20)
    make().put(items)
    with database.begin() as c:
        c.exec_driver_sql(f"DROP SCHEMA {SCHEMA} CASCADE")
    make().put(items)  # cannot be told, and says so in the log
    queue, hands = make(), Hands(database)
    queue.start(hands)
    until(lambda: len(hands.done) == 20)
    assert not install(database)  # the queue has made them anew


def test_the_work_and_the_messages_of_the_dead_are_taken_over(database: Database, make: Make) -> None:
    items = queued(database, "a", 3)
    with database.begin() as c:
        assert all(work_items.claim(c, item) for item in items)
        c.exec_driver_sql(
            f"INSERT INTO {SCHEMA}.procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 day')"
        )
        c.exec_driver_sql(
            f"INSERT INTO {SCHEMA}.procrastinate_jobs (queue_name, task_name, status, worker_id) "
            f"SELECT 'voxpop', 'voxpop.turn', 'doing', id FROM {SCHEMA}.procrastinate_workers"
        )
    queue, hands = make(), Hands(database)
    queue.start(hands)
    run_out(database)
    until(lambda: len(hands.done) == 3)
    until(lambda: messages(database) == 0)


def test_what_cannot_be_run_stays_and_the_queue_goes_on(
    database: Database, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    hands, failed = Hands(database), threading.Event()
    bad, *good = queued(database, "a", 4)

    def run(number: int) -> None:
        if number == bad and not failed.is_set():
            failed.set()
            raise RuntimeError("the disk is full")
        hands(number)

    queue = make()
    queue.put([bad, *good])
    queue.start(run)
    until(lambda: len(hands.done) == 4)
    assert "could not be run" in caplog.text


def test_stopping_finishes_what_is_in_hand_and_leaves_the_rest_to_others(
    database: Database, make: Make
) -> None:
    queue, hands = make(concurrency=2), Hands(database, each_s=0.05)
    queue.put(queued(database, "a", 40))
    queue.start(hands)
    until(lambda: len(hands.done) >= 2)
    assert queue.stop(5)
    done = len(hands.done)
    assert done < 40
    with database.read() as c:
        states = Counter(c.execute(sa.select(items_table.c.state)).scalars())
    assert states == {"done": done, "queued": 40 - done}
    other = make()
    other.start(hands)
    until(lambda: len(hands.done) == 40)


def test_a_server_that_restarts_is_waited_for(
    database: Database, make: Make, postgres: PostgresServer, database_url: str
) -> None:
    queue, hands = make(), Hands(database)
    queue.start(hands)
    queue.put(queued(database, "a", 2))
    until(lambda: len(hands.done) == 2)
    postgres.allow(database_url, False)
    time.sleep(0.3)
    postgres.allow(database_url, True)
    queue.put(queued(database, "a", 2))
    until(lambda: len(hands.done) == 4)


def test_news_are_heard_at_once_after_a_restart_of_the_server(
    database: Database,
    make: Make,
    postgres: PostgresServer,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "voxpop.jobs.postgres._POLL_S", 600.0
    )  # so that nothing is found but by hearing of it
    queue, hands = make(takeover_s=600.0), Hands(database)
    queue.start(hands)
    until(lambda: listening(database))
    queue.put(queued(database, "a", 2))
    until(lambda: len(hands.done) == 2)
    postgres.allow(database_url, False)
    until(lambda: not queue.working())
    postgres.allow(database_url, True)
    until(lambda: listening(database))
    time.sleep(0.5)  # by then it has looked around, as at each start
    for count in (3, 4, 5):
        queue.put(queued(database, "a", 1))
        until(lambda count=count: len(hands.done) == count)


def test_what_the_operations_page_tells_to_watch_can_be_asked(database: Database) -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    asked = re.findall(r"`(SELECT [^`]+)`", page)
    assert len(asked) >= 2
    with database.read() as c:
        for statement in asked:
            c.exec_driver_sql(statement).all()
    watch = Watch("worker")
    watch.look_at(database)
    figures = generate_latest(watch.registry).decode()
    counted = set(re.findall(r"\b(?:voxpop|process)_[a-z_]+(?=[^a-z_.*])", page)) - {"voxpop_queue"}
    assert {name for name in counted if not re.search(rf"{name.removesuffix('_count')}\b", figures)} == set()
    named = set(re.findall(r"VOXPOP_[A-Z_]+", page))
    modules = Path(settings.__file__).parent.glob("*.py")
    known = "".join(module.read_text(encoding="utf-8") for module in modules)
    known += "VOXPOP_DATABASE_URL VOXPOP_LOG_FORMAT"
    assert {name for name in named if name not in known} == set()


def test_who_waited_while_another_made_the_tables_finds_them_made(database_url: str) -> None:
    with ExitStack() as opened:
        several = [opened.enter_context(closing(Database.open(database_url))) for _ in range(3)]
        first = several[0]
        with first.begin() as c, ThreadPoolExecutor(len(several)) as crowd:
            in_turn(c, "queue tables")
            making = [crowd.submit(install, each) for each in several]
            until(lambda: waiting(first) == len(several))
            c.commit()
            assert sorted(each.result(20) for each in making) == [False, False, True]
        assert messages(first) == 0


def test_a_queue_is_started_once(make: Make) -> None:
    queue = make()
    queue.start(lambda _: None)
    with pytest.raises(UsageError, match="already been started"):
        queue.start(lambda _: None)
