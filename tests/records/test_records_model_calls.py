"""Spending on language-model calls is summed by organization, engine and time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection

from voxpop.records import model_calls
from voxpop.records.model_calls import ModelCall, Total

CALL = ModelCall("answer", None, 30, "openai:gpt-x", 1, 400, 50, 90, False, 1.0, 7)


def test_calls_are_summed_by_organization_engine_and_time(
    c: Connection, org: int, other: int, clock: Any
) -> None:
    assert model_calls.total(c) == Total()
    model_calls.save(c, org, [CALL, replace(CALL, calls=0, input_tokens=0, output_tokens=0, cached=True)])
    clock.advance(days=40)
    later = clock()
    model_calls.save(c, org, [replace(CALL, engine="anthropic:c", calls=2, cost_microdollars=None)])
    model_calls.save(c, other, [replace(CALL, agent_id=None, seed=None, temperature=None)])
    model_calls.save(c, org, [])
    assert model_calls.total(c) == Total(4, 1_200, 150, 270, 2)
    assert model_calls.total(c, org) == Total(3, 800, 100, 180, 2)
    assert model_calls.total(c, org, engine="openai:gpt-x") == Total(1, 400, 50, 180, 0)
    assert model_calls.total(c, org, since=later) == Total(2, 400, 50, 0, 2)
    assert model_calls.total(c, org, since=later + timedelta(seconds=1)) == Total()


def test_the_calls_of_a_question_come_in_order(c: Connection, org: int, other: int, study: Any) -> None:
    from voxpop.engines.question import Question
    from voxpop.records import questions

    asked = questions.create(c, org, study.id, Question("Why?", "open"))
    calls = [replace(CALL, question_id=asked.id, agent_id=agent) for agent in (30, 10, 20)]
    model_calls.save(c, org, calls)
    assert model_calls.of_question(c, org, asked.id) == calls
    assert model_calls.of_question(c, other, asked.id) == []
