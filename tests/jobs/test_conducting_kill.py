"""A service that is killed in the middle of a study request or a thesis finishes it after its restart."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from forked_commands import Forked
from voxpop.jobs.local import LocalQueue
from voxpop.jobs.reconciler import find, recover
from voxpop.jobs.runner import Runner
from voxpop.population.file import Population, open_population
from voxpop.records import operations, studies, study_requests, thesis, usage
from voxpop.records.database import Database
from voxpop.records.folder import sqlite_url
from voxpop.records.schema import answers, research_study_requests, theses
from voxpop.records.schema import work_items as items_table
from voxpop.records.usage import Meter
from voxpop_simulator.embedded import EmbeddedRespondent

SERVICE = """
import sys, time
from pathlib import Path
from voxpop.jobs import composing, requesting
from voxpop.jobs.local import LocalQueue
from voxpop.jobs.runner import Runner
from voxpop.population.file import open_population
from voxpop.records import keys, operations, work_items
from voxpop.records.database import Database
from voxpop.records.usage import Meter
from voxpop_simulator.embedded import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question

class Slow(EmbeddedRespondent):
    def answer(self, agents, question, history, *, seed):
        for said in super().answer(agents, question, history, seed=seed):
            time.sleep(0.002)
            yield said

url, home, what = sys.argv[1:]
database = Database.open(url)
population = open_population(3_000, 7, home=Path(home))
queue = LocalQueue()
with database.begin() as c:
    org = keys.create_organization(c, "o")
    number, _ = operations.begin(c, org, key="k", kind=what, digest="d")
    meter = Meter(org, "live", 10_000)
    if what == "study_request":
        asked = [read_question(text, key=key) for key, text in
                 (("smoke", "Do you smoke?"), ("rate", "How happy are you, from 0 to 10?"), ("why", "Why?"))]
        made, _ = requesting.request_study(c, meter, text="US adults", group_size=250, title="T",
                                           objective=None, questions=asked, operation_id=number)
    else:
        made, _ = composing.submit(c, meter, population, EmbeddedRespondent.composer, panel_size=150,
                                   operation_id=number,
                                   raw_input="Starbucks is losing Gen Z because of price")
    operations.accept(c, number, job_id=made.job_id, resource_url=None, answer={})
    items = work_items.of_job(c, made.job_id)
queue.put(items)
queue.start(Runner(database, population, Slow(), database.clock, queue=queue).run_item)
time.sleep(60)
"""


@pytest.fixture(scope="module")
def population(home: Path) -> Iterator[Population]:
    opened = open_population(3_000, 7, home=home)
    yield opened
    opened.close()


def given(database: Database) -> int:
    with database.read() as c:
        return c.execute(sa.select(sa.func.count()).select_from(answers)).scalar_one()


@pytest.fixture
def killed(tmp_path: Path, population: Population, home: Path, request: pytest.FixtureRequest) -> str:
    """The address of a database whose service was killed after some of the answers."""
    url, (what, enough) = sqlite_url(tmp_path), request.param
    Database.open(url).close()
    service = Forked("-c", SERVICE, url, str(home), what)
    watcher = Database.open(url)
    began = time.monotonic()
    while given(watcher) < enough:
        assert service.poll() is None, "the service ended by itself"
        assert time.monotonic() - began < 60
        time.sleep(0.005)
    service.kill()
    service.wait()
    watcher.close()
    return url


def finished(url: str, population: Population) -> Database:
    """Restart on the same database and wait for all work."""
    database = Database.open(url)
    queue = LocalQueue(lambda: find(database))
    runner = Runner(database, population, EmbeddedRespondent(), database.clock, queue=queue)
    assert recover(database, queue) >= 1
    queue.start(runner.run_item)
    began = time.monotonic()
    while find(database):
        assert time.monotonic() - began < 60
        time.sleep(0.01)
    assert queue.stop(30)
    with database.read() as c:
        states = set(c.execute(sa.select(items_table.c.state)).scalars())
    assert states == {"done"}
    return database


def once(c: sa.Connection) -> int:
    """Every agent has answered every question once; return how many answers there are."""
    rows = c.execute(sa.select(answers.c.question_id, answers.c.agent_id)).all()
    assert max(Counter((row.question_id, row.agent_id) for row in rows).values()) == 1
    return len(rows)


@pytest.mark.parametrize("killed", [("study_request", enough) for enough in (1, 700)], indirect=True)
def test_a_study_request_is_finished(killed: str, population: Population) -> None:
    database = finished(killed, population)
    with database.read() as c:
        number = c.execute(sa.select(research_study_requests.c.id)).scalar_one()
        made = study_requests.get(c, 1, number)
        assert made.status == "completed"
        total, (study,) = studies.list_(c, 1, limit=5, offset=0)
        assert (total, study.stage, study.agent_count) == (1, "completed", 250)
        assert once(c) == 750
        assert operations.last_job(c, 1, made.operation_id).status == "finished"
        events: Any = usage.of_operation(c, made.operation_id)
        assert [(event.quantity, event.status) for event in events] == [(750, "committed")]
        assert usage.this_month(c, Meter(1, "live", None)).used == 750
    database.close()


@pytest.mark.parametrize("killed", [("thesis", enough) for enough in (1, 800)], indirect=True)
def test_a_thesis_is_finished(killed: str, population: Population) -> None:
    database = finished(killed, population)
    with database.read() as c:
        made = thesis.get(c, 1, c.execute(sa.select(theses.c.id)).scalar_one())
        assert made.status == "completed"
        assert made.verdict is not None
        panels = thesis.panels(c, made.id)
        assert {panel.status for panel in panels} == {"completed"}
        total, found = studies.list_(c, 1, limit=9, offset=0)
        assert total == len(panels)
        expected = sum(study.agent_count * study.question_count for study in found)
        assert once(c) == expected
        assert usage.this_month(c, Meter(1, "live", None)).used == expected
        assert {event.status for event in usage.of_operation(c, made.operation_id)} <= {"committed", "voided"}
    database.close()
