"""Groups: what is sent to interview, append, create, update, archive, add and remove, and what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scripted_service import Script, refuse

import voxpop as vp
from voxpop.client import Client
from voxpop.errors import Conflict, UsageError
from voxpop.wire.groups import (
    AddMembersResponse,
    AppendResponse,
    Group,
    InterviewResponse,
    RemoveMembersResponse,
)

UUID = "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11"
GROUP = {"id": 7, "uuid": UUID, "name": "g", "agent_count": 2, "shortfall": 0}
AGENT = {"id": 5, "uuid": UUID, "name": "Ann", "age": 40, "gender": "female", "country": "USA"}
US = vp.where(country="USA")
DRAW = {
    "filters": {"match": "all", "filters": {"country": "USA"}},
    "group_size": 20,
    "sample_method": "random",
    "dedupe": True,
}


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def client(script: Script) -> Iterator[Client]:
    with script.client() as made:
        yield made


def test_interview_sends_the_objective_and_gives_the_guide(client: Client, script: Script) -> None:
    question = {"key": "price", "question": "What would you pay?", "type": "number", "options": None}
    answer = {"group": GROUP, "recruited_agents": [AGENT], "interview_guide": [question]}
    script.on("POST", "/research-groups/interview", answer)
    made = client.groups.interview("Snack prices", filters=US, size=20)
    assert isinstance(made, InterviewResponse)
    assert (made.group.id, made.interview_guide[0].question) == (7, "What would you pay?")
    assert script.body() == DRAW | {"objective": "Snack prices"}
    client.groups.interview("Snack prices", filters=US, size=20, name="n", seed=3, dedupe=False)
    assert script.body() == DRAW | {"objective": "Snack prices", "name": "n", "seed": 3, "dedupe": False}


@pytest.mark.parametrize("group", [Group(**GROUP), UUID, UUID.replace("-", ""), UUID.upper()])
def test_append_is_sent_to_the_uuid(client: Client, script: Script, group: Any) -> None:
    answer = {"group": GROUP, "added_agent_ids": [5], "recruited_agents": [AGENT], "seed": 9, "shortfall": 19}
    script.on("POST", f"/research-groups/{UUID}/append", answer)
    more = client.groups.append(group, filters={"country": "us"}, size=np.int64(20))
    assert isinstance(more, AppendResponse)
    assert (more.added_agent_ids, more.shortfall, more.seed) == ([5], 19, 9)
    assert more.recruited_agents[0].name == "Ann"
    assert script.body() == DRAW


@pytest.mark.parametrize("group", [7, "7", None, "the group"])
def test_append_takes_no_number(client: Client, script: Script, group: Any) -> None:
    with pytest.raises(UsageError, match="UUID"):
        client.groups.append(group, filters=US, size=1)
    assert script.calls == []


def test_create_sends_the_numbers_in_order(client: Client, script: Script) -> None:
    script.on("POST", "/research-groups/create", {"group": GROUP, "recruited_agents": [AGENT]})
    assert isinstance(client.groups.create("g", (number for number in (np.int64(9), 5))), Group)
    assert script.body() == {"name": "g", "agent_ids": [9, 5]}
    client.groups.create("g", [5], description="who snacks")
    assert script.body()["description"] == "who snacks"


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"name": "other"}, {"name": "other"}),
        ({"description": "who snacks"}, {"description": "who snacks"}),
        ({"name": "other", "description": ""}, {"name": "other", "description": None}),
    ],
)
def test_update_sends_what_is_given(client: Client, script: Script, given: Any, sent: Any) -> None:
    script.on("POST", "/research-groups/7/update", {"group": GROUP | {"name": "other"}})
    assert client.groups.update(Group(**GROUP), **given).name == "other"
    assert script.body() == sent


def test_archive_deletes_and_gives_the_group(client: Client, script: Script) -> None:
    script.on("DELETE", "/research-groups/7", {"group": GROUP | {"archived": True}})
    assert client.groups.archive(7).archived


def test_members_are_added_and_removed_by_number(client: Client, script: Script) -> None:
    rejected = [{"agent_id": 42, "reason": "already_in_group"}]
    script.on("POST", "/research-groups/7/agents/add", {"added": [17], "rejected": rejected, "group": GROUP})
    added = client.groups.add_agents(7, [17, 42])
    assert isinstance(added, AddMembersResponse)
    assert (added.added, added.rejected[0].reason, script.body()) == (
        [17],
        "already_in_group",
        {"agent_ids": [17, 42]},
    )
    script.on("POST", f"/research-groups/{UUID}/agents/remove", {"removed": [17], "group": GROUP})
    removed = client.groups.remove_agents(UUID, 17)
    assert isinstance(removed, RemoveMembersResponse)
    assert (removed.removed, removed.rejected, script.body()) == ([17], [], {"agent_ids": [17]})


def test_quotas_boosts_and_exclusions_have_short_forms(client: Client, script: Script) -> None:
    script.on("POST", "/research-groups/recruit", {"group": GROUP})
    women = {"match": "all", "filters": {"gender": "female"}}
    earlier = client.groups.recruit("g", filters=US, size=2, quotas=[(vp.where(gender="female"), 2)])
    assert script.body()["quotas"] == [{"filters": women, "size": 2}]
    shares = {"gender": {"female": 0.5, "male": 0.5}}
    client.groups.recruit(
        "g", filters=US, size=2, quotas=shares, boost=({"gender": "women"}, 5), exclude=earlier
    )
    assert script.body()["quotas"] == {"margins": shares}
    assert script.body()["boosts"] == [{"filters": women, "size": 5}]
    assert script.body()["exclude_group_ids"] == [GROUP["id"]]
    client.groups.recruit("g", filters=US, size=2)
    assert not {"quotas", "boosts", "exclude_group_ids"} & set(script.body())


def test_replacements_are_pairs_with_the_weights_of_those_who_left(client: Client, script: Script) -> None:
    told = {
        "replaced": [{"agent_id": 17, "replacement_id": 99}],
        "rejected": [{"agent_id": 42, "reason": "no_replacement"}],
        "members": [{"agent_id": 99, "design_weight": 2.5, "replaces": 17}],
        "group": GROUP,
    }
    script.on("POST", "/research-groups/7/agents/replace", told)
    answer = client.groups.replace(7, [17, 42], seed=3)
    assert script.body() == {"agent_ids": [17, 42], "seed": 3}
    assert [(one.agent_id, one.replacement_id) for one in answer.replaced] == [(17, 99)]
    assert (answer.rejected[0].reason, answer.members[0].design_weight) == ("no_replacement", 2.5)


def test_an_archived_group_is_a_conflict(client: Client, script: Script) -> None:
    refusal = refuse(409, "conflict", "Group 7 is archived.", details={"status": "archived"})
    script.on("POST", "/research-groups/7/agents/add", refusal)
    with pytest.raises(Conflict, match="archived"):
        client.groups.add_agents(7, [1])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda groups: groups.interview("", filters=US, size=3), "objective"),
        (lambda groups: groups.interview("o", filters=US, size=0), "size must be a whole number from 1"),
        (lambda groups: groups.interview("o", filters={"gendr": "male"}, size=3), "did you mean gender"),
        (
            lambda groups: groups.append(UUID, filters=US, size=3, sample_method="randm"),
            "did you mean random",
        ),
        (lambda groups: groups.append(UUID, filters=US, size=3, seed=-1), "seed"),
        (lambda groups: groups.append(UUID, filters="US adults", size=3), "vp.where"),
        (lambda groups: groups.append(UUID, filters=US, size=3, quotas={"gender": 1}), "shares by field"),
        (lambda groups: groups.append(UUID, filters=US, size=3, boost=[5]), "takes pairs such as"),
        (lambda groups: groups.append(UUID, filters=US, size=3, exclude=[1.5]), "exclude takes groups"),
        (lambda groups: groups.create("", [1]), "name"),
        (lambda groups: groups.create("g", []), "agent_ids is empty"),
        (lambda groups: groups.create("g", [UUID]), "use agent.id"),
        (lambda groups: groups.create("g", range(10_001)), "agent_ids"),
        (lambda groups: groups.update(7), "name, description or both"),
        (lambda groups: groups.update(7, name=""), "name"),
        (lambda groups: groups.add_agents(7, ["17"]), "use agent.id"),
        (lambda groups: groups.remove_agents(7, [True]), "use agent.id"),
        (lambda groups: groups.archive("a/b"), "not the id or UUID"),
    ],
)
def test_mistakes_are_found_before_the_call(client: Client, script: Script, call: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        call(client.groups)
    assert script.calls == []
