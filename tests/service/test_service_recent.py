"""Polling reads are cached briefly, never beyond a write."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from voxpop.records import keys
from voxpop.records.database import Database
from voxpop.service.recent import FOR_SECONDS, Recent, Shared


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database.open(database_url)
    yield opened
    opened.close()


class Reading:
    """A readable object that counts its reads."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> int:
        self.times += 1
        return self.times


def remembered(recent: Recent, name: str) -> object:
    return recent.look(name, lambda: None, keep=lambda _: False)


def test_it_is_read_once_in_a_quarter_of_a_second(database: Database) -> None:
    now = [100.0]
    recent, read = Recent(database, lambda: now[0]), Reading()
    assert [recent.look("a", read, keep=bool) for _ in range(3)] == [1, 1, 1]
    now[0] += FOR_SECONDS
    assert recent.look("a", read, keep=bool) == 2


def test_only_what_is_worth_keeping_is_kept(database: Database) -> None:
    recent, read = Recent(database, lambda: 0.0), Reading()
    assert [recent.look("a", read, keep=lambda value: value > 2) for _ in range(5)] == [1, 2, 3, 3, 3]


def test_names_do_not_mix(database: Database) -> None:
    recent = Recent(database, lambda: 0.0)
    assert recent.look("a", lambda: 1, keep=bool) == 1
    assert recent.look("b", lambda: 2, keep=bool) == 2
    assert (remembered(recent, "a"), remembered(recent, "b"), remembered(recent, "c")) == (1, 2, None)


def test_a_write_of_this_process_empties_it_and_a_read_does_not(database: Database) -> None:
    recent, read = Recent(database, lambda: 0.0), Reading()
    recent.look("a", read, keep=bool)
    with database.read() as connection:
        assert keys.list_keys(connection) == []
    assert remembered(recent, "a") == 1
    with database.begin() as connection:
        keys.create_organization(connection, "acme")
    assert remembered(recent, "a") is None


def test_what_was_read_before_a_write_is_not_kept_after_it(database: Database) -> None:
    recent = Recent(database, lambda: 0.0)

    def read_while_somebody_writes() -> int:
        with database.begin() as connection:
            keys.create_organization(connection, "acme")
        return 1

    assert recent.look("a", read_while_somebody_writes, keep=bool) == 1
    assert remembered(recent, "a") is None


def test_calls_that_want_the_same_at_once_share_one_read() -> None:
    reads: list[str] = []

    async def scenario() -> None:
        shared, ends = Shared(), asyncio.Event()

        async def read() -> str:
            reads.append("row")
            await ends.wait()
            return "row"

        calls = [asyncio.create_task(shared.look("key", read)) for _ in range(50)]
        other = asyncio.create_task(shared.look("other key", read))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        calls[0].cancel()  # whoever hangs up ends the read of nobody else
        ends.set()
        assert await asyncio.gather(*calls[1:], other) == ["row"] * 50
        assert len(reads) == 2
        await shared.look("key", read)
        assert len(reads) == 3

    asyncio.run(scenario())
