"""Studies from creation to sharing: interface 4.3, contract 7."""

from __future__ import annotations

import httpx
import pytest

from running_service import Service, ask, finish, new_study, recruit
from voxpop.records import groups, keys
from voxpop.wire.studies import (
    Analysis,
    CompleteResponse,
    RemoveAgentsResponse,
    StudyAgents,
    StudyList,
    StudyResponse,
)


def test_a_study_is_created_and_read_by_number_and_uuid(http: httpx.Client) -> None:
    study = new_study(http, 5, title="Snack switching")
    assert (study["title"], study["stage"], study["agent_count"], study["question_count"]) == (
        "Snack switching",
        "active",
        5,
        0,
    )
    by_number = http.get(f"/research-studies/{study['id']}").json()
    assert StudyResponse.model_validate(by_number).study.completed_at is None
    assert by_number == http.get(f"/research-studies/{study['uuid']}").json() == {"study": study}


def test_studies_are_listed_newest_first(http: httpx.Client) -> None:
    made = [new_study(http, 1)["id"] for _ in range(2)]
    listed = StudyList.model_validate(http.get("/research-studies", params={"limit": 2}).json())
    assert [study.id for study in listed.studies] == made[::-1]


@pytest.mark.parametrize("query", [{"limit": 0}, {"limit": 501}, {"offset": -1}, {"limit": "x"}])
def test_list_bounds(http: httpx.Client, query: dict[str, object]) -> None:
    answer = http.get("/research-studies", params=query)
    assert answer.status_code == 400
    assert list(answer.json()["error"]["details"]["fields"]) == list(query)


@pytest.mark.parametrize(
    ("uuid_given", "status"),
    [(17, 400), ("17", 400), ("not a uuid", 400), ("3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11", 404)],
)
def test_a_study_needs_the_uuid_of_a_group(http: httpx.Client, uuid_given: object, status: int) -> None:
    answer = http.post(
        "/research-studies", json={"title": "t", "objective": "o", "research_group_uuid": uuid_given}
    )
    assert answer.status_code == status
    if status == 400:
        assert "research_group_uuid" in answer.json()["error"]["details"]["fields"]


def test_no_new_study_on_an_archived_group(http: httpx.Client, service: Service) -> None:
    group = recruit(http, 2)["group"]
    with service.state.database.begin() as connection:
        organization = keys.organization_id(connection, "acme")
        groups.archive(connection, organization, group["id"])
    answer = http.post("/research-studies", json={"title": "t", "research_group_uuid": group["uuid"]})
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "conflict"
    assert http.get(f"/research-groups/{group['id']}").json()["group"]["archived"] is True


def test_agents_of_a_study_are_full_records_in_group_order(http: httpx.Client) -> None:
    group = recruit(http, 6)
    study = http.post(
        "/research-studies", json={"title": "t", "research_group_uuid": group["group"]["uuid"]}
    ).json()["study"]
    given = http.get(f"/research-studies/{study['id']}/agents").json()
    assert [agent["uuid"] for agent in given["agents"]] == [
        agent["uuid"] for agent in group["recruited_agents"]
    ]
    assert not any(agent.agent_removed for agent in StudyAgents.model_validate(given).agents)


@pytest.mark.parametrize("way", ["DELETE", "POST"])
def test_removed_agents_keep_their_answers_and_are_marked(http: httpx.Client, way: str) -> None:
    study = new_study(http, 4)
    ask(http, study, "Do you smoke?", key="smokes")
    place = f"/research-studies/{study['id']}/agents"
    first = http.get(place).json()["agents"][0]["id"]
    path = place if way == "DELETE" else f"{place}/remove"
    removed = http.request(way, path, json={"agent_ids": [first, 2**40]})
    assert removed.status_code == 200
    assert RemoveAgentsResponse.model_validate(removed.json()).model_dump() == {
        "removed": [first],
        "not_found": [2**40],
        "agent_count": 3,
    }
    assert [agent["agent_removed"] for agent in http.get(place).json()["agents"]] == [
        True,
        False,
        False,
        False,
    ]
    answers = http.get(f"/research-studies/{study['id']}/questions").json()["questions"][0]["answers"]
    assert {answer["agent_id"]: answer["agent_removed"] for answer in answers}[first] is True
    assert len(ask(http, study, "Why?")["job_ids"]) == 3


