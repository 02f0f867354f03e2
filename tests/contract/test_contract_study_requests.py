"""Study requests and groups from a description: interface 4.9, contract 9."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest

from running_service import Service, finish
from voxpop.client import Client
from voxpop.errors import FieldworkWarning
from voxpop.jobs.placeholders import NOTHING_KNOWN
from voxpop.wire.requests import DescribedGroupAccepted
from voxpop.wire.study_requests import StudyRequestAccepted, StudyRequestResponse

PATH = "/research-study-requests"
GLP1 = "US adults 25 to 64 on a GLP-1 medicine"
UNCLEAR = "women aged 30 to 50"
MINORS = "US teenagers aged 13 to 17"
QUESTIONS = [
    "Would you switch to a lower-sugar snack?",
    {"question": "What do you like best?", "key": "best", "options": ["Chips", "Nuts", "Fruit"]},
    "Why?",
]


def send(http: httpx.Client, path: str, body: dict[str, Any], key: str | None = None) -> httpx.Response:
    return http.post(path, json=body, headers={"Idempotency-Key": key or uuid4().hex})


def described(http: httpx.Client, text: str, **body: Any) -> dict[str, Any]:
    """Ask for a group from a description, and wait for the job."""
    sent = {"description": text, "group_size": 5, "wait_seconds": 60} | body
    named = {"Idempotency-Key": uuid4().hex}
    answer = http.post("/research-groups:from-description", json=sent, headers=named)
    assert answer.status_code == 202, answer.text
    return answer.json()


def requested(http: httpx.Client, text: str = GLP1, **body: Any) -> dict[str, Any]:
    """Ask for a whole study, and wait for the job."""
    sent = {"request_text": text, "group_size": 5, "questions": QUESTIONS, "wait_seconds": 60} | body
    answer = send(http, PATH, sent)
    assert answer.status_code == 202, answer.text
    return answer.json()


def test_one_call_makes_a_finished_study(http: httpx.Client) -> None:
    made = requested(http, title="Snack switching", objective="Who would switch, and why?")
    StudyRequestAccepted.model_validate(made)
    assert made["job"]["status"] == "finished"
    assert made["operation"]["status"] == made["request"]["status"] == "completed"
    assert made["request"]["id"].startswith("rsr_")
    assert (made["study"]["title"], made["study"]["stage"]) == ("Snack switching", "completed")
    assert made["group"]["agent_count"] == made["study"]["agent_count"] == 5
    asked = http.get(f"/research-studies/{made['study']['id']}/questions").json()
    assert [question["question"] for question in asked["questions"]] == [
        QUESTIONS[0],
        QUESTIONS[1]["question"],  # type: ignore[index]
        QUESTIONS[2],
    ]
    assert asked["questions"][1]["key"] == "best"
    assert [len(question["answers"]) for question in asked["questions"]] == [5, 5, 5]
    analysis = http.get(f"/research-studies/{made['study']['id']}/analysis").json()
    assert next(iter(analysis["steps"])) == "stats"
    job = http.get(f"/jobs/{made['job']['id']}").json()
    assert job["domain_status"] == "completed"
    assert job["resource_url"] == f"/v1{PATH}/{made['request']['id']}"
    assert job["operation_url"] == f"/v1/organization/operations/{made['operation']['id']}"
    assert job["result"]["study_id"] == made["study"]["id"]


def test_it_is_queued_at_once_and_read_until_it_is_completed(http: httpx.Client) -> None:
    body = {"request_text": GLP1, "group_size": 30, "questions": ["Do you smoke?"]}
    queued = send(http, PATH, body).json()
    assert queued["job"] == {
        "id": queued["job"]["id"],
        "poll_url": f"/v1/jobs/{queued['job']['id']}",
        "status": "started",
    }
    assert queued["request"]["status"] in ("queued", "running")
    finish(http, [queued["job"]["id"]])
    read = http.get(f"{PATH}/{queued['request']['id']}").json()
    StudyRequestResponse.model_validate(read)
    assert read["request"]["status"] == "completed"
    assert read["request"]["progress_message"] == "Completed with 30 answers."
    assert read["study"]["question_count"] == 1


def test_without_questions_some_are_drawn_up(http: httpx.Client) -> None:
    made = requested(http, questions=None, objective="What would make people switch to low-sugar snacks?")
    asked = http.get(f"/research-studies/{made['study']['id']}/questions").json()["questions"]
    assert len(asked) == 5
    assert all(question["answer_count"] == 5 for question in asked)
    assert len({question["key"] for question in asked}) == 5


def hubcaps(http: httpx.Client) -> tuple[str, dict[str, dict[str, Any]]]:
    """Ask a question that is understood and one that hardly is; return its notice and the findings."""
    strange = {"question": "What do you do with the hubcaps of an old tractor?", "key": "hubcaps"}
    study = requested(http, questions=[QUESTIONS[0], strange])["study"]
    switch, hardly = http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
    assert switch["notice"] is None
    assert "fewer than half of the words" in hardly["notice"]
    return hardly["notice"], http.get(f"/research-studies/{study['id']}/analysis").json()["steps"]


def test_what_was_hardly_understood_is_said_with_the_question_and_the_findings(
    modelled_http: httpx.Client,
) -> None:
    notice, steps = hubcaps(modelled_http)
    for step in ("stats", "overall_summary"):
        assert steps[step]["claims"]
        assert steps[step]["notes"][0] == f"“hubcaps”: {notice}"


def test_where_no_figure_is_known_that_is_said_first_and_nothing_is_found(http: httpx.Client) -> None:
    notice, steps = hubcaps(http)
    assert steps["stats"]["notes"][:2] == [NOTHING_KNOWN, f"“hubcaps”: {notice}"]
    assert {name for name, step in steps.items() if step["notes"][0] == NOTHING_KNOWN} == set(steps)
    assert [step["claims"] for step in steps.values()] == [[]] * len(steps)
    assert steps["overall_summary"]["text"] == NOTHING_KNOWN


def test_an_objective_that_is_read_in_part_is_said_with_the_request_and_its_questions(
    http: httpx.Client, service: Service
) -> None:
    long = "What would make people switch to low-sugar snacks? " + "They have been on sale for years. " * 60
    made = requested(http, questions=None, objective=long)
    told = made["request"]["notice"]
    assert "reads the first and the last 750 characters of a long objective" in told
    assert http.get(f"{PATH}/{made['request']['id']}").json()["request"]["notice"] == told
    asked = http.get(f"/research-studies/{made['study']['id']}/questions").json()["questions"]
    assert {question["notice"] for question in asked} == {told}
    with Client(service.base_url, service.key()) as client:
        with pytest.warns(FieldworkWarning, match="of a long objective"):
            seen = client.study_requests.create(GLP1, 5, objective=long)
        assert told in repr(seen)
    assert requested(http)["request"]["notice"] is None


def test_what_was_reserved_is_committed_and_the_rest_voided(http: httpx.Client) -> None:
    made = requested(http, group_size=5)
    reserved = made["usage_recorded"]
    assert [(event["kind"], event["quantity"], event["status"]) for event in reserved] == [
        ("answers", 15, "reserved")
    ]
    operation = http.get(f"/organization/operations/{made['operation']['id']}").json()["operation"]
    settled = [(event["quantity"], event["status"]) for event in operation["usage_recorded"]]
    assert settled == [(15, "committed")]


def test_what_needs_clarification_goes_on_with_the_answer(http: httpx.Client) -> None:
    made = requested(http, UNCLEAR)
    assert made["job"]["status"] == "finished"
    assert made["operation"]["status"] == made["request"]["status"] == "needs_clarification"
    assert "country" in made["request"]["clarification"]["question"].lower()
    assert "study" not in made
    waiting = http.get(f"/organization/operations/{made['operation']['id']}").json()["operation"]
    assert (waiting["status"], waiting["finished_at"]) == ("needs_clarification", None)
    answer = http.post(f"{PATH}/{made['request']['id']}/respond", json={"answer": "the USA"})
    assert answer.status_code == 202
    going_on = answer.json()
    assert going_on["request"]["status"] == "running"
    assert going_on["job_id"] != made["job"]["id"]
    finish(http, [going_on["job_id"]])
    read = http.get(f"{PATH}/{made['request']['id']}").json()
    assert read["request"]["status"] == read["study"]["stage"] == "completed"
    operation = http.get(f"/organization/operations/{made['operation']['id']}").json()["operation"]
    assert (operation["status"], operation["job_id"]) == ("completed", going_on["job_id"])
    assert operation["finished_at"] is not None


def test_its_group_request_can_be_answered_too(http: httpx.Client) -> None:
    made = requested(http, UNCLEAR)
    audience = f"/research-group-requests/{made['request']['group_request_id']}"
    answer = http.post(f"{audience}/respond", json={"answer": "the USA"})
    assert answer.status_code == 202
    finish(http, [answer.json()["job_id"]])
    assert http.get(audience).json()["group"]["agent_count"] == 5
    assert http.get(f"{PATH}/{made['request']['id']}").json()["study"]["stage"] == "completed"


def test_more_agents_than_there_are_await_a_review(http: httpx.Client) -> None:
    made = requested(http, GLP1, group_size=2_900, questions=["Do you smoke?"])
    assert made["request"]["status"] == "awaiting_review"
    available = made["request"]["review"]["available"]
    place = f"{PATH}/{made['request']['id']}"
    answer = http.post(f"{place}/respond", json={"approve": True})
    finish(http, [answer.json()["job_id"]])
    assert http.get(place).json()["study"]["agent_count"] == available
    operation = http.get(f"/organization/operations/{made['operation']['id']}").json()["operation"]
    settled = [(event["quantity"], event["status"]) for event in operation["usage_recorded"]]
    assert settled == [(available, "committed"), (2_900 - available, "voided")]


def test_what_is_declined_costs_nothing(http: httpx.Client) -> None:
    made = requested(http, GLP1, group_size=2_900, questions=["Do you smoke?"])
    answer = http.post(f"{PATH}/{made['request']['id']}/respond", json={"approve": False})
    assert (answer.status_code, answer.json()["request"]["status"]) == (200, "refused")
    operation = http.get(f"/organization/operations/{made['operation']['id']}").json()["operation"]
    assert operation["status"] == "failed"
    assert [event["status"] for event in operation["usage_recorded"]] == ["voided"]


def test_what_is_refused_says_why_and_costs_nothing(http: httpx.Client) -> None:
    made = requested(http, MINORS)
    assert (made["request"]["status"], made["operation"]["status"]) == ("refused", "failed")
    assert "18" in made["request"]["refusal"]["reason"]
    job = http.get(f"/jobs/{made['job']['id']}").json()
    assert (job["status"], job["domain_status"]) == ("finished", "failed")
    operation = http.get(f"/organization/operations/{made['operation']['id']}").json()["operation"]
    assert [event["status"] for event in operation["usage_recorded"]] == ["voided"]
    late = http.post(f"{PATH}/{made['request']['id']}/respond", json={"answer": "adults"})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "conflict")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"questions": []}, "questions"),
        ({"questions": ["Do you smoke?", {"question": "A or B?", "options": ["A"]}]}, "questions.1.options"),
        (
            {"questions": [{"question": "Why?", "key": "why"}, {"question": "And why?", "key": "why"}]},
            "questions",
        ),
        ({"questions": [5]}, "questions.0"),
        ({"questions": [" "]}, "questions.0.question"),
        ({"questions": ["Why?", {"question": "x" * 10_001}]}, "questions.1.question"),
        ({"questions": [{"question": "Why?", "colour": "red"}]}, "questions.0.colour"),
        ({"questions": [{"question": "Why?", "scale": {"min": "a", "max": 5}}]}, "questions.0.scale.min"),
        ({"questions": [{"question": "Why?", "scale": {"min": 5, "max": 1}}]}, "questions.0.scale"),
        ({"size": 5}, "size"),
        ({"group_size": 0}, "group_size"),
        ({"wait_seconds": -1}, "wait_seconds"),
        ({"title": " "}, "title"),
    ],
)
def test_a_bad_field_is_named_and_nothing_is_kept(
    http: httpx.Client, changes: dict[str, Any], field: str
) -> None:
    before = http.get("/research-studies").json()["total"]
    key = uuid4().hex
    answer = send(http, PATH, {"request_text": GLP1, "group_size": 5} | changes, key)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert list(error["details"]["fields"]) == [field]
    assert error["message"].endswith("..") is False
    assert http.get("/research-studies").json()["total"] == before
    good = send(http, PATH, {"request_text": MINORS, "group_size": 5}, key)
    assert good.status_code == 202  # a refused call does not use up its key


def test_another_organization_sees_nothing_of_it(http: httpx.Client, stranger: httpx.Client) -> None:
    made = requested(http, UNCLEAR)
    for path in (f"{PATH}/{made['request']['id']}", f"/organization/operations/{made['operation']['id']}"):
        assert stranger.get(path).status_code == 404
    assert stranger.get(f"/jobs/{made['job']['id']}").status_code == 403
    respond = stranger.post(f"{PATH}/{made['request']['id']}/respond", json={"answer": "the USA"})
    assert respond.status_code == 404


def test_a_description_becomes_a_group(http: httpx.Client) -> None:
    made = described(http, GLP1)
    DescribedGroupAccepted.model_validate(made)
    assert made["operation"]["status"] == made["request"]["status"] == "completed"
    assert made["group"]["agent_count"] == 5
    assert made["usage_recorded"] == []
    job = http.get(f"/jobs/{made['job']['id']}").json()
    assert (job["domain_status"], job["operation_id"]) == ("completed", made["operation"]["id"])
    assert job["resource_url"] == f"/v1/research-group-requests/{made['request']['id']}"


def test_a_description_that_is_not_clear_is_answered_as_a_request(http: httpx.Client) -> None:
    made = described(http, UNCLEAR)
    assert made["operation"]["status"] == "needs_clarification"
    place = f"/research-group-requests/{made['request']['id']}"
    answer = http.post(f"{place}/respond", json={"answer": "the USA"}).json()
    (job,) = finish(http, [answer["job_id"]])
    assert job["operation_id"] == made["operation"]["id"]
    operation = http.get(f"/organization/operations/{made['operation']['id']}").json()["operation"]
    assert operation["status"] == "completed"
