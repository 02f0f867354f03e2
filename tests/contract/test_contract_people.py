"""People of one's own: brought as a group, asked and read like others, seen by one organization, deleted."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from running_service import Service, ask, finish, recruit
from voxpop.wire.people import BringResponse, DeletePeopleResponse

TABLE: dict[str, list[Any]] = {
    "age": [41, 29, 63],
    "gender": ["female", "M", "female"],
    "country": ["USA", "us", "Germany"],
    "state": ["Texas", "OH", "Bavaria"],
    "education": ["College graduate or above", None, None],
    "occupation": ["staff nurse", "space wizard", None],
}


def bring(http: httpx.Client, **body: Any) -> BringResponse:
    answer = http.post("/research-groups/bring", json={"name": "Customers", "columns": TABLE} | body)
    assert answer.status_code == 201, answer.text
    return BringResponse.model_validate(answer.json())


def study_of(http: httpx.Client, made: BringResponse) -> dict[str, Any]:
    body = {"title": "Ours", "research_group_uuid": made.group.uuid}
    answer = http.post("/research-studies", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()["study"]


def test_profiles_become_agents_in_the_order_given(http: httpx.Client) -> None:
    made = bring(http)
    assert (made.group.sample_method, made.group.agent_count, made.group.shortfall) == ("brought", 3, 0)
    first, second, third = made.recruited_agents
    assert [agent.age for agent in (first, second, third)] == [41, 29, 63]
    assert (first.gender, first.state, first.occupation) == ("female", "TX", "Registered Nurses")
    assert (first.labour_status, second.labour_status, third.education) == ("employed", None, None)
    assert min(agent.id for agent in made.recruited_agents) > 1_000_000_000
    assert first.profile_provenance is not None
    assert first.profile_provenance.startswith("Brought by the organization: country, state, age")
    assert "not recorded" in first.profile_provenance
    assert [(one.field, one.value, one.people) for one in made.unread] == [("occupation", "space wizard", 1)]
    again = http.get(f"/research-groups/{made.group.id}").json()["agents"]
    assert [agent["uuid"] for agent in again] == [agent.uuid for agent in made.recruited_agents]


def test_they_are_asked_and_read_like_others(http: httpx.Client) -> None:
    made = bring(http)
    study = study_of(http, made)
    asked = ask(http, study, "How old are you?", key="years", type="number")
    answers = http.get(f"/research-studies/{study['id']}/answers").json()["answers"]
    assert [(one["value"], one["basis"]) for one in answers] == [
        (41, "profile"),
        (29, "profile"),
        (63, "profile"),
    ]
    listed = http.get(f"/research-studies/{study['id']}/agents").json()["agents"]
    assert [agent["age"] for agent in listed] == [41, 29, 63]
    arrow = http.get(
        f"/research-studies/{study['id']}/agents", headers={"Accept": "application/vnd.apache.arrow.stream"}
    )
    assert arrow.status_code == 200
    ask(http, study, "What is your employment status?", key="status")
    said = http.get(f"/research-studies/{study['id']}/questions").json()["questions"][1]["answers"]
    assert said[1]["response_text"] == "I'd rather not say."
    job = http.post(
        f"/research-agents/{made.recruited_agents[0].uuid}/questions", json={"question": "How old are you?"}
    ).json()
    assert finish(http, [job["job_id"]])[0]["result"]["value"] == 41
    mixed = {"name": "mixed", "agent_ids": [5, made.recruited_agents[2].id]}
    group = http.post("/research-groups/create", json=mixed).json()
    assert [agent["id"] for agent in group["recruited_agents"]] == mixed["agent_ids"]
    assert asked["question"]["asked_count"] == 3


def test_the_same_table_answers_alike_at_another_service(http: httpx.Client, service: Service) -> None:
    one, other = (service.client(service.key(organization=name)) for name in ("first", "second"))
    made = [bring(each) for each in (one, one, other)]
    uuids = [tuple(agent.uuid for agent in each.recruited_agents) for each in made]
    assert len({*uuids}) == 3  # brought twice, they are other agents; so they are elsewhere
    assert bring(http, seed=1).filled == {}


def test_what_is_not_recorded_is_drawn_only_when_asked(http: httpx.Client) -> None:
    columns = {
        "age": [41, None],
        "gender": [None, "female"],
        "country": ["USA", "USA"],
        "veteran": [True, None],
    }
    refused = http.post("/research-groups/bring", json={"name": "n", "columns": columns})
    assert refused.status_code == 400
    assert set(refused.json()["error"]["details"]["fields"]) == {"columns.age", "columns.gender"}
    made = [bring(http, columns=columns, fill="population", seed=3) for _ in range(2)]
    first, second = made[0].recruited_agents
    assert (first.age, first.veteran, second.gender) == (41, True, "female")
    assert first.gender in ("female", "male", "non_binary")
    assert made[0].filled["education"] == 2
    assert made[0].filled["veteran"] == 1
    assert "hot deck" in str(first.profile_provenance)
    kept = [{**agent.model_dump(), "id": 0, "uuid": ""} for agent in made[1].recruited_agents]
    assert [{**agent.model_dump(), "id": 0, "uuid": ""} for agent in made[0].recruited_agents] == kept


def test_other_organizations_cannot_use_or_see_them(http: httpx.Client, stranger: httpx.Client) -> None:
    made = bring(http)
    number, name = made.recruited_agents[0].id, made.recruited_agents[0].uuid
    assert stranger.get(f"/research-groups/{made.group.id}").status_code == 404
    assert stranger.delete(f"/research-groups/{made.group.id}/people").status_code == 404
    for reference in (number, name):
        path = f"/research-agents/{reference}/questions"
        assert stranger.post(path, json={"question": "How old are you?"}).status_code == 404
    body = {"name": "theirs", "agent_ids": [number]}
    assert stranger.post("/research-groups/create", json=body).status_code == 400
    group = recruit(stranger, 2)["group"]
    added = stranger.post(f"/research-groups/{group['id']}/agents/add", json={"agent_ids": [number]}).json()
    assert added["rejected"] == [{"agent_id": number, "reason": "unknown_agent"}]
    found = http.get("/agents/search", params={"country": "Germany", "per_page": 500}).json()["agents"]
    assert not {agent["id"] for agent in found} & {agent.id for agent in made.recruited_agents}


def test_deleted_profiles_are_gone_everywhere(http: httpx.Client) -> None:
    made = bring(http)
    study = study_of(http, made)
    ask(http, study, "How old are you?", key="years", type="number")
    numbers = [agent.id for agent in made.recruited_agents]
    answer = http.request("DELETE", f"/research-groups/{made.group.id}/people")
    deleted = DeletePeopleResponse.model_validate(answer.json())
    assert (sorted(deleted.deleted_agent_ids), deleted.group.agent_count, deleted.group.archived) == (
        numbers,
        0,
        True,
    )
    listed = http.get(f"/research-studies/{study['id']}/agents").json()["agents"]
    assert [(one["name"], one["age"], one["agent_removed"]) for one in listed] == [
        ("Deleted person", None, True)
    ] * 3
    told = http.get(f"/research-studies/{study['id']}/questions").json()["questions"][0]["answers"]
    assert [(one["agent_age"], one["value"]) for one in told] == [(None, 41), (None, 29), (None, 63)]
    direct = http.post(f"/research-agents/{numbers[0]}/questions", json={"question": "Who are you?"})
    assert direct.status_code == 404
    group = recruit(http, 2)["group"]
    refused = http.request("DELETE", f"/research-groups/{group['id']}/people")
    assert refused.status_code == 400


def test_a_wave_of_brought_people_has_nobody_fresh(http: httpx.Client) -> None:
    study = study_of(http, bring(http))
    path = f"/research-studies/{study['id']}/next-wave"
    assert http.post(path, json={"refresh": 0.5}).status_code == 400
    assert http.post(path, json={"attrition": 0.3}).json()["group"]["agent_count"] == 2


@pytest.mark.parametrize(
    ("columns", "field", "told"),
    [
        ({"agee": [1]}, "columns.agee", "did you mean age"),
        ({"age": [17], "gender": ["male"], "country": ["USA"]}, "columns.age", "18 to 110"),
        ({"age": [40, 41], "gender": ["male"], "country": ["USA"]}, "columns", "one length, not 1, 2"),
        ({"age": [], "gender": [], "country": []}, "columns", "1 to 10,000 people"),
        ({"age": [40] * 10_001}, "columns", "1 to 10,000 people, not 10,001"),
        (
            {"age": [40], "gender": ["male"], "country": ["USA"], "state": ["Bavaria"]},
            "columns.state",
            "not in USA",
        ),
        (
            {"age": [40], "gender": ["male"], "country": ["USA"], "bmi": [31]},
            "columns.bmi",
            "needs health_conditions",
        ),
    ],
)
def test_tables_that_cannot_be_used_name_the_field(
    http: httpx.Client, columns: dict[str, list[Any]], field: str, told: str
) -> None:
    answer = http.post("/research-groups/bring", json={"name": "n", "columns": columns})
    assert answer.status_code == 400, answer.text
    assert told in answer.json()["error"]["details"]["fields"][field][0]


def test_more_people_join_a_group_up_to_its_bound(http: httpx.Client) -> None:
    made = bring(http)
    path = f"/research-groups/{made.group.id}/people"
    few = {"age": [50, 51], "gender": ["male"] * 2, "country": ["USA"] * 2}
    more = BringResponse.model_validate(http.post(path, json={"columns": few}).json())
    assert (more.group.agent_count, [agent.name for agent in more.recruited_agents]) == (
        5,
        ["Person 4", "Person 5"],
    )
    refused = http.post(path, json={"columns": {"age": [50] * 9_996}})
    assert "1 to 9,995 people, as a group takes 10,000" in refused.json()["error"]["message"]
    wrong = http.post(path, json={"columns": few | {"age": [50, 17]}})
    assert "person 7: '17'" in wrong.json()["error"]["details"]["fields"]["columns.age"][0]
    other = recruit(http, 2)["group"]
    assert http.post(f"/research-groups/{other['id']}/people", json={"columns": few}).status_code == 400


def test_a_body_beyond_the_bound_is_refused(http: httpx.Client) -> None:
    columns = {"occupation": ["x" * 2_000] * 2_000}
    assert http.post("/research-groups/bring", json={"name": "n", "columns": columns}).status_code == 413
    many = {"age": [40] * 60_000}
    assert http.post("/research-groups/bring", json={"name": "n", "columns": many}).status_code == 400