@pytest.mark.parametrize(
    "ids", [["1"], ["3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11"], [], "1", [1.5], [True], [-1], [2**64]]
)
def test_agents_are_removed_by_whole_numbers_only(
    http: httpx.Client, asked: dict[str, object], ids: object
) -> None:
    answer = http.request("DELETE", f"/research-studies/{asked['id']}/agents", json={"agent_ids": ids})
    assert answer.status_code == 400
    assert any(name.startswith("agent_ids") for name in answer.json()["error"]["details"]["fields"])


def test_completion_runs_the_steps_once_and_again_with_force(http: httpx.Client) -> None:
    study = new_study(http, 12)
    ask(http, study, "Would you switch to a lower-sugar snack?", key="switch", type="yes_no")
    path = f"/research-studies/{study['id']}"
    first = http.post(f"{path}/complete", json={"force": False})
    assert first.status_code == 202
    steps = CompleteResponse.model_validate(first.json()).queued_steps
    assert steps == [
        "stats",
        "overall_summary",
        "key_segments",
        "divergences",
        "shared_mindsets",
        "next_questions",
    ]
    (job,) = finish(http, [first.json()["job_id"]])
    assert job["status"] == "finished"
    done = http.get(path).json()["study"]
    assert done["stage"] == "completed"
    assert done["completed_at"].endswith("Z")
    results = Analysis.model_validate(http.get(f"{path}/analysis").json())
    assert list(results.steps) == steps
    again = http.post(f"{path}/complete", json={})
    assert again.status_code == 202
    assert (again.json()["job_id"], again.json()["queued_steps"]) == (None, [])
    forced = http.post(f"{path}/complete", json={"force": True, "steps": ["stats"]}).json()
    assert forced["queued_steps"] == ["stats"]
    finish(http, [forced["job_id"]])


def test_unknown_steps_are_listed(http: httpx.Client, asked: dict[str, object]) -> None:
    answer = http.post(
        f"/research-studies/{asked['id']}/complete", json={"steps": ["stats", "magic", "more"]}
    )
    assert answer.status_code == 400
    assert answer.json()["error"]["details"]["steps"] == ["magic", "more"]


def test_sharing_is_off_until_it_is_enabled_and_each_time_another_link(http: httpx.Client) -> None:
    study = new_study(http, 2)
    path = f"/research-studies/{study['id']}/share"
    off = {"enabled": False, "url": None, "share_link": None}
    assert http.get(path).json() == off
    first = http.post(path, json={"enabled": True}).json()
    assert first["url"] == first["share_link"]
    assert http.get(path).json() == first
    page = httpx.get(first["url"], params={"utm_source": "blog"})
    assert page.status_code == 200
    assert http.post(path, json={"enabled": False}).json() == off
    assert httpx.get(first["url"]).status_code == 404
    second = http.post(path, json={"enabled": True}).json()
    assert second["url"] != first["url"]
    assert httpx.get(first["url"]).status_code == 404


def test_the_share_page_is_private_and_without_scripts(http: httpx.Client, asked: dict[str, object]) -> None:
    link = http.post(f"/research-studies/{asked['id']}/share", json={"enabled": True}).json()["share_link"]
    assert len(link.rsplit("/", 1)[1]) >= 43
    page = httpx.get(link)
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "noindex" in page.headers["x-robots-tag"]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<script" not in page.text
    as_json = httpx.get(link, headers={"Accept": "application/json"})
    assert as_json.headers["content-type"] == "application/json"
    assert as_json.headers["cache-control"] == "no-store"
    missing = httpx.get(link[:-3] + "abc")
    assert missing.status_code == 404
    assert missing.headers["cache-control"] == "no-store"
