"""Appending, adding and removing members: interface 2.2 and 4.2, contract 6."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from running_service import recruit
from voxpop.wire.groups import AddMembersResponse, AppendResponse, RemoveMembersResponse

US = {"country": "USA"}
DRAW = {"filters": US, "group_size": 5}


def members(http: httpx.Client, group: dict[str, Any]) -> list[int]:
    return [agent["id"] for agent in http.get(f"/research-groups/{group['id']}").json()["agents"]]


def append(http: httpx.Client, group: dict[str, Any], **body: Any) -> AppendResponse:
    answer = http.post(f"/research-groups/{group['uuid']}/append", json=DRAW | body)
    assert answer.status_code == 200, answer.text
    return AppendResponse.model_validate(answer.json())


def error(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    return answer.json()["error"]


def test_append_puts_new_agents_behind_the_members(http: httpx.Client) -> None:
    made = recruit(http, 10)
    first = [agent["id"] for agent in made["recruited_agents"]]
    more = append(http, made["group"], group_size=6, seed=3)
    assert len(more.added_agent_ids) == 6
    assert not set(more.added_agent_ids) & set(first)
    assert [agent.id for agent in more.recruited_agents] == more.added_agent_ids
    assert members(http, made["group"]) == first + more.added_agent_ids
    assert (more.group.agent_count, more.seed, more.shortfall) == (16, 3, 0)
    kept = ("filters", "seed", "sample_method", "shortfall", "name", "created_at")
    now = http.get(f"/research-groups/{made['group']['id']}").json()["group"]
    assert {name: now[name] for name in kept} == {name: made["group"][name] for name in kept}


def test_append_never_adds_a_member_again_and_says_what_is_missing(http: httpx.Client) -> None:
    states = http.get("/filters", params={"country": "USA", "fields": "state"}).json()["filters"]["state"]
    state, total = min(
        ((level["value"], level["count"]) for level in states if level["count"] > 2), key=lambda one: one[1]
    )
    rare = {"country": "USA", "state": state}
    group = recruit(http, 2, filters=rare)["group"]
    for dedupe, missing in ((True, 2), (False, total)):  # false does not let an agent in twice either
        more = append(http, group, filters=rare, group_size=total, dedupe=dedupe)
        assert more.shortfall == missing
        assert len(set(members(http, group))) == more.group.agent_count == total
    assert more.added_agent_ids == more.recruited_agents == []


def test_the_same_seed_and_members_give_the_same_agents(http: httpx.Client) -> None:
    groups = [recruit(http, 4, seed=9)["group"] for _ in range(3)]
    drawn = [
        append(http, group, seed=seed).added_agent_ids for group, seed in zip(groups, (1, 1, 2), strict=True)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_seed_that_the_service_draws_is_told_and_works_again(http: httpx.Client) -> None:
    one, other = (recruit(http, 4, seed=9)["group"] for _ in range(2))
    drawn = append(http, one)
    assert append(http, other, seed=drawn.seed).added_agent_ids == drawn.added_agent_ids
    assert append(http, one).seed != drawn.seed


@pytest.mark.parametrize("method", ["random", "stratified", "balanced"])
def test_every_sample_method_appends(http: httpx.Client, method: str) -> None:
    group = recruit(http, 5)["group"]
    assert len(append(http, group, sample_method=method, group_size=20).added_agent_ids) == 20


def test_append_takes_the_uuid_alone_and_names_it(http: httpx.Client, stranger: httpx.Client) -> None:
    group = recruit(http, 1)["group"]
    for caller, known in ((http, True), (stranger, False)):
        told = error(caller.post(f"/research-groups/{group['id']}/append", json=DRAW), 400)
        (words,) = told["details"]["fields"]["group_uuid"]
        assert "must be the group's UUID" in words
        assert (group["uuid"] in words) is known
    for wrong in ("0", "-1", "nobody", "9" * 30, "5f0c4a0e-9d3b"):
        assert (
            error(http.post(f"/research-groups/{wrong}/append", json=DRAW), 400)["code"] == "invalid_request"
        )
    plain = group["uuid"].replace("-", "").upper()
    assert http.post(f"/research-groups/{plain}/append", json=DRAW).status_code == 200


def test_named_agents_are_added_and_the_others_rejected(http: httpx.Client) -> None:
    group = http.post("/research-groups/create", json={"name": "g", "agent_ids": [5, 6]}).json()["group"]
    body = {"agent_ids": [9, 5, 3_001, 0, 9, 4]}
    answer = http.post(f"/research-groups/{group['id']}/agents/add", json=body)
    assert answer.status_code == 200
    AddMembersResponse.model_validate(answer.json())
    assert answer.json() == {
        "added": [9, 4],
        "rejected": [
            {"agent_id": 5, "reason": "already_in_group"},
            {"agent_id": 3_001, "reason": "unknown_agent"},
            {"agent_id": 0, "reason": "unknown_agent"},
        ],
        "group": group | {"agent_count": 4},
    }
    assert members(http, group) == [5, 6, 9, 4]


def test_named_agents_are_removed_and_the_others_rejected(http: httpx.Client) -> None:
    group = http.post("/research-groups/create", json={"name": "g", "agent_ids": [5, 6, 7]}).json()["group"]
    path = f"/research-groups/{group['uuid']}/agents/remove"
    answer = http.post(path, json={"agent_ids": [7, 8, 5, 7, 99_999]})
    assert answer.status_code == 200
    RemoveMembersResponse.model_validate(answer.json())
    assert answer.json() == {
        "removed": [7, 5],
        "rejected": [
            {"agent_id": 8, "reason": "not_in_group"},
            {"agent_id": 99_999, "reason": "not_in_group"},
        ],
        "group": group | {"agent_count": 1},
    }
    assert members(http, group) == [6]
    assert http.post(path, json={"agent_ids": [7]}).json()["removed"] == []
    assert http.post(path, json={"agent_ids": [6]}).json()["group"]["agent_count"] == 0


def test_a_study_keeps_the_agents_it_was_made_with(http: httpx.Client) -> None:
    group = http.post("/research-groups/create", json={"name": "g", "agent_ids": [11, 12, 13]}).json()[
        "group"
    ]
    body = {"title": "t", "research_group_uuid": group["uuid"]}
    study = http.post("/research-studies", json=body).json()["study"]
    http.post(f"/research-groups/{group['id']}/agents/remove", json={"agent_ids": [12]})
    http.post(f"/research-groups/{group['id']}/agents/add", json={"agent_ids": [14]})
    append(http, group)
    path = f"/research-studies/{study['id']}"
    assert [agent["id"] for agent in http.get(f"{path}/agents").json()["agents"]] == [11, 12, 13]
    assert http.get(path).json()["study"] == study
    assert len(http.post(f"{path}/questions", json={"question": "Do you smoke?"}).json()["job_ids"]) == 3
    later = http.post("/research-studies", json=body).json()["study"]
    assert later["agent_count"] == 3 - 1 + 1 + 5


def test_an_archived_group_changes_no_more(http: httpx.Client) -> None:
    made = recruit(http, 3)
    path = f"/research-groups/{made['group']['uuid']}"
    http.delete(path)
    for call, body in (
        ("append", DRAW),
        ("agents/add", {"agent_ids": [1]}),
        ("agents/remove", {"agent_ids": [made["recruited_agents"][0]["id"]]}),
    ):
        told = error(http.post(f"{path}/{call}", json=body), 409)
        assert (told["code"], told["details"]) == ("conflict", {"status": "archived"})
    assert http.get(path).json()["agents"] == made["recruited_agents"]


@pytest.mark.parametrize(
    ("call", "body", "field", "words"),
    [
        ("append", {"group_size": 5}, "filters", "is required"),
        ("append", {"filters": US}, "group_size", "is required"),
        ("append", DRAW | {"group_size": 0}, "group_size", "at least 1"),
        ("append", DRAW | {"group_size": "5"}, "group_size", "must be a whole number"),
        ("append", DRAW | {"size": 5}, "size", "did you mean group_size?"),
        ("append", DRAW | {"seed": -1}, "seed", "at least 0"),
        ("append", DRAW | {"seed": 2**63}, "seed", "below"),
        (
            "append",
            DRAW | {"sample_method": "quota"},
            "sample_method",
            "'random', 'stratified' or 'balanced'",
        ),
        ("append", DRAW | {"dedupe": "yes"}, "dedupe", "must be true or false"),
        ("append", DRAW | {"name": "g"}, "name", "unknown field"),
        ("agents/add", {"agent_ids": []}, "agent_ids", "at least 1"),
        ("agents/add", {"agent_ids": [str(uuid.uuid4())]}, "agent_ids.0", "must be a whole number"),
        ("agents/add", {"agent_id": [1]}, "agent_id", "did you mean agent_ids?"),
        ("agents/remove", {}, "agent_ids", "is required"),
        ("agents/remove", {"agent_ids": ["7"]}, "agent_ids.0", "must be a whole number"),
        ("agents/remove", {"agent_ids": [1.5]}, "agent_ids.0", "must be a whole number"),
        ("agents/remove", {"agent_ids": [True]}, "agent_ids.0", "must be a whole number"),
    ],
)
def test_a_body_that_cannot_be_used_names_the_field(
    http: httpx.Client, call: str, body: dict[str, Any], field: str, words: str
) -> None:
    path = f"/research-groups/{uuid.uuid4()}/{call}"
    assert words in error(http.post(path, json=body), 400)["details"]["fields"][field][0]


def test_a_filter_of_append_is_read_as_recruits_is(http: httpx.Client) -> None:
    path = f"/research-groups/{recruit(http, 1)['group']['uuid']}/append"
    told = error(http.post(path, json=DRAW | {"filters": {"age": {"min": 64, "max": 25}}}), 400)
    assert "age" in told["details"]["filters"]
    unknown = http.post(path, json=DRAW | {"filters": {"gender": "femal"}}).json()
    assert (unknown["added_agent_ids"], unknown["shortfall"]) == ([], 5)


@pytest.mark.parametrize(
    ("call", "body"),
    [("append", DRAW), ("agents/add", {"agent_ids": [1]}), ("agents/remove", {"agent_ids": [1]})],
)
def test_a_group_that_is_not_there_or_not_ones_own_is_a_404(
    http: httpx.Client, stranger: httpx.Client, call: str, body: dict[str, Any]
) -> None:
    made = recruit(http, 2)
    theirs = f"/research-groups/{made['group']['uuid']}"
    for caller, path in ((stranger, theirs), (http, f"/research-groups/{uuid.uuid4()}")):
        assert error(caller.post(f"{path}/{call}", json=body), 404)["code"] == "not_found"
    assert http.get(theirs).json() == {
        "group": made["group"],
        "agents": made["recruited_agents"],
        "members": made["members"],
    }


def at_once(*calls: Callable[[], httpx.Response]) -> list[dict[str, Any]]:
    with ThreadPoolExecutor(len(calls)) as pool:
        answers = [running.result() for running in [pool.submit(call) for call in calls]]
    assert {answer.status_code for answer in answers} == {200}
    return [answer.json() for answer in answers]


def test_appends_at_once_add_nobody_twice_and_count_right(http: httpx.Client) -> None:
    made = recruit(http, 10)
    path = f"/research-groups/{made['group']['uuid']}/append"
    # the same seed: each would draw the same agents, did it not see those of the others
    answers = at_once(*[lambda: http.post(path, json=DRAW | {"group_size": 20, "seed": 1})] * 6)
    added = [number for answer in answers for number in answer["added_agent_ids"]]
    assert len(set(added)) == len(added) == 120
    assert sorted(answer["group"]["agent_count"] for answer in answers) == [30, 50, 70, 90, 110, 130]
    inside = members(http, made["group"])
    assert len(inside) == 130
    assert set(inside) == {agent["id"] for agent in made["recruited_agents"]} | set(added)


def test_adding_and_removing_at_once_counts_right(http: httpx.Client) -> None:
    group = http.post("/research-groups/create", json={"name": "g", "agent_ids": list(range(1, 51))}).json()[
        "group"
    ]
    path = f"/research-groups/{group['id']}/agents"
    at_once(
        lambda: http.post(f"{path}/add", json={"agent_ids": list(range(40, 81))}),
        lambda: http.post(f"{path}/add", json={"agent_ids": list(range(60, 101))}),
        lambda: http.post(f"{path}/remove", json={"agent_ids": list(range(1, 31))}),
    )
    inside = members(http, group)
    assert sorted(inside) == list(range(31, 101))
    assert http.get(f"/research-groups/{group['id']}").json()["group"]["agent_count"] == 70
