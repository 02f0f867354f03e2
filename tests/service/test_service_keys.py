"""A key is looked at before anything else of a call is."""

from __future__ import annotations

import socket
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from running_service import Service

JSON = {"Content-Type": "application/json"}
RECRUIT = "/research-groups/recruit"


@pytest.mark.parametrize("body", [b"{bad", b"", b"[]", b'{"group_size": 0}', b"\xff"])
def test_without_a_key_no_body_is_judged(embedded: Service, body: bytes) -> None:
    answer = embedded.client().post(RECRUIT, content=body, headers=JSON)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert answer.json()["error"]["code"] == "unauthorized"


@pytest.mark.parametrize("body", [b"{bad", b'{"group_size": 0}'])
def test_without_the_scope_no_body_is_judged(embedded: Service, body: bytes) -> None:
    reader = embedded.client(embedded.key("studies:read"))
    answer = reader.post(RECRUIT, content=body, headers=JSON)
    assert answer.status_code == 403
    assert answer.json()["error"]["details"] == {"required_scope": "studies:write"}


def test_without_a_key_no_parameter_is_judged(embedded: Service) -> None:
    nobody = embedded.client()
    assert nobody.get("/agents/search", params={"page": 0}).status_code == 401
    assert nobody.get("/filters").status_code == 401


@pytest.mark.parametrize("announced", [1_000, 10**9])
def test_without_a_key_the_answer_comes_before_the_body(embedded: Service, announced: int) -> None:
    place = urlsplit(embedded.root_url)
    with socket.create_connection((place.hostname, place.port), timeout=5) as line:
        head = f"POST /v1{RECRUIT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        line.sendall(f"{head}Content-Length: {announced}\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 401 ")


@pytest.mark.parametrize("header", ["", "Bearer", "Basic YTpi", "vp_live_x", "Bearer é"])
def test_a_malformed_key_is_a_401(embedded: Service, header: str) -> None:
    answer = embedded.client().get("/research-studies", headers={"Authorization": header.encode()})
    assert answer.status_code == 401


def test_the_scheme_may_be_written_in_any_case(embedded: Service) -> None:
    header = {"Authorization": f"bearer {embedded.key()}"}
    assert embedded.client().get("/research-studies", headers=header).status_code == 200


def test_a_method_that_is_not_there_names_those_that_are(embedded: Service) -> None:
    answer = httpx.put(f"{embedded.base_url}/research-studies")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")
    assert "allowed: GET, POST" in answer.json()["error"]["message"]


def test_a_failure_is_logged_with_its_request_id_and_without_the_share_token(
    home: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(home, tmp_path)
    try:
        monkeypatch.setattr(service.state.database, "read", None)
        answer = httpx.get(f"{service.root_url}/shared/secret-token")
    finally:
        monkeypatch.undo()
        service.close()
    assert answer.status_code == 500
    number = answer.headers["x-request-id"]
    assert answer.json()["error"]["details"] == {"request_id": number}
    assert number in caplog.text
    assert "secret-token" not in caplog.text
