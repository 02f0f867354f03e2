"""Direct questions and surveys as rows: targets in order, sharing, counts and pages."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection

from voxpop.engines.question import Question
from voxpop.errors import NotFound
from voxpop.records import direct_questions, jobs, operations, questions, surveys
from voxpop.records.questions import AskedQuestion


def ask(c: Connection, org: int, agents: list[int], asked_of: str = "group", **more: Any) -> AskedQuestion:
    """Store a question with its jobs."""
    wording = Question("Which?", "single_choice", ("A", "B"))
    stored = questions.create_direct(c, org, wording, asked_of=asked_of, asked_count=len(agents), **more)
    jobs.create_question_jobs(c, org, stored, agents)
    return stored


def say(c: Connection, org: int, question: int, agent: int, value: str | None, job_id: str = "job") -> None:
    """Store an answer."""
    row = {"organization_id": org, "study_id": None, "question_id": question, "agent_id": agent}
    row |= {"job_id": job_id, "text": f"{value}!", "value": value, "option_order": None}
    questions.save_answers(c, [row | {"answered_at": c.get_execution_options()["clock"](), "engine": "e"}])


def test_targets_come_in_the_order_asked_with_their_answers(c: Connection, org: int) -> None:
    first, second = ask(c, org, [30, 10, 20]), ask(c, org, [10])
    say(c, org, first.id, 10, "A")
    say(c, org, second.id, 10, "B")
    found = direct_questions.targets(c, [second, first])
    assert list(found) == [second.id, first.id]
    assert [target.agent_id for target in found[first.id]] == [30, 10, 20]
    assert [target.answer and target.answer.value for target in found[first.id]] == [None, "A", None]
    assert {target.status for target in found[first.id]} == {"started"}
    answer = found[second.id][0].answer
    assert answer == questions.answers(c, org, None, second.id)[0]


def test_targets_of_very_many_questions_are_read_in_parts(c: Connection, org: int) -> None:
    asked = [ask(c, org, [number]) for number in range(1, 1_102)]
    found = direct_questions.targets(c, asked)
    assert [one.agent_id for those in found.values() for one in those] == list(range(1, 1_102))


def test_a_question_without_jobs_has_no_targets(c: Connection, org: int) -> None:
    asked = ask(c, org, [])
    assert direct_questions.targets(c, [asked]) == {asked.id: []}


@pytest.mark.parametrize("asked_of", ["free", "survey"])
def test_free_questions_and_surveys_are_no_direct_questions(c: Connection, org: int, asked_of: str) -> None:
    asked = ask(c, org, [1], asked_of)
    with pytest.raises(NotFound, match="direct question"):
        direct_questions.get(c, org, asked.uuid)


def test_only_the_owner_finds_a_question(c: Connection, org: int, other: int) -> None:
    asked = ask(c, org, [1])
    assert direct_questions.get(c, org, asked.id) == direct_questions.get(c, org, asked.uuid) == asked
    for call in (direct_questions.get, direct_questions.get_share):
        with pytest.raises(NotFound):
            call(c, other, asked.id)


def test_a_share_is_closed_at_once_and_opened_with_another_link(c: Connection, org: int) -> None:
    asked = ask(c, org, [1])
    assert not direct_questions.get_share(c, org, asked.id).enabled
    first = direct_questions.share(c, org, asked.id, True)
    assert direct_questions.share(c, org, asked.id, True) == first
    assert first.token is not None
    assert direct_questions.by_token(c, first.token) == (org, asked)
    direct_questions.share(c, org, asked.id, False)
    assert direct_questions.by_token(c, first.token) is None
    assert direct_questions.share(c, org, asked.id, True).token != first.token


def test_an_operation_is_told_by_an_open_job_and_then_by_one_that_went_well(c: Connection, org: int) -> None:
    number, _ = operations.begin(c, org, key="k", kind="ask", digest="d")
    wording = Question("Which?", "yes_no")
    stored = questions.create_direct(c, org, wording, asked_of="group", asked_count=3)
    first, second, third = jobs.create_question_jobs(c, org, stored, [1, 2, 3], operation_id=number)[0]
    jobs.finish(c, first, {})
    jobs.fail(c, {third: ("refused", "No.")})
    assert operations.last_job(c, org, number).id == second
    jobs.fail(c, {second: ("refused", "No.")})
    assert operations.last_job(c, org, number).id == first


def test_the_groups_of_questions_are_named(c: Connection, org: int, group: Any) -> None:
    asked = ask(c, org, [1], group_id=group.id)
    assert direct_questions.group_uuids(c, [asked, ask(c, org, [2], "agent")]) == {group.id: group.uuid}


@pytest.fixture
def survey(c: Connection, org: int, group: Any) -> int:
    """The number of a survey of three agents."""
    wording = Question("Which?", "single_choice", ("A", "B"))
    asked = questions.create_direct(c, org, wording, asked_of="survey", asked_count=3, group_id=group.id)
    job_id, _ = jobs.create_job(c, org, "survey", question_id=asked.id, detail={}, total=3)
    return surveys.create(c, org, uuid="u-1", title="t", question_id=asked.id, job_id=job_id)


def test_a_survey_is_read_with_its_question_and_job(c: Connection, org: int, group: Any, survey: int) -> None:
    found = surveys.get(c, org, survey)
    assert (found.uuid, found.question, found.options, found.group_uuid) == (
        "u-1",
        "Which?",
        ("A", "B"),
        group.uuid,
    )
    assert (found.job_status, found.asked_count) == ("started", 3)
    assert surveys.list_(c, org, limit=5, offset=0) == (1, [found])


def test_values_are_counted_and_responses_paged(c: Connection, org: int, survey: int) -> None:
    question = surveys.get(c, org, survey).question_id
    assert surveys.counts(c, question) == {}
    for agent, value in ((3, "A"), (1, None), (2, "A"), (4, "B")):
        say(c, org, question, agent, value)
    assert surveys.counts(c, question) == {None: 1, "A": 2, "B": 1}
    pages = [surveys.responses(c, question, limit=3, offset=start) for start in (0, 3)]
    assert [[answer.agent_id for answer in page] for page in pages] == [[3, 1, 2], [4]]
    assert pages[0][0].agent_removed is False


def test_a_deleted_survey_is_gone(c: Connection, org: int, other: int, survey: int) -> None:
    with pytest.raises(NotFound):
        surveys.delete(c, other, survey)
    surveys.delete(c, org, survey)
    assert surveys.list_(c, org, limit=5, offset=0) == (0, [])
    for call in (surveys.get, surveys.delete):
        with pytest.raises(NotFound, match="survey"):
            call(c, org, survey)
