"""Failing work is tried three times, then reported; no job stays unfinished."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from voxpop.engines.respondent import Reply
from voxpop.errors import ConnectionFailed, RateLimited
from voxpop.jobs.logs import JsonLines
from voxpop.jobs.runner import Runner
from voxpop_simulator.embedded import EmbeddedRespondent


class Broken:
    """A function that raises a given number of times and then succeeds."""

    def __init__(self, error: Exception, times: int) -> None:
        self.error, self.left = error, times

    def __call__(self) -> None:
        if self.left:
            self.left -= 1
            raise self.error


@pytest.mark.parametrize("error", [RuntimeError("a bug"), ConnectionFailed("no answer")])
def test_what_works_at_the_third_attempt_is_answered_once(desk: Any, error: Exception) -> None:
    desk.respondent.before = Broken(error, 2)
    asked = desk.ask()
    desk.run()
    assert {job.status for job in desk.jobs(asked.job_ids)} == {"finished"}
    assert len(desk.answers()) == 250


def test_an_unexpected_error_is_logged_with_its_item_and_fails_the_jobs(
    desk: Any, caplog: pytest.LogCaptureFixture
) -> None:
    desk.respondent.before = Broken(RuntimeError("a bug"), 10**6)
    asked = desk.ask()
    desk.run()
    found = desk.jobs(asked.job_ids)
    assert {job.status for job in found} == {"failed"}
    assert {job.error["code"] for job in found} == {"internal_error"}
    assert {job.attempts for job in found} == {3}
    assert "a bug" not in found[0].error["message"]
    logged = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(logged) == 9
    assert logged[0].getMessage() == (
        f"Work item {asked.item_ids[0]} (question, organization {desk.org}, study {desk.study.id}, "
        f"question {asked.question.id}), attempt 1 of 3, failed."
    )
    assert logged[0].exc_info is not None
    question = desk.question(asked.question.id)
    assert (question.answer_count, question.failed_count) == (0, 250)


def test_a_fault_of_the_embedded_engine_ends_the_job_and_is_logged_with_the_agent(
    desk: Any, caplog: pytest.LogCaptureFixture
) -> None:
    asked = desk.ask()  # the agents of the desk have a number and no profile, which no engine can answer for
    desk.runner.respondent = EmbeddedRespondent()
    desk.run()
    job = desk.job(asked.job_ids[0])
    assert (job.status, job.error["code"]) == ("failed", "internal_error")
    assert f"work item {asked.item_ids[0]}" in job.error["message"]
    told = JsonLines().format(next(each for each in caplog.records if each.levelno == logging.ERROR))
    for part in ("AttributeError", "for agent 250", "voxpop_simulator/embedded.py", f"study {desk.study.id}"):
        assert part in told
    assert desk.answers() == []


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ConnectionFailed("The model does not answer."), "respondent_failed", "The model does not answer."),
        (RateLimited("Too many calls."), "rate_limited", "Too many calls."),
    ],
)
def test_a_known_error_is_told_in_its_own_words(desk: Any, error: Exception, code: str, message: str) -> None:
    desk.respondent.before = Broken(error, 10**6)
    asked = desk.ask()
    desk.run()
    assert desk.job(asked.job_ids[0]).error == {"code": code, "message": message}


def test_a_failed_item_does_not_hold_up_the_next_question(desk: Any) -> None:
    desk.respondent.before = Broken(RuntimeError("a bug"), 9)
    first, second = desk.ask("First?"), desk.ask("Second?")
    desk.run()
    assert {job.status for job in desk.jobs(first.job_ids)} == {"failed"}
    assert {job.status for job in desk.jobs(second.job_ids)} == {"finished"}


def test_agents_that_the_respondent_passes_over_fail(desk: Any) -> None:
    class Silent:
        name = "silent-1"

        def answer(self, agents: Any, question: Any, history: Any, *, seed: int) -> Any:
            return (Reply(agent.id, "yes", True, None, "silent-1") for agent in agents if agent.id > 1)

    asked = desk.ask()
    runner = Runner(desk.database, desk.runner.population, Silent(), desk.clock, queue=desk.queue)
    desk.queue.start(runner.run_item)
    assert desk.job(asked.job_ids[-1]).error["code"] == "no_answer"
    assert len(desk.answers()) == 249


def test_an_unknown_item_is_left_alone(desk: Any) -> None:
    desk.runner.run_item(999)
    assert desk.respondent.asked == []
