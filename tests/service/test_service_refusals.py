"""Bad input gets its documented error, and nothing is written."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from running_service import Service, ask, new_study, recruit
from voxpop.records.schema import metadata

UUID = "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11"
RECRUIT = "/research-groups/recruit"


def written(service: Service) -> dict[str, int]:
    """Count the rows of every table but the keys."""
    with service.state.database.read() as connection:
        return {
            table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
            if table.name not in ("api_keys", "organizations")
        }


@pytest.mark.parametrize(
    ("call", "body", "status", "named"),
    [
        (f"POST {RECRUIT}", {"filters": {"gendr": "male"}, "group_size": 5}, 400, "filters.gendr"),
        (f"POST {RECRUIT}", {"filters": {"age": {"min": 9, "max": 1}}, "group_size": 5}, 400, "filters.age"),
        (f"POST {RECRUIT}", {"filters": {"age": "old"}, "group_size": 5}, 400, "filters.age"),
        (f"POST {RECRUIT}", {"filters": [], "group_size": 5}, 400, "fields.filters"),
        (f"POST {RECRUIT}", {"filters": {}, "group_size": 0}, 400, "fields.group_size"),
        (f"POST {RECRUIT}", {"filters": {}, "group_size": 10_001}, 400, "fields.group_size"),
        (f"POST {RECRUIT}", {"filters": {}, "group_size": "5"}, 400, "fields.group_size"),
        (f"POST {RECRUIT}", {"filters": {}, "group_size": 5.5}, 400, "fields.group_size"),
        (f"POST {RECRUIT}", {"filters": {}, "group_size": True}, 400, "fields.group_size"),
        (f"POST {RECRUIT}", {"filters": {}, "size": 5}, 400, "fields.size"),
        (f"POST {RECRUIT}", {"filters": {}}, 400, "fields.group_size"),
        (f"POST {RECRUIT}", {"filters": {}, "group_size": 5, "name": "\ud800"}, 400, "fields.name"),
        (f"POST {RECRUIT}", {"filters": {"state": ""}, "group_size": 5}, 400, "filters.state"),
        (
            f"POST {RECRUIT}",
            {"filters": {}, "group_size": 5, "sample_method": "best"},
            400,
            "fields.sample_method",
        ),
        (f"POST {RECRUIT}", {"filters": {}, "group_size": 5, "seed": 2**63}, 400, "fields.seed"),
        (f"POST {RECRUIT}", [], 400, "fields.body"),
        ("POST /research-studies", {"title": "", "research_group_uuid": UUID}, 400, "fields.title"),
        (
            "POST /research-studies",
            {"title": "t", "research_group_uuid": 3},
            400,
            "fields.research_group_uuid",
        ),
        ("POST /research-studies", {"title": "t", "research_group_uuid": UUID}, 404, None),
        ("POST /research-studies/999999/questions", {"question": "Why?"}, 404, None),
        (f"POST /research-studies/{UUID}/questions", {"question": "Why?"}, 404, None),
        ("POST /research-studies/1/questions", {"question": ""}, 400, "fields.question"),
        ("POST /research-studies/999999/complete", {}, 404, None),
        ("POST /research-studies/999999/share", {"enabled": True}, 404, None),
        ("POST /research-studies/1/share", {"enabled": "yes"}, 400, "fields.enabled"),
        ("DELETE /research-studies/999999/agents", {"agent_ids": [1]}, 404, None),
    ],
)
def test_a_bad_call_names_what_is_wrong_and_writes_nothing(
    embedded: Service, caller: httpx.Client, call: str, body: Any, status: int, named: str | None
) -> None:
    before = written(embedded)
    answer = caller.request(
        *call.split(" "), content=json.dumps(body).encode(), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["code"] == ("not_found" if status == 404 else "invalid_request")
    if named is not None:
        where, field = named.split(".")
        assert field in error["details"][where]
        assert all(isinstance(text, str) for text in error["details"][where][field])
    assert written(embedded) == before


def test_an_unknown_field_is_answered_with_the_right_one(caller: httpx.Client) -> None:
    answer = caller.post(RECRUIT, json={"filters": {}, "size": 5})
    fields = answer.json()["error"]["details"]["fields"]
    assert fields["size"] == ["unknown field; did you mean group_size?"]


@pytest.mark.parametrize(
    ("content", "kind", "status", "code"),
    [
        (b"{", "application/json", 400, "invalid_request"),
        (b"\xff\xfe{", "application/json", 400, "invalid_request"),
        (b"[" * 100_000, "application/json", 400, "invalid_request"),
        (b"", "application/json", 400, "invalid_request"),
        (b"null", "application/json", 400, "invalid_request"),
        (b'{"filters": {}}', "text/plain", 415, "unsupported_media_type"),
        (b"a=1", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        (b'{"filters": {"age": {"min": NaN}}, "group_size": 1}', "application/json", 400, "invalid_request"),
    ],
)
def test_a_body_that_is_no_json_is_refused(
    caller: httpx.Client, content: bytes, kind: str, status: int, code: str
) -> None:
    answer = caller.post(RECRUIT, content=content, headers={"Content-Type": kind})
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["code"] == code


@pytest.fixture(scope="module")
def strict(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(home, tmp_path_factory.mktemp("strict"), strict_filters=True, max_body_bytes=10_000)
    yield running
    running.close()


@pytest.mark.parametrize(
    ("method", "path", "call"),
    [
        ("GET", "/agents/search", {"params": {"smoking_status": "formr"}}),
        ("GET", "/agents/find", {"params": {"smoking_status": "formr"}}),
        ("POST", "/agents/find", {"json": {"smoking_status": "formr"}}),
        ("POST", RECRUIT, {"json": {"filters": {"smoking_status": "formr"}, "group_size": 3}}),
    ],
)
def test_strict_filters_list_unknown_values_with_suggestions(
    strict: Service, method: str, path: str, call: dict[str, Any]
) -> None:
    answer = strict.client(strict.key()).request(method, path, **call)
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] == "invalid_request"
    (entry,) = answer.json()["error"]["details"]["filters"]
    assert set(entry) == {"field", "value", "message", "suggestions"}
    assert (entry["field"], entry["value"]) == ("smoking_status", "formr")
    assert entry["suggestions"][0] == "former"


def test_strict_filters_still_take_known_values_and_aliases(strict: Service) -> None:
    http = strict.client(strict.key())
    assert (
        http.get("/agents/search", params={"health_drug_classes": "GLP-1", "country": "us"}).status_code
        == 200
    )


@pytest.mark.parametrize("streamed", [False, True])
def test_a_body_above_the_limit_is_a_413(strict: Service, streamed: bool) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(20):
            yield b" " * 1_000

    content = pieces() if streamed else b" " * 20_000
    answer = strict.client(strict.key()).post(
        RECRUIT, content=content, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 413, answer.text
    assert answer.json()["error"]["code"] == "payload_too_large"


def test_what_belongs_to_another_organization_is_not_there(embedded: Service, caller: httpx.Client) -> None:
    stranger = embedded.client(embedded.key(organization="other"))
    group = recruit(caller, 2)["group"]
    study = new_study(caller, 2)
    (job, _) = ask(caller, study, "Do you smoke?")["job_ids"]
    before = written(embedded)
    for reference in (study["id"], study["uuid"]):
        path = f"/research-studies/{reference}"
        for read in ("", "/questions", "/answers", "/agents", "/analysis", "/share"):
            assert stranger.get(path + read).status_code == 404
        assert stranger.post(f"{path}/questions", json={"question": "Why?"}).status_code == 404
        assert stranger.post(f"{path}/complete", json={"force": True}).status_code == 404
        assert stranger.post(f"{path}/share", json={"enabled": True}).status_code == 404
        assert stranger.request("DELETE", f"{path}/agents", json={"agent_ids": [1]}).status_code == 404
    assert stranger.get(f"/research-groups/{group['id']}").status_code == 404
    own = {"title": "t", "research_group_uuid": group["uuid"]}
    assert stranger.post("/research-studies", json=own).status_code == 404
    assert stranger.get("/research-studies").json()["total"] == 0
    assert stranger.get("/research-groups").json()["total"] == 0
    assert stranger.get(f"/jobs/{job}").status_code == 403
    assert stranger.get(f"/jobs/{job}").json()["error"]["code"] == "forbidden"
    assert stranger.get("/jobs", params={"ids": job}).json() == {"jobs": [], "missing": [job]}
    assert written(embedded) == before


def test_a_failure_of_the_service_tells_its_request_id_and_nothing_else(
    embedded: Service, caller: httpx.Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("SELECT secret FROM api_keys")

    monkeypatch.setattr("voxpop.records.studies.list_", broken)
    with caplog.at_level(logging.ERROR, "voxpop.service"):
        answer = caller.get("/research-studies")
    assert answer.status_code == 500
    error = answer.json()["error"]
    assert error["code"] == "internal_error"
    assert error["details"] == {"request_id": answer.headers["x-request-id"]}
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert error["details"]["request_id"] in caplog.text
    assert "secret" in caplog.text
