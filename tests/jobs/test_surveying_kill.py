"""A service that is killed in the middle of a survey goes on when it starts again; nobody answers twice."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from request_fakes import FakePopulation

from forked_commands import Forked
from voxpop.engines.respondent import Failure, Reply
from voxpop.jobs.local import LocalQueue
from voxpop.jobs.reconciler import find, recover
from voxpop.jobs.runner import Runner
from voxpop.records import jobs, questions, usage
from voxpop.records.database import Database
from voxpop.records.folder import sqlite_url
from voxpop.records.schema import answers
from voxpop.records.usage import Meter

AGENTS = 2_000
SERVICE = """
import sys, time
sys.path[:0] = [sys.argv[2], f"{sys.argv[2]}/.."]
from request_fakes import FakePopulation
from test_surveying_kill import Tenth
from voxpop.jobs.local import LocalQueue
from voxpop.jobs.runner import Runner
from voxpop.jobs.surveying import survey
from voxpop.records import keys
from voxpop.records.database import Database
from voxpop.records.surveys import SURVEY
from voxpop.records.usage import Meter
from voxpop.engines.question import Question

database = Database.open(sys.argv[1])
with database.begin() as c:
    org = keys.create_organization(c, "o")
    asked = survey(c, Meter(org, "live", None), SURVEY, range(1, int(sys.argv[3]) + 1),
                   Question("Which?", "number"), detail={"survey_uuid": "u"})
queue = LocalQueue()
queue.put([asked.item_id])
queue.start(Runner(database, FakePopulation(), Tenth(seconds=0.0005), database.clock, queue=queue).run_item)
time.sleep(60)
"""


class Tenth:
    """Every agent answers with its number, but for every tenth, who fails."""

    name = "tenth-1"

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.asked: list[int] = []

    def answer(self, agents: Any, question: object, history: object, *, seed: int) -> Any:
        for agent in agents:
            if self.seconds:
                time.sleep(self.seconds)
            self.asked.append(agent.id)
            if agent.id % 10 == 0:
                yield Failure(agent.id, "refused", "No.")
            else:
                yield Reply(agent.id, f"agent {agent.id}", agent.id, None, self.name)


def stored(database: Database) -> int:
    with database.read() as c:
        return int(c.execute(sa.select(sa.func.count()).select_from(answers)).scalar_one())


@pytest.fixture
def killed(tmp_path: Path) -> str:
    """The address of a database whose service was killed after its 270th answer and before its last."""
    url = sqlite_url(tmp_path)
    Database.open(url).close()
    service = Forked("-c", SERVICE, url, str(Path(__file__).parent), str(AGENTS))
    watcher = Database.open(url)
    began = time.monotonic()
    while stored(watcher) < 270:
        assert service.poll() is None, "the service ended by itself"
        assert time.monotonic() - began < 60
        time.sleep(0.005)
    service.kill()
    service.wait()
    assert 270 <= stored(watcher) < AGENTS * 9 // 10
    watcher.close()
    return url


def test_after_a_kill_everybody_has_answered_once_and_the_usage_adds_up(killed: str) -> None:
    database = Database.open(killed)
    before = stored(database)
    queue = LocalQueue(lambda: find(database))
    population: Any = FakePopulation()
    respondent = Tenth()
    runner = Runner(database, population, respondent, database.clock, queue=queue)
    assert recover(database, queue) == 1
    queue.start(runner.run_item)
    assert queue.stop(30)
    assert respondent.asked == list(range(before * 10 // 9 + 1, AGENTS + 1))  # nobody is asked again
    with database.read() as c:
        (question,) = [questions.get(c, 1, 1)]
        given = questions.answers(c, 1, None, 1)
        job = jobs.get(c, 1, given[0].job_id)
        used = usage.this_month(c, Meter(1, "live", None)).used
        ledger = c.execute(sa.text("SELECT status, sum(quantity) FROM usage_events GROUP BY status")).all()
    answering = [number for number in range(1, AGENTS + 1) if number % 10]
    assert Counter(answer.agent_id for answer in given) == Counter(answering)
    assert (question.answer_count, question.failed_count) == (1_800, 200)
    assert (job.status, job.attempts, job.done, job.result["answered"]) == ("finished", 1, AGENTS, 1_800)
    assert (used, dict(ledger)) == (1_800, {"recorded": 1_800, "voided": 200})
    database.close()
