"""``client.study_requests``, ``client.operations``, groups from a description: calls that are made once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from scripted_service import Script, refuse

from voxpop.client import Client, Polling, Recruitment
from voxpop.client.study_requests import RequestedStudy
from voxpop.errors import Conflict, JobTimeout, ServiceError, UsageError

PATH = "/research-study-requests"
DESCRIBE = "/research-groups:from-description"
ACCEPTED = {
    "job": {"id": "job_1", "poll_url": "/v1/jobs/job_1", "status": "started"},
    "operation": {"id": "0b0e8f6e-6b53-4d62-8c6e-2a3f5a9b7c11", "status": "running"},
    "usage_recorded": [],
}


def answer(status: str, **more: Any) -> dict[str, Any]:
    return {"request": {"id": "rsr_1", "status": status} | more}


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def client(script: Script) -> Iterator[Client]:
    with script.client(polling=Polling(first_wait=0, step=1, deadline=5)) as made:
        yield made


def test_a_study_request_sends_the_documented_body(client: Client, script: Script) -> None:
    script.on("POST", PATH, ACCEPTED | answer("queued"))
    made = client.study_requests.create(
        "US adults", 5, questions=["Why?", {"question": "A or B?", "options": ["A", "B"]}], title="Snacks"
    )
    assert isinstance(made, RequestedStudy)
    assert (made.id, made.status, made.job_id, made.ended) == ("rsr_1", "queued", "job_1", False)
    sent = script.body()
    assert (sent["request_text"], sent["group_size"], sent["title"]) == ("US adults", 5, "Snacks")
    assert sent["questions"][0] == "Why?"
    assert sent["questions"][1]["options"] == ["A", "B"]


def test_a_call_that_is_made_once_is_repeated_with_the_same_key(client: Client, script: Script) -> None:
    keys: list[str] = []

    def flaky(request: httpx.Request) -> Any:
        keys.append(request.headers["Idempotency-Key"])
        if len(keys) == 1:
            raise httpx.ReadError("broken off", request=request)
        return ACCEPTED | answer("queued")

    script.on("POST", PATH, flaky, flaky)
    client.study_requests.create("US adults", 5)
    assert len(keys) == 2
    assert keys[0] == keys[1]
    script.on("POST", PATH, flaky)
    client.study_requests.create("US adults", 5, idempotency_key="mine")
    assert keys[-1] == "mine"


def test_another_body_with_the_same_key_is_a_conflict(client: Client, script: Script) -> None:
    script.on("POST", PATH, refuse(409, "idempotency_key_conflict", "This Idempotency-Key was used before."))
    with pytest.raises(Conflict, match="used before") as caught:
        client.study_requests.create("US adults", 5, idempotency_key="mine")
    assert caught.value.code == "idempotency_key_conflict"


def test_a_study_request_is_waited_for(client: Client, script: Script) -> None:
    study = {"id": 3, "title": "Snacks", "stage": "completed"}
    done = answer("completed") | {"study": study}
    script.on("GET", f"{PATH}/rsr_1", answer("running", progress_message="Asking 5 agents."), done)
    seen: list[str] = []
    ended = client.study_requests.wait("rsr_1", on_look=lambda look: seen.append(look.status))
    assert seen == ["running", "completed"]
    assert ended.study is not None
    assert repr(ended) == "Study request rsr_1 (completed)\nStudy 3: Snacks"


def test_one_that_does_not_end_says_that_it_goes_on(client: Client, script: Script) -> None:
    script.on("GET", f"{PATH}/rsr_1", *[answer("running")] * 20)
    with pytest.raises(JobTimeout, match="continues in the service"):
        client.study_requests.wait("rsr_1")


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (
            answer("needs_clarification", clarification={"question": "Which country?"}),
            'Which country?\nAnswer with client.study_requests.respond("rsr_1", answer="…")',
        ),
        (
            answer("awaiting_review", review={"reason": "Only 3.", "requested": 5, "available": 3}),
            'Only 3.\nDecide with client.study_requests.respond("rsr_1", approve=True), or False',
        ),
        (answer("refused", refusal={"reason": "Minors.", "hint": "Ask adults."}), "Minors. Ask adults."),
    ],
)
def test_what_it_waits_for_is_shown_with_the_call_that_goes_on(
    client: Client, script: Script, shape: dict[str, Any], words: str
) -> None:
    script.on("GET", f"{PATH}/rsr_1", shape)
    found = client.study_requests.get("rsr_1")
    assert found.ended
    assert repr(found).endswith(words)
    assert "<b>Study request rsr_1" in found._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"text": "US adults", "size": 0}, "size must be a whole number from 1 to 10,000"),
        ({"text": " ", "size": 5}, "request_text"),
        ({"text": "US adults", "size": 5, "questions": []}, "questions"),
        ({"text": "US adults", "size": 5, "questions": [{"question": "?", "kee": "a"}]}, "kee"),
        ({"text": "US adults", "size": 5, "wait_seconds": -1}, "wait_seconds"),
    ],
)
def test_a_bad_argument_costs_no_call(
    client: Client, script: Script, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        client.study_requests.create(**arguments)
    assert script.paths() == []


def test_a_response_answers_or_decides(client: Client, script: Script) -> None:
    script.on("POST", f"{PATH}/rsr_1/respond", answer("running"), answer("running"))
    client.study_requests.respond("rsr_1", answer="the USA")
    assert script.body() == {"answer": "the USA"}
    client.study_requests.respond("rsr_1", approve=True, group_size=3)
    assert script.body() == {"approve": True, "group_size": 3}
    with pytest.raises(UsageError, match="either"):
        client.study_requests.respond("rsr_1")


def test_a_description_becomes_a_request(client: Client, script: Script) -> None:
    group_request = {"request": {"id": "rgr_1", "status": "queued"}}
    script.on("POST", DESCRIBE, ACCEPTED | group_request)
    made = client.requests.from_description("US adults", 5, wait_seconds=10)
    assert isinstance(made, Recruitment)
    assert (made.id, made.job_id) == ("rgr_1", "job_1")
    assert script.body() == {"description": "US adults", "group_size": 5, "wait_seconds": 10}


def test_an_answer_without_a_request_is_no_answer(client: Client, script: Script) -> None:
    script.on("GET", f"{PATH}/rsr_1", {})
    with pytest.raises(ServiceError, match="contains no request"):
        client.study_requests.get("rsr_1")


def test_an_operation_is_read(client: Client, script: Script) -> None:
    number = ACCEPTED["operation"]["id"]  # type: ignore[index]
    shape = {"id": number, "kind": "ask", "status": "completed", "job_id": "job_1", "usage_recorded": []}
    script.on("GET", f"/organization/operations/{number}", {"operation": shape})
    assert client.operations.get(number).status == "completed"
    with pytest.raises(UsageError, match="operation"):
        client.operations.get("../keys")
