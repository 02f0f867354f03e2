"""Quotas, boosts, exclusions, design weights and replacements: contract 6."""

from __future__ import annotations

from collections import Counter
from typing import Any

import httpx
import pyarrow as pa
import pytest

from running_service import finish, recruit
from voxpop.wire.groups import AppendResponse, GroupResponse, RecruitResponse, ReplaceResponse
from voxpop.wire.requests import RequestResponse

US = {"country": "USA"}
HALVES = [{"filters": {"gender": "female"}, "size": 6}, {"filters": {"gender": "male"}, "size": 4}]


def group_of(http: httpx.Client, size: int = 10, **body: Any) -> RecruitResponse:
    return RecruitResponse.model_validate(recruit(http, size, **body))


def problem(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    return str(answer.json()["error"]["message"])


def test_every_member_has_its_probability_and_weight(http: httpx.Client) -> None:
    made = group_of(http, 10, seed=1)
    count = http.post("/filters/count", json={"filters": US}).json()["count"]
    assert made.group.sampling is not None
    assert made.group.sampling.population == made.group.sampling.covered == count
    assert [one.inclusion_probability for one in made.members] == pytest.approx([10 / count] * 10)
    assert sum(one.design_weight or 0 for one in made.members) == pytest.approx(count)
    read = GroupResponse.model_validate(http.get(f"/research-groups/{made.group.id}").json())
    assert read.members == made.members
    assert [one.agent_id for one in read.members] == [agent.id for agent in made.recruited_agents]


def test_quotas_by_cells_and_by_margins_are_met(http: httpx.Client) -> None:
    cells = group_of(http, 10, quotas=HALVES)
    assert Counter(agent.gender for agent in cells.recruited_agents) == {"female": 6, "male": 4}
    margins = {"gender": {"female": 0.5, "male": 0.5}, "age": {"18-44": 0.3, "45+": 0.7}}
    made = group_of(http, 20, quotas={"margins": margins})
    assert Counter(agent.age < 45 for agent in made.recruited_agents) == {True: 6, False: 14}
    assert made.group.sampling is not None
    assert [(one.level, one.size, one.drawn) for one in made.group.sampling.cells] == [
        *(("female", 10, 10), ("male", 10, 10), ("18-44", 6, 6), ("45+", 14, 14))
    ]
    assert made.group.sampling.quotas == {"margins": margins}


def test_a_quota_that_cannot_be_filled_is_named_with_what_is_there(http: httpx.Client) -> None:
    rare = {"state": "WY", "gender": "non_binary"}
    there = http.post("/filters/count", json={"filters": US | rare}).json()["count"]
    quotas = [{"filters": rare, "size": 50}, {"filters": {"gender": "female"}, "size": 5}]
    made = group_of(http, 55, quotas=quotas)
    assert made.group.sampling is not None
    first = made.group.sampling.cells[0]
    assert (first.size, first.available, first.drawn) == (50, there, there)
    assert made.group.shortfall == 50 - there


def test_a_boost_adds_agents_and_its_weights_account_for_the_overlap(http: httpx.Client) -> None:
    texans = {"filters": {"state": "TX"}, "size": 15}
    made = group_of(http, 20, boosts=[texans])
    assert made.group.agent_count == 35
    total = http.post("/filters/count", json={"filters": US}).json()["count"]
    inside = http.post("/filters/count", json={"filters": US | {"state": "TX"}}).json()["count"]
    states = {agent.id: agent.state for agent in made.recruited_agents}
    for one in made.members:
        boost = 15 / inside if states[one.agent_id] == "TX" else 0
        assert one.inclusion_probability == pytest.approx(20 / total + boost)


def test_members_of_excluded_groups_are_not_drawn(http: httpx.Client, stranger: httpx.Client) -> None:
    rare = {"country": "USA", "state": "VT"}
    first = group_of(http, 3, filters=rare)
    everyone = http.post("/filters/count", json={"filters": rare}).json()["count"]
    rest = group_of(http, 1_000, filters=rare, exclude_group_ids=[first.group.uuid])
    assert rest.group.agent_count == everyone - first.group.agent_count
    assert rest.group.sampling is not None
    assert rest.group.sampling.excluded == [first.group.id]
    body = {"filters": US, "group_size": 1, "exclude_group_ids": [first.group.id]}
    assert "there is no group" in problem(stranger.post("/research-groups/recruit", json=body), 400)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"quotas": HALVES[:1]}, "sum 6, but 10 agents are wanted"),
        ({"quotas": {"margins": {"gender": {"female": 2}}}}, "must be from 0 to 1"),
        ({"quotas": HALVES, "sample_method": "stratified"}, "Quotas replace sample_method"),
        ({"quotas": HALVES, "description": "nurses"}, "A description cannot be combined"),
        ({"boosts": [{"filters": US, "size": 9_999}]}, "at most 10,000 agents"),
        ({"boosts": [{"filters": {"gendr": "x"}, "size": 1}]}, "did you mean gender"),
    ],
)
def test_wrong_quotas_are_refused(http: httpx.Client, body: dict[str, Any], told: str) -> None:
    sent = {"filters": US, "group_size": 10} | body
    assert told in problem(http.post("/research-groups/recruit", json=sent), 400)


