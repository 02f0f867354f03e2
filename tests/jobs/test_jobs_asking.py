"""Asking makes one job per agent, runs in order, and stores each answer once."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from run_out import run_out
from voxpop.engines.basis import Basis
from voxpop.engines.question import Question, Scale
from voxpop.engines.respondent import Failure, Reply
from voxpop.errors import InvalidRequest, NotFound
from voxpop.jobs.asking import ask
from voxpop.records import studies
from voxpop.records.schema import answers, jobs


def test_a_question_is_answered_by_every_agent_in_group_order(desk: Any) -> None:
    asked = desk.ask()
    assert len(asked.job_ids) == 250
    assert len(asked.item_ids) == 3
    assert desk.queue.items == asked.item_ids
    desk.run()
    assert desk.respondent.asked == list(range(250, 0, -1))
    assert [answer.agent_id for answer in desk.answers()] == list(range(250, 0, -1))
    assert desk.respondent.seeds == {7}


def test_every_job_gives_the_answer_of_its_agent(desk: Any) -> None:
    asked = desk.ask()
    desk.run()
    found = desk.jobs(asked.job_ids)
    assert [job.result["response_text"] for job in found] == [
        f"agent {number}" for number in range(250, 0, -1)
    ]
    assert all(job.status == "finished" and job.error is None for job in found)
    assert found[0].result == {
        "agent_id": 250,
        "question_id": asked.question.id,
        "study_id": desk.study.id,
        "response_text": "agent 250",
        "value": True,
    }
    assert (found[0].done, found[0].total) == (250, 250)


def test_an_answer_carries_what_the_agent_saw_and_who_answered(desk: Any) -> None:
    asked = desk.ask()
    desk.clock.advance(seconds=7)
    desk.run()
    answer = desk.answers()[0]
    assert (answer.text, answer.value, answer.option_order, answer.engine) == (
        "agent 250",
        True,
        [1, 0],
        "fake-1",
    )
    assert answer.job_id == asked.job_ids[0]
    assert answer.answered_at == desk.clock()


def test_the_respondent_is_given_the_question_as_it_was_read(desk: Any) -> None:
    question = Question(
        "How much?",
        "scale",
        ("a", "b"),
        Scale(1, 5, "no", "yes"),
        unit="points",
        shuffle_options=True,
        key="k",
    )
    ask(desk.database, desk.queue, desk.org, desk.study.uuid, question)
    desk.run()
    assert desk.respondent.questions == [question] * 3


def test_an_agent_knows_its_earlier_answers_and_nobody_elses(desk: Any) -> None:
    desk.ask("First?")
    desk.ask("Second?")
    desk.run()
    (exchange,) = desk.respondent.history[12]
    assert exchange.question.text == "First?"
    assert (exchange.text, exchange.value) == ("agent 12", True)
    assert set(desk.respondent.history) == set(range(1, 251))


def test_a_later_question_runs_after_the_earlier_one_whatever_the_queue_says(desk: Any) -> None:
    first, second = desk.ask("First?"), desk.ask("Second?")
    desk.queue.items = [*second.item_ids, *first.item_ids]
    desk.run()
    assert [question.text for question in desk.respondent.questions] == ["First?"] * 3 + ["Second?"] * 3
    assert {job.status for job in desk.jobs(first.job_ids + second.job_ids)} == {"finished"}


def test_counts_of_a_question_are_those_of_its_jobs_and_answers(desk: Any) -> None:
    desk.respondent.says = lambda number: (
        Failure(number, "refused", "I would rather not say.")
        if number % 10 == 0
        else Reply(number, "yes", True, None, "fake-1")
    )
    asked = desk.ask()
    desk.run()
    question = desk.question(asked.question.id)
    assert (question.asked_count, question.answer_count, question.failed_count) == (250, 225, 25)
    assert len(desk.answers()) == 225
    failed = [job for job in desk.jobs(asked.job_ids) if job.status == "failed"]
    assert [job.agent_id for job in failed] == list(range(250, 0, -10))
    assert failed[0].error == {"code": "refused", "message": "I would rather not say."}
    assert failed[0].result is None


def test_removed_agents_are_not_asked_again(desk: Any) -> None:
    desk.remove(250, 1)
    asked = desk.ask()
    assert len(asked.job_ids) == asked.question.asked_count == 248


def test_an_agent_that_is_removed_before_its_turn_is_not_asked(desk: Any) -> None:
    asked = desk.ask()
    desk.remove(250)
    desk.run()
    job = desk.job(asked.job_ids[0])
    assert (job.status, job.error["code"]) == ("failed", "agent_removed")
    assert 250 not in desk.respondent.asked
    assert desk.question(asked.question.id).failed_count == 1


def test_an_answer_given_while_its_agent_is_removed_is_kept_and_marked(desk: Any) -> None:
    asked = desk.ask()
    desk.respondent.before = lambda: desk.remove(250)
    desk.run()
    assert desk.job(asked.job_ids[0]).status == "finished"
    assert desk.answers()[0].agent_removed


def test_a_study_without_agents_can_be_asked(desk: Any) -> None:
    desk.remove(*range(1, 251))
    asked = desk.ask()
    assert (asked.job_ids, asked.item_ids) == ([], [])
    assert desk.question(asked.question.id).asked_count == 0


def test_running_an_item_again_changes_nothing(desk: Any) -> None:
    asked = desk.ask()
    desk.run()
    before = desk.answers()
    for item in asked.item_ids:
        desk.runner.run_item(item)
    assert desk.answers() == before
    assert len(desk.respondent.asked) == 250


def test_a_worker_whose_claim_has_passed_on_writes_nothing(desk: Any) -> None:
    asked = desk.ask()
    desk.remove(*range(1, 250))
    slow: list[int] = []

    def overtaken() -> None:
        if not slow:
            slow.append(1)
            run_out(desk.database)
            desk.runner.run_item(asked.item_ids[0])

    desk.respondent.before = overtaken
    desk.run()
    assert len(desk.respondent.asked) == 2
    assert len(desk.answers()) == 1
    question = desk.question(asked.question.id)
    assert (question.answer_count, question.failed_count) == (1, 249)


def test_a_new_question_makes_a_completed_study_active_again(desk: Any) -> None:
    with desk.database.begin() as c:
        studies.set_stage(c, desk.org, desk.study.id, "completed")
    desk.ask()
    assert desk.stage() == "active"


def test_a_question_that_cannot_be_asked_leaves_nothing(desk: Any) -> None:
    desk.ask(key="switch")
    with pytest.raises(InvalidRequest, match="'switch'"):
        desk.ask(key="switch")
    with pytest.raises(NotFound):
        ask(desk.database, desk.queue, desk.org + 1, desk.study.id, Question("?", "open"))
    with desk.database.read() as c:
        assert c.execute(sa.select(sa.func.count()).select_from(jobs)).scalar() == 250
        assert c.execute(sa.select(sa.func.count()).select_from(answers)).scalar() == 0


def test_answers_are_stored_with_what_they_rest_on(desk: Any) -> None:
    bases = (Basis("profile", "The agent's age."), Basis("none", "No figure is known."))
    desk.respondent.says = lambda n: Reply(n, "Yes.", True, None, "fake-1", basis=bases[n % 2])
    asked = desk.ask()
    desk.run()
    given = desk.answers(asked.question.id)
    assert len(given) == len(asked.job_ids)
    assert all(answer.basis == bases[answer.agent_id % 2] for answer in given)


def test_a_reply_whose_basis_is_no_basis_is_a_failure(desk: Any) -> None:
    desk.respondent.says = lambda n: Reply(n, "Yes.", True, None, "fake-1", basis="known")  # type: ignore[arg-type]
    asked = desk.ask()
    desk.run()
    assert desk.answers(asked.question.id) == []
    (first, *_) = desk.jobs(asked.job_ids)
    assert first.error["code"] == "unfit_answer"
    assert "'known', which is not a Basis" in first.error["message"]
