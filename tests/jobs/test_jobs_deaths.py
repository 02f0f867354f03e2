"""Process deaths do not count as failures: suspect work items are isolated and split."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from voxpop.engines.question import Question
from voxpop.engines.respondent import EngineClosed, Reply
from voxpop.jobs.apart import GIVEN_UP_AFTER, Outcome, ProcessEnded, ProcessNotStarted, Put
from voxpop.jobs.asking import ask
from voxpop.jobs.runner import ATTEMPTS
from voxpop.jobs.surveying import SURVEY, survey
from voxpop.records import usage, work_items
from voxpop.records.schema import work_items as items_table
from voxpop.records.usage import Meter


class Killed(BaseException):
    """The end of a process in these tests; no handler catches it."""


def kill(desk: Any, item: int) -> None:
    """End a process while it holds an item."""
    with desk.database.begin() as c:
        assert work_items.claim(c, item) is not None
        assert work_items.release_left(c) == 1


def deadly(*agents: int) -> Callable[[int], Reply]:
    """Return a respondent that ends its process for the given agents."""

    def says(number: int) -> Reply:
        if number in agents:
            raise Killed
        return Reply(number, f"agent {number}", True, None, "fake-1")

    return says


def isolate(desk: Any) -> list[work_items.Item]:
    """Run suspect items in a stand-in for a separate process; return those items."""
    ran: list[work_items.Item] = []

    def apart(item: work_items.Item) -> Outcome:
        ran.append(item)
        try:
            return Outcome(desk.runner.handle(item), [], {"answered": 1})
        except Killed:
            raise ProcessEnded("The separate process ended with status -9.") from None

    desk.runner.apart = apart
    return ran


def deaths(desk: Any) -> dict[int, int]:
    with desk.database.read() as c:
        return dict(c.execute(sa.select(items_table.c.id, items_table.c.deaths)).all())


def used(desk: Any) -> int:
    with desk.database.read() as c:
        return usage.this_month(c, Meter(desk.org, "live", None)).used


@pytest.mark.parametrize("times", [3, 9])
def test_kills_of_the_process_never_fail_an_answer(desk: Any, times: int) -> None:
    asked = desk.ask()
    for _ in range(times):
        kill(desk, asked.item_ids[0])
    desk.run()
    assert {job.status for job in desk.jobs(asked.job_ids)} == {"finished"}
    assert {job.attempts for job in desk.jobs(asked.job_ids)} == {1}
    assert len(desk.answers()) == 250


def test_a_claim_that_ran_out_is_a_death_and_an_error_is_a_failure(desk: Any) -> None:
    (item, *_) = desk.ask().item_ids
    with desk.database.begin() as c:
        first = work_items.claim(c, item)
    assert first is not None
    assert (first.deaths, first.failures) == (0, 1)
    if desk.database.alone:
        desk.clock.advance(minutes=10)
    else:
        with desk.database.begin() as c:
            c.exec_driver_sql("UPDATE work_items SET lease_until = now() - interval '1 s'")
    with desk.database.begin() as c:
        second = work_items.claim(c, item)
        assert second is not None
        assert (second.deaths, second.failures) == (1, 1)
        assert not work_items.finish(c, first)
        assert work_items.release(c, second)
        third = work_items.claim(c, item)
    assert third is not None
    assert (third.deaths, third.failures) == (1, 2)


def test_an_error_after_a_death_is_still_tried_three_times(desk: Any) -> None:
    asked = desk.ask()
    kill(desk, asked.item_ids[0])
    tries = []

    def fails() -> None:
        tries.append(1)
        raise RuntimeError("a bug")

    desk.respondent.before = fails
    desk.run()
    assert len(tries) == ATTEMPTS * len(asked.item_ids)
    assert {job.error["code"] for job in desk.jobs(asked.job_ids)} == {"internal_error"}


def test_an_item_that_was_in_hand_runs_apart_once_and_is_logged(
    desk: Any, caplog: pytest.LogCaptureFixture
) -> None:
    asked = desk.ask()
    for item in asked.item_ids[:2]:  # two threads of one process, of which one has ended both
        kill(desk, item)
    ran = isolate(desk)
    desk.run()
    assert [item.id for item in ran] == asked.item_ids[:2]
    assert len(desk.answers()) == 250
    told = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    assert told[0] == (
        f"Work item {asked.item_ids[0]} (question, organization {desk.org}, study {desk.study.id}, "
        f"question {asked.question.id}) was in hand when a process ended; count: 1."
    )


def test_one_agent_that_ends_each_process_fails_alone(desk: Any) -> None:
    meter = Meter(desk.org, "live", None)
    question = Question("Would you?", "yes_no")
    asked = ask(desk.database, desk.queue, desk.org, desk.study.id, question, meter=meter)
    desk.respondent.says = deadly(137)
    kill(desk, asked.item_ids[1])
    ran = isolate(desk)
    desk.run()
    found = {job.agent_id: job for job in desk.jobs(asked.job_ids)}
    assert [agent for agent, job in found.items() if job.status != "finished"] == [137]
    assert found[137].error["code"] == "process_ended"
    assert len(desk.answers(asked.question.id)) == used(desk) == 249
    stored = desk.question(asked.question.id)
    assert (stored.answer_count, stored.failed_count) == (249, 1)
    assert len(ran) < 60
    assert max(deaths(desk).values()) == GIVEN_UP_AFTER


def test_a_survey_leaves_out_the_agent_that_ends_its_processes(desk: Any) -> None:
    meter = Meter(desk.org, "live", None)
    with desk.database.begin() as c:
        asked = survey(
            c, meter, SURVEY, range(1, 151), Question("Would you?", "yes_no"), detail={"survey_uuid": "u"}
        )
    desk.respondent.says = deadly(120, 121, 150)
    kill(desk, asked.item_id)
    isolate(desk)
    desk.queue.put([asked.item_id])
    desk.run()
    job = desk.job(asked.job_id)
    assert (job.status, job.done) == ("finished", 150)
    stored = desk.question(asked.question.id)
    assert (stored.answer_count, stored.failed_count) == (147, 3)
    assert used(desk) == 147


def test_where_no_process_can_be_started_the_item_runs_here_and_the_log_says_so(
    desk: Any, caplog: pytest.LogCaptureFixture
) -> None:
    asked = desk.ask()
    kill(desk, asked.item_ids[0])

    def apart(_: work_items.Item) -> Outcome:
        raise ProcessNotStarted("No separate process can be started: out of memory.")

    desk.runner.apart = apart
    desk.run()
    assert len(desk.answers()) == 250
    assert "runs in this process: No separate process can be started" in caplog.text


def test_what_is_stopped_amid_a_process_of_its_own_is_put_back(desk: Any) -> None:
    asked = desk.ask()
    kill(desk, asked.item_ids[0])

    def apart(_: work_items.Item) -> Outcome:
        raise EngineClosed("The process is stopping.")

    desk.runner.apart = apart
    desk.runner.run_item(asked.item_ids[0])
    assert deaths(desk)[asked.item_ids[0]] == 1
    with desk.database.read() as c:
        assert asked.item_ids[0] in work_items.waiting(c)


def test_what_an_item_wakes_in_a_process_of_its_own_is_queued_here(desk: Any) -> None:
    asked = desk.ask()
    kill(desk, asked.item_ids[0])
    desk.queue.items.clear()
    desk.runner.apart = lambda item: Outcome(desk.runner.handle(item), [Put([77], None)])
    desk.runner.run_item(asked.item_ids[0])
    assert desk.queue.items == [77]