def test_an_append_of_the_same_kind_is_one_larger_sample_and_any_other_has_no_weights(
    http: httpx.Client,
) -> None:
    made = group_of(http, 4)
    path = f"/research-groups/{made.group.uuid}/append"
    count = http.post("/filters/count", json={"filters": US}).json()["count"]
    more = AppendResponse.model_validate(http.post(path, json={"filters": US, "group_size": 6}).json())
    assert [one.inclusion_probability for one in more.members] == pytest.approx([10 / count] * 10)
    other = {"filters": {"state": "CA"}, "group_size": 2}
    more = AppendResponse.model_validate(http.post(path, json=other).json())
    assert {one.design_weight for one in more.members} == {None}
    assert more.group.sampling is not None
    assert "not known" in str(more.group.sampling.note)


def test_a_replacement_comes_from_the_same_cell_with_the_same_weight(http: httpx.Client) -> None:
    made = group_of(http, 10, quotas=HALVES)
    left, gone = made.members[0], made.members[1]
    path = f"/research-groups/{made.group.id}/agents"
    http.post(f"{path}/remove", json={"agent_ids": [gone.agent_id]})
    ids = [left.agent_id, gone.agent_id, 10**9]
    answer = http.post(f"{path}/replace", json={"agent_ids": ids, "seed": 5})
    found = ReplaceResponse.model_validate(answer.json())
    assert [(one.agent_id, one.reason) for one in found.rejected] == [(10**9, "not_in_group")]
    assert [one.agent_id for one in found.replaced] == [left.agent_id, gone.agent_id]
    assert found.group.agent_count == 10
    now = GroupResponse.model_validate(http.get(f"/research-groups/{made.group.id}").json())
    assert Counter(agent.gender for agent in now.agents) == {"female": 6, "male": 4}
    new = {one.replaces: one for one in now.members if one.replaces is not None}
    assert new[left.agent_id].design_weight == left.design_weight
    assert new[gone.agent_id].design_weight == gone.design_weight
    assert now.group.sampling is not None
    assert "replaced" in str(now.group.sampling.note)


def test_a_request_in_words_takes_quotas_and_exclusions(http: httpx.Client) -> None:
    first = group_of(http, 5)
    body = {"request_text": "US adults", "group_size": 10, "response_mode": "sync", "quotas": HALVES}
    answer = http.post("/research-group-requests", json=body | {"exclude_group_ids": [first.group.id]})
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert Counter(one["gender"] for one in told["recruited_agents"]) == {"female": 6, "male": 4}
    before = {agent.id for agent in first.recruited_agents}
    assert not before & {one["id"] for one in told["recruited_agents"]}
    assert all(one["design_weight"] for one in told["members"])
    wrong = http.post("/research-group-requests", json=body | {"quotas": HALVES[:1]})
    assert "sum 6" in problem(wrong, 400)


def test_a_study_keeps_the_weights_it_was_created_with(http: httpx.Client) -> None:
    made = group_of(http, 4)
    body = {"title": "T", "objective": "O", "research_group_uuid": made.group.uuid}
    study = http.post("/research-studies", json=body).json()["study"]
    other = {"filters": {"state": "CA"}, "group_size": 2}
    http.post(f"/research-groups/{made.group.uuid}/append", json=other)
    path = f"/research-studies/{study['id']}/agents"
    wanted = {one.agent_id: one.design_weight for one in made.members}
    assert {one["id"]: one["design_weight"] for one in http.get(path).json()["agents"]} == wanted
    arrow = http.get(path, headers={"Accept": "application/vnd.apache.arrow.stream"})
    table = pa.ipc.open_stream(arrow.content).read_all()
    assert dict(zip(table["id"].to_pylist(), table["design_weight"].to_pylist(), strict=True)) == wanted
    assert table["inclusion_probability"].null_count == 0


