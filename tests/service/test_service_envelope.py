"""Successes have one shape: a create nests its resource, and nothing has a top-level id but the job."""

from __future__ import annotations

import httpx

from running_service import Service, ask, new_study, recruit


def test_creates_nest_their_resource(caller: httpx.Client) -> None:
    made = recruit(caller, 3)
    assert set(made) == {"group", "recruited_agents", "members", "raw_dsl_mode"}
    study = caller.post(
        "/research-studies", json={"title": "t", "research_group_uuid": made["group"]["uuid"]}
    )
    assert set(study.json()) == {"study"}
    asked = caller.post(
        f"/research-studies/{study.json()['study']['id']}/questions", json={"question": "Why?"}
    )
    assert {"id", "uuid"}.isdisjoint(asked.json())


def test_reads_nest_likewise_and_every_answer_has_a_request_id(
    caller: httpx.Client, embedded: Service
) -> None:
    study = new_study(caller, 2)
    ask(caller, study, "Do you smoke?")
    path = f"/research-studies/{study['id']}"
    expected = {
        path: {"study"},
        f"{path}/questions": {"study_id", "count", "questions", "poll_after_s"},
        f"{path}/answers": {"answers"},
        f"{path}/agents": {"agents"},
        f"{path}/analysis": {"study_id", "stage", "steps"},
        f"{path}/share": {"enabled", "url", "share_link"},
        "/research-studies": {"studies", "total", "limit", "offset"},
        "/research-groups": {"groups", "total", "limit", "offset"},
        "/agents/search": {"agents", "total", "page", "per_page", "pages"},
        "/agents/find": {"agent"},
        "/filters?country=USA": {"country", "recruitable_agent_count", "filters", "ranges"},
    }
    numbers = set()
    for where, names in expected.items():
        answer = caller.get(where)
        assert answer.status_code == 200
        assert set(answer.json()) == names
        numbers.add(answer.headers["x-request-id"])
    assert len(numbers) == len(expected)
    assert httpx.get(f"{embedded.root_url}/healthz").headers["x-request-id"]
