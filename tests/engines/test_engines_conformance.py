"""The conformance checks: the engines of this project pass them, and broken ones do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from model_server import KEY, ModelServer
from third_party.toplines_engine import Toplines

from voxpop.engines import Basis, Question, Reply, Respondent, Unanswerable
from voxpop.engines.basis import UNDECLARED
from voxpop.engines.registry import open_engine
from voxpop.engines.testing import CHECKS, QUESTIONS, check_engine
from voxpop.settings import EngineSettings
from voxpop.vocabulary.question_types import QUESTION_TYPES
from voxpop_simulator import EmbeddedRespondent

Check = Callable[[Respondent], None]
PLACEHOLDER = Basis("none", "No figure is known.")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Respondent]:
    server = ModelServer()
    settings = EngineSettings(name="openai:gpt-4o-mini", url=server.url, key=KEY)
    engine = open_engine(settings, home=tmp_path_factory.mktemp("answers"))
    yield engine.respondent
    engine.close()
    server.close()


def test_there_is_a_question_of_every_type() -> None:
    assert {question.type for question in QUESTIONS} == set(QUESTION_TYPES)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_simulator(check: Check) -> None:
    check(EmbeddedRespondent())


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_language_model(check: Check, model: Respondent) -> None:
    check(model)


def test_the_engine_of_another_package() -> None:
    check_engine(Toplines())


class Broken(EmbeddedRespondent):
    """The simulator with a fault put into what it yields."""

    def __init__(self, fault: Callable[[list[Any], Question], list[Any]]) -> None:
        self._fault = fault

    def answer(self, agents: Sequence[Any], question: Question, history: Any, *, seed: int) -> Iterator[Any]:
        yield from self._fault(list(super().answer(agents, question, history, seed=seed)), question)


class Counting(EmbeddedRespondent):
    """Answers differently each time."""

    calls = 0

    def answer(self, agents: Sequence[Any], question: Question, history: Any, *, seed: int) -> Iterator[Any]:
        self.calls += 1
        for one in super().answer(agents, question, history, seed=seed):
            yield replace(one, text=f"{one.text} {self.calls}") if isinstance(one, Reply) else one


class Announcing(EmbeddedRespondent):
    """Announces bases that its replies may not have."""

    def __init__(self, announced: Callable[[Sequence[Any]], list[Any]]) -> None:
        self._announced = announced

    def basis(self, question: Question, agents: Sequence[Any]) -> Iterator[Any]:
        yield from self._announced(agents)

    def answer(self, agents: Sequence[Any], question: Question, history: Any, *, seed: int) -> Iterator[Any]:
        for one in super().answer(agents, question, history, seed=seed):
            yield replace(one, basis=UNDECLARED) if isinstance(one, Reply) else one


class Deaf(EmbeddedRespondent):
    """Understands only one form of history."""

    def answer(self, agents: Sequence[Any], question: Question, history: Any, *, seed: int) -> Iterator[Any]:
        known = type(history) is dict and bool(history)
        for one in super().answer(agents, question, history, seed=seed):
            yield replace(one, text=f"{one.text} As I said.") if known else one


class Greedy(EmbeddedRespondent):
    """Empties the list of agents."""

    def answer(self, agents: Any, question: Question, history: Any, *, seed: int) -> Iterator[Any]:
        yield from super().answer(tuple(agents), question, history, seed=seed)
        if isinstance(agents, list):
            agents.clear()


class Raising(EmbeddedRespondent):
    """Raises what it should yield."""

    def answer(self, agents: Sequence[Any], question: Question, history: Any, *, seed: int) -> Iterator[Any]:
        raise Unanswerable("Nothing is known.")
        yield


def valued(value: Any) -> Respondent:
    return Broken(lambda said, _: [replace(one, value=value) for one in said])


FAULTY: list[tuple[Respondent, str]] = [
    (Broken(lambda said, _: said[1:]), "not one reply per agent"),
    (Broken(lambda said, _: said[::-1]), "not one reply per agent"),
    (Broken(lambda said, _: [replace(one, text=" ") for one in said]), "without words"),
    (Broken(lambda said, _: [replace(one, engine="other") for one in said]), "names 'other'"),
    (valued("yes"), "the value 'yes' does not fit"),
    (valued(1), "the value 1 does not fit"),
    (valued(float("nan")), "does not fit"),
    (Broken(lambda said, _: [replace(one, option_order=None) for one in said]), "without an order"),
    (Broken(lambda said, _: [replace(one, option_order=(0, 1)) for one in said]), "an order of options"),
    (Broken(lambda said, _: [replace(one, basis="known") for one in said]), "'known' is not a Basis"),
    (Announcing(lambda agents: [PLACEHOLDER for _ in agents]), "another basis than"),
    (Announcing(lambda agents: [UNDECLARED for _ in agents[1:]]), "not yield one basis per agent"),
    (Announcing(lambda agents: ["none" for _ in agents]), "yields 'none', not a Basis"),
    (Counting(), "not the same answer twice"),
    (Deaf(), "Remembered gives different answers"),
    (Greedy(), "the list of agents was changed"),
    (Raising(), "Unanswerable leaves answer"),
]


@pytest.mark.parametrize(("engine", "told"), FAULTY, ids=[told for _, told in FAULTY])
def test_a_broken_engine_is_found_out(engine: Respondent, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_engine(engine)
