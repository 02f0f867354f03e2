"""Recruiting, interview groups, groups of named agents, changing and archiving: interface 4.2, contract 6."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import pytest

from running_service import ask, new_study, recruit
from voxpop.wire.agents import Agent
from voxpop.wire.groups import CreateResponse, GroupList, GroupResponse, InterviewResponse, RecruitResponse

INTERVIEW = {"objective": "Why do people cancel their meal kit?", "filters": {}, "group_size": 3}


def test_recruit_gives_the_group_and_its_agents(http: httpx.Client) -> None:
    answer = recruit(
        http, 20, filters={"country": "USA", "age": {"min": 25, "max": 64}}, description="snackers"
    )
    made = RecruitResponse.model_validate(answer)
    assert (made.group.agent_count, made.group.shortfall, made.group.archived) == (20, 0, False)
    assert str(uuid.UUID(made.group.uuid)) == made.group.uuid
    assert made.group.filters == {"match": "all", "filters": answer["group"]["filters"]["filters"]}
    assert len({agent.id for agent in made.recruited_agents}) == 20
    assert all(25 <= agent.age <= 64 for agent in made.recruited_agents)
    assert made.group.created_at.utcoffset().total_seconds() == 0
    assert answer["group"]["created_at"].endswith("Z")


def test_a_group_is_read_by_number_and_by_uuid(http: httpx.Client) -> None:
    made = recruit(http, 5)
    by_number = http.get(f"/research-groups/{made['group']['id']}").json()
    assert http.get(f"/research-groups/{made['group']['uuid']}").json() == by_number
    assert http.get(f"/research-groups/{made['group']['uuid'].replace('-', '')}").json() == by_number
    assert GroupResponse.model_validate(by_number).group.agent_count == 5
    assert by_number["agents"] == made["recruited_agents"]
    assert httpx.get(made["group"]["url"], headers=http.headers).json() == by_number


def test_a_group_is_read_without_the_records_of_its_agents(http: httpx.Client) -> None:
    made = recruit(http, 5)
    told = http.get(f"/research-groups/{made['group']['id']}", params={"agents": "false"}).json()
    assert told == {
        "group": made["group"],
        "agent_ids": [agent["id"] for agent in made["recruited_agents"]],
        "members": made["members"],
    }
    assert http.get(f"/research-groups/{made['group']['id']}", params={"agents": "some"}).status_code == 400


def test_the_same_seed_gives_the_same_agents_in_the_same_order(http: httpx.Client) -> None:
    first, again, other = recruit(http, 30, seed=11), recruit(http, 30, seed=11), recruit(http, 30, seed=12)
    assert first["recruited_agents"] == again["recruited_agents"]
    assert first["recruited_agents"] != other["recruited_agents"]
    assert first["group"]["seed"] == 11


def test_a_seed_that_the_service_draws_is_returned_and_works_again(http: httpx.Client) -> None:
    drawn = recruit(http, 15)
    assert recruit(http, 15, seed=drawn["group"]["seed"])["recruited_agents"] == drawn["recruited_agents"]


def test_fewer_matches_than_asked_for_is_a_shortfall_and_no_error(http: httpx.Client) -> None:
    none = recruit(http, 10, filters={"country": "Japan", "gender": "non_binary"})
    assert (none["group"]["agent_count"], none["group"]["shortfall"], none["recruited_agents"]) == (0, 10, [])


def test_a_group_of_another_country_has_its_people_alone(http: httpx.Client) -> None:
    answer = recruit(http, 25, filters={"country": "Germany", "state": "Bayern", "labour_status": "employed"})
    found = [Agent.model_validate(agent) for agent in answer["recruited_agents"]]
    assert answer["group"]["agent_count"] == len(found) > 3
    assert {(agent.country, agent.state) for agent in found} == {("Germany", "Bavaria")}
    assert all(agent.occupation and agent.industry and agent.title_variant for agent in found)
    assert {agent.household_income for agent in found} == {None}
    assert all("Bavaria, Germany" in (agent.summary or "") for agent in found)
    profiles = [agent.health_profile for agent in found if agent.health_profile]
    assert profiles
    assert all("WHO and NCD-RisC" in health.source for health in profiles)
    assert {health.phq9_score for health in profiles} == {None}


@pytest.mark.parametrize("method", ["random", "stratified", "balanced"])
def test_every_sample_method_draws(http: httpx.Client, method: str) -> None:
    assert recruit(http, 40, sample_method=method)["group"]["agent_count"] == 40


def test_the_header_opts_in_to_raw_filters(http: httpx.Client) -> None:
    body = {"name": "g", "filters": {}, "group_size": 1}
    plain = http.post("/research-groups/recruit", json=body)
    opted = http.post("/research-groups/recruit", json=body, headers={"X-Filter-Raw-DSL": "true"})
    assert plain.json()["raw_dsl_mode"] == "legacy_grandfathered"
    assert opted.json()["raw_dsl_mode"] == "explicit_opt_in"


def test_groups_are_listed_newest_first(http: httpx.Client) -> None:
    names = [recruit(http, 1, name=f"listed {number}")["group"]["name"] for number in range(3)]
    listed = GroupList.model_validate(http.get("/research-groups", params={"limit": 2}).json())
    assert [group.name for group in listed.groups] == names[:0:-1]
    assert (listed.limit, listed.offset) == (2, 0)
    rest = http.get("/research-groups", params={"limit": 500, "offset": 2}).json()
    assert len(rest["groups"]) == listed.total - 2


def test_a_group_without_a_name_is_named_after_its_filter(http: httpx.Client) -> None:
    answer = http.post("/research-groups/recruit", json={"filters": {"gender": "female"}, "group_size": 1})
    assert answer.status_code == 201
    assert answer.json()["group"]["name"]


@pytest.mark.parametrize(
    "reference", ["0", "999999", "not-a-group", "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11", "9" * 30]
)
def test_a_group_that_is_not_there_is_a_404(http: httpx.Client, reference: str) -> None:
    answer = http.get(f"/research-groups/{reference}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def refused(answer: httpx.Response, status: int, code: str = "invalid_request") -> dict[str, Any]:
    """Return the details of an error answer."""
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["code"] == code
    return answer.json()["error"].get("details", {})


def test_interview_gives_a_group_and_a_guide(http: httpx.Client) -> None:
    body = INTERVIEW | {"filters": {"country": "USA", "gender": "female"}, "group_size": 6, "seed": 5}
    answer = http.post("/research-groups/interview", json=body)
    assert answer.status_code == 201
    made = InterviewResponse.model_validate(answer.json())
    assert (made.group.agent_count, made.group.seed, made.group.shortfall) == (6, 5, 0)
    assert made.group.description == INTERVIEW["objective"]
    assert made.group.name == "Interviews: US women"
    assert {agent.gender for agent in made.recruited_agents} == {"female"}
    assert 3 <= len(made.interview_guide) <= 7
    assert len({one.key for one in made.interview_guide}) == len(made.interview_guide)
    assert any("meal kit" in one.question for one in made.interview_guide)
    read = http.get(f"/research-groups/{made.group.uuid}").json()
    told = answer.json()
    assert read == {
        "group": told["group"],
        "agents": told["recruited_agents"],
        "members": told["members"],
    }


def test_interview_draws_the_agents_that_recruit_draws(http: httpx.Client) -> None:
    draw = {"filters": {"state": "CA"}, "group_size": 8, "seed": 21, "sample_method": "balanced"}
    interviewed = http.post("/research-groups/interview", json=INTERVIEW | draw).json()
    recruited = http.post("/research-groups/recruit", json=draw).json()
    assert interviewed["recruited_agents"] == recruited["recruited_agents"]


def test_each_question_of_the_guide_can_be_asked_as_it_is(http: httpx.Client) -> None:
    guide = http.post("/research-groups/interview", json=INTERVIEW).json()["interview_guide"]
    study = new_study(http, 2)
    for question in guide:
        ask(http, study, **question)
    read = http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
    assert [(one["key"], one["type"]) for one in read] == [(one["key"], one["type"]) for one in guide]
    assert all(one["answer_count"] == 2 and one["failed_count"] == 0 for one in read)


def test_a_group_is_made_of_named_agents_in_the_order_given(http: httpx.Client) -> None:
    body = {"name": "Three I know", "agent_ids": [30, 7, 19, 7]}
    answer = http.post("/research-groups/create", json=body)
    assert answer.status_code == 201
    made = CreateResponse.model_validate(answer.json())
    assert [agent.id for agent in made.recruited_agents] == [30, 7, 19]
    assert (made.group.name, made.group.agent_count, made.group.description) == ("Three I know", 3, None)
    assert (made.group.sample_method, made.group.seed, made.group.shortfall) == ("named", None, 0)
    assert made.group.filters == {"match": "all", "filters": {}}
    read = http.get(f"/research-groups/{made.group.id}").json()
    told = answer.json()
    assert read == {
        "group": told["group"],
        "agents": told["recruited_agents"],
        "members": told["members"],
    }


def test_agents_that_do_not_exist_are_named_and_nothing_is_made(http: httpx.Client) -> None:
    before = http.get("/research-groups", params={"limit": 1}).json()["total"]
    answer = http.post("/research-groups/create", json={"name": "g", "agent_ids": [1, 3_001, 0, 2]})
    assert refused(answer, 400)["fields"] == {
        "agent_ids": ["there is no agent 3001, 0; this population has agents 1 to 3,000"]
    }
    assert http.get("/research-groups", params={"limit": 1}).json()["total"] == before


def test_a_group_gets_another_name_or_description(http: httpx.Client) -> None:
    group = recruit(http, 2, name="first", description="snackers")["group"]
    path = f"/research-groups/{group['id']}/update"
    renamed = http.post(path, json={"name": "second"})
    assert (renamed.status_code, renamed.json()) == (200, {"group": group | {"name": "second"}})
    described = http.post(path, json={"description": "who snacks"}).json()["group"]
    assert described == group | {"name": "second", "description": "who snacks"}
    for nothing in (None, ""):
        http.post(path, json={"description": "who snacks"})
        assert http.post(path, json={"description": nothing}).json()["group"]["description"] is None
    assert http.get(f"/research-groups/{group['uuid']}").json()["group"]["name"] == "second"


def test_an_archived_group_leaves_the_list_and_stays_readable(http: httpx.Client) -> None:
    made = recruit(http, 2, name="to archive")
    path = f"/research-groups/{made['group']['uuid']}"
    study = {"title": "t", "research_group_uuid": made["group"]["uuid"]}
    kept = http.post("/research-studies", json=study).json()["study"]
    for _ in range(2):  # again does no harm
        archived = http.delete(path)
        assert (archived.status_code, archived.json()) == (200, {"group": made["group"] | {"archived": True}})
    assert http.get(path).json() == {
        "group": archived.json()["group"],
        "agents": made["recruited_agents"],
        "members": made["members"],
    }

    def listed(**params: Any) -> set[int]:
        page = http.get("/research-groups", params={"limit": 500, **params}).json()
        return {group["id"] for group in page["groups"]}

    assert made["group"]["id"] not in listed()
    assert made["group"]["id"] in listed(archived=True)
    assert refused(http.post("/research-studies", json=study), 409, "conflict") == {"status": "archived"}
    assert ask(http, kept, "Do you smoke?")["job_ids"]  # a study made before goes on
    assert http.post(f"{path}/update", json={"name": "archived, renamed"}).status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "field", "words"),
    [
        ("interview", INTERVIEW | {"objective": "  "}, "objective", "must not be empty"),
        ("interview", INTERVIEW | {"objective": 7}, "objective", "must be text"),
        ("interview", INTERVIEW | {"group_size": 10_001}, "group_size", "at most 10000"),
        ("interview", INTERVIEW | {"size": 3}, "size", "did you mean group_size?"),
        ("interview", {"filters": {}, "group_size": 3}, "objective", "is required"),
        ("interview", {"objective": "o", "group_size": 3}, "filters", "is required"),
        ("create", {"name": "g", "agent_ids": []}, "agent_ids", "at least 1"),
        ("create", {"name": "g", "agent_ids": ["7"]}, "agent_ids.0", "must be a whole number"),
        ("create", {"name": "g", "agent_ids": 7}, "agent_ids", "must be a list"),
        ("create", {"name": "g", "agent_ids": list(range(1, 10_002))}, "agent_ids", "at most 10000"),
        ("create", {"agent_ids": [7]}, "name", "is required"),
        ("create", {"name": " ", "agent_ids": [7]}, "name", "must not be empty"),
        ("create", {"name": "g", "agents": [7], "agent_ids": [7]}, "agents", "did you mean agent_ids?"),
        ("1/update", {}, "body", "send name, description or both"),
        ("1/update", {"name": None}, "name", "must be text, not null"),
        ("1/update", {"name": ""}, "name", "at least 1"),
        ("1/update", {"name": "x" * 301}, "name", "at most 300"),
        ("1/update", {"title": "x"}, "title", "allowed: name, description"),
    ],
)
def test_a_body_that_cannot_be_used_names_the_field(
    http: httpx.Client, path: str, body: dict[str, Any], field: str, words: str
) -> None:
    fields = refused(http.post(f"/research-groups/{path}", json=body), 400)["fields"]
    assert words in fields[field][0]


def test_a_filter_of_interview_is_read_as_recruits_is(http: httpx.Client) -> None:
    answer = http.post("/research-groups/interview", json=INTERVIEW | {"filters": {"gendr": "male"}})
    assert "did you mean gender" in refused(answer, 400)["filters"]["gendr"][0]


def test_a_group_of_another_organization_is_not_there(http: httpx.Client, stranger: httpx.Client) -> None:
    path = f"/research-groups/{recruit(http, 2)['group']['uuid']}"
    refused(stranger.post(f"{path}/update", json={"name": "mine now"}), 404, "not_found")
    refused(stranger.delete(path), 404, "not_found")
    group = http.get(path).json()["group"]
    assert (group["name"], group["archived"]) == ("g", False)
