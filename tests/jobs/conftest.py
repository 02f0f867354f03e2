"""A database with a study of 250 agents, a population that only knows ids, an obedient respondent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from voxpop.engines.question import Exchange, Question
from voxpop.engines.respondent import Failure, Reply
from voxpop.jobs.asking import AskResult, ask
from voxpop.jobs.runner import Runner
from voxpop.records import groups, jobs, keys, questions, studies
from voxpop.records.database import Database
from voxpop.records.jobs import Job
from voxpop.records.questions import Answer, AskedQuestion
from voxpop.records.studies import Study

collect_ignore = ["conftest.py"]  # no doctests here, and several modules of this name cannot be collected


@dataclass
class Clock:
    now: datetime = field(default_factory=lambda: datetime(2026, 11, 20, 9, 30, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **amount: float) -> None:
        self.now += timedelta(**amount)


class FakePopulation:
    seed = 7

    def agents(self, ids: Sequence[int]) -> list[Any]:
        return [SimpleNamespace(id=number) for number in ids]


@dataclass
class FakeRespondent:
    """Says "agent 12" for agent 12; ``says`` and ``before`` change that. Remembers what it was told."""

    name: str = "fake-1"
    says: Callable[[int], Reply | Failure] | None = None
    before: Callable[[], object] | None = None
    asked: list[int] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    history: dict[int, Sequence[Exchange]] = field(default_factory=dict)
    seeds: set[int] = field(default_factory=set)

    def answer(
        self,
        agents: Sequence[Any],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        if self.before is not None:
            self.before()
        self.questions.append(question)
        self.history |= dict(history)
        self.seeds.add(seed)
        for agent in agents:
            self.asked.append(agent.id)
            if self.says is not None:
                yield self.says(agent.id)
            else:
                even = agent.id % 2 == 0
                value = question.options[even] if question.row.has_options else even
                yield Reply(agent.id, f"agent {agent.id}", value, (1, 0), self.name)


@dataclass
class ListQueue:
    """A queue that runs nothing by itself."""

    items: list[int] = field(default_factory=list)

    def put(self, item_ids: Any, *, study_id: int | None = None) -> None:
        self.items += [item for item in item_ids if item not in self.items]

    def crowded(self) -> bool:
        return bool(self.items)

    def start(self, run: Callable[[int], None]) -> None:
        while self.items:
            run(self.items.pop(0))

    def stop(self, timeout: float) -> bool:
        return True


@dataclass
class Desk:
    """Everything a test of the jobs room needs, under one name."""

    database: Database
    clock: Clock
    org: int
    study: Study
    queue: ListQueue
    respondent: FakeRespondent
    runner: Runner

    def ask(self, text: str = "Would you?", **fields: Any) -> AskResult:
        question = Question(text=text, **({"type": "yes_no"} | fields))
        return ask(self.database, self.queue, self.org, self.study.id, question)

    def run(self) -> None:
        self.queue.start(self.runner.run_item)

    def job(self, job_id: str) -> Job:
        with self.database.read() as c:
            return jobs.get(c, self.org, job_id)

    def jobs(self, job_ids: list[str]) -> list[Job]:
        with self.database.read() as c:
            return jobs.get_many(c, self.org, job_ids)[0]

    def answers(self, question_id: int | None = None) -> list[Answer]:
        with self.database.read() as c:
            return questions.answers(c, self.org, self.study.id, question_id)

    def question(self, question_id: int) -> AskedQuestion:
        with self.database.read() as c:
            return questions.get(c, self.org, question_id)

    def stage(self) -> str:
        with self.database.read() as c:
            return studies.get(c, self.org, self.study.id).stage

    def remove(self, *agent_ids: int) -> None:
        with self.database.begin() as c:
            studies.remove_agents(c, self.org, self.study.id, agent_ids)


@pytest.fixture
def desk(database_url: str) -> Iterator[Desk]:
    clock = Clock()
    database = Database.open(database_url, clock=clock)
    with database.begin() as c:
        org = keys.create_organization(c, "Snack Research")
        group = groups.create(
            c,
            org,
            name="g",
            description=None,
            filters={},
            sample_method="random",
            seed=1,
            shortfall=0,
            agent_ids=range(250, 0, -1),
        )
        study = studies.create(c, org, title="t", objective=None, group=group)
    queue, respondent = ListQueue(), FakeRespondent()
    runner = Runner(database, FakePopulation(), respondent, clock, queue=queue)  # type: ignore[arg-type]
    yield Desk(database, clock, org, study, queue, respondent, runner)
    database.close()
