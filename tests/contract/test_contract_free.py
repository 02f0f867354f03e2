"""Free questions: contract 3 and 9."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from running_service import Service, ask, finish, new_study
from voxpop.wire.free import FreeAskResponse, FreeResult

PATH = "/free/questions"
SHOWN = ["id", "name", "age", "city", "state", "occupation"]


@pytest.fixture(scope="module")
def free(service: Service) -> httpx.Client:
    """A caller of the free tier, in the organization of ``http``."""
    return service.client(service.key("free:ask", kind="free"))


def post(caller: httpx.Client, key: str | None, **body: object) -> httpx.Response:
    headers = {} if key is None else {"Idempotency-Key": key}
    return caller.post(PATH, json={"question": "Do you like summer?"} | body, headers=headers)


def test_the_panel_answers_in_one_job(free: httpx.Client) -> None:
    answer = post(free, "f1", wait_seconds=60)
    assert answer.status_code == 202
    told = FreeAskResponse.model_validate(answer.json())
    assert (told.count, len(told.agents), told.job.status) == (12, 12, "finished")
    assert [agent.id for agent in told.agents] == told.agent_ids
    assert [list(agent) for agent in answer.json()["agents"]] == [SHOWN] * 12
    assert [(one.kind, one.quantity, one.status) for one in told.usage_recorded] == [
        ("answers", 12, "recorded")
    ]
    job = free.get(f"/jobs/{told.job.id}").json()
    assert (job["meta"]["kind"], job["meta"]["progress"]) == ("free", {"done": 12, "total": 12})
    assert "resource_url" not in job
    assert set(job["result"]) == {"results", "partial"}
    result = FreeResult.model_validate(job["result"])
    assert ([one.agent_id for one in result.results], result.partial) == (told.agent_ids, False)
    assert all(one.reply for one in result.results)
    for one, agent in zip(job["result"]["results"], answer.json()["agents"], strict=True):
        assert {name: one[name] for name in SHOWN[1:]} == {name: agent[name] for name in SHOWN[1:]}


def test_who_asks_the_panel_is_told_that_a_question_was_hardly_understood(free: httpx.Client) -> None:
    told = post(free, "n1", question="What do you do with the hubcaps of an old tractor?").json()
    assert "fewer than half of the words" in told["notice"]
    assert post(free, "n2").json()["notice"] is None


def test_the_panel_is_mixed_and_the_same_for_everybody(service: Service, free: httpx.Client) -> None:
    other = service.client(service.key("free:ask", kind="free", organization="free others"))
    mine, theirs = post(free, "f2").json(), post(other, "f2").json()
    assert mine["agents"] == theirs["agents"]
    assert mine["operation"]["id"] != theirs["operation"]["id"]  # a key belongs to its organization
    full = service.state.population.agents(mine["agent_ids"])
    assert {agent.country for agent in full} == {"USA"}
    assert min(agent.age for agent in full) < 25 < 65 <= max(agent.age for agent in full)
    assert sorted(agent.gender for agent in full) == ["female"] * 6 + ["male"] * 6
    assert len({agent.state for agent in full}) >= 6


def test_the_same_key_asks_once(free: httpx.Client) -> None:
    first, used = post(free, "f3"), free.get("/billing/usage").json()["quota"]["used"]
    again = post(free, "f3", wait_seconds=5)
    assert (again.status_code, again.headers["idempotent-replayed"]) == (202, "true")
    assert again.json()["operation"]["id"] == first.json()["operation"]["id"]
    assert free.get("/billing/usage").json()["quota"]["used"] == used
    assert post(free, "f3", question="Winter?").status_code == 409
    assert post(free, None).status_code == 400


def test_each_free_question_costs_twelve_answers_of_the_free_quota(home: Path, tmp_path: Path) -> None:
    small = Service(home, tmp_path, quota_free=30)
    try:
        free = small.client(small.key("free:ask", kind="free"))
        assert [post(free, f"k{n}").status_code for n in range(3)] == [202, 202, 402]
        refused = post(free, "k2")
        assert refused.status_code == 402
        details = refused.json()["error"]["details"]
        assert (details["limit"], details["used"], details["requested"]) == (30, 24, 12)
    finally:
        small.close()


def test_a_free_key_reaches_free_questions_jobs_and_usage_alone(
    service: Service, http: httpx.Client, free: httpx.Client
) -> None:
    study = new_study(http, 1)
    job_id = ask(http, study, "Do you smoke?")["job_ids"][0]
    assert free.get(f"/jobs/{job_id}").status_code == 200  # of its own organization
    assert free.get("/billing/usage").status_code == 200
    closed = [
        free.get("/research-studies"),
        free.get("/direct-questions"),
        free.get("/zeitgeist/surveys"),
        free.post("/research-agents/1/questions", json={"question": "Why?"}),
        free.post("/zeitgeist/surveys/create", json={}),
    ]
    assert [answer.status_code for answer in closed] == [403] * 5
    assert post(http, "f4").json()["error"]["details"] == {"required_scope": "free:ask"}


def test_free_questions_are_no_direct_questions(http: httpx.Client, free: httpx.Client) -> None:
    before = http.get("/direct-questions").json()["total"]
    finish(free, [post(free, "f5").json()["job"]["id"]])
    assert http.get("/direct-questions").json()["total"] == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"question": ""}, "question"),
        ({"type": "open"}, "type"),
        ({"wait_seconds": -1}, "wait_seconds"),
        ({"attachments": [99_999]}, "attachments"),
    ],
)
def test_a_body_that_cannot_be_used_is_a_400(free: httpx.Client, body: dict[str, object], field: str) -> None:
    answer = post(free, "f6", **body)
    assert answer.status_code == 400
    assert list(answer.json()["error"]["details"]["fields"]) == [field]
