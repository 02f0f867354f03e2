"""Questions are stored as they were understood; answers are stored once and read in order."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import Connection

from voxpop.engines.question import Question
from voxpop.errors import InvalidRequest, NotFound
from voxpop.records import bulk, questions, studies
from voxpop.records.questions import AskedQuestion, Earlier
from voxpop.records.studies import Study
from voxpop.vocabulary.shapes import Scale


def save(c: Connection, org: int, question: AskedQuestion, answers: dict[int, Any]) -> None:
    questions.save_answers(
        c,
        [
            {
                "organization_id": org,
                "study_id": question.study_id,
                "question_id": question.id,
                "agent_id": agent,
                "job_id": f"job_{agent}",
                "text": f"{agent} says {value}",
                "value": value,
                "option_order": [1, 0],
                "answered_at": question.created_at,
                "engine": "fake-1",
            }
            for agent, value in answers.items()
        ],
    )


@pytest.fixture
def question(c: Connection, org: int, study: Study) -> AskedQuestion:
    return questions.create(c, org, study.id, Question("Would you switch?", "yes_no"), key="switch")


def test_a_question_is_read_as_it_was_asked(c: Connection, org: int, study: Study) -> None:
    asked = questions.create(
        c,
        org,
        study.id,
        Question(
            "How much do you like it?",
            "scale",
            options=("a", "b"),
            scale=Scale(1, 5, min_label="not at all"),
            unit="points",
            shuffle_options=True,
        ),
        key="liking",
    )
    assert questions.get(c, org, asked.id) == questions.get(c, org, asked.uuid) == asked
    assert asked.options == ("a", "b")
    assert asked.scale == Scale(1, 5, min_label="not at all")
    assert (asked.key, asked.unit, asked.shuffle_options) == ("liking", "points", True)
    assert (asked.asked_count, asked.answer_count, asked.failed_count) == (5, 0, 0)
    assert studies.get(c, org, study.id).question_count == 1


def test_removed_agents_are_not_asked(c: Connection, org: int, study: Study) -> None:
    studies.remove_agents(c, org, study.id, [10, 20])
    assert questions.create(c, org, study.id, Question("?", "open")).asked_count == 3


def test_a_key_is_used_once_in_a_study(
    c: Connection, org: int, study: Study, question: AskedQuestion
) -> None:
    with pytest.raises(InvalidRequest, match="'switch' is the key of an earlier question") as caught:
        questions.create(c, org, study.id, Question("Again?", "open"), key="switch")
    assert set(caught.value.details["fields"]) == {"key"}
    for _ in range(2):
        assert questions.create(c, org, study.id, Question("Again?", "open")).key is None


def test_questions_come_in_the_order_asked_and_in_pages(
    c: Connection, org: int, study: Study, question: AskedQuestion
) -> None:
    more = [questions.create(c, org, study.id, Question(f"{number}?", "open")) for number in range(3)]
    assert questions.list_(c, org, study.id) == [question, *more]
    assert questions.list_(c, org, study.id, limit=2, offset=1) == more[:2]


@pytest.mark.parametrize("value", [True, False, "yes", 3, 2.5, ["a", "b"], [], None, "null", 0])
def test_a_value_comes_back_as_it_was(
    c: Connection, org: int, question: AskedQuestion, value: object
) -> None:
    save(c, org, question, {30: value})
    (answer,) = questions.answers(c, org, question.study_id)
    assert answer.value == value
    assert type(answer.value) is type(value)
    assert (answer.agent_id, answer.job_id, answer.engine) == (30, "job_30", "fake-1")
    assert answer.option_order == [1, 0]
    assert answer.answered_at == question.created_at


def test_the_first_answer_of_an_agent_stands(c: Connection, org: int, question: AskedQuestion) -> None:
    save(c, org, question, {30: True})
    save(c, org, question, {30: False, 10: False})
    assert [(a.agent_id, a.value) for a in questions.answers(c, org, question.study_id)] == [
        (30, True),
        (10, False),
    ]


def test_answers_are_read_by_question_and_since_the_last_seen(
    c: Connection, org: int, study: Study, question: AskedQuestion
) -> None:
    second = questions.create(c, org, study.id, Question("?", "open"))
    save(c, org, question, dict.fromkeys([30, 10, 20], True))
    save(c, org, second, dict.fromkeys([30, 10], None))
    everything = questions.answers(c, org, study.id)
    assert [answer.question_id for answer in everything] == [question.id] * 3 + [second.id] * 2
    assert questions.answers(c, org, study.id, second.id) == everything[3:]
    assert questions.answers(c, org, study.id + 1, second.id) == []


def test_very_many_answers_are_read_in_columns_that_tell_the_same(
    c: Connection, org: int, study: Study, question: AskedQuestion
) -> None:
    save(c, org, question, {30: "Nuts", 10: ["a", 'b "quoted"'], 20: 2.5, 40: None})
    second = questions.create(c, org, study.id, Question("?", "open"))
    save(c, org, second, {30: 7})
    rows = questions.answers(c, org, study.id)
    first = bulk.stored_answers(c, org, study.id, limit=3)
    rest = bulk.stored_answers(c, org, study.id, after=first.last, limit=3)
    read = [first.read(), rest.read()]
    for name in ("id", "question_id", "agent_id", "job_id", "text", "engine"):
        assert [getattr(row, name) for row in rows] == [each for part in read for each in getattr(part, name)]
    told = [None if text is None else json.loads(text) for part in read for text in part.value]
    assert told == [row.value for row in rows]
    assert [bulk.moment(text) for part in read for text in part.answered_at] == [r.answered_at for r in rows]
    assert bulk.stored_answers(c, org, study.id, after=rest.last) is None
    (only,) = bulk.batches(c, org, study.id, question_id=second.id)
    assert only.read().agent_id == [30]
    assert bulk.stored_answers(c, org, study.id + 1, question_id=second.id) is None


def test_who_was_removed_is_told_apart_from_the_answers(c: Connection, org: int, study: Study) -> None:
    assert bulk.removed_agents(c, study.id) == frozenset()
    studies.remove_agents(c, org, study.id, [10])
    assert bulk.removed_agents(c, study.id) == {10}


def test_answers_of_a_removed_agent_stay_and_are_marked(
    c: Connection, org: int, study: Study, question: AskedQuestion
) -> None:
    save(c, org, question, {30: True, 10: True})
    studies.remove_agents(c, org, study.id, [10])
    assert {a.agent_id: a.agent_removed for a in questions.answers(c, org, study.id)} == {30: False, 10: True}


def test_history_is_what_these_agents_answered_before(
    c: Connection, org: int, study: Study, question: AskedQuestion
) -> None:
    second = questions.create(c, org, study.id, Question("?", "open"))
    third = questions.create(c, org, study.id, Question("?", "open"))
    save(c, org, second, {30: "b"})
    save(c, org, question, {30: True, 10: False, 20: True})
    save(c, org, third, {30: "c"})
    assert questions.history(c, org, study.id, [30, 10], third.id) == {
        30: [Earlier(question.id, "30 says True", True), Earlier(second.id, "30 says b", "b")],
        10: [Earlier(question.id, "10 says False", False)],
    }
    assert questions.history(c, org, study.id, [30], question.id) == {}


def test_another_organization_has_no_part_in_it(
    c: Connection, org: int, other: int, study: Study, question: AskedQuestion
) -> None:
    save(c, org, question, {30: True})
    later = questions.create(c, org, study.id, Question("?", "open"))
    with pytest.raises(NotFound):
        questions.get(c, other, question.id)
    with pytest.raises(NotFound):
        questions.create(c, other, study.id, Question("?", "open"))
    assert questions.list_(c, other, study.id) == []
    assert questions.answers(c, other, study.id) == []
    assert list(bulk.batches(c, other, study.id)) == []
    assert questions.history(c, other, study.id, [30], later.id) == {}
