"""Survey jobs ask every agent once in parts, survive interruptions, and count usage exactly."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from run_out import run_out
from voxpop.engines.basis import UNDECLARED
from voxpop.engines.question import Question
from voxpop.engines.respondent import Failure, Reply
from voxpop.errors import QuotaExceeded
from voxpop.jobs.surveying import FREE, Surveyed, survey
from voxpop.records import jobs, questions, usage
from voxpop.records.questions import Answer
from voxpop.records.schema import answers, work_items
from voxpop.records.surveys import SURVEY
from voxpop.records.usage import Meter

QUESTION = Question("Which?", "single_choice", ("A", "B"))


def start(
    desk: Any, count: int = 250, kind: str = SURVEY, limit: int | None = None, **detail: Any
) -> Surveyed:
    """Put a question to agents 1 to ``count``; nothing is run yet."""
    meter = Meter(desk.org, "live", limit)
    detail = detail or {"survey_uuid": "u"}
    with desk.database.begin() as c:
        asked = survey(c, meter, kind, range(1, count + 1), QUESTION, detail=detail)
    desk.queue.put([asked.item_id])
    return asked


def given(desk: Any, asked: Surveyed) -> list[Answer]:
    with desk.database.read() as c:
        return questions.answers(c, desk.org, None, asked.question.id)


def used(desk: Any) -> int:
    with desk.database.read() as c:
        return usage.this_month(c, Meter(desk.org, "live", None)).used


def counts(desk: Any, asked: Surveyed) -> tuple[int, int, int]:
    stored = desk.question(asked.question.id)
    return stored.asked_count, stored.answer_count, stored.failed_count


def named(ids: Sequence[int]) -> list[Any]:
    """Return agents that a free question can reach."""
    return [
        SimpleNamespace(id=n, name=f"agent {n}", age=n, city=None, state="CA", occupation=None) for n in ids
    ]


def test_everybody_is_asked_once_in_order_and_in_parts(desk: Any) -> None:
    asked = start(desk)
    assert used(desk) == 250
    desk.run()
    assert desk.respondent.asked == list(range(1, 251))
    assert len(desk.respondent.questions) == 3
    assert desk.respondent.questions[0] == QUESTION
    assert desk.respondent.seeds == {7}
    assert [answer.agent_id for answer in given(desk, asked)] == list(range(1, 251))
    assert {answer.job_id for answer in given(desk, asked)} == {asked.job_id}
    assert (counts(desk, asked), used(desk)) == ((250, 250, 0), 250)
    job = desk.job(asked.job_id)
    assert (job.status, job.done, job.total) == ("finished", 250, 250)
    assert job.result == {
        "survey_uuid": "u",
        "question_id": asked.question.id,
        "answered": 250,
        "failed": 0,
    }


def test_progress_moves_on_with_every_part(desk: Any) -> None:
    asked, seen = start(desk), []
    desk.respondent.before = lambda: seen.append(
        (desk.job(asked.job_id).done, len(given(desk, asked)), counts(desk, asked)[1])
    )
    desk.run()
    assert seen == [(0, 0, 0), (100, 100, 100), (200, 200, 200)]


def test_agents_that_fail_are_counted_and_taken_out_of_the_usage(desk: Any) -> None:
    desk.respondent.says = lambda n: (
        Failure(n, "refused", "No.") if n % 10 == 0 else Reply(n, "A", "A", None, "fake-1")
    )
    asked = start(desk)
    desk.run()
    assert (counts(desk, asked), used(desk)) == ((250, 225, 25), 225)
    assert desk.job(asked.job_id).result["failed"] == 25
    with desk.database.read() as c:
        events = c.execute(sa.text("SELECT status, sum(quantity) FROM usage_events GROUP BY status")).all()
    assert dict(events) == {"recorded": 225, "voided": 25}


def test_when_nobody_answers_the_job_fails(desk: Any) -> None:
    desk.respondent.says = lambda n: Failure(n, "refused", "No.")
    asked = start(desk)
    desk.run()
    job = desk.job(asked.job_id)
    assert (job.status, job.error["code"], counts(desk, asked)) == ("failed", "no_answer", (250, 0, 250))
    assert used(desk) == 0


def test_nobody_to_ask_is_no_failure(desk: Any) -> None:
    asked = start(desk, 0)
    desk.run()
    assert (desk.job(asked.job_id).status, given(desk, asked)) == ("finished", [])


def test_a_long_survey_lets_others_go_first_after_each_turn(desk: Any) -> None:
    def slowly() -> None:
        desk.clock.advance(milliseconds=30)  # for each part of a hundred; a turn has 50

    desk.respondent.before = slowly
    long = start(desk, 600)
    short = [start(desk, 1) for _ in range(2)]
    desk.run()
    assert desk.respondent.asked == [*range(1, 201), 1, 1, *range(201, 601)]  # nobody waits at the end
    for asked in (long, *short):
        job = desk.job(asked.job_id)
        assert (job.status, job.attempts, job.done) == ("finished", 1, job.total)
    assert (counts(desk, long), len(given(desk, long))) == ((600, 600, 0), 600)


def test_a_survey_that_waits_for_its_next_turn_shows_how_far_it_is(desk: Any) -> None:
    desk.respondent.before = lambda: desk.clock.advance(milliseconds=60)
    asked = start(desk, 300)
    start(desk, 1)
    desk.runner.run_item(desk.queue.items.pop(0))
    job = desk.job(asked.job_id)
    assert (job.status, job.attempts, job.done) == ("started", 1, 100)
    assert desk.queue.items[-1:] == [asked.item_id]


def test_turns_are_no_failures(desk: Any) -> None:
    broken: list[int] = []

    def twice(number: int) -> Reply:
        desk.clock.advance(milliseconds=1)
        if number == 350 and len(broken) < 2:
            broken.append(number)
            raise RuntimeError("the engine broke down")
        return Reply(number, "A", "A", None, "fake-1")

    desk.respondent.says = twice
    asked = start(desk, 500)
    others = [start(desk, 1) for _ in range(6)]
    desk.run()
    assert (desk.job(asked.job_id).status, counts(desk, asked)) == ("finished", (500, 500, 0))
    assert {desk.job(other.job_id).status for other in others} == {"finished"}


def test_what_breaks_down_goes_on_where_it_was(desk: Any) -> None:
    broken: list[int] = []

    def once(number: int) -> Reply:
        if number == 150 and not broken:
            broken.append(number)
            raise RuntimeError("the engine broke down")
        return Reply(number, "A", "A", None, "fake-1")

    desk.respondent.says = once
    asked = start(desk)
    desk.run()
    # The first hundred are not asked again; of the second hundred nothing was stored.
    assert desk.respondent.asked == [*range(1, 151), *range(101, 251)]
    assert (counts(desk, asked), used(desk)) == ((250, 250, 0), 250)
    assert len(given(desk, asked)) == 250
    assert desk.job(asked.job_id).attempts == 2


def test_what_breaks_down_again_and_again_ends_with_what_there_is(desk: Any) -> None:
    def never(number: int) -> Reply:
        if number > 200:
            raise RuntimeError("the engine broke down")
        return Reply(number, "A", "A", None, "fake-1")

    desk.respondent.says = never
    asked = start(desk)
    desk.run()
    job = desk.job(asked.job_id)
    assert (job.status, job.attempts) == ("failed", 3)
    assert (counts(desk, asked), used(desk), len(given(desk, asked))) == ((250, 200, 50), 200, 200)


def test_a_worker_whose_claim_has_passed_on_writes_nothing(desk: Any) -> None:
    asked, late = start(desk, 50), []

    def overtaken() -> None:
        if not late:
            late.append(1)
            run_out(desk.database)
            desk.runner.run_item(asked.item_id)

    desk.respondent.before = overtaken
    desk.run()
    assert len(desk.respondent.asked) == 100  # twice each, and stored once
    assert (counts(desk, asked), used(desk), len(given(desk, asked))) == ((50, 50, 0), 50, 50)


def test_running_it_again_changes_nothing(desk: Any) -> None:
    asked = start(desk)
    desk.run()
    before = given(desk, asked)
    desk.runner.run_item(asked.item_id)
    assert given(desk, asked) == before
    assert len(desk.respondent.asked) == 250


def test_a_free_question_brings_every_reply(desk: Any) -> None:
    desk.runner.population.agents = named
    desk.respondent.says = lambda n: (
        Failure(n, "refused", "No.") if n == 3 else Reply(n, f"says {n}", None, None, "fake-1")
    )
    asked = start(desk, 4, FREE)
    desk.run()
    job = desk.job(asked.job_id)
    assert job.result == {
        "results": [
            {
                "agent_id": n,
                "reply": f"says {n}",
                "basis": UNDECLARED.kind,
                "basis_note": UNDECLARED.note,
                "name": f"agent {n}",
                "age": n,
                "city": None,
                "state": "CA",
                "occupation": None,
            }
            for n in (1, 2, 4)
        ],
        "partial": True,
    }


def test_beyond_the_quota_nothing_is_stored(desk: Any) -> None:
    with pytest.raises(QuotaExceeded):
        start(desk, 250, limit=249)
    with desk.database.read() as c:
        for table in (work_items, answers):
            assert c.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 0
        assert jobs.get_many(c, desk.org, [])[0] == []
    assert used(desk) == 0
