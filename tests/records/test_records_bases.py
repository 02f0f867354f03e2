"""Bases are stored once per question; older answers have none."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection

from voxpop.engines.basis import Basis
from voxpop.engines.question import Question
from voxpop.records import answer_bases, bulk, questions
from voxpop.records.questions import AskedQuestion
from voxpop.records.schema import question_bases
from voxpop.records.studies import Study

GALLUP = Basis("published", "Share of yes from Gallup, October 2024.")
AGE = Basis("profile", "The agent's age.")
PLACEHOLDER = Basis("none", "No figure is known.")


@pytest.fixture
def question(c: Connection, org: int, study: Study) -> AskedQuestion:
    return questions.create(c, org, study.id, Question("Would you switch?", "yes_no"), key="switch")


def save(c: Connection, org: int, question: AskedQuestion, given: Mapping[int, Basis | None]) -> None:
    answer_bases.save(c, question.id, [basis for basis in given.values() if basis is not None])
    rows = [
        {
            "organization_id": org,
            "study_id": question.study_id,
            "question_id": question.id,
            "agent_id": agent,
            "job_id": f"job_{agent}",
            "text": "Yes.",
            "value": True,
            "option_order": None,
            "answered_at": question.created_at,
            "engine": "fake-1",
            "basis_code": None if basis is None else answer_bases.code_of(basis),
        }
        for agent, basis in given.items()
    ]
    questions.save_answers(c, rows)


def test_answers_are_read_with_what_they_rest_on(
    c: Connection, org: int, study: Study, question: AskedQuestion
) -> None:
    given = {10: GALLUP, 20: AGE, 30: GALLUP, 40: PLACEHOLDER}
    save(c, org, question, given)
    for read in (questions.answers(c, org, study.id, question.id), questions.answers(c, org, study.id)):
        assert {answer.agent_id: answer.basis for answer in read} == given
    stored = bulk.stored_answers(c, org, study.id)
    assert stored is not None
    columns = stored.read()
    assert {
        agent: stored.bases[code]  # type: ignore[index]
        for agent, code in zip(columns.agent_id, columns.basis_code, strict=True)
    } == given


def test_a_question_keeps_each_basis_once(c: Connection, org: int, question: AskedQuestion) -> None:
    save(c, org, question, {10: GALLUP, 20: GALLUP})
    save(c, org, question, {30: GALLUP, 40: PLACEHOLDER})
    kept = sa.select(question_bases.c.kind).where(question_bases.c.question_id == question.id)
    assert sorted(c.execute(kept).scalars()) == ["none", "published"]
    assert answer_bases.listed(c, [question.id]) == {question.id: [GALLUP, PLACEHOLDER]}


def test_bases_of_other_questions_are_not_listed(
    c: Connection, org: int, study: Study, question: AskedQuestion
) -> None:
    other = questions.create(c, org, study.id, Question("How old are you?", "number"))
    save(c, org, question, {10: GALLUP})
    save(c, org, other, {10: AGE})
    assert answer_bases.listed(c, [question.id, other.id]) == {question.id: [GALLUP], other.id: [AGE]}
    assert list(answer_bases.of_questions(c, [other.id]).values()) == [AGE]
    assert set(answer_bases.of_study(c, study.id).values()) == {GALLUP, AGE}


def test_answers_stored_before_bases_were_kept_have_none(
    c: Connection, org: int, study: Study, question: AskedQuestion
) -> None:
    save(c, org, question, {10: None, 20: AGE})
    assert [answer.basis for answer in questions.answers(c, org, study.id, question.id)] == [None, AGE]
    stored = bulk.stored_answers(c, org, study.id)
    assert stored is not None
    assert stored.read().basis_code == [None, answer_bases.code_of(AGE)]
    assert answer_bases.fields_of(None) == {"basis": None, "basis_note": None}


def test_a_long_note_is_cut_off_alike_everywhere(
    c: Connection, org: int, study: Study, question: AskedQuestion
) -> None:
    long = Basis("modelled", "ä" * 5_000)
    save(c, org, question, {10: long})
    (answer,) = questions.answers(c, org, study.id)
    assert answer.basis == Basis("modelled", "ä" * answer_bases.LONGEST_NOTE)
