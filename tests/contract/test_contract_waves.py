"""Waves of a panel: the same people again, those who left, fresh agents, and what the others remember."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from running_service import ask, finish, new_study, recruit
from voxpop.wire.waves import NextWaveResponse, WaveList

SMOKES = "Do you smoke?"
PIE = "Would you rather have an apple pie or a cherry pie?"


def agents(http: httpx.Client, study: Any) -> list[int]:
    return [agent["id"] for agent in http.get(f"/research-studies/{study['id']}/agents").json()["agents"]]


def told_of(http: httpx.Client, study: Any) -> dict[tuple[str, int], tuple[Any, str, str]]:
    """Return value, words and basis note of every answer by key and agent."""
    listed = http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
    return {
        (question["key"], answer["agent_id"]): (
            answer["value"],
            answer["response_text"],
            answer["basis_note"],
        )
        for question in listed
        for answer in question["answers"]
    }


def next_wave(http: httpx.Client, study: Any, **body: Any) -> NextWaveResponse:
    answer = http.post(f"/research-studies/{study['id']}/next-wave", json=body)
    assert answer.status_code == 201, answer.text
    return NextWaveResponse.model_validate(answer.json())


def test_a_wave_keeps_the_people_and_replaces_a_share(http: httpx.Client) -> None:
    study = new_study(http, 40)
    first = agents(http, study)
    made = next_wave(http, study, refresh=0.25, attrition=0.1, seed=5)
    left, replaced = made.wave.left_agent_ids, made.wave.replaced_agent_ids
    assert (len(left), len(replaced), len(made.fresh_agent_ids), made.wave.stayed) == (4, 10, 10, 26)
    assert not {*left} & {*replaced}
    second = agents(http, made.wave.study.model_dump())
    assert second == [one for one in first if one not in {*left, *replaced}] + made.fresh_agent_ids
    assert not {*made.fresh_agent_ids} & {*first}
    assert (made.wave.study.wave, made.wave.study.panel_uuid) == (2, study["uuid"])
    assert (made.wave.study.title, made.group.agent_count, made.group.seed) == ("Snacks (wave 2)", 36, 5)
    answer = http.get(f"/research-studies/{made.wave.study.id}/waves").json()
    waves = WaveList.model_validate(answer).waves
    assert [one.study.wave for one in waves] == [1, 2]
    assert waves[1] == made.wave
    third = next_wave(http, {"id": made.wave.study.id}, refresh=0.5)
    assert third.wave.study.title == "Snacks (wave 3)"
    assert not {*third.fresh_agent_ids} & {*first, *second}


def test_weights_follow_random_dropout_and_stay_with_fresh_agents(http: httpx.Client) -> None:
    study = new_study(http, 40)
    count = http.post("/filters/count", json={"filters": {"country": "USA"}}).json()["count"]
    same = next_wave(http, study, attrition=0.25, seed=3)
    listed = http.get(f"/research-studies/{same.wave.study.id}/agents").json()["agents"]
    assert [one["inclusion_probability"] for one in listed] == pytest.approx([30 / count] * 30)
    assert sum(one["design_weight"] for one in listed) == pytest.approx(count)
    fresh = next_wave(http, {"id": same.wave.study.id}, refresh=0.5)
    listed = http.get(f"/research-studies/{fresh.wave.study.id}/agents").json()["agents"]
    assert len(fresh.fresh_agent_ids) == 15
    assert [one["inclusion_probability"] for one in listed] == pytest.approx([30 / count] * 30)
    assert sum(one["design_weight"] for one in listed) == pytest.approx(count)
    assert fresh.group.sampling is not None
    assert "drawn from the cell" in str(fresh.group.sampling.note)


def panel(http: httpx.Client, group: Any) -> Any:
    body = {"title": "Panel", "objective": "Who?", "research_group_uuid": group["uuid"]}
    return http.post("/research-studies", json=body).json()["study"]


def weights(http: httpx.Client, study_id: int) -> dict[int, Any]:
    listed = http.get(f"/research-studies/{study_id}/agents").json()["agents"]
    return {one["id"]: one["design_weight"] for one in listed}


def test_fresh_agents_of_quotas_keep_them_and_their_weights(http: httpx.Client) -> None:
    halves = [{"filters": {"gender": "female"}, "size": 15}, {"filters": {"gender": "male"}, "size": 5}]
    boost = [{"filters": {"state": "CA"}, "size": 10}]
    group = recruit(http, 20, quotas=halves, boosts=boost)["group"]
    study = panel(http, group)
    before = weights(http, study["id"])
    made = next_wave(http, study, refresh=0.5, seed=1)
    after = weights(http, made.wave.study.id)
    assert len(made.fresh_agent_ids) == 15
    assert sorted(after.values()) == pytest.approx(sorted(before.values()))
    assert not {*made.fresh_agent_ids} & {*before}


def test_fresh_agents_of_a_screened_group_pass_the_screening(http: httpx.Client) -> None:
    halves = [{"filters": {"gender": "female"}, "size": 6}, {"filters": {"gender": "male"}, "size": 4}]
    body = {"request_text": "US adults who own a dog", "group_size": 10, "response_mode": "sync"}
    for more in ({}, {"quotas": halves}):
        told = http.post("/research-group-requests", json=body | more).json()
        study = panel(http, told["group"])
        made = next_wave(http, study, refresh=0.8)
        assert len(made.fresh_agent_ids) == 8
        second = made.wave.study.model_dump()
        if more:
            assert all(weights(http, second["id"]).values())
        ask(http, second, "Do you own a dog?", key="dog", type="yes_no")
        assert {value for value, _, _ in told_of(http, second).values()} == {True}
        third = next_wave(http, {"id": second["id"]}, refresh=0.5)  # the screens are those of the first wave
        ask(http, third.wave.study.model_dump(), "Do you own a dog?", key="dog", type="yes_no")
        assert {value for value, _, _ in told_of(http, third.wave.study.model_dump()).values()} == {True}


def test_fresh_agents_of_a_described_group_are_as_likely_as_those_they_replace(http: httpx.Client) -> None:
    group = recruit(http, 20, description="nurses and teachers")["group"]
    study = panel(http, group)
    http.post(f"/research-groups/{group['id']}/update", json={"description": "welders"})
    before = weights(http, study["id"])
    made = next_wave(http, study, refresh=0.5)
    assert sorted(weights(http, made.wave.study.id).values()) == pytest.approx(sorted(before.values()))


def test_a_group_drawn_in_several_ways_or_brought_has_no_fresh_agents(http: httpx.Client) -> None:
    group = recruit(http, 6)["group"]
    more = {"filters": {"state": "CA"}, "group_size": 2}
    http.post(f"/research-groups/{group['uuid']}/append", json=more)
    columns = {"age": [30, 40], "gender": ["female", "male"], "country": ["USA", "USA"]}
    brought = http.post("/research-groups/bring", json={"name": "Mine", "columns": columns}).json()["group"]
    for one, reason in ((group, "in different ways"), (brought, "were brought")):
        study = panel(http, one)
        answer = http.post(f"/research-studies/{study['id']}/next-wave", json={"refresh": 0.5})
        assert answer.status_code == 400
        assert reason in answer.json()["error"]["message"]
        assert next_wave(http, study).wave.stayed == one["agent_count"] + (2 if one is group else 0)


def test_excluded_agents_are_not_drawn_for_a_later_wave(http: httpx.Client) -> None:
    rare = {"country": "USA", "state": "CA", "age": {"min": 30, "max": 49}}
    there = http.post("/filters/count", json={"filters": rare}).json()["count"]
    first = recruit(http, there // 2, filters=rare)["group"]
    group = recruit(http, there // 5, filters=rare, exclude_group_ids=[first["id"]])["group"]
    body = {"title": "West", "objective": "Who?", "research_group_uuid": group["uuid"]}
    study = http.post("/research-studies", json=body).json()["study"]
    outside = {one["id"] for one in http.get(f"/research-groups/{first['id']}").json()["agents"]}
    made = next_wave(http, study, refresh=1.0)
    assert made.fresh_agent_ids
    assert not outside & {*made.fresh_agent_ids}


def test_the_same_seed_gives_the_same_wave(http: httpx.Client) -> None:
    members = agents(http, new_study(http, 20))
    made = []
    for _ in range(2):
        group = recruit(http, 20, seed=11)["group"]
        body = {"title": "t", "research_group_uuid": group["uuid"]}
        study = http.post("/research-studies", json=body).json()["study"]
        made.append(next_wave(http, study, refresh=0.3, attrition=0.2, seed=2))
    assert made[0].fresh_agent_ids == made[1].fresh_agent_ids
    assert made[0].wave.left_agent_ids == made[1].wave.left_agent_ids
    assert len(members) == 20


def test_those_who_stay_answer_as_before_and_the_note_says_why(http: httpx.Client) -> None:
    study = new_study(http, 20)
    ask(http, study, SMOKES, key="smokes", type="yes_no")
    ask(http, study, PIE, key="pie")
    made = next_wave(http, study, refresh=0.2)
    second = made.wave.study.model_dump()
    for question, key in ((PIE, "pie"), (SMOKES, "smokes")):  # another order changes no answer
        ask(http, second, question, key=key)
    before, after = told_of(http, study), told_of(http, second)
    stayed = [agent for agent in agents(http, second) if agent not in made.fresh_agent_ids]
    assert len(stayed) == 16
    for key in ("smokes", "pie"):
        for agent in stayed:
            assert after[key, agent][0] == before[key, agent][0]
            assert "agents do not change by themselves between waves" in after[key, agent][2]
        for agent in made.fresh_agent_ids:
            assert "between waves" not in after[key, agent][2]
    assert all("between waves" not in note for _, _, note in before.values())


def test_a_removed_agent_does_not_come_back(http: httpx.Client) -> None:
    study = new_study(http, 10)
    gone, *rest = agents(http, study)
    http.request("DELETE", f"/research-studies/{study['id']}/agents", json={"agent_ids": [gone]})
    made = next_wave(http, study)
    assert agents(http, made.wave.study.model_dump()) == rest
    assert (made.wave.stayed, made.wave.left_agent_ids, made.group.shortfall) == (9, [], 0)


def test_a_study_has_one_next_wave_that_waits_for_its_answers(http: httpx.Client) -> None:
    study = new_study(http, 5)
    made = next_wave(http, study)
    answer = http.post(f"/research-studies/{study['id']}/next-wave", json={})
    assert answer.status_code == 409
    assert answer.json()["error"]["details"]["study_id"] == made.wave.study.id
    asked = http.post(f"/research-studies/{made.wave.study.id}/questions", json={"question": SMOKES}).json()
    finish(http, asked["job_ids"])
    next_wave(http, {"id": made.wave.study.id})


def test_fresh_agents_need_a_filter_to_draw_them_by(http: httpx.Client) -> None:
    group = http.post("/research-groups/create", json={"name": "n", "agent_ids": [5, 9, 12]}).json()["group"]
    body = {"title": "t", "research_group_uuid": group["uuid"]}
    study = http.post("/research-studies", json=body).json()["study"]
    answer = http.post(f"/research-studies/{study['id']}/next-wave", json={"refresh": 0.4})
    assert answer.status_code == 400
    assert "not drawn by a filter" in answer.json()["error"]["details"]["fields"]["refresh"][0]
    assert next_wave(http, study).wave.stayed == 3


@pytest.mark.parametrize(
    ("body", "field"),
    [({"refresh": 1.2}, "refresh"), ({"attrition": 1}, "attrition"), ({"refres": 0.1}, "refres")],
)
def test_shares_out_of_range_are_refused(http: httpx.Client, body: dict[str, Any], field: str) -> None:
    study = new_study(http, 3)
    answer = http.post(f"/research-studies/{study['id']}/next-wave", json=body)
    assert answer.status_code == 400
    assert field in answer.json()["error"]["details"]["fields"]


def test_another_organization_sees_no_wave(http: httpx.Client, stranger: httpx.Client) -> None:
    study = new_study(http, 3)
    next_wave(http, study)
    assert stranger.get(f"/research-studies/{study['id']}/waves").status_code == 404
    assert stranger.post(f"/research-studies/{study['id']}/next-wave", json={}).status_code == 404