def test_nested_filters_are_counted_recruited_and_searched(http: httpx.Client) -> None:
    asked = {"country": "USA", "not": {"state": "TX"}, "any": [{"gender": "female"}, {"age": {"min": 65}}]}
    count = http.post("/filters/count", json={"filters": asked, "fields": ["state"]}).json()
    assert "TX" not in {one["value"] for one in count["filters"]["state"]}
    whole = http.post("/filters/count", json={"filters": US}).json()["count"]
    other = http.post("/filters/count", json={"filters": {"country": "USA", "not": asked}}).json()["count"]
    assert count["count"] + other == whole
    found = http.post("/agents/find", json=asked)
    assert found.json()["agent"]["state"] != "TX"
    made = group_of(http, 20, filters=asked)
    assert made.group.filters["filters"]["not"] == {"match": "all", "filters": {"state": "TX"}}
    assert all(one.gender == "female" or one.age >= 65 for one in made.recruited_agents)
    deep: dict[str, Any] = {"state": "TX"}
    for _ in range(9):
        deep = {"not": deep}
    assert "nested 8 deep" in problem(http.post("/filters/count", json={"filters": deep}), 400)


def screened(http: httpx.Client, text: str, quotas: Any, size: int = 10) -> dict[str, Any]:
    body = {"request_text": text, "group_size": size, "response_mode": "sync", "quotas": quotas}
    answer = http.post("/research-group-requests", json=body)
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_quotas_are_filled_by_agents_who_pass_a_screening(http: httpx.Client) -> None:
    told = screened(http, "US adults who own a dog", HALVES)
    assert Counter(one["gender"] for one in told["recruited_agents"]) == {"female": 6, "male": 4}
    group = RequestResponse.model_validate(told).group
    assert group is not None
    assert group.sampling is not None
    for cell in group.sampling.cells:
        assert cell.drawn == cell.size
        assert cell.drawn <= (cell.passed or 0) < (cell.screened or 0) <= cell.available
    assert "is estimated" in str(group.sampling.note)
    weights = [one["design_weight"] for one in told["members"]]
    assert sum(weights) == pytest.approx(group.sampling.covered, abs=0.5)
    assert {one["inclusion_probability"] for one in told["members"]} == {None}


def test_a_quota_that_a_screening_cannot_fill_is_named_before_and_after(http: httpx.Client) -> None:
    place = {"state": "VT", "country": "USA"}
    there = http.post("/filters/count", json={"filters": place}).json()["count"]
    quotas = [{"filters": {"state": "VT"}, "size": there}, {"filters": {"state": "CA"}, "size": 5}]
    told = screened(http, "people in Vermont or California who own a dog", quotas, there + 5)
    request = told["request"]
    assert request["status"] == "awaiting_review"
    assert f"VT: {request['review']['available'] - 5} of {there}" in request["review"]["reason"]
    path = f"/research-group-requests/{request['id']}"
    fewer = http.post(f"{path}/respond", json={"approve": True, "group_size": 5})
    assert "the sum of the quotas" in problem(fewer, 400)
    finish(http, [http.post(f"{path}/respond", json={"approve": True}).json()["job_id"]])
    ended = http.get(path).json()
    assert ended["group"]["shortfall"] == there - ended["group"]["sampling"]["cells"][0]["drawn"]
    members = {one["agent_id"]: one for one in ended["members"]}
    sure = [members[one["id"]] for one in ended["recruited_agents"] if one["state"] == "VT"]
    assert {(one["inclusion_probability"], one["design_weight"]) for one in sure} == {(1.0, 1.0)}


def test_boosts_with_a_screening_are_refused(http: httpx.Client) -> None:
    texans = [{"filters": {"state": "TX"}, "size": 5}]
    body = {"request_text": "US adults who own a dog", "group_size": 10, "response_mode": "sync"}
    told = http.post("/research-group-requests", json=body | {"boosts": texans}).json()["request"]
    assert told["status"] == "refused"
    assert "Boosts cannot be combined with a screening" in told["refusal"]["reason"]
