"""A service that is killed in the middle of a screening finishes the request after its restart."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from request_fakes import FakePlanner, FakePopulation, PetRespondent

from forked_commands import Forked
from voxpop.jobs.local import LocalQueue
from voxpop.jobs.reconciler import find, recover
from voxpop.jobs.runner import Runner
from voxpop.records import groups, jobs, requests
from voxpop.records.database import Database
from voxpop.records.folder import sqlite_url
from voxpop.records.schema import research_group_requests

SERVICE = """
import sys, time
sys.path.insert(0, sys.argv[2])
from request_fakes import FakePlanner, FakePopulation, PetRespondent
from voxpop.jobs.local import LocalQueue
from voxpop.jobs.requesting import request_group
from voxpop.jobs.runner import Runner
from voxpop.records import keys
from voxpop.records.database import Database

database = Database.open(sys.argv[1])
with database.begin() as c:
    org = keys.create_organization(c, "o")
queue = LocalQueue()
request_group(database, queue, org, "age 18-70; screen horses", 40)
slow, planner = PetRespondent(seconds=0.0005), FakePlanner()
queue.start(Runner(database, FakePopulation(), slow, database.clock, queue=queue, planner=planner).run_item)
time.sleep(60)
"""


def one(database: Database) -> Any:
    """The only request there is, or None."""
    with database.read() as c:
        return c.execute(sa.select(research_group_requests)).first()


@pytest.fixture
def killed(tmp_path: Path) -> tuple[str, int]:
    """The address of a database whose service was killed while it screened, and how many it had screened."""
    url = sqlite_url(tmp_path)
    Database.open(url).close()
    service = Forked("-c", SERVICE, url, str(Path(__file__).parent))
    watcher = Database.open(url)
    began = time.monotonic()
    while (row := one(watcher)) is None or not row.kept:
        assert service.poll() is None, "the service ended by itself"
        assert time.monotonic() - began < 60
        time.sleep(0.005)
    service.kill()
    service.wait()
    row = one(watcher)
    assert row.status == "running"
    watcher.close()
    return url, row.screened


def test_after_a_kill_the_request_is_finished_and_nobody_is_asked_again(killed: tuple[str, int]) -> None:
    url, screened = killed
    database = Database.open(url)
    queue = LocalQueue(lambda: find(database))
    population: Any = FakePopulation()
    respondent = PetRespondent()
    runner = Runner(database, population, respondent, database.clock, queue=queue, planner=FakePlanner())
    assert recover(database, queue) == 1
    queue.start(runner.run_item)
    assert queue.stop(30)
    request_id = one(database).id
    with database.read() as c:
        request = requests.get(c, 1, request_id)
        assert request.status == "completed"
        total, (group,) = groups.list_(c, 1, limit=5, offset=0)
        members = groups.member_ids(c, 1, group.id)
        job = jobs.get(c, 1, request.job_id)
    eligible = [number for number in range(5_000, 0, -1) if number % 60 <= 52]
    assert members == [number for number in eligible if number % 100 == 0][:40]
    assert (total, request.group_id, group.shortfall) == (1, group.id, 0)
    assert [number for number, _ in respondent.asked] == eligible[screened : request.screened]
    assert (job.status, job.attempts) == ("finished", 1)  # a death is no try
    database.close()
