"""Recruitment requests: interface 2.3, 3.1 and 4.1, contract 5."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from running_service import ask, finish
from voxpop.wire.requests import RequestResponse

PATH = "/research-group-requests"
GLP1 = "US adults 25 to 64 on a GLP-1 medicine"
DOGS = "US adults aged 30 to 50 who own a dog"
UNCLEAR = "women aged 30 to 50"
MINORS = "US teenagers aged 13 to 17"
SENSITIVE = "Black Americans with diabetes"
FIELDS = [
    "id",
    "status",
    "phase",
    "progress_message",
    "request_text",
    "group_size",
    "filters",
    "screening",
    "understood",
    "clarification",
    "review",
    "refusal",
    "created_at",
    "updated_at",
]


def request(http: httpx.Client, text: str, size: int = 5, **body: Any) -> dict[str, Any]:
    """Make a request that finishes within the call's waiting time, and return the response."""
    body = {"request_text": text, "group_size": size, "response_mode": "sync"} | body
    answer = http.post(PATH, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def respond(http: httpx.Client, request_id: str, **body: Any) -> dict[str, Any]:
    """Respond to a request, wait for the job, and return the request as it is then."""
    answer = http.post(f"{PATH}/{request_id}/respond", json=body)
    assert answer.status_code == 202, answer.text
    assert answer.json()["request"]["status"] == "running"
    finish(http, [answer.json()["job_id"]])
    return http.get(f"{PATH}/{request_id}").json()


def test_async_is_queued_with_a_job_and_read_until_it_is_completed(http: httpx.Client) -> None:
    queued = http.post(PATH, json={"request_text": GLP1, "group_size": 20})
    assert queued.status_code == 202
    made = RequestResponse.model_validate(queued.json())
    assert list(queued.json()["request"]) == FIELDS
    assert made.request.id.startswith("rgr_")
    assert (made.request.status, made.group, "group" in queued.json()) == ("queued", None, False)
    (job,) = finish(http, [made.job_id])
    assert (job["status"], job["domain_status"]) == ("finished", "completed")
    assert job["meta"]["kind"] == "recruiting"
    done = httpx.get(
        f"{str(http.base_url).removesuffix('/v1/')}{job['resource_url']}", headers=http.headers
    ).json()
    read = RequestResponse.model_validate(done)
    assert (read.request.id, read.request.status, read.job_id) == (made.request.id, "completed", made.job_id)
    assert read.group.agent_count == len(read.recruited_agents) == 20
    assert job["result"]["group_uuid"] == read.group.uuid


def test_a_completed_group_is_what_the_text_says(http: httpx.Client) -> None:
    done = request(http, GLP1, 20)
    assert done["request"]["status"] == "completed"
    assert done["request"]["filters"] == done["group"]["filters"]
    assert all(25 <= agent["age"] <= 64 for agent in done["recruited_agents"])
    assert all(
        "glp1_agonist" in agent["health_profile"]["drug_classes"] for agent in done["recruited_agents"]
    )
    assert (done["group"]["description"], done["group"]["shortfall"]) == (GLP1, 0)
    assert done["group"]["name"]
    group = http.get(f"/research-groups/{done['group']['uuid']}").json()
    assert group == {
        "group": done["group"],
        "agents": done["recruited_agents"],
        "members": done["members"],
    }
    study = {"title": "t", "research_group_uuid": done["group"]["uuid"]}
    assert http.post("/research-studies", json=study).status_code == 201


@pytest.mark.parametrize(
    ("text", "size", "status", "told"),
    [
        (GLP1, 5, "completed", None),
        (UNCLEAR, 5, "needs_clarification", "clarification"),
        (GLP1, 3_000, "awaiting_review", "review"),
        (SENSITIVE, 2, "awaiting_review", "review"),
        (MINORS, 5, "refused", "refusal"),
    ],
)
def test_sync_ends_in_one_of_the_five_ways(
    http: httpx.Client, text: str, size: int, status: str, told: str | None
) -> None:
    answer = request(http, text, size)
    assert answer["request"]["status"] == status
    for name in ("clarification", "review", "refusal"):
        assert (answer["request"][name] is None) == (name != told)
    assert (answer["request"]["filters"] is None) == (status == "refused")  # the text was not read further
    assert ("group" in answer, "recruited_agents" in answer) == ((status == "completed",) * 2)
    assert http.get(f"{PATH}/{answer['request']['id']}").json() == answer
    job = http.get(f"/jobs/{answer['job_id']}").json()
    assert job["status"] == "finished"
    assert job["domain_status"] == ("failed" if status == "refused" else status)


def test_a_question_is_answered_and_the_same_request_goes_on(http: httpx.Client) -> None:
    asked = request(http, UNCLEAR)
    clarification = asked["request"]["clarification"]
    assert set(clarification) == {"question", "missing", "options"}
    assert clarification["missing"] == ["country"]
    assert clarification["question"].endswith("?")
    done = respond(http, asked["request"]["id"], answer="USA")
    assert (done["request"]["id"], done["request"]["status"]) == (asked["request"]["id"], "completed")
    assert done["job_id"] != asked["job_id"]
    agents = done["recruited_agents"]
    assert {agent["gender"] for agent in agents} == {"female"}
    assert all(30 <= agent["age"] <= 50 for agent in agents)


def test_too_few_agents_are_approved_and_the_group_says_how_many_are_missing(http: httpx.Client) -> None:
    waiting = request(http, GLP1, 3_000)
    review = waiting["request"]["review"]
    available = http.post("/filters/count", json={"filters": waiting["request"]["filters"]}).json()["count"]
    assert (review["requested"], review["available"]) == (3_000, available)
    done = respond(http, waiting["request"]["id"], approve=True)
    assert done["group"]["agent_count"] == available
    assert done["group"]["shortfall"] == 3_000 - available


def test_an_approval_may_ask_for_another_size(http: httpx.Client) -> None:
    waiting = request(http, GLP1, 3_000)
    done = respond(http, waiting["request"]["id"], approve=True, group_size=7)
    assert (done["request"]["group_size"], done["group"]["agent_count"]) == (7, 7)
    assert done["group"]["shortfall"] == 0


def test_a_declined_review_ends_the_request(http: httpx.Client) -> None:
    waiting = request(http, SENSITIVE, 2)
    answer = http.post(f"{PATH}/{waiting['request']['id']}/respond", json={"approve": False})
    assert answer.status_code == 200
    assert answer.json()["request"]["status"] == "refused"
    assert set(answer.json()["request"]["refusal"]) == {"reason", "hint"}
    assert answer.json()["request"]["review"] is None


@pytest.mark.parametrize(
    ("text", "size", "body"),
    [
        (GLP1, 5, {"answer": "USA"}),
        (GLP1, 5, {"approve": True}),
        (MINORS, 5, {"answer": "adults then"}),
        (MINORS, 5, {"approve": False}),
        (UNCLEAR, 5, {"approve": True}),
        (GLP1, 3_000, {"answer": "yes"}),
    ],
)
def test_a_response_that_the_state_does_not_allow_is_a_conflict(
    http: httpx.Client, text: str, size: int, body: dict[str, Any]
) -> None:
    made = request(http, text, size)
    answer = http.post(f"{PATH}/{made['request']['id']}/respond", json=body)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "conflict"
    assert answer.json()["error"]["details"] == {"status": made["request"]["status"]}
    assert http.get(f"{PATH}/{made['request']['id']}").json() == made


def test_screened_agents_all_say_so_in_a_study(http: httpx.Client) -> None:
    done = request(http, DOGS, 25)
    assert done["request"]["status"] == "completed"
    (screen,) = done["request"]["screening"]
    assert {"criterion", "question", "keep"} <= set(screen)
    assert (screen["keep"], screen["basis"]) == ("yes", "published")
    assert 0.2 < screen["incidence"] < 0.8
    assert "25 of 25 found" in done["request"]["progress_message"]
    assert done["request"]["progress_message"].startswith("Screened ")
    assert all(30 <= agent["age"] <= 50 for agent in done["recruited_agents"])
    made = http.post(
        "/research-studies", json={"title": "Dogs", "research_group_uuid": done["group"]["uuid"]}
    )
    study = made.json()["study"]
    ask(http, study, screen["question"])
    answers = http.get(f"/research-studies/{study['id']}/answers").json()["answers"]
    assert [answer["value"] for answer in answers] == [True] * 25


def test_every_span_of_the_text_is_shown_with_what_it_was_understood_as(http: httpx.Client) -> None:
    done = request(http, DOGS, 5)
    spans = done["request"]["understood"]
    assert [(one["span"], one["as"]) for one in spans] == [
        ("US adults", "filter"),
        ("aged 30 to 50", "filter"),
        ("who", "glue"),
        ("own a dog", "screen"),
    ]
    assert all(DOGS[one["start"] :].startswith(one["span"]) for one in spans)


def test_what_cannot_be_screened_is_asked_back_and_can_be_left_out(http: httpx.Client) -> None:
    made = request(http, "US adults who bake bread")
    asked = made["request"]["clarification"]
    assert made["request"]["status"] == "needs_clarification"
    assert asked["question"].startswith('"bake bread" cannot be screened')
    assert (asked["missing"], asked["options"][-1]) == (["screening"], "leave it out")
    done = respond(http, made["request"]["id"], answer="leave it out")
    assert (done["request"]["status"], done["request"]["screening"]) == ("completed", [])
    assert done["request"]["understood"][-1]["as"] == "left_out"


def test_what_cannot_be_screened_can_be_replaced(http: httpx.Client) -> None:
    made = request(http, "US adults who bake bread")
    done = respond(http, made["request"]["id"], answer="homeowners")
    assert done["request"]["filters"]["filters"] == {"country": "USA", "housing_tenure": "owner"}


def test_the_impossible_finds_nobody(http: httpx.Client) -> None:
    made = request(http, "pregnant women over 60 in Florida")
    assert made["request"]["status"] == "awaiting_review"
    assert made["request"]["review"]["available"] == 0
    done = respond(http, made["request"]["id"], approve=True)
    assert done["request"]["status"] == "refused"


def test_alternatives_and_exclusions_are_recruited_exactly(http: httpx.Client) -> None:
    done = request(http, "US adults with diabetes not on insulin, 18 to 40 or 60 to 75", 10)
    assert done["request"]["status"] == "completed"
    for agent in done["recruited_agents"]:
        assert 18 <= agent["age"] <= 40 or 60 <= agent["age"] <= 75
        assert "diabetes_t2" in agent["health_profile"]["conditions"]
        assert "insulin" not in agent["health_profile"]["drug_classes"]


def test_too_few_after_the_screening_await_a_review_before_the_group_is_made(http: httpx.Client) -> None:
    total = http.get("/research-groups").json()["total"]
    made = request(http, DOGS, 400)
    assert made["request"]["status"] == "awaiting_review"
    review = made["request"]["review"]
    assert (review["requested"], 0 < review["available"] < 400) == (400, True)
    assert http.get("/research-groups").json()["total"] == total
    done = respond(http, made["request"]["id"], approve=True)
    assert done["group"]["agent_count"] == review["available"]


def test_a_request_that_is_not_there_or_belongs_to_others_is_a_404(
    http: httpx.Client, stranger: httpx.Client
) -> None:
    made = request(http, UNCLEAR)
    before = http.get(f"{PATH}/{made['request']['id']}").json()
    for caller, request_id in ((http, "rgr_none"), (stranger, made["request"]["id"])):
        answers = [
            caller.get(f"{PATH}/{request_id}"),
            caller.post(f"{PATH}/{request_id}/respond", json={"answer": "USA"}),
            caller.post(f"{PATH}/{request_id}/respond", json={"approve": False}),
        ]
        assert [answer.status_code for answer in answers] == [404] * 3
        assert answers[0].json()["error"]["code"] == "not_found"
    assert stranger.get(f"/jobs/{made['job_id']}").status_code == 403
    assert http.get(f"{PATH}/{made['request']['id']}").json() == before
