"""Answers are the same bit for bit whether earlier ones are kept in the process or read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from voxpop.engines.respondent import Failure
from voxpop.jobs.asking import ask, ask_again
from voxpop.jobs.histories import Histories
from voxpop.jobs.runner import Runner
from voxpop.population.file import Population, open_population
from voxpop.records import groups, keys, questions, studies
from voxpop.records.database import Database
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question

STUDY = [
    {"text": "Would you buy lunch number 1 for $6?"},
    {"text": "Would you buy lunch number 2 for $9?"},
    {"text": "How much would you pay for lunch number 2?"},
    {"text": "Which do you like best?", "options": ["Tea", "Coffee", "Milk"], "shuffle_options": True},
    {"text": "Which of these do you use?", "options": ["Tea", "Coffee", "Milk"], "type": "multi_choice"},
    {"text": "Why?", "type": "open"},
    {"text": "Would you buy lunch number 1 for $6?"},
    {"text": "What do you think of lunch number 1?"},
]


class Failing(EmbeddedRespondent):
    """Fails for some agents at the second and third question, the first time they are asked."""

    def __init__(self) -> None:
        self.failed: set[tuple[int, str]] = set()

    def answer(self, agents, question, history, *, seed):
        for said in super().answer(agents, question, history, seed=seed):
            name = (said.agent_id, question.text)
            if said.agent_id % 5 == 0 and "number 2" in question.text and name not in self.failed:
                self.failed.add(name)
                yield Failure(said.agent_id, "busy", "Busy.")
            else:
                yield said


@pytest.fixture(scope="module")
def population(home: Path) -> Population:
    return open_population(1_000, 7, home=home)


def told(database: Database, queue, population: Population, histories) -> list[tuple]:
    """Ask 130 agents every question, one of them again at the end, and return the answers."""
    with database.begin() as c:
        org = keys.create_organization(c, f"org {id(histories)}")
        group = groups.create(
            c,
            org,
            name="g",
            description=None,
            filters={},
            sample_method="random",
            seed=1,
            shortfall=0,
            agent_ids=range(1, 131),
        )
        study = studies.create(c, org, title="t", objective=None, group=group)
    runner = Runner(database, population, Failing(), database.clock, queue=queue)
    asked = []
    for at, fields in enumerate(STUDY):
        asked.append(ask(database, queue, org, study.id, read_question(**fields)).question.id)
        if at == 5:
            ask_again(database, queue, org, study.id, asked[1])
        while queue.items:
            histories(runner)
            runner.run_item(queue.items.pop(0))
    with database.read() as c:
        found = questions.answers(c, org, study.id)
    return sorted((asked.index(a.question_id), a.agent_id, a.text, repr(a.value)) for a in found)


def test_answers_are_the_same_warm_cold_and_after_takeovers(desk, population) -> None:
    runs = 0

    def keeps(runner: Runner) -> None:
        """Work in one process."""

    def forgets(runner: Runner) -> None:
        """Work with an empty cache."""
        runner._histories = Histories(capacity=0)

    processes = [Histories(), Histories(), Histories()]

    def takes_turns(runner: Runner) -> None:
        """Work as one of three workers, each of which has seen a part of the study."""
        nonlocal runs
        runs += 1
        runner._histories = processes[runs * runs % 3]

    warm, cold, shared = (
        told(desk.database, desk.queue, population, each) for each in (keeps, forgets, takes_turns)
    )
    assert len(warm) > 950
    assert warm == cold == shared


def test_what_is_kept_is_bounded(desk, population) -> None:
    small = Histories(capacity=300)
    sizes = []

    def counts(runner: Runner) -> None:
        runner._histories = small
        sizes.append(small.size)

    told(desk.database, desk.queue, population, counts)
    assert 0 < max(sizes) <= 300


def test_a_warm_process_reads_no_answers(desk, population, monkeypatch) -> None:
    read: list[int] = []
    values = questions.values
    monkeypatch.setattr(
        questions, "values", lambda c, ids, agents: read.append(len(agents)) or values(c, ids, agents)
    )
    monkeypatch.setattr(Failing, "answer", EmbeddedRespondent.answer)
    told(desk.database, desk.queue, population, lambda runner: None)
    assert read == []
