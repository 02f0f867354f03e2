"""An engine that declares what its answers rest on passes the kit; one that does not counts as modelled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from four_bases import ALL, FourBases
from voxpop.engines import Reply
from voxpop.engines.basis import UNDECLARED
from voxpop.engines.engine import Engine
from voxpop.engines.registry import default_engine
from voxpop.engines.sample_agents import AGENTS
from voxpop.engines.testing import QUESTIONS, check_engine


class Silent(FourBases):
    """Declares nothing, before or after it is asked."""

    basis = None  # type: ignore[assignment]

    def answer(self, agents: Any, question: Any, history: Any, *, seed: int) -> Iterator[Reply]:
        for agent in agents:
            yield Reply(agent.id, "Yes.", None, None, self.name)


def test_an_engine_of_all_four_kinds_passes_the_kit() -> None:
    check_engine(FourBases())


def test_an_engine_that_declares_nothing_is_modelled() -> None:
    engine = Engine(Silent(), default_engine)
    announced = list(engine.basis(QUESTIONS[2], AGENTS))
    given = [one.basis for one in Silent().answer(AGENTS, QUESTIONS[2], {}, seed=7)]
    assert announced == given == [UNDECLARED] * len(AGENTS)
    assert UNDECLARED.kind == "modelled"


def test_an_announcement_is_asked_of_the_engine_itself() -> None:
    engine = Engine(FourBases(), default_engine)
    question = QUESTIONS[2].__class__("Is it mixed?", "yes_no")
    assert set(engine.basis(question, AGENTS)) <= set(ALL)
    assert [one.basis for one in FourBases().answer(AGENTS, question, {}, seed=7)] == list(
        engine.basis(question, AGENTS)
    )
