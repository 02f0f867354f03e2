"""Fixtures: a fresh database of each kind, two organizations and a manual clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection

from postgres_server import PostgresServer
from voxpop.records import groups, keys, studies
from voxpop.records.database import Database
from voxpop.records.groups import Group
from voxpop.records.studies import Study

collect_ignore = ["conftest.py"]  # no doctests here, and several modules of this name cannot be collected


@dataclass
class Clock:
    now: datetime = field(default_factory=lambda: datetime(2026, 11, 20, 9, 30, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **amount: float) -> None:
        self.now += timedelta(**amount)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bare_url(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> Iterator[str]:
    """The address of another database of the same kind, without tables."""
    if database_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path}/bare.sqlite"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    address = server.bare()
    yield address
    server.drop(address)


@pytest.fixture
def database(database_url: str, clock: Clock) -> Iterator[Database]:
    opened = Database.open(database_url, clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def c(database: Database) -> Iterator[Connection]:
    """One write transaction around the whole test."""
    with database.begin() as connection:
        yield connection


@pytest.fixture
def org(c: Connection) -> int:
    return keys.create_organization(c, "Snack Research")


@pytest.fixture
def other(c: Connection, org: int) -> int:
    return keys.create_organization(c, "Somebody else")


@pytest.fixture
def group(c: Connection, org: int) -> Group:
    return groups.create(
        c,
        org,
        name="GLP-1",
        description="people on a GLP-1 medicine",
        filters={"match": "all", "filters": {"country": {"any": ["USA"]}}},
        sample_method="random",
        seed=11,
        shortfall=0,
        agent_ids=[30, 10, 20, 50, 40],
    )


@pytest.fixture
def study(c: Connection, org: int, group: Group) -> Study:
    return studies.create(c, org, title="Snack switching", objective="Who would switch?", group=group)
