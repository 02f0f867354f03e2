"""Usage equals answers, whenever a question of a study request is retried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from request_fakes import FakePlanner, FakePopulation

from voxpop.engines.question import Question
from voxpop.engines.respondent import Failure, Reply
from voxpop.jobs import requesting
from voxpop.jobs.retrying import retry
from voxpop.jobs.runner import Runner
from voxpop.records import bulk, operations, questions, study_requests, usage, work_items
from voxpop.records.study_requests import StudyRequest
from voxpop.records.usage import Meter

SIZE = 40
ASKED = (Question("First?", "yes_no", key="first"), Question("Second?", "yes_no", key="second"))
Meanwhile = Callable[[], None]


@dataclass
class Requested:
    """A study request of which every tenth agent fails at first, with usage to look at."""

    desk: Any
    number: str
    during_analysis: Meanwhile | None = None
    fails_to_analyse: bool = False
    made: list[str] = field(default_factory=list)

    def complete(self, *_: Any) -> dict[str, Any]:
        if self.during_analysis is not None:
            self.during_analysis()
        if self.fails_to_analyse:
            raise RuntimeError("a fault of the analysis")
        return {"steps": ["stats"]}

    def step(self) -> None:
        """Run the first waiting item."""
        self.desk.runner.run_item(self.desk.queue.items.pop(0))

    def request(self) -> StudyRequest:
        with self.desk.database.read() as c:
            return study_requests.get(c, self.desk.org, self.number)

    def retry_failed(self) -> None:
        """Retry each question of the study that somebody failed to answer."""
        with self.desk.database.read() as c:
            left = bulk.unanswered(c, self.desk.org, self.request().study_id)
        self.desk.respondent.says = None
        for job in {job.question_id: job.job_id for job in left if job.status == "failed"}.values():
            self.made += retry(self.desk.database, self.desk.queue, meter(self.desk), job).job_ids

    def used(self) -> int:
        with self.desk.database.read() as c:
            return usage.this_month(c, meter(self.desk)).used

    def answered(self) -> int:
        with self.desk.database.read() as c:
            return len(questions.answers(c, self.desk.org, self.request().study_id))


def meter(desk: Any) -> Meter:
    return Meter(desk.org, "live", None)


def some_fail(number: int) -> Reply | Failure:
    if number % 10 == 0:
        return Failure(number, "timeout", "The model took too long.")
    return Reply(number, f"agent {number}", True, None, "fake-1")


def begun(desk: Any, text: str = "age 30-40", size: int = SIZE) -> Requested:
    population: Any = FakePopulation()
    with desk.database.begin() as c:
        number, _ = operations.begin(c, desk.org, key="k", kind="study", digest="d")
        told = {"title": None, "objective": None, "questions": ASKED, "operation_id": number}
        made, _ = requesting.request_study(c, meter(desk), text=text, group_size=size, **told)
        desk.queue.put(work_items.of_job(c, made.job_id))
    found = Requested(desk, made.id)
    rest = {"queue": desk.queue, "planner": FakePlanner(), "complete_study": found.complete}
    desk.runner = Runner(desk.database, population, desk.respondent, desk.clock, **rest)
    desk.respondent.says = some_fail
    return found


def asked(desk: Any) -> Requested:
    """Return a request whose questions have been put to everybody, and that has not gone on yet."""
    found = begun(desk)
    found.step()
    while len(desk.queue.items) > 1 or found.used() == 2 * SIZE:
        found.step()
    return found


def test_what_fails_is_taken_out_of_what_was_reserved(desk: Any) -> None:
    found = asked(desk)
    assert found.used() == found.answered() < 2 * SIZE


def test_a_retry_before_the_request_goes_on(desk: Any) -> None:
    found = asked(desk)
    found.retry_failed()
    desk.run()
    assert found.made
    assert (found.used(), found.answered(), found.request().status) == (2 * SIZE, 2 * SIZE, "completed")


def test_a_retry_while_the_request_is_analysed(desk: Any) -> None:
    found = asked(desk)
    found.during_analysis = found.retry_failed
    desk.run()
    assert found.made
    assert (found.used(), found.answered()) == (2 * SIZE, 2 * SIZE)


def test_a_retry_that_ends_while_the_request_is_analysed(desk: Any) -> None:
    def retried_and_run() -> None:
        found.retry_failed()
        desk.run()

    found = asked(desk)
    found.during_analysis = retried_and_run
    desk.run()
    assert found.made
    assert (found.used(), found.answered()) == (2 * SIZE, 2 * SIZE)


def test_a_retry_after_the_request_has_ended(desk: Any) -> None:
    found = asked(desk)
    desk.run()
    assert found.used() == found.answered() < 2 * SIZE
    found.retry_failed()
    desk.run()
    assert (found.used(), found.answered()) == (2 * SIZE, 2 * SIZE)


@pytest.mark.parametrize("before", [False, True])
def test_a_request_that_failed_in_its_analysis_counts_nothing_anew(desk: Any, before: bool) -> None:
    found = asked(desk)
    if before:
        found.retry_failed()
    found.fails_to_analyse = True
    desk.run()
    assert found.request().status == "failed"
    assert found.used() == found.answered()
    found.fails_to_analyse = False
    retry(desk.database, desk.queue, meter(desk), found.request().job_id)
    assert found.used() == found.answered()
    found.retry_failed()
    desk.run()
    assert (found.used(), found.answered(), found.request().status) == (2 * SIZE, 2 * SIZE, "completed")


def test_a_group_that_is_too_small_is_counted_as_it_is(desk: Any) -> None:
    found = begun(desk, "age 30-30", 5_000)
    desk.run()
    assert found.request().status == "awaiting_review"
    requesting.approve(
        desk.database, desk.queue, desk.org, found.request().group_request_id, meter=meter(desk)
    )
    desk.run()
    assert found.request().status == "completed"
    found.retry_failed()
    desk.run()
    there = FakePopulation().size // 60 + (FakePopulation().size % 60 > 12)
    assert found.used() == found.answered() == 2 * there
