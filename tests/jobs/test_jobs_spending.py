"""Spending on language models is recorded whatever the outcome of the work."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest

from run_out import run_out
from voxpop.engines.respondent import EngineClosed, Failure, Reply
from voxpop.engines.spent import Spent
from voxpop.jobs.heartbeat import Heartbeat
from voxpop.jobs.reconciler import find
from voxpop.records import model_calls, work_items

SPENT = Spent("openai:gpt-x", 1, 400, 50, 90, temperature=1.0, seed=7)


def paid(agent: int) -> Reply | Failure:
    if agent % 50 == 0:
        return Failure(agent, "invalid_answer", "It does not fit.", SPENT)
    return Reply(agent, "Yes.", True, None, SPENT.engine, SPENT)


def waiting(desk: Any) -> list[int]:
    return [item for batch in find(desk.database) for item in batch.items]


def taken(desk: Any, question: int) -> list[int]:
    with desk.database.read() as c:
        return [call.agent_id for call in model_calls.of_question(c, desk.org, question)]


def test_answers_and_failures_are_booked_in_their_order(desk: Any) -> None:
    desk.respondent.says = paid
    asked = desk.ask()
    desk.run()
    assert taken(desk, asked.question.id) == list(range(250, 0, -1))
    assert desk.question(asked.question.id).failed_count == 5


def test_what_is_free_is_not_booked(desk: Any) -> None:
    asked = desk.ask()
    desk.run()
    assert taken(desk, asked.question.id) == []


def test_what_was_paid_is_booked_when_the_engine_is_closed(desk: Any) -> None:
    closed = []

    def says(agent: int) -> Reply | Failure:
        if agent == 240 and not closed:
            closed.append(agent)
            raise EngineClosed("The service stops.")
        return paid(agent)

    desk.respondent.says = says
    asked = desk.ask()
    desk.run()
    first = asked.item_ids[0]
    assert taken(desk, asked.question.id)[:10] == list(range(250, 240, -1))
    assert waiting(desk) == [first]  # put back, and not put into the queue that stops
    desk.queue.put([first])
    desk.run()
    assert {job.status for job in desk.jobs(asked.job_ids)} == {"finished", "failed"}


def test_a_stop_is_no_failed_try(desk: Any) -> None:
    stops = 5

    def before() -> None:
        nonlocal stops
        if stops:
            stops -= 1
            raise EngineClosed("The service stops.")

    desk.respondent.before = before
    asked = desk.ask()
    for _ in range(6):
        desk.queue.put(waiting(desk))
        desk.run()
    assert {job.status for job in desk.jobs(asked.job_ids)} == {"finished"}


def test_who_loses_the_work_stops_asking_and_what_was_paid_is_booked(desk: Any) -> None:
    other = []

    def says(agent: int) -> Reply | Failure:
        if agent == 245:
            desk.clock.advance(minutes=11)
            with desk.database.begin() as c:
                run_out(c)
                other.append(work_items.claim(c, desk.ask_items[0]))
        return paid(agent)

    desk.respondent.says = says
    asked = desk.ask()
    desk.ask_items = asked.item_ids
    desk.runner.run_item(asked.item_ids[0])
    assert other[0] is not None
    assert desk.respondent.asked == [250, 249, 248, 247, 246, 245]
    assert taken(desk, asked.question.id) == [250, 249, 248, 247, 246, 245]
    assert desk.answers() == []


def test_a_claim_is_renewed_while_its_work_is_done(desk: Any) -> None:
    asked = desk.ask()
    with desk.database.begin() as c:
        item = work_items.claim(c, asked.item_ids[0])
    assert item is not None
    heartbeat = Heartbeat(desk.database, every=0.01)
    with heartbeat.of(item):
        for _ in range(3):
            run_out(desk.database)
            until = time.monotonic() + 5
            while item.id in waiting(desk):
                assert time.monotonic() < until
                time.sleep(0.005)
    heartbeat.stop()
    run_out(desk.database)
    assert item.id in waiting(desk)


def test_a_heartbeat_that_never_beat_stops_at_once(desk: Any) -> None:
    Heartbeat(desk.database).stop()


@pytest.mark.parametrize("apart", [timedelta(0), timedelta(seconds=2)])
def test_booking_more_often_books_the_same(desk: Any, apart: timedelta) -> None:
    def says(agent: int) -> Reply | Failure:
        desk.clock.now += apart
        return paid(agent)

    desk.respondent.says = says
    asked = desk.ask()
    desk.run()
    assert sorted(taken(desk, asked.question.id)) == list(range(1, 251))
