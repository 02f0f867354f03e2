"""A real model answers, of each provider whose key is in the environment; not collected without any."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_models import REAL_ENGINES

from voxpop.engines import Reply
from voxpop.engines.agents import Agent
from voxpop.engines.question import Question
from voxpop.engines.registry import open_engine
from voxpop.settings import EngineSettings


@pytest.mark.parametrize("name", REAL_ENGINES)
def test_a_real_model_answers_as_an_agent(name: str, tmp_path: Path, agents: list[Agent]) -> None:
    engine = open_engine(EngineSettings.from_environment(name=name), home=tmp_path)
    question = Question("Tea or coffee?", "single_choice", ("Tea", "Coffee"))
    (said,) = engine.respondent.answer(agents[:1], question, {}, seed=7)
    engine.close()
    assert isinstance(said, Reply), said
    assert said.value in (*question.options, None)
    assert said.spent is not None
    assert said.spent.output_tokens > 0
