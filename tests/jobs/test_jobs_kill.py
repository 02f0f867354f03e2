"""A service that is killed between the answers of 2,000 agents gives each exactly once after its restart."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from forked_commands import Forked
from voxpop.jobs.local import LocalQueue
from voxpop.jobs.reconciler import find, recover
from voxpop.jobs.runner import Runner
from voxpop.records import jobs, questions
from voxpop.records.database import Database
from voxpop.records.folder import sqlite_url
from voxpop.records.schema import answers

AGENTS = 2_000
SERVICE = """
import sys, time
from types import SimpleNamespace
from voxpop.jobs.asking import ask
from voxpop.jobs.local import LocalQueue
from voxpop.jobs.runner import Runner
from voxpop.records import groups, keys, studies
from voxpop.records.database import Database
from voxpop.engines.question import Question
from voxpop.engines.respondent import Reply

class Population:
    seed = 7
    def agents(self, ids):
        return [SimpleNamespace(id=number) for number in ids]

class Slow:
    name = "slow-1"
    def answer(self, agents, question, history, *, seed):
        for agent in agents:
            time.sleep(0.0005)
            yield Reply(agent.id, f"agent {agent.id}", agent.id, None, self.name)

database = Database.open(sys.argv[1])
with database.begin() as c:
    org = keys.create_organization(c, "o")
    group = groups.create(c, org, name="g", description=None, filters={}, sample_method="random", seed=1,
                          shortfall=0, agent_ids=range(1, int(sys.argv[2]) + 1))
    study = studies.create(c, org, title="t", objective=None, group=group)
queue = LocalQueue()
for text in ("First?", "Second?"):
    ask(database, queue, org, study.id, Question(text, "number"))
queue.start(Runner(database, Population(), Slow(), database.clock, queue=queue).run_item)
time.sleep(60)
"""


class Population:
    seed = 7

    def agents(self, ids: list[int]) -> list[int]:
        return ids


class Quick:
    name = "quick-1"

    def answer(self, agents: list[int], question: object, history: object, *, seed: int):  # type: ignore[no-untyped-def]
        from voxpop.engines.respondent import Reply

        return (Reply(agent, f"agent {agent}", agent, None, self.name) for agent in agents)


def stored(database: Database) -> int:
    with database.read() as c:
        return int(c.execute(sa.select(sa.func.count()).select_from(answers)).scalar_one())


@pytest.fixture
def killed(tmp_path: Path) -> str:
    """The address of a database whose service was killed between its 300th and its last answer."""
    url = sqlite_url(tmp_path)
    Database.open(url).close()
    service = Forked("-c", SERVICE, url, str(AGENTS))
    watcher = Database.open(url)
    began = time.monotonic()
    while stored(watcher) < 300:
        assert service.poll() is None, "the service ended by itself"
        assert time.monotonic() - began < 60
        time.sleep(0.01)
    service.kill()
    service.wait()
    assert 300 <= stored(watcher) < 2 * AGENTS
    watcher.close()
    return url


def test_after_a_kill_all_jobs_end_and_each_answer_is_there_once(killed: str) -> None:
    database = Database.open(killed)
    before = stored(database)
    queue = LocalQueue(lambda: find(database))
    runner = Runner(database, Population(), Quick(), database.clock, queue=queue)  # type: ignore[arg-type]
    assert recover(database, queue) > 0
    queue.start(runner.run_item)
    assert queue.stop(30)
    with database.read() as c:
        assert jobs.open_jobs(c, 1, 1) == []
        for question in questions.list_(c, 1, 1):
            given = questions.answers(c, 1, 1, question.id)
            assert Counter(answer.agent_id for answer in given) == Counter(range(1, AGENTS + 1))
            assert all(answer.value == answer.agent_id for answer in given)
            assert (question.answer_count, question.failed_count) == (AGENTS, 0)
            found, missing = jobs.get_many(c, 1, [answer.job_id for answer in given])
            assert missing == []
            assert all(job.status == "finished" and job.result is not None for job in found)
        engines = Counter(answer.engine for answer in questions.answers(c, 1, 1))
    assert engines["slow-1"] == before
    database.close()
