"""Recruiting by filters, reading and listing groups: interface 4.2, contract 1 and 6."""

from __future__ import annotations

import uuid

import httpx
import pytest

from running_service import recruit
from voxpop.wire.agents import Agent
from voxpop.wire.groups import GroupAnswer, GroupList, RecruitAnswer


def test_recruit_gives_the_group_and_its_agents(http: httpx.Client) -> None:
    answer = recruit(
        http, 20, filters={"country": "USA", "age": {"min": 25, "max": 64}}, description="snackers"
    )
    made = RecruitAnswer.model_validate(answer)
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
    assert GroupAnswer.model_validate(by_number).group.agent_count == 5
    assert by_number["agents"] == made["recruited_agents"]
    assert httpx.get(made["group"]["url"], headers=http.headers).json() == by_number


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
    assert {(agent.education, agent.household_income, agent.is_parent) for agent in found} == {(None,) * 3}
    assert all("Bavaria, Germany" in (agent.summary or "") for agent in found)
    profiles = [agent.health_profile for agent in found if agent.health_profile]
    assert profiles
    assert all("not verified" in health.source and health.bmi is None for health in profiles)


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


@pytest.mark.parametrize("reference", ["0", "999999", "not-a-group", str(uuid.uuid4()), "9" * 30])
def test_a_group_that_is_not_there_is_a_404(http: httpx.Client, reference: str) -> None:
    answer = http.get(f"/research-groups/{reference}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"
