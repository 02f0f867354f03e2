"""A hundred and more open questions as researchers ask them: what kind of answer each wants, about what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.questions.subject_asked import asked, names_nothing
from voxpop_simulator.questions.things import class_of
from voxpop_simulator.stances.stance import plan_of

_FILE = Path(__file__).with_name("reference") / "open_questions.jsonl"
QUESTIONS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


def test_there_are_a_hundred_and_twenty_of_many_kinds() -> None:
    assert len({row["text"] for row in QUESTIONS}) == len(QUESTIONS) >= 120
    assert len({row["form"] for row in QUESTIONS}) >= 20
    assert len({row["topic"] for row in QUESTIONS}) >= 50


@pytest.mark.parametrize("row", QUESTIONS, ids=[row["text"][:60] for row in QUESTIONS])
def test_an_open_question_is_understood(row: dict[str, str]) -> None:
    question = read_question(row["text"])
    plan = plan_of(question)
    found = asked(plan.sentence, plan.sign < 0)
    assert question.type == "open"
    assert (found.form, found.topic) == (row["form"], row["topic"])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("oat milk", "a drink"),
        ("sparkling mushroom teas", "a drink"),
        ("seaweed crackers", "a food"),
        ("a self-cleaning birdcage", "a gadget"),
        ("a smart water bottle", "a gadget"),
        ("a subscription razor", "a plan"),
        ("a meal kit for two", "a plan"),
        ("this budgeting app", "an app"),
        ("a beard balm", "a remedy"),
        ("waterproof socks", "a garment"),
        ("a standing desk", "a home thing"),
        ("the new science museum", "a place"),
        ("our street festival", "an event"),
        ("the parks department", "an organization"),
        ("a ban on leaf blowers", "notion"),
        ("loneliness", None),
        ("Quillfeather", None),
    ],
)
def test_a_thing_is_known_by_the_words_of_its_name(name, kind) -> None:
    assert class_of(name) == kind


@pytest.mark.parametrize("text", ["What would make you switch?", "Why?", "Please explain your answer."])
def test_a_question_may_name_nothing(text) -> None:
    assert names_nothing(asked(text, False))
