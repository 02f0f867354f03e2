"""The one-call contract and what it counts: interface 2.10, 4.9, 5 and 8; contract 8 to 10."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from running_service import Service, ask, finish, new_study
from voxpop.wire.operations import OperationResponse
from voxpop.wire.usage import NO_LIMIT, UsageSnapshot

PATH = "/research-study-requests"
BODY = {"request_text": "US adults", "group_size": 4, "questions": ["Do you smoke?"]}

Make = Callable[..., Service]


@pytest.fixture
def make(home: Path, tmp_path: Path) -> Iterator[Make]:
    """Make services with limits of their own."""
    running: list[Service] = []

    def one(**settings: Any) -> Service:
        running.append(Service(home, tmp_path / str(len(running)), **settings))
        return running[-1]

    yield one
    for service in running:
        service.close()


def send(http: httpx.Client, body: Any, key: str, path: str = PATH) -> httpx.Response:
    return http.post(path, json=body, headers={"Idempotency-Key": key})


def test_the_same_key_and_body_is_the_same_operation(http: httpx.Client) -> None:
    key = uuid4().hex
    first = send(http, BODY, key)
    assert "idempotent-replayed" not in first.headers
    for body in (BODY, dict(reversed(BODY.items())) | {"wait_seconds": 30}):
        again = send(http, body, key)
        assert (again.status_code, again.headers["idempotent-replayed"]) == (202, "true")
        assert again.json()["operation"]["id"] == first.json()["operation"]["id"]
        assert again.json()["job"]["id"] == first.json()["job"]["id"]
        assert again.json()["usage_recorded"] == first.json()["usage_recorded"]
    assert again.json()["job"]["status"] == "finished"


def test_the_same_key_with_another_body_or_place_is_a_conflict(
    http: httpx.Client, stranger: httpx.Client
) -> None:
    key = uuid4().hex
    assert send(http, BODY, key).status_code == 202
    for path, body in (
        (PATH, BODY | {"group_size": 5}),
        ("/research-groups:from-description", {"description": "US adults", "group_size": 4}),
    ):
        answer = send(http, body, key, path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "idempotency_key_conflict")
    assert send(stranger, BODY | {"group_size": 5}, key).status_code == 202  # keys are of an organization


@pytest.mark.parametrize("key", [None, "", "k" * 256, "tab\there"])
def test_a_key_is_required_and_printable(http: httpx.Client, key: str | None) -> None:
    answer = http.post(PATH, json=BODY, headers={} if key is None else {"Idempotency-Key": key})
    assert answer.status_code == 400
    assert list(answer.json()["error"]["details"]["fields"]) == ["Idempotency-Key"]


def test_twenty_at_once_run_one_operation(http: httpx.Client, service: Service) -> None:
    key, answers = uuid4().hex, []
    callers = [service.client(http.headers["Authorization"].removeprefix("Bearer ")) for _ in range(20)]
    together = threading.Barrier(20)

    def call(caller: httpx.Client) -> None:
        together.wait()
        answers.append(send(caller, BODY, key))

    threads = [threading.Thread(target=call, args=(caller,)) for caller in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.json()["operation"]["id"] for answer in answers}) == 1
    assert sum("idempotent-replayed" in answer.headers for answer in answers) == 19
    assert len({event["event_id"] for each in answers for event in each.json()["usage_recorded"]}) == 1


def test_an_operation_is_read_by_its_id(http: httpx.Client) -> None:
    made = send(http, BODY | {"wait_seconds": 60}, uuid4().hex).json()
    read = http.get(f"/organization/operations/{made['operation']['id']}").json()
    operation = OperationResponse.model_validate(read).operation
    assert (operation.kind, operation.status, operation.job_id) == (
        "study_request",
        "completed",
        made["job"]["id"],
    )
    assert operation.resource_url == f"/v1{PATH}/{made['request']['id']}"
    assert operation.finished_at is not None
    assert operation.finished_at >= operation.created_at
    assert http.get(f"/organization/operations/{uuid4()}").status_code == 404


def test_the_answer_is_held_for_the_job_and_no_longer_than_it_takes(http: httpx.Client) -> None:
    capped = send(http, BODY | {"wait_seconds": 10_000}, uuid4().hex)
    assert capped.json()["job"]["status"] == "finished"
    assert capped.elapsed.total_seconds() < 30


def usage(http: httpx.Client) -> UsageSnapshot:
    return UsageSnapshot.model_validate(http.get("/billing/usage").json())


def test_usage_says_what_is_used_of_minute_and_month(make: Make) -> None:
    service = make(rate_live=600, quota_live=1_000)
    http = service.client(service.key())
    study = new_study(http, 10)
    before = usage(http)
    assert (before.rate.per_minute.limit, before.quota.limit, before.quota.used) == (600, 1_000, 0)
    assert 1 <= before.rate.per_minute.reset_in_s <= 60
    today = datetime.now(UTC)
    assert (before.quota.cycle_start.day, before.quota.cycle_start.month) == (1, today.month)
    assert before.quota.cycle_start <= today < before.quota.cycle_end
    ask(http, study, "Do you smoke?")
    after = usage(http)
    assert after.quota.used == 10
    assert after.usage.pending_event_count == 0
    assert after.usage.organization_id == before.usage.organization_id
    root = httpx.get(
        f"{service.root_url}/billing/usage", headers={"Authorization": http.headers["Authorization"]}
    )
    assert root.json()["quota"] == http.get("/billing/usage").json()["quota"]


def test_without_limits_these_are_very_large_numbers(http: httpx.Client) -> None:
    seen = usage(http)
    assert (seen.rate.per_minute.limit, seen.quota.limit) == (NO_LIMIT, NO_LIMIT)


def test_over_the_quota_nothing_is_queued(make: Make) -> None:
    service = make(quota_live=25)
    http = service.client(service.key())
    study = new_study(http, 10)
    place = f"/research-studies/{study['id']}/questions"
    for _ in range(2):
        ask(http, study, "Do you smoke?")
    answer = http.post(place, json={"question": "Do you drink coffee?"})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (402, "quota_exceeded")
    details = {name: error["details"][name] for name in ("limit", "used", "requested")}
    assert details == {"limit": 25, "used": 20, "requested": 10}
    assert error["details"]["cycle_end"].endswith("-01T00:00:00Z")
    assert http.get(place).json()["count"] == 2
    reserved = send(http, BODY | {"group_size": 6}, uuid4().hex)
    assert (reserved.status_code, reserved.json()["error"]["code"]) == (402, "quota_exceeded")
    other = service.client(service.key(organization="other"))
    assert usage(other).quota.used == 0


def test_callers_at_once_cannot_go_over_the_quota_together(make: Make) -> None:
    service = make(quota_live=35)
    key = service.key()
    studies = [new_study(service.client(key), 10) for _ in range(8)]
    statuses: list[int] = []
    together = threading.Barrier(8)

    def call(study: dict[str, Any]) -> None:
        caller = service.client(key)
        together.wait()
        answer = caller.post(f"/research-studies/{study['id']}/questions", json={"question": "Do you smoke?"})
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=call, args=(study,)) for study in studies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [202] * 3 + [402] * 5
    assert usage(service.client(key)).quota.used == 30


def test_too_many_calls_in_a_minute_are_told_when_to_go_on(make: Make) -> None:
    service = make(rate_live=5)
    http, other = service.client(service.key()), service.client(service.key())
    answers = [http.get("/research-studies") for _ in range(12)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) >= 2  # a minute may have begun anew in between
    for answer in refused:
        assert answer.json()["error"]["code"] == "rate_limited"
        assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert other.get("/research-studies").status_code == 200  # the limit is of each key


def test_a_free_key_reads_usage_with_its_own_limits(make: Make) -> None:
    service = make(rate_free=60, quota_free=500, quota_live=9)
    free = usage(service.client(service.key("free:ask", kind="free")))
    assert (free.rate.per_minute.limit, free.quota.limit) == (60, 500)


def test_an_operation_is_there_after_a_restart(make: Make, home: Path, tmp_path: Path) -> None:
    first = make()
    key = first.key()
    http = first.client(key)
    idempotency = uuid4().hex
    made = send(http, BODY | {"wait_seconds": 60}, idempotency).json()
    first.close()
    again = Service(home, tmp_path / "0")
    try:
        replay = send(again.client(key), BODY, idempotency)
        assert replay.headers["idempotent-replayed"] == "true"
        assert replay.json()["operation"] == made["operation"]
    finally:
        again.close()


def test_a_job_of_an_operation_names_it(http: httpx.Client) -> None:
    made = send(http, BODY, uuid4().hex).json()
    (job,) = finish(http, [made["job"]["id"]])
    assert job["operation_id"] == made["operation"]["id"]
