"""Zeitgeist surveys: contract 10."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import pytest

from running_service import finish, recruit
from voxpop.wire.surveys import SurveyCreated, SurveyList, SurveyResults

PATH = "/zeitgeist/surveys"
OPTIONS = ["Chips", "Nuts", "Fruit", "Nothing at all"]


@pytest.fixture(scope="module")
def group(http: httpx.Client) -> dict[str, Any]:
    return recruit(http, 120)


def body(group: dict[str, Any], **changes: Any) -> dict[str, Any]:
    sent = {"title": "Snacks", "question": "Which snack?", "answer_options": OPTIONS}
    return sent | {"research_group_uuid": group["group"]["uuid"]} | changes


def create(http: httpx.Client, group: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Make a survey, wait for its job, and return the survey."""
    made = http.post(f"{PATH}/create", json=body(group, **changes))
    assert made.status_code == 201, made.text
    finish(http, [made.json()["job_id"]])
    return http.get(f"{PATH}/{made.json()['survey']['id']}").json()["survey"]


def test_a_survey_is_made_with_one_job(http: httpx.Client, group: dict[str, Any]) -> None:
    answer = http.post(f"{PATH}/create", json=body(group))
    assert answer.status_code == 201
    made = SurveyCreated.model_validate(answer.json())
    assert (made.survey.status, made.survey.asked_count, made.survey.job_id) == ("running", 120, made.job_id)
    (job,) = finish(http, [made.job_id])
    assert (job["meta"]["kind"], job["meta"]["progress"]) == ("survey", {"done": 120, "total": 120})
    assert job["resource_url"] == f"/v1{PATH}/{made.survey.uuid}"
    assert (job["result"]["answered"], job["result"]["failed"]) == (120, 0)
    survey = http.get(f"{PATH}/{made.survey.uuid}").json()["survey"]
    assert survey == httpx.get(survey["url"], headers=http.headers).json()["survey"]
    assert (survey["status"], survey["answer_count"], survey["answer_options"]) == ("completed", 120, OPTIONS)
    assert survey["research_group_uuid"] == group["group"]["uuid"]


def test_results_count_every_option_and_page_the_responses(http: httpx.Client, group: dict[str, Any]) -> None:
    survey = create(http, group)
    first = http.get(f"{PATH}/{survey['id']}/results").json()
    SurveyResults.model_validate(first)
    assert first["survey"] == survey
    assert [row["option"] for row in first["results"]] == OPTIONS
    assert (first["page"], first["page_size"], first["total"], first["pages"]) == (1, 50, 120, 3)
    pages = [
        http.get(f"{PATH}/{survey['uuid']}/results", params={"page": n, "page_size": 50}).json()
        for n in (1, 2, 3, 4)
    ]
    assert [len(page["responses"]) for page in pages] == [50, 50, 20, 0]
    given = [one for page in pages for one in page["responses"]]
    assert [one["agent_id"] for one in given] == [agent["id"] for agent in group["recruited_agents"]]
    values = [one["value"] for one in given]
    assert first["base"] + first["no_value"] == 120
    for row in first["results"]:
        assert row["count"] == values.count(row["option"])
        assert row["share"] == pytest.approx(row["count"] / first["base"])
    agent, one = group["recruited_agents"][0], given[0]
    for name in ("name", "age", "city", "state", "country", "occupation", "summary"):
        assert one[f"agent_{name}"] == agent[name]
    assert (one["job_id"], one["engine"]) == (survey["job_id"], "embedded-1")


def test_a_survey_of_nobody_has_no_shares(http: httpx.Client) -> None:
    nobody = recruit(http, 5, filters={"country": "USA", "age": {"min": 119}})
    survey = create(http, nobody)
    results = http.get(f"{PATH}/{survey['id']}/results").json()
    assert survey["status"] == "completed"
    assert [(row["count"], row["share"]) for row in results["results"]] == [(0, None)] * 4
    assert (results["responses"], results["total"], results["pages"]) == ([], 0, 0)


