"""Two hundred wordings with their expected type, options, scale, unit, direction and topic."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from voxpop.engines.question import Scale
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.questions.subject_asked import asked
from voxpop_simulator.stances.stance import plan_of

_FILE = Path(__file__).with_name("reference") / "wordings.jsonl"
WORDINGS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


def test_there_are_two_hundred_of_every_type() -> None:
    assert len(WORDINGS) >= 200
    assert len({row["text"] for row in WORDINGS}) == len(WORDINGS)
    assert {row["type"] for row in WORDINGS} == {
        "yes_no",
        "open",
        "single_choice",
        "multi_choice",
        "ranking",
        "scale",
        "number",
    }


@pytest.mark.parametrize("row", WORDINGS, ids=[row["text"][:60] for row in WORDINGS])
def test_a_wording_is_read_as_expected(row: dict[str, Any]) -> None:
    question = read_question(row["text"])
    plan = plan_of(question)
    assert question.type == row["type"]
    if "options" in row:
        assert question.options == tuple(row["options"])
    if "scale" in row:
        assert question.scale == Scale(**row["scale"])
        assert plan.flip is row["falls"]
    if "unit" in row:
        assert question.unit == row["unit"]
    if "speaks" in row:
        assert plan.sign == (1 if row["speaks"] == "for" else -1)
    if "topic" in row:
        told = asked(plan.sentence, False).topic
        assert row["topic"] in {told, *(name for name, _ in plan.topics)}
