"""Recruiting in plain words: a group, or an error that says what to do; and the whole way over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import voxpop as vp
from voxpop.client import Client
from voxpop.errors import AwaitingReview, NeedsClarification, Refused, RequestStopped, UsageError, VoxpopError

TEXT = "US adults 25 to 64 on a GLP-1 medicine"
UUID = "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11"


class Service:
    """A service that queues every request and then answers as it was told to."""

    def __init__(self, end: dict[str, Any], **beside: Any) -> None:
        self.end = {"request": {"id": "rgr_1", **end}, **beside}
        self.bodies: list[Any] = []
        self.slept: list[float] = []

    def client(self) -> Client:
        return Client(
            "http://service.test",
            "vp_live_" + "k3y" * 13,
            transport=httpx.MockTransport(self._answer),
            sleep=self.slept.append,
        )

    def _answer(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            self.bodies.append(json.loads(request.content))
            return httpx.Response(202, json={"request": {"id": "rgr_1", "status": "queued"}, "job_id": "j"})
        return httpx.Response(200, json=self.end)


def test_words_become_a_group() -> None:
    service = Service({"status": "completed"}, group={"uuid": UUID})
    group = vp.recruit(service.client(), TEXT, size=200)
    assert group.uuid == UUID
    assert service.bodies == [{"request_text": TEXT, "group_size": 200}]
    assert service.slept == [45.0]


def test_a_question_is_an_error_that_tells_how_to_answer() -> None:
    clarification = {"question": "Which country?", "missing": ["country"], "options": ["USA", "UK"]}
    service = Service({"status": "needs_clarification", "clarification": clarification})
    with pytest.raises(NeedsClarification) as caught:
        vp.recruit(service.client(), "adults", 5)
    error = caught.value
    assert (error.question, error.options, error.request.id) == ("Which country?", ("USA", "UK"), "rgr_1")
    assert str(error) == (
        'Which country? (USA; UK) Answer with client.requests.respond("rgr_1", answer="…"); '
        'then client.requests.wait("rgr_1").group is the group.'
    )


def test_a_review_is_an_error_that_tells_how_to_approve() -> None:
    review = {"reason": "Only 96 agents match.", "requested": 200, "available": 96}
    service = Service({"status": "awaiting_review", "review": review})
    with pytest.raises(AwaitingReview, match=r'Only 96.*respond\("rgr_1", approve=True\)') as caught:
        vp.recruit(service.client(), TEXT, 200)
    assert (caught.value.review.available, caught.value.request.status) == (96, "awaiting_review")


def test_a_refusal_is_an_error_with_reason_and_hint() -> None:
    refusal = {"reason": "'teenagers' are under 18.", "hint": "Ask for adults."}
    service = Service({"status": "refused", "refusal": refusal})
    with pytest.raises(Refused, match=r"^'teenagers' are under 18\. Ask for adults\.$") as caught:
        vp.recruit(service.client(), "US teenagers", 5)
    assert caught.value.refusal.hint == "Ask for adults."


@pytest.mark.parametrize("status", ["needs_clarification", "awaiting_review", "refused"])
def test_a_service_that_gives_the_state_alone_is_enough(status: str) -> None:
    with pytest.raises(RequestStopped) as caught:
        vp.recruit(Service({"status": status}).client(), TEXT, 5)
    assert isinstance(caught.value, VoxpopError)
    assert caught.value.request.status == status


@pytest.mark.parametrize(
    "more",
    [
        {"name": "mine"},
        {"seed": 4},
        {"sample_method": "balanced"},
        {"dedupe": False},
        {"description": "busy"},
    ],
)
def test_words_go_with_a_size_alone(more: Any) -> None:
    service = Service({"status": "completed"})
    with pytest.raises(UsageError, match=f"{next(iter(more))} goes with a filter"):
        vp.recruit(service.client(), TEXT, 5, **more)
    assert service.bodies == []


@pytest.mark.parametrize(("text", "size"), [("", 5), (" ", 5), (TEXT, 0), (TEXT, 10_001), (TEXT, 2.5)])
def test_bad_words_and_sizes_are_refused_before_the_call(text: str, size: Any) -> None:
    service = Service({"status": "completed"})
    with pytest.raises(UsageError):
        vp.recruit(service.client(), text, size)
    assert service.bodies == []


@pytest.fixture(scope="module")
def embedded() -> Iterator[Client]:
    with vp.local(agents=3_000) as made:
        yield made


def test_the_embedded_service_recruits_by_words(embedded: Client) -> None:
    group = vp.recruit(embedded, TEXT, size=20)
    assert (group.agent_count, group.description) == (20, TEXT)
    agents = embedded.groups.agents(group)
    assert all(25 <= agent.age <= 64 for agent in agents)
    assert vp.Study.create(embedded, group, title="From words").ask("Do you smoke?").asked_count == 20


def test_a_clarified_request_leads_to_a_group(embedded: Client) -> None:
    with pytest.raises(NeedsClarification) as caught:
        vp.recruit(embedded, "women aged 30 to 50", size=5)
    request_id = caught.value.request.id
    going = embedded.requests.respond(request_id, answer="USA")
    done = embedded.requests.wait(going)
    assert (done.id, done.status, done.group.agent_count) == (request_id, "completed", 5)


def test_an_approved_request_leads_to_a_smaller_group(embedded: Client) -> None:
    with pytest.raises(AwaitingReview) as caught:
        vp.recruit(embedded, TEXT, size=2_000)
    review = caught.value.review
    done = embedded.requests.wait(embedded.requests.respond(caught.value.request.id, approve=True))
    assert done.group.agent_count == review.available < review.requested == 2_000