def test_surveys_are_listed_newest_first_and_deleted_for_good(
    http: httpx.Client, group: dict[str, Any]
) -> None:
    older, newer = create(http, group, title="One"), create(http, group, title="Two")
    listed = http.get(PATH, params={"limit": 2}).json()
    SurveyList.model_validate(listed)
    assert listed["surveys"] == [newer, older]
    gone = http.delete(f"{PATH}/{newer['id']}")
    assert (gone.status_code, gone.content) == (204, b"")
    for answer in (
        http.get(f"{PATH}/{newer['id']}"),
        http.get(f"{PATH}/{newer['uuid']}/results"),
        http.delete(f"{PATH}/{newer['id']}"),
    ):
        assert answer.status_code == 404
    assert http.get(PATH, params={"limit": 1}).json()["surveys"] == [older]
    assert http.get(PATH).json()["total"] == listed["total"] - 1
    assert http.get(f"/jobs/{newer['job_id']}").json()["status"] == "finished"


def test_usage_counts_one_answer_per_agent(http: httpx.Client, group: dict[str, Any]) -> None:
    before = http.get("/billing/usage").json()["quota"]["used"]
    create(http, group)
    assert http.get("/billing/usage").json()["quota"]["used"] == before + 120


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"answer_options": ["A"]}, "answer_options"),
        ({"answer_options": [str(n) for n in range(21)]}, "answer_options"),
        ({"answer_options": ["A", " a "]}, "answer_options"),
        ({"answer_options": ["A", " "]}, "answer_options"),
        ({"answer_options": ["A", "b" * 501]}, "answer_options"),
        ({"title": " "}, "title"),
        ({"question": ""}, "question"),
        ({"research_group_uuid": "7"}, "research_group_uuid"),
        ({"options": ["A", "B"]}, "options"),
    ],
)
def test_a_body_that_cannot_be_used_is_a_400(
    http: httpx.Client, group: dict[str, Any], changes: dict[str, Any], field: str
) -> None:
    answer = http.post(f"{PATH}/create", json=body(group, **changes))
    assert answer.status_code == 400
    assert list(answer.json()["error"]["details"]["fields"]) == [field]


def test_twenty_options_are_allowed(http: httpx.Client, group: dict[str, Any]) -> None:
    options = [f"Option {number}" for number in range(20)]
    assert create(http, group, answer_options=options)["answer_options"] == options


@pytest.mark.parametrize("query", [{"page": 0}, {"page_size": 0}, {"page_size": 501}])
def test_pages_out_of_range_are_a_400(
    http: httpx.Client, group: dict[str, Any], query: dict[str, int]
) -> None:
    survey = http.get(PATH, params={"limit": 1}).json()["surveys"][0]
    assert http.get(f"{PATH}/{survey['id']}/results", params=query).status_code == 400


def test_groups_that_cannot_be_surveyed(
    http: httpx.Client, stranger: httpx.Client, group: dict[str, Any]
) -> None:
    archived = recruit(http, 2)
    assert http.delete(f"/research-groups/{archived['group']['id']}").status_code == 200
    assert http.post(f"{PATH}/create", json=body(archived)).status_code == 409
    missing = body(group, research_group_uuid=str(uuid.uuid4()))
    assert http.post(f"{PATH}/create", json=missing).status_code == 404
    assert stranger.post(f"{PATH}/create", json=body(group)).status_code == 404


def test_other_organizations_see_nothing(
    http: httpx.Client, stranger: httpx.Client, group: dict[str, Any]
) -> None:
    where = f"{PATH}/{create(http, group)['id']}"
    answers = [stranger.get(where), stranger.get(f"{where}/results"), stranger.delete(where)]
    assert [answer.status_code for answer in answers] == [404] * 3
    assert stranger.get(PATH).json()["total"] == 0
    assert http.get(where).status_code == 200
