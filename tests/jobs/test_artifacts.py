"""The summary of a direct question: counts for coded answers, a word and a quote for open ones."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

from voxpop.jobs.artifacts import summary
from voxpop.records.questions import Answer, AskedQuestion
from voxpop.vocabulary.shapes import Scale

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


def made(kind: str, said: Sequence[tuple[str, Any]], **fields: Any) -> dict[str, Any] | None:
    """Sum up answers, given as text and value; their numbers are 101, 102 and so on."""
    fields = {"options": (), "scale": None, "unit": None} | fields
    question = AskedQuestion(
        id=1,
        uuid=str(uuid4()),
        study_id=None,
        key=None,
        text="Would you?",
        type=kind,
        shuffle_options=False,
        asked_count=len(said),
        answer_count=len(said),
        failed_count=0,
        created_at=NOW,
        asked_of="group",
        **fields,
    )
    answers = [
        Answer(100 + n, 1, None, n, "job", text, value, None, NOW, "fake-1", False)
        for n, (text, value) in enumerate(said, start=1)
    ]
    agents: Any = {n: SimpleNamespace(id=n, name=f"Agent {n}") for n in range(1, len(said) + 1)}
    return summary(question, answers, agents)


def test_coded_answers_are_counted_and_rest_on_all_that_count() -> None:
    assert made("yes_no", [("Yes.", True), ("No.", False), ("No idea.", None)]) == {
        "kind": "summary",
        "text": "“Would you?”: 50% (1 of 2) say Yes.",
        "answer_ids": [101, 102],
    }


def test_a_scale_has_its_mean() -> None:
    found = made("scale", [("2", 2), ("5", 5)], scale=Scale(1, 5))
    assert found is not None
    assert "3.5 on average, on a scale from 1 to 5 (2 answers)" in found["text"]


def test_open_answers_have_their_commonest_word_and_a_quote() -> None:
    said = [("The price is too high.", None), ("Because of the price.", None), ("I like it.", None)]
    found = made("open", said)
    assert found is not None
    assert "the word used most is “price”, with 67% (2 of 3)" in found["text"]
    assert "says: “" in found["text"]
    assert found["answer_ids"] == [101, 102, 103]


def test_one_agent_is_quoted_and_not_counted() -> None:
    found = made("yes_no", [("Yes, every day.", True)])
    assert found == {"kind": "summary", "text": "Agent 1 says: “Yes, every day.”", "answer_ids": [101]}


def test_answers_that_choose_nothing_are_quoted() -> None:
    found = made("yes_no", [("I cannot say.", None), ("No idea.", None)])
    assert found is not None
    assert "says: “" in found["text"]
    assert found["answer_ids"] == [101, 102]


def test_without_answers_there_is_nothing_to_sum_up() -> None:
    assert made("yes_no", []) is None
