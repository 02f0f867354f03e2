"""Discovery and counts: interface 2.11 and 4.7, contract 4."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from voxpop.vocabulary.fields import FIELDS
from voxpop.wire.filters import CountResponse, Discovery


def problems(answer: httpx.Response) -> dict[str, list[str]]:
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["code"] == "invalid_request"
    return answer.json()["error"]["details"]["filters"]


def test_discovery_counts_the_agents_of_a_country(http: httpx.Client) -> None:
    answer = http.get("/filters", params={"country": "us"})
    assert answer.status_code == 200
    found = Discovery.model_validate(answer.json())
    assert found.country == "USA"
    assert 1_800 <= found.recruitable_agent_count < 3_000  # the USA is at least 60 %
    assert sum(level.count for level in found.filters["gender"]) == found.recruitable_agent_count
    assert {type(level.value) for level in found.filters["is_parent"]} == {bool}
    assert found.ranges["age"].min >= 18


def test_discovery_gives_the_fields_asked_for_by_alias_comma_or_repetition(http: httpx.Client) -> None:
    by_comma = http.get("/filters", params={"country": "USA", "fields": "drug_class,bmi"}).json()
    repeated = http.get(
        "/filters", params=[("country", "USA"), ("fields", "drug_class"), ("fields", "bmi")]
    ).json()
    assert by_comma == repeated
    assert list(by_comma["filters"]) == ["health_drug_classes"]
    assert list(by_comma["ranges"]) == ["bmi"]


def test_list_fields_count_an_agent_under_each_of_its_values(http: httpx.Client) -> None:
    found = http.get("/filters", params={"country": "USA", "fields": "condition"}).json()
    for level in found["filters"]["health_conditions"][:3]:
        filters = {"country": "USA", "health_conditions": level["value"]}
        body = {"filters": filters, "fields": ["gender"]}
        assert http.post("/filters/count", json=body).json()["count"] == level["count"]


def test_every_country_has_agents_with_its_own_regions_and_groups(http: httpx.Client) -> None:
    found = {
        name: Discovery.model_validate(http.get("/filters", params={"country": name}).json())
        for name in FIELDS["country"].levels
    }
    assert sum(each.recruitable_agent_count for each in found.values()) == 3_000
    assert all(each.recruitable_agent_count >= 60 for each in found.values())
    assert "Bavaria" in {level.value for level in found["Germany"].filters["state"]}
    assert "ON" in {level.value for level in found["Canada"].filters["state"]}
    assert "Hindu" in {level.value for level in found["India"].filters["ethnicity"]}


def test_what_a_country_has_no_figures_for_is_counted_for_nobody(http: httpx.Client) -> None:
    found = Discovery.model_validate(http.get("/filters", params={"country": "jp"}).json())
    assert [level.count for level in found.filters["household_income"]] == []
    assert found.ranges["phq9_score"].mean is None
    assert {level.value for level in found.filters["health_conditions"]} <= {
        "hypertension",
        "diabetes_t2",
        "obesity",
    }


def test_an_unknown_country_or_field_is_named(http: httpx.Client) -> None:
    assert "Germany" in problems(http.get("/filters", params={"country": "Germny"}))["country"][0]
    wrong = problems(http.get("/filters", params={"country": "USA", "fields": "gendr"}))
    assert wrong == {"gendr": ["unknown field; did you mean gender?"]}


def test_the_country_is_required(http: httpx.Client) -> None:
    answer = http.get("/filters")
    assert answer.status_code == 400
    assert answer.json()["error"]["details"]["fields"] == {"country": ["is required"]}


def test_counts_under_a_filter_agree_with_search(http: httpx.Client) -> None:
    filters = {
        "match": "all",
        "filters": {"country": "USA", "age": {"min": 25, "max": 64}, "gender": "female"},
    }
    counted = CountResponse.model_validate(http.post("/filters/count", json={"filters": filters}).json())
    searched = http.get(
        "/agents/search", params={"country": "USA", "age_min": 25, "age_max": 64, "gender": "female"}
    ).json()
    assert counted.count == searched["total"] > 0
    assert {level.value for level in counted.filters["gender"] if level.count} == {"female"}
    assert 25 <= counted.ranges["age"].min <= counted.ranges["age"].max <= 64


@pytest.mark.parametrize(
    ("filters", "named", "words"),
    [
        ({"gendr": "male"}, "gendr", "gender"),
        ({"age": {"min": 64, "max": 25}}, "age", "greater"),
        ({"age": "old"}, "age", "must"),
        ({"gender": []}, "gender", "empty"),
        ({"gender": {"any": ["male"], "all": ["male"]}}, "gender", "all"),
        ({"match": "some", "filters": {}}, "match", "all"),
    ],
)
def test_a_filter_that_cannot_be_used_names_its_field(
    http: httpx.Client, filters: dict[str, object], named: str, words: str
) -> None:
    assert words in " ".join(problems(http.post("/filters/count", json={"filters": filters}))[named])


def test_states_are_taken_by_name_in_any_case_and_by_code(http: httpx.Client) -> None:
    counts = {
        name: http.post("/filters/count", json={"filters": {"state": name}, "fields": []}).json()
        for name in ("CA", "ca", "California", "CALIFORNIA", "california ")
    }
    assert counts["CA"]["count"] > 0
    assert all(found == counts["CA"] for found in counts.values())
    by_url = http.get("/agents/search", params=[("state", "new york"), ("state", "Quebec")]).json()["total"]
    assert by_url == sum(
        http.get("/agents/search", params={"state": code}).json()["total"] for code in ("NY", "QC")
    )


UNKNOWN = [
    ({"country": "USA", "ethnicity": "White"}, "ethnicity", ["White, non-Hispanic"]),
    ({"drug_class": "Lipitor"}, "health_drug_classes", ["statin"]),
    ({"industry": ["tech"]}, "industry", ["Professional, Scientific, and Technical Services", "Information"]),
    ({"occupation": {"all": ["Registerd Nurses"]}}, "occupation", ["Registered Nurses"]),
    ({"country": "USA", "state": "Bavaria"}, "state", []),
]


@pytest.mark.parametrize(("filters", "field", "suggested"), UNKNOWN)
def test_unknown_values_match_nobody_and_are_named(
    http: httpx.Client, filters: dict[str, Any], field: str, suggested: list[str]
) -> None:
    draw = {"filters": filters, "group_size": 3}
    group = http.post("/research-groups/recruit", json={"filters": {}, "group_size": 1}).json()["group"]
    answers = {
        "count": http.post("/filters/count", json={"filters": filters, "fields": []}),
        "search": http.get("/agents/search", params={"filters": json.dumps(filters)}),
        "recruit": http.post("/research-groups/recruit", json=draw),
        "interview": http.post("/research-groups/interview", json=draw | {"objective": "Why?"}),
        "append": http.post(f"/research-groups/{group['uuid']}/append", json=draw),
    }
    found = {name: answer.raise_for_status().json() for name, answer in answers.items()}
    assert (
        found["count"]["count"] == found["search"]["total"] == found["recruit"]["group"]["agent_count"] == 0
    )
    missing = http.post("/agents/find", json=filters)
    assert missing.status_code == 404
    found["find"] = missing.json()["error"]["details"]
    assert found["find"]["unknown_values"][0]["message"] in missing.json()["error"]["message"]
    for name, answer in found.items():
        (entry,) = answer["unknown_values"]
        assert set(entry) == {"field", "value", "message", "suggestions"}, name
        assert (entry["field"], entry["suggestions"]) == (field, suggested), name


def test_an_agent_found_in_spite_of_an_unknown_value_comes_with_it(http: httpx.Client) -> None:
    found = http.post("/agents/find", json={"gender": ["female", "mail"]}).json()
    assert found["agent"]["gender"] == "female"
    assert [entry["suggestions"][0] for entry in found["unknown_values"]] == ["male"]
    known = http.post("/agents/find", json={"gender": ["female", "male"]}).json()
    assert list(known) == ["agent"]


def test_lenient_filters_match_nothing_for_unknown_values(http: httpx.Client) -> None:
    assert http.post("/filters/count", json={"filters": {"smoking_status": "sometimes"}}).json()["count"] == 0


NO_FIGURES = {"field": "household_income", "country": "Japan", "reason": "There are no figures for Japan."}


def test_what_is_unknown_in_a_country_is_told_beside_every_count(http: httpx.Client) -> None:
    found = http.get("/filters", params={"country": "Japan", "fields": "household_income,gender"}).json()
    assert found["unknown"] == [NO_FIGURES]
    asked = {"country": "Japan", "household_income": "$200,000 and over"}
    counted = http.post("/filters/count", json={"filters": asked, "fields": ["gender"]}).json()
    assert (counted["count"], counted["unknown"]) == (0, [NO_FIGURES])
    body = {"filters": asked, "group_size": 3, "name": "Rich"}
    recruited = http.post("/research-groups/recruit", json=body).json()
    assert (recruited["group"]["agent_count"], recruited["unknown"]) == (0, [NO_FIGURES])
    assert http.get("/agents/search", params=asked).json()["unknown"] == [NO_FIGURES]


def test_what_is_known_has_no_such_list(http: httpx.Client) -> None:
    assert "unknown" not in http.get("/filters", params={"country": "USA"}).json()
    asked = {"country": "USA", "education": "College graduate or above"}
    assert "unknown" not in http.post("/filters/count", json={"filters": asked}).json()


def test_finding_nobody_for_want_of_figures_does_not_say_that_nobody_matches(http: httpx.Client) -> None:
    answer = http.post("/agents/find", json={"country": "Japan", "veteran": True})
    assert answer.status_code == 404
    message = answer.json()["error"]["message"]
    assert "veteran is unknown for agents in Japan" in message
    assert "no agent" not in message.casefold()
    assert [one["field"] for one in answer.json()["error"]["details"]["unknown"]] == ["veteran"]


def test_a_request_that_needs_something_unknown_asks_and_goes_on(http: httpx.Client) -> None:
    body = {
        "request_text": "adults in Japan with a household income over $100,000",
        "group_size": 3,
        "response_mode": "sync",
    }
    made = http.post("/research-group-requests", json=body).json()["request"]
    assert made["status"] == "needs_clarification"
    assert made["unknown"] == [NO_FIGURES]
    assert made["clarification"]["missing"] == ["household_income"]
    assert made["clarification"]["options"] == ["leave it out", "USA"]
    place = f"/research-group-requests/{made['id']}"
    answered = http.post(f"{place}/respond", json={"answer": "leave it out"})
    assert answered.status_code == 202
    job = http.get(f"/jobs/{answered.json()['job_id']}", params={"wait_seconds": 60}).json()
    assert job["domain_status"] == "completed"
    ended = http.get(place).json()
    assert ended["request"]["filters"]["filters"] == {"country": "Japan"}
    assert {agent["country"] for agent in ended["recruited_agents"]} == {"Japan"}
