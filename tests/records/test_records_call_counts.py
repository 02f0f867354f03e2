"""The calls of a key are counted once for all services on a database server, by its clock."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from postgres_server import PostgresServer
from voxpop.errors import RateLimited
from voxpop.records import call_counts, keys
from voxpop.records.database import Database
from voxpop.records.schema import api_keys, key_minutes
from voxpop.service.rate_limits import SharedRates

CALLS, LIMIT = 60, 25


@pytest.fixture(params=["postgresql"])
def database_url(postgres: PostgresServer) -> Iterator[str]:
    address = postgres.new()
    yield address
    postgres.give_back(address)


@pytest.fixture
def key(database: Database) -> int:
    with database.begin() as c:
        keys.create_key(c, keys.create_organization(c, "acme"), ["studies:read"])
        return int(c.execute(api_keys.select()).one().id)


def this_minute(database: Database, key: int) -> int:
    with database.read() as c:
        return call_counts.minute(c, key)[0]


def test_services_that_count_at_once_let_exactly_so_many_calls_pass(
    database: Database, database_url: str, key: int
) -> None:
    wrong = datetime(2020, 1, 1, tzinfo=UTC)  # what the clock of a service says does not matter
    other = Database.open(database_url, clock=lambda: wrong)
    waits: list[float] = []
    services = [SharedRates(database), SharedRates(other)]

    def call(number: int) -> bool:
        try:
            services[number % 2].take(key, LIMIT)
        except RateLimited as error:
            waits.append(error.retry_after)
            return False
        return True

    while True:
        with ThreadPoolExecutor(10) as crowd:
            passed = sum(crowd.map(call, range(CALLS)))
        if passed == this_minute(database, key):  # else the next minute has begun in between
            break
    assert passed == LIMIT
    assert all(1 <= wait <= 60 for wait in waits)
    assert {service.minute(key).used for service in services} == {LIMIT}
    other.close()


def test_a_new_minute_begins_at_nothing(database: Database, key: int) -> None:
    with database.begin() as c:
        assert call_counts.take(c, key, 1)
    with database.begin() as c:
        c.execute(key_minutes.update().values(minute=key_minutes.c.minute - 1))
    assert this_minute(database, key) == 0
    with database.begin() as c:
        assert call_counts.take(c, key, 1)
    assert this_minute(database, key) <= 1


def test_a_key_without_a_limit_costs_no_write(database: Database, key: int) -> None:
    SharedRates(database).take(key, None)
    assert SharedRates(database).minute(key).used == 0
    with database.read() as c:
        assert c.execute(key_minutes.select()).all() == []


def test_a_key_that_was_refused_is_refused_without_a_look(database: Database, key: int) -> None:
    now = [100.0]
    service = SharedRates(database, lambda: now[0])
    while True:
        with database.begin() as c:
            _, left = call_counts.minute(c, key)
            c.execute(key_minutes.delete())
        service.take(key, 1)
        try:
            service.take(key, 1)
        except RateLimited:
            break  # else the next minute has begun in between
    with database.begin() as c:
        c.execute(key_minutes.delete())
    if left > 2:
        with pytest.raises(RateLimited):
            service.take(key, 1)
    now[0] += 60.0
    service.take(key, 1)
    assert this_minute(database, key) <= 1
