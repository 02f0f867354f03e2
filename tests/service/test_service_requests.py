"""Requests refuse bad calls and missing scopes, and a held call gives up without losing the request."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from running_service import Service, finish
from voxpop.records.schema import jobs, research_group_requests, work_items

PATH = "/research-group-requests"
GOOD: dict[str, Any] = {"request_text": "US adults", "group_size": 3}


def written(service: Service) -> list[int]:
    with service.state.database.read() as connection:
        return [
            connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in (jobs, work_items, research_group_requests)
        ]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"request_text": None}, "request_text"),
        ({"request_text": ""}, "request_text"),
        ({"request_text": " \n"}, "request_text"),
        ({"request_text": "x" * 10_001}, "request_text"),
        ({"request_text": 7}, "request_text"),
        ({"request_text": ["US adults"]}, "request_text"),
        ({"request_text": "\ud800"}, "request_text"),
        ({"group_size": None}, "group_size"),
        ({"group_size": 0}, "group_size"),
        ({"group_size": -1}, "group_size"),
        ({"group_size": 10_001}, "group_size"),
        ({"group_size": "3"}, "group_size"),
        ({"group_size": 3.5}, "group_size"),
        ({"group_size": True}, "group_size"),
        ({"response_mode": "later"}, "response_mode"),
        ({"response_mode": None}, "response_mode"),
        ({"size": 3}, "size"),
        ({"filters": {}}, "filters"),
    ],
)
def test_a_bad_request_names_the_field_and_writes_nothing(
    embedded: Service, caller: httpx.Client, wrong: dict[str, Any], field: str
) -> None:
    before = written(embedded)
    content = json.dumps(GOOD | wrong).encode()
    answer = caller.post(PATH, content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["code"] == "invalid_request"
    assert list(answer.json()["error"]["details"]["fields"]) == [field]
    assert written(embedded) == before


@pytest.mark.parametrize("missing", list(GOOD))
def test_both_fields_are_needed(caller: httpx.Client, missing: str) -> None:
    answer = caller.post(PATH, json={name: value for name, value in GOOD.items() if name != missing})
    assert answer.status_code == 400
    assert answer.json()["error"]["details"]["fields"] == {missing: ["is required"]}


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["answer", "approve"]),
        ({"answer": "USA", "approve": True}, ["answer", "approve"]),
        ({"answer": ""}, ["answer"]),
        ({"answer": "  "}, ["answer"]),
        ({"answer": 1}, ["answer"]),
        ({"answer": "x" * 10_001}, ["answer"]),
        ({"approve": "yes"}, ["approve"]),
        ({"approve": 1}, ["approve"]),
        ({"answer": "USA", "group_size": 3}, ["group_size"]),
        ({"approve": False, "group_size": 3}, ["group_size"]),
        ({"approve": True, "group_size": 0}, ["group_size"]),
        ({"approve": True, "group_size": 10_001}, ["group_size"]),
        ({"approve": True, "size": 3}, ["size"]),
    ],
)
def test_a_bad_response_names_the_field(caller: httpx.Client, body: Any, fields: list[str]) -> None:
    made = caller.post(PATH, json=GOOD | {"response_mode": "sync"}).json()
    answer = caller.post(f"{PATH}/{made['request']['id']}/respond", json=body)
    assert answer.status_code == 400, answer.text
    assert list(answer.json()["error"]["details"]["fields"]) == fields


def test_reading_and_writing_need_their_scopes(embedded: Service, caller: httpx.Client) -> None:
    made = caller.post(PATH, json=GOOD).json()
    finish(caller, [made["job_id"]])
    one = f"{PATH}/{made['request']['id']}"
    reader, writer = (embedded.client(embedded.key(f"studies:{scope}")) for scope in ("read", "write"))
    free = embedded.client(embedded.key("free:ask", kind="free"))
    assert (reader.get(one).status_code, writer.get(one).status_code) == (200, 403)
    assert (reader.post(PATH, json=GOOD).status_code, writer.post(PATH, json=GOOD).status_code) == (403, 202)
    assert reader.post(f"{one}/respond", json={"approve": True}).status_code == 403
    assert writer.post(f"{one}/respond", json={"approve": True}).status_code == 409
    assert [free.get(one).status_code, free.post(PATH, json=GOOD).status_code] == [403, 403]
    refused = reader.post(PATH, json=GOOD).json()["error"]
    assert (refused["code"], refused["details"]) == ("forbidden", {"required_scope": "studies:write"})
    assert httpx.get(f"{embedded.base_url}{one}").status_code == 401


def test_a_held_call_gives_up_with_the_queued_request(
    caller: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voxpop.service.requests.MOST_SECONDS", 0.0)
    answer = caller.post(PATH, json=GOOD | {"response_mode": "sync"})
    assert answer.status_code == 202
    assert answer.json()["request"]["status"] == "queued"
    assert answer.json()["poll_after_s"] > 0
    (job,) = finish(caller, [answer.json()["job_id"]])
    assert job["domain_status"] == "completed"


def test_a_request_that_failed_ends_with_its_job(
    embedded: Service, caller: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("SELECT secret")

    monkeypatch.setattr(embedded.state.runner._recruiter, "_plan", broken)
    made = caller.post(PATH, json=GOOD | {"response_mode": "sync"})
    assert made.json()["request"]["status"] == "refused"
    job = caller.get(f"/jobs/{made.json()['job_id']}").json()
    assert (job["status"], job["domain_status"]) == ("failed", "failed")
    assert job["resource_url"] == f"/v1{PATH}/{made.json()['request']['id']}"
    assert "secret" not in made.text
