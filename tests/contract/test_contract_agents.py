"""Agent search and find: interface 2.9 and 4.7, contract 1 and 4."""

from __future__ import annotations

import json

import httpx
import pytest

from voxpop.wire.agents import Agent, AgentPage, AgentResponse

FIELDS = [
    "id",
    "uuid",
    "name",
    "age",
    "gender",
    "country",
    "state",
    "city",
    "ethnicity",
    "is_parent",
    "education",
    "household_income",
    "urban_rural",
    "occupation",
    "occupation_major_group",
    "industry",
    "labour_status",
    "title_variant",
    # additive since 2026.5
    "marital_status",
    "household_size",
    "children_count",
    "youngest_child_age",
    "income_quintile",
    "poverty_ratio",
    "housing_tenure",
    "insurance",
    "veteran",
    "born_in_country",
    "religion",
    "party_id",
    "ideology",
    "summary",
    "health_profile",
    "profile_provenance",
]


def test_search_gives_full_records_in_pages(http: httpx.Client) -> None:
    answer = http.get(
        "/agents/search", params={"country": "USA", "age_min": 30, "age_max": 39, "per_page": 10}
    )
    assert answer.status_code == 200
    page = AgentPage.model_validate(answer.json())
    assert (len(page.agents), page.page, page.per_page) == (10, 1, 10)
    assert page.pages == -(-page.total // 10)
    assert list(answer.json()["agents"][0]) == FIELDS
    assert all(30 <= agent.age <= 39 for agent in page.agents)
    assert all(agent.city is None for agent in page.agents)


def test_pages_do_not_overlap_and_end(http: httpx.Client) -> None:
    query = {"health_drug_classes": "GLP-1", "per_page": 500}
    first = AgentPage.model_validate(http.get("/agents/search", params=query).json())
    seen = [agent.id for agent in first.agents]
    for number in range(2, first.pages + 2):
        seen += [
            agent["id"]
            for agent in http.get("/agents/search", params=query | {"page": number}).json()["agents"]
        ]
    assert seen == sorted(set(seen))
    assert len(seen) == first.total > 0
    assert all("glp1_agonist" in agent.health_profile.drug_classes for agent in first.agents)


def test_the_three_forms_of_a_filter_say_the_same(http: httpx.Client) -> None:
    nested = {"match": "and", "filters": {"state": {"or": ["CA", "TX"]}, "gender": "female"}}
    by_json = http.get("/agents/search", params={"filters": json.dumps(nested)}).json()
    by_query = http.get(
        "/agents/search", params=[("state", "CA"), ("state", "TX"), ("gender", "female")]
    ).json()
    assert by_json == by_query
    first = by_json["agents"][0]
    assert http.post("/agents/find", json=nested).json()["agent"] == first
    assert (
        http.post("/agents/find", json={"state": ["CA", "TX"], "gender": "female"}).json()["agent"] == first
    )


def test_find_by_url_gives_one_agent(http: httpx.Client) -> None:
    answer = http.get("/agents/find", params={"country": "USA", "age_min": 40, "age_max": 40})
    found = AgentResponse.model_validate(answer.json())
    assert isinstance(found.agent, Agent)
    assert found.agent.age == 40


def test_find_takes_the_bounds_of_age_in_its_body_too(http: httpx.Client) -> None:
    body = {"country": "USA", "age_min": 40, "age_max": 41}
    assert http.post("/agents/find", json=body).json()["agent"]["age"] in (40, 41)


@pytest.mark.parametrize("path", ["/agents/find?age_min=30&age_max=30&country=Japan&gender=non_binary"])
def test_nobody_found_is_a_404(http: httpx.Client, path: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_an_unknown_field_of_a_flat_body_is_a_filter_error(http: httpx.Client) -> None:
    answer = http.post("/agents/find", json={"country": "USA", "gendr": "male"})
    assert answer.status_code == 400
    assert answer.json()["error"]["details"]["filters"] == {"gendr": ["unknown field; did you mean gender?"]}


@pytest.mark.parametrize(
    ("query", "named"),
    [({"page": 0}, "page"), ({"per_page": 501}, "per_page"), ({"per_page": "many"}, "per_page")],
)
def test_pages_out_of_range_are_named(http: httpx.Client, query: dict[str, object], named: str) -> None:
    answer = http.get("/agents/search", params=query)
    assert answer.status_code == 400
    assert list(answer.json()["error"]["details"]["fields"]) == [named]


def test_text_that_is_no_unicode_is_refused(http: httpx.Client) -> None:
    answer = http.post(
        "/agents/find", content=b'{"occupation":"\\ud800"}', headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 400


def test_a_filter_in_the_url_that_is_no_json_is_refused(http: httpx.Client) -> None:
    answer = http.get("/agents/search", params={"filters": "{"})
    assert answer.status_code == 400
    assert "filters" in answer.json()["error"]["details"]["filters"]
