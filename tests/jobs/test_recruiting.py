"""A request is read, screened and recruited, or says what it waits for; responses take it on from there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from request_fakes import FakePlanner, FakePopulation, PetRespondent

from voxpop.errors import Conflict, NotFound
from voxpop.jobs import requesting
from voxpop.jobs.runner import Runner
from voxpop.jobs.turns import Turn
from voxpop.records import groups, jobs, keys, requests, work_items
from voxpop.records.database import Database
from voxpop.records.groups import Group
from voxpop.records.jobs import Job
from voxpop.records.requests import GroupRequest

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class ListQueue:
    def __init__(self) -> None:
        self.items: list[int] = []

    def put(self, item_ids: Any, *, study_id: int | None = None) -> None:
        self.items += list(item_ids)

    def crowded(self) -> bool:
        return bool(self.items)

    def start(self, run: Callable[[int], None]) -> None:
        while self.items:
            run(self.items.pop(0))

    def stop(self, timeout: float) -> bool:
        return True


@dataclass
class Office:
    """Everything that a test of requests needs."""

    database: Database
    org: int
    queue: ListQueue
    planner: FakePlanner
    respondent: PetRespondent
    runner: Runner

    def ask(self, text: str, size: int = 20, *, run: bool = True) -> GroupRequest:
        made = requesting.request_group(self.database, self.queue, self.org, text, size)
        if run:
            self.queue.start(self.runner.run_item)
        return self.read(made.id)

    def answer(self, request: GroupRequest, words: str) -> GroupRequest:
        requesting.answer(self.database, self.queue, self.org, request.id, words)
        self.queue.start(self.runner.run_item)
        return self.read(request.id)

    def approve(self, request: GroupRequest, group_size: int | None = None) -> GroupRequest:
        requesting.approve(self.database, self.queue, self.org, request.id, group_size)
        self.queue.start(self.runner.run_item)
        return self.read(request.id)

    def read(self, request_id: str) -> GroupRequest:
        with self.database.read() as c:
            return requests.get(c, self.org, request_id)

    def job(self, request: GroupRequest) -> Job:
        with self.database.read() as c:
            return jobs.get(c, self.org, request.job_id)

    def group(self, request: GroupRequest) -> tuple[Group, list[int]]:
        assert request.group_id is not None
        with self.database.read() as c:
            group = groups.get(c, self.org, request.group_id)
            return group, groups.member_ids(c, self.org, group.id)

    def groups_made(self) -> int:
        with self.database.read() as c:
            return groups.list_(c, self.org, limit=1, offset=0)[0]


@pytest.fixture
def office(database_url: str) -> Iterator[Office]:
    database = Database.open(database_url, clock=lambda: NOON)
    with database.begin() as c:
        org = keys.create_organization(c, "Snack Research")
    queue, planner, respondent = ListQueue(), FakePlanner(), PetRespondent()
    population: Any = FakePopulation()
    runner = Runner(database, population, respondent, database.clock, queue=queue, planner=planner)
    yield Office(database, org, queue, planner, respondent, runner)
    database.close()


def test_a_request_waits_until_it_is_run(office: Office) -> None:
    request = office.ask("age 30-40", run=False)
    assert (request.status, request.phase, request.filters) == ("queued", "waiting", None)
    assert (office.job(request).kind, office.job(request).status) == ("recruiting", "started")


def test_a_completed_request_has_a_group_of_the_size_asked_for(office: Office) -> None:
    request = office.ask("age 30-40", 20)
    assert (request.status, request.phase) == ("completed", "done")
    assert request.progress_message == "Recruited 20 of 20 agents."
    group, members = office.group(request)
    assert (group.agent_count, group.shortfall, group.seed) == (20, 0, request.seed)
    assert (group.name, group.description) == ("adults aged 30 to 40", "age 30-40")
    assert group.filters == request.filters
    assert all(30 <= 18 + number % 60 <= 40 for number in members)
    job = office.job(request)
    assert (job.status, job.result) == (
        "finished",
        {"request_id": request.id, "status": "completed", "group_id": group.id, "group_uuid": group.uuid},
    )


def test_screening_keeps_those_whose_answer_matches(office: Office) -> None:
    request = office.ask("screen cats", 200)
    _, members = office.group(request)
    assert members == list(range(5_000, 4_200, -4))
    assert request.progress_message == f"Screened {request.screened:,} agents; 200 of 200 found."
    assert 800 <= (request.screened or 0) < 5_000
    assert [number for number, _ in office.respondent.asked] == list(
        range(5_000, 5_000 - request.screened, -1)
    )  # type: ignore[operator]
    (screen,) = request.screening
    assert (screen["criterion"], screen["question"], screen["keep"]) == ("cats", "Do you have cats?", "yes")
    assert (screen["basis"], screen["incidence"]) == ("modelled", None)


def test_every_criterion_must_match_and_who_failed_one_is_not_asked_the_next(office: Office) -> None:
    request = office.ask("age 18-77; screen cats; screen horses", 10)
    group, members = office.group(request)
    assert members == list(range(5_000, 4_000, -100))
    assert group.name == "adults aged 18 to 77 (screened: cats, horses)"
    assert all(number % 4 == 0 for number, text in office.respondent.asked if "horses" in text)


def test_a_criterion_may_keep_those_who_say_no(office: Office) -> None:
    _, members = office.group(office.ask("without cats", 6))
    assert members == [4_999, 4_998, 4_997, 4_995, 4_994, 4_993]


def test_who_cannot_say_is_not_kept(office: Office) -> None:
    office.respondent.silent = {4_999, 4_998}
    assert office.group(office.ask("without cats", 3))[1] == [4_997, 4_995, 4_994]


def test_too_few_matches_await_a_review_before_any_group(office: Office) -> None:
    request = office.ask("age 30-30", 500)
    assert (request.status, request.phase) == ("awaiting_review", "review")
    assert request.review == {
        "reason": "Only 84 agents match 'adults aged 30'; 500 were asked for.",
        "requested": 500,
        "available": 84,
    }
    assert (office.job(request).result or {})["status"] == "awaiting_review"
    assert office.groups_made() == 0


def test_an_approved_request_goes_on_with_the_agents_there_are(office: Office) -> None:
    waiting = office.ask("age 30-30", 500)
    done = office.approve(waiting)
    group, members = office.group(done)
    assert (done.id, done.status, done.review) == (waiting.id, "completed", None)
    assert (len(members), group.shortfall) == (84, 416)
    assert done.job_id != waiting.job_id
    assert len(office.planner.calls) == 1


def test_an_approval_may_name_another_size(office: Office) -> None:
    done = office.approve(office.ask("age 30-30", 500), 50)
    assert done.group_size == 50
    assert office.group(done)[0].shortfall == 0


def test_too_few_who_pass_the_screening_await_a_review_and_nobody_is_asked_again(office: Office) -> None:
    waiting = office.ask("screen horses", 60)
    assert waiting.status == "awaiting_review"
    assert waiting.review == {
        "reason": "Only 50 agents of the 5,000 that were screened match; 60 were asked for.",
        "requested": 60,
        "available": 50,
    }
    assert (office.groups_made(), len(office.respondent.asked)) == (0, 5_000)
    done = office.approve(waiting)
    assert office.group(done)[1] == list(range(5_000, 0, -100))
    assert office.group(done)[0].shortfall == 10
    assert len(office.respondent.asked) == 5_000


def test_a_sensitive_audience_awaits_a_review_though_there_are_enough(office: Office) -> None:
    waiting = office.ask("sensitive; screen cats", 5)
    assert waiting.review == {
        "reason": "A person should look at this.",
        "requested": 5,
        "available": 5_000,
    }
    assert office.respondent.asked == []
    assert office.approve(waiting).status == "completed"


def test_sensitive_and_too_few_is_one_review_with_both_reasons(office: Office) -> None:
    waiting = office.ask("sensitive; age 30-30", 100)
    assert waiting.review is not None
    assert waiting.review["reason"].startswith("A person should look at this. Only 84 agents")
    assert office.approve(waiting).status == "completed"


def test_a_declined_request_ends_as_refused(office: Office) -> None:
    waiting = office.ask("age 30-30", 500)
    done = requesting.decline(office.database, office.org, waiting.id)
    assert (done.status, done.phase, done.review, done.job_id) == ("refused", "done", None, waiting.job_id)
    assert done.refusal is not None
    assert "declined" in done.refusal["reason"]
    assert office.groups_made() == 0


@pytest.mark.parametrize("text", ["age 95-99", "screen unicorns"])
def test_approving_nobody_is_a_refusal_and_no_empty_group(office: Office, text: str) -> None:
    waiting = office.ask(text, 3)
    assert waiting.review is not None
    assert (waiting.review["available"], waiting.review["reason"][:8]) == (0, "No agent")
    done = office.approve(waiting)
    assert (done.status, office.groups_made()) == ("refused", 0)
    assert done.refusal is not None
    assert done.refusal["reason"].startswith("No agent matches")


def test_a_question_is_stored_and_its_answer_goes_to_the_planner(office: Office) -> None:
    waiting = office.ask("age 30-40; clarify")
    assert (waiting.status, waiting.phase) == ("needs_clarification", "answer")
    assert waiting.clarification == {
        "question": "Which country?",
        "missing": ["country"],
        "options": ["USA"],
    }
    done = office.answer(waiting, "the States")
    assert (done.id, done.status, done.clarification) == (waiting.id, "completed", None)
    assert office.planner.calls[-1] == ("age 30-40; clarify", (("Which country?", "the States"),))


def test_a_response_brings_the_same_request_back_to_running(office: Office) -> None:
    waiting = office.ask("clarify")
    running = requesting.answer(office.database, office.queue, office.org, waiting.id, "USA")
    assert (running.id, running.status, running.phase) == (waiting.id, "running", "reading")
    assert office.job(running).status == "started"
    assert office.job(waiting).status == "finished"


def test_a_refused_request_says_why_and_what_else(office: Office) -> None:
    request = office.ask("refuse")
    assert request.status == "refused"
    assert request.refusal == {"reason": "Nobody may be asked that.", "hint": "Ask for adults."}
    assert request.progress_message == "Refused: Nobody may be asked that."
    assert office.job(request).status == "finished"


@pytest.mark.parametrize(
    ("text", "status"),
    [("age 30-40", "completed"), ("refuse", "refused"), ("clarify", "needs_clarification")],
)
def test_only_a_review_can_be_decided(office: Office, text: str, status: str) -> None:
    request = office.ask(text)
    for decide in (
        lambda: requesting.approve(office.database, office.queue, office.org, request.id),
        lambda: requesting.decline(office.database, office.org, request.id),
    ):
        with pytest.raises(Conflict, match=request.id) as caught:
            decide()
        assert caught.value.details == {"status": status}
    assert office.read(request.id) == request
    assert office.queue.items == []


def test_only_a_question_can_be_answered_and_once(office: Office) -> None:
    review = office.ask("sensitive")
    with pytest.raises(Conflict, match="takes an approval, not an answer"):
        office.answer(review, "yes")
    asking = office.ask("clarify")
    requesting.answer(office.database, office.queue, office.org, asking.id, "USA")
    with pytest.raises(Conflict, match="running"):
        office.answer(asking, "Canada")


def test_another_organizations_request_is_not_there(office: Office) -> None:
    request = office.ask("clarify")
    with office.database.begin() as c:
        other = keys.create_organization(c, "Somebody else")
    for respond in (
        lambda: requesting.answer(office.database, office.queue, other, request.id, "USA"),
        lambda: requesting.approve(office.database, office.queue, other, request.id),
        lambda: requesting.decline(office.database, other, request.id),
    ):
        with pytest.raises(NotFound):
            respond()


def test_a_request_that_fails_again_and_again_ends_with_its_job(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    request = office.ask("crash")
    assert (request.status, request.phase) == ("refused", "done")
    assert request.refusal is not None
    assert request.refusal["hint"] == "Send the request again."
    job = office.job(request)
    assert (job.status, job.attempts, (job.error or {})["code"]) == ("failed", 3, "internal_error")


def test_long_screening_lets_others_go_first_and_loses_nothing(office: Office) -> None:
    alone = office.ask("screen cats", 200)
    moments = count()
    office.runner.clock = lambda: NOON + timedelta(milliseconds=40 * next(moments))
    long, short = office.ask("screen cats", 200, run=False), office.ask("age 30-40", run=False)
    office.queue.start(office.runner.run_item)
    screened, quick = office.read(long.id), office.read(short.id)
    assert screened.status == quick.status == "completed"
    assert screened.group_id > quick.group_id  # type: ignore[operator]
    assert office.job(screened).attempts == 1
    assert len(office.group(screened)[1]) == len(office.group(alone)[1]) == 200
    assert len(set(office.group(screened)[1])) == 200


def test_who_has_lost_the_claim_writes_nothing(office: Office) -> None:
    request = office.ask("screen cats", 5, run=False)
    with office.database.begin() as c:
        slow = work_items.claim(c, office.queue.items[0], timedelta(seconds=-1))
        quick = work_items.claim(c, office.queue.items[0])
    assert slow is not None
    assert quick is not None
    turn = Turn(office.queue, office.database.clock)
    office.runner._recruiter.run(slow, turn)
    assert office.read(request.id) == request
    office.runner._recruiter.run(quick, turn)
    office.runner._recruiter.run(quick, turn)
    assert office.read(request.id).status == "completed"
    assert office.groups_made() == 1


def test_the_same_request_twice_is_two_groups_drawn_with_two_seeds(office: Office) -> None:
    first, second = office.ask("age 30-40"), office.ask("age 30-40")
    assert first.id != second.id
    assert first.seed != second.seed
    assert office.groups_made() == 2


def test_the_planner_is_prepared_before_the_first_request(office: Office) -> None:
    prepared = []
    office.planner.prepare = lambda *, labels, titles: prepared.append((labels, titles))  # type: ignore[attr-defined]
    office.runner.prepare()
    ((labels, titles),) = prepared
    assert "country" in labels
    assert titles
    assert office.planner.calls == []
