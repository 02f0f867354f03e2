"""Retrying failed agents creates new jobs, no duplicate answers, and exact counts and usage."""

from __future__ import annotations

from typing import Any

import pytest

from voxpop.engines.question import Question
from voxpop.engines.respondent import Failure, Reply
from voxpop.errors import Conflict, NotFound, QuotaExceeded
from voxpop.jobs.asking import ask, ask_again
from voxpop.records import bulk, studies, usage
from voxpop.records.usage import Meter


def busy(number: int) -> Reply | Failure:
    """Every tenth agent fails."""
    if number % 10 == 0:
        return Failure(number, "timeout", "The model took too long.")
    return Reply(number, f"agent {number}", True, None, "fake-1")


def well(number: int) -> Reply:
    return Reply(number, f"agent {number}", True, None, "fake-1")


def again(desk: Any, question: int | str, **rest: Any) -> Any:
    return ask_again(desk.database, desk.queue, desk.org, desk.study.id, question, **rest)


def unanswered(desk: Any) -> list[tuple[str, int, str]]:
    with desk.database.read() as c:
        return [(job.job_id, job.agent_id, job.status) for job in bulk.unanswered(c, desk.org, desk.study.id)]


def test_only_who_failed_is_asked_again_in_group_order(desk: Any) -> None:
    desk.respondent.says = busy
    first = desk.ask()
    desk.run()
    desk.respondent.says, desk.respondent.asked = well, []
    retried = again(desk, first.question.id)
    failed = list(range(250, 0, -10))
    assert (retried.question.answer_count, retried.question.failed_count) == (225, 0)
    assert unanswered(desk) == [
        (job, agent, "started") for job, agent in zip(retried.job_ids, failed, strict=True)
    ]
    desk.run()
    assert desk.respondent.asked == failed
    question = desk.question(first.question.id)
    assert (question.asked_count, question.answer_count, question.failed_count) == (250, 250, 0)
    assert len(desk.answers()) == len({answer.agent_id for answer in desk.answers()}) == 250
    assert [job.result["response_text"] for job in desk.jobs(retried.job_ids)] == [
        f"agent {number}" for number in failed
    ]
    assert unanswered(desk) == []


def test_the_job_that_failed_stays_as_it_ended(desk: Any) -> None:
    desk.respondent.says = busy
    first = desk.ask()
    desk.run()
    desk.respondent.says = well
    again(desk, first.question.uuid)
    desk.run()
    old = desk.job(first.job_ids[0])
    assert (old.status, old.error["code"], old.result) == ("failed", "timeout", None)


def test_who_fails_once_more_can_be_asked_once_more(desk: Any) -> None:
    desk.respondent.says = busy
    first = desk.ask()
    desk.run()
    second = again(desk, first.question.id)
    desk.run()
    assert desk.question(first.question.id).failed_count == len(second.job_ids) == 25
    assert [job for job, _, _ in unanswered(desk)] == second.job_ids
    desk.respondent.says = well
    assert len(again(desk, first.question.id).job_ids) == 25
    desk.run()
    assert again(desk, first.question.id).job_ids == []


def test_removed_agents_are_left_alone(desk: Any) -> None:
    desk.respondent.says = busy
    first = desk.ask()
    desk.run()
    desk.remove(10, 20)
    desk.respondent.says = well
    assert len(again(desk, first.question.id).job_ids) == 23
    desk.run()
    question = desk.question(first.question.id)
    assert (question.answer_count, question.failed_count) == (248, 2)


def test_nobody_is_asked_again_while_some_have_not_ended(desk: Any) -> None:
    asked = desk.ask()
    with pytest.raises(Conflict, match="250 agents have not ended"):
        again(desk, asked.question.id)
    desk.run()
    assert again(desk, asked.question.id).job_ids == []


def test_a_question_of_another_study_is_not_found(desk: Any) -> None:
    desk.ask()
    desk.run()
    for strange in (99, "99", "no-such-thing"):
        with pytest.raises(NotFound, match="no question"):
            again(desk, strange)


def test_what_an_agent_said_later_is_not_known_when_it_is_asked_again(desk: Any) -> None:
    desk.respondent.says = busy
    first = desk.ask("First?")
    desk.run()
    desk.respondent.says = well
    desk.ask("Second?")
    desk.run()
    desk.respondent.history.clear()
    again(desk, first.question.id)
    desk.run()
    assert desk.respondent.history == {}


def test_new_answers_are_counted_and_new_failures_given_back(desk: Any) -> None:
    meter = Meter(desk.org, "live", 500)

    def used() -> int:
        with desk.database.read() as c:
            return usage.this_month(c, meter).used

    desk.respondent.says = busy
    first = ask(
        desk.database, desk.queue, desk.org, desk.study.id, Question("Would you?", "yes_no"), meter=meter
    )
    desk.run()
    assert used() == 225
    desk.respondent.says = lambda number: well(number) if number > 50 else busy(number)
    again(desk, first.question.id, meter=meter)
    assert used() == 250
    desk.run()
    assert used() == 245
    with pytest.raises(QuotaExceeded):
        again(desk, first.question.id, meter=Meter(desk.org, "live", 249))
    assert (used(), desk.question(first.question.id).failed_count, desk.queue.items) == (245, 5, [])


def test_a_completed_study_is_active_again(desk: Any) -> None:
    desk.respondent.says = busy
    first = desk.ask()
    desk.run()
    with desk.database.begin() as c:
        studies.set_stage(c, desk.org, desk.study.id, "completed")
    again(desk, first.question.id)
    assert desk.stage() == "active"
