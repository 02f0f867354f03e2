"""``client.requests``: what is sent, how a request is waited for, and how it shows itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scripted_service import Script, refuse

from voxpop.client import Client, Polling, Recruitment
from voxpop.errors import Conflict, JobTimeout, ServiceError, UsageError
from voxpop.wire.groups import Group

PATH = "/research-group-requests"
UUID = "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11"


def answer(status: str, **more: Any) -> dict[str, Any]:
    fields = {"id": "rgr_1", "status": status, "request_text": "US adults", "group_size": 2}
    beside = {name: more.pop(name) for name in ("group", "job_id", "poll_after_s") if name in more}
    return {"request": fields | more, **beside}


COMPLETED = answer("completed", group={"id": 7, "uuid": UUID, "name": "adults", "agent_count": 2})


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def client(script: Script) -> Iterator[Client]:
    with script.client() as made:
        yield made


def test_a_request_sends_the_documented_body(client: Client, script: Script) -> None:
    script.on("POST", PATH, answer("queued", job_id="job_1"), COMPLETED)
    made = client.requests.create("US adults", np.int64(2))
    assert isinstance(made, Recruitment)
    assert (made.id, made.status, made.job_id, made.ended) == ("rgr_1", "queued", "job_1", False)
    assert script.body() == {"request_text": "US adults", "group_size": 2}
    done = client.requests.create("US adults", 2, response_mode="sync")
    assert script.body()["response_mode"] == "sync"
    assert isinstance(done.group, Group)
    assert (done.ended, done.group.uuid) == (True, UUID)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("", 2), {}, "text must be words"),
        (("  ", 2), {}, "text must be words"),
        ((7, 2), {}, "text must be words"),
        (("x" * 10_001, 2), {}, "10,001 characters; 10,000 are allowed"),
        (("US adults", 0), {}, "size must be a whole number from 1 to 10,000, not 0"),
        (("US adults", 10_001), {}, "10,000"),
        (("US adults", "2"), {}, "size"),
        (("US adults", True), {}, "size"),
        (("US adults", 2), {"response_mode": "asink"}, "did you mean async"),
        (("US adults", 2), {"response_mode": "?"}, "use async or sync"),
    ],
)
def test_mistakes_are_found_before_the_call(
    client: Client, script: Script, arguments: Any, options: Any, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        client.requests.create(*arguments, **options)
    assert script.calls == []


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"answer": "USA"}, {"answer": "USA"}),
        ({"approve": True}, {"approve": True}),
        ({"approve": False}, {"approve": False}),
        ({"approve": True, "group_size": 2}, {"approve": True, "group_size": 2}),
    ],
)
def test_a_response_is_an_answer_or_an_approval(
    client: Client, script: Script, given: Any, sent: Any
) -> None:
    script.on("POST", f"{PATH}/rgr_1/respond", answer("running"))
    assert client.requests.respond("rgr_1", **given).status == "running"
    assert script.body() == sent


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "either answer='…' or approve"),
        ({"answer": "USA", "approve": True}, "either"),
        ({"answer": " "}, "answer must be words"),
        ({"approve": "yes"}, "approve must be True or False, not 'yes'"),
        ({"approve": 1}, "approve"),
        ({"approve": False, "group_size": 2}, "only with approve=True"),
        ({"answer": "USA", "group_size": 2}, "only with approve=True"),
        ({"approve": True, "group_size": 0}, "group_size"),
    ],
)
def test_a_response_that_makes_no_sense_is_not_sent(
    client: Client, script: Script, given: Any, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        client.requests.respond("rgr_1", **given)
    assert script.calls == []


def test_a_response_that_the_state_does_not_allow_is_a_conflict(client: Client, script: Script) -> None:
    told = refuse(409, "conflict", "It takes no response.", details={"status": "completed"})
    script.on("POST", f"{PATH}/rgr_1/respond", told)
    with pytest.raises(Conflict) as caught:
        client.requests.respond("rgr_1", answer="USA")
    assert caught.value.details == {"status": "completed"}


def test_waiting_follows_the_hints_of_the_service(client: Client, script: Script) -> None:
    script.on("POST", PATH, answer("queued", poll_after_s=2.0))
    script.on("GET", f"{PATH}/rgr_1", answer("running", poll_after_s=3.0), COMPLETED)
    seen: list[str] = []
    done = client.requests.wait(
        client.requests.create("US adults", 2), on_look=lambda one: seen.append(one.status)
    )
    assert done.status == "completed"
    assert (script.slept, seen) == ([2.0, 3.0], ["running", "completed"])


def test_waiting_follows_the_documented_pattern_without_hints(client: Client, script: Script) -> None:
    script.on("POST", PATH, answer("queued", job_id="job_1"))
    script.on("GET", f"{PATH}/rgr_1", answer("running"), answer("thinking"), COMPLETED)
    assert client.requests.wait(client.requests.create("US adults", 2)).status == "completed"
    assert script.slept == [45.0, 20.0, 20.0]


def test_waiting_by_id_looks_at_once(client: Client, script: Script) -> None:
    script.on("GET", f"{PATH}/rgr_1", COMPLETED)
    assert client.requests.wait("rgr_1").group is not None
    assert script.slept == []


@pytest.mark.parametrize("status", ["completed", "needs_clarification", "awaiting_review", "refused"])
def test_what_has_ended_is_not_waited_for(client: Client, script: Script, status: str) -> None:
    script.on("POST", PATH, answer(status))
    made = client.requests.create("US adults", 2, response_mode="sync")
    assert client.requests.wait(made) is made
    assert len(script.calls) == 1


def test_waiting_ends_at_the_deadline_and_names_the_job(script: Script) -> None:
    script.on("GET", f"{PATH}/rgr_1", answer("running", job_id="job_1"))
    client = script.client(polling=Polling(deadline=60))
    with pytest.raises(JobTimeout, match="rgr_1 has not ended within 60 seconds") as caught:
        client.requests.wait("rgr_1")
    assert caught.value.job_ids == ("job_1",)


def test_a_request_shows_how_far_it_is_and_what_it_takes(client: Client, script: Script) -> None:
    script.on(
        "GET",
        f"{PATH}/rgr_1",
        answer("running", progress_message="Screened 1,240 agents; 57 of 200 found."),
        answer(
            "needs_clarification",
            clarification={"question": "Which <country>?", "missing": ["country"], "options": ["USA", "UK"]},
        ),
        answer("awaiting_review", review={"reason": "Only 2 match.", "requested": 9, "available": 2}),
        answer("refused", refusal={"reason": "'teens' are under 18.", "hint": "Ask for adults."}),
        COMPLETED,
    )
    running, asking, reviewing, refused, done = (client.requests.get("rgr_1") for _ in range(5))
    assert repr(running) == "Request rgr_1 (running): US adults\nScreened 1,240 agents; 57 of 200 found."
    assert repr(asking).splitlines() == [
        "Request rgr_1 (needs_clarification): US adults",
        "Which <country>?",
        "For example: USA; UK",
        'Answer with client.requests.respond("rgr_1", answer="…")',
    ]
    assert "Which &lt;country&gt;?" in asking._repr_html_()
    assert 'client.requests.respond("rgr_1", approve=True)' in repr(reviewing)
    assert repr(refused).splitlines()[1:] == ["'teens' are under 18. Ask for adults."]
    assert str(done).splitlines()[1:] == ["Group 7: adults"]


def test_an_answer_without_a_request_is_an_error(client: Client, script: Script) -> None:
    script.on("GET", f"{PATH}/rgr_1", {"status": "completed"})
    with pytest.raises(ServiceError, match="no request"):
        client.requests.get("rgr_1")
