"""`/mcp` itself: keys, scopes, organizations, origins, sizes, and what it does to the service around it."""

from __future__ import annotations

import builtins
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from talking import Talk, ToolError

from running_service import Service, new_study
from voxpop.service.rate_limits import OwnRates

JSON = "application/json, text/event-stream"
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def post(service: Service, body: Any = None, key: str | None = None, **headers: str) -> httpx.Response:
    sent = {"Accept": JSON, **({"Authorization": f"Bearer {key}"} if key else {}), **headers}
    return httpx.post(f"{service.root_url}/mcp", json=LIST if body is None else body, headers=sent)


def assert_error(answer: httpx.Response, status: int, code: str) -> str:
    assert answer.status_code == status, answer.text
    assert answer.headers["x-request-id"].startswith("req_")
    assert answer.json()["error"]["code"] == code
    return str(answer.json()["error"]["message"])


def test_a_call_needs_no_session_and_gives_none(service: Service) -> None:
    answer = post(service, key=service.key())
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"].startswith("req_")
    assert "mcp-session-id" not in answer.headers
    assert len(answer.json()["result"]["tools"]) == 11


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer vp_live_nobody", "Basic dTpw"])
def test_without_a_good_key_it_is_a_401(service: Service, header: str | None) -> None:
    answer = post(service, **({"Authorization": header} if header else {}))
    assert_error(answer, 401, "unauthorized")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_scopes_are_those_of_the_routes(service: Service) -> None:
    reader = Talk(service.root_url, service.key("studies:read"))
    assert reader("v1.agents.search", country="USA", per_page=1)["total"] > 1_000
    with pytest.raises(ToolError) as caught:
        reader("v1.research-groups.recruit", group_size=3)
    assert caught.value.error["code"] == "forbidden"
    assert caught.value.error["details"] == {"required_scope": "studies:write"}
    free = Talk(service.root_url, service.key("free:ask", kind="free"))
    with pytest.raises(ToolError, match="studies:read"):
        free("v1.agents.find", country="USA")


def test_two_organizations_see_nothing_of_each_other(service: Service, talk: Talk) -> None:
    other = Talk(service.root_url, service.key(organization="other"))
    group = talk("v1.research-groups.recruit", group_size=3)["group"]
    study = talk("v1.research-studies.create", title="t", research_group_uuid=group["uuid"])["study"]
    asked = talk("v1.research-studies.ask", study_id=study["id"], question="Tea?", poll_timeout_seconds=60)
    for tool, arguments, code in (
        ("v1.research-studies.create", {"title": "t", "research_group_uuid": group["uuid"]}, "not_found"),
        ("v1.research-studies.ask", {"study_id": study["uuid"], "question": "Tea?"}, "not_found"),
        ("v1.research-studies.results", {"study_id": study["uuid"]}, "not_found"),
        ("v1.jobs.get", {"job_id": asked["job_ids"][0]}, "forbidden"),
    ):
        with pytest.raises(ToolError) as caught:
            other(tool, **arguments)
        assert caught.value.error["code"] == code


def test_addresses_in_answers_are_the_ones_the_caller_uses(service: Service, talk: Talk) -> None:
    group = talk("v1.research-groups.recruit", group_size=3)["group"]
    assert group["url"] == f"{service.base_url}/research-groups/{group['id']}"


@pytest.mark.parametrize("origin", ["https://evil.example", "http://evil.example:8321", "null"])
def test_web_pages_of_other_hosts_are_refused(service: Service, origin: str) -> None:
    answer = post(service, key=service.key(), Origin=origin, Host="evil.example:8321")
    assert "Web pages" in assert_error(answer, 403, "forbidden")


@pytest.mark.parametrize("origin", ["http://localhost:6274", "http://127.0.0.1:80", "http://[::1]:9"])
def test_web_pages_of_this_machine_are_not(service: Service, origin: str) -> None:
    assert post(service, key=service.key(), Origin=origin).status_code == 200


def test_other_methods_are_a_405(service: Service) -> None:
    for method in ("GET", "DELETE", "PUT"):
        answer = httpx.request(method, f"{service.root_url}/mcp")
        assert_error(answer, 405, "method_not_allowed")
        assert answer.headers["allow"] == "POST"


def test_other_content_is_a_415(service: Service) -> None:
    answer = httpx.post(
        f"{service.root_url}/mcp",
        content=b"x",
        headers={"Authorization": f"Bearer {service.key()}", "Accept": JSON, "Content-Type": "text/plain"},
    )
    assert "text/plain" in assert_error(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize("content", [b"{", b"[]", b'"x"', b"\xff\xfe", b'{"jsonrpc": "2.0"}', b"[" * 100_000])
def test_rubbish_is_an_error_of_the_protocol(service: Service, content: bytes) -> None:
    answer = httpx.post(
        f"{service.root_url}/mcp",
        content=content,
        headers={
            "Authorization": f"Bearer {service.key()}",
            "Accept": JSON,
            "Content-Type": "application/json",
        },
    )
    assert answer.status_code == 400, answer.text
    assert answer.headers["x-request-id"].startswith("req_")
    assert answer.json()["error"]["code"] < 0


def test_a_notification_is_accepted(service: Service) -> None:
    body = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert post(service, body, service.key()).status_code == 202


@pytest.fixture
def small(home: Path, tmp_path: Path) -> Iterator[Service]:
    running = Service(home, tmp_path, max_body_bytes=5_000, strict_filters=True)
    yield running
    running.close()


def test_limits_and_settings_of_the_service_hold(small: Service) -> None:
    big = LIST | {"params": {"_meta": {"x": "x" * 6_000}}}
    key = small.key()
    assert "5,000 bytes" in assert_error(post(small, big, key), 413, "payload_too_large")

    def pieces() -> Iterator[bytes]:
        for _ in range(10):
            yield b" " * 1_000

    headers = {"Authorization": f"Bearer {key}", "Accept": JSON, "Content-Type": "application/json"}
    answer = httpx.post(f"{small.root_url}/mcp", content=pieces(), headers=headers)
    assert_error(answer, 413, "payload_too_large")
    with pytest.raises(ToolError) as caught:
        Talk(small.root_url, key)("v1.agents.find", country="USA", gender="femail")
    assert caught.value.error["details"]["filters"][0]["suggestions"] == ["female", "male"]


def test_only_the_calls_of_tools_count_against_the_rate_and_too_many_are_a_tool_error(
    home: Path, tmp_path: Path
) -> None:
    running = Service(home, tmp_path, rate_live=2)
    running.state.rates = OwnRates(lambda: datetime(2026, 11, 21, tzinfo=UTC))  # one minute that does not end
    try:
        talk = Talk(running.root_url, running.key())
        for _ in range(3):
            talk.with_client(lambda client: client.list_tools())
        talk("v1.agents.find", country="USA")
        talk("v1.agents.find", country="USA")
        with pytest.raises(ToolError) as caught:
            talk("v1.agents.find", country="USA")
        assert caught.value.error["code"] == "rate_limited"
    finally:
        running.close()


def test_a_service_that_stops_lets_go_of_tools_that_wait(home: Path, tmp_path: Path) -> None:
    running = Service(home, tmp_path)
    key = running.key()
    http = running.client(key)
    study = new_study(http, 3_000)
    path = f"/research-studies/{study['id']}/questions"
    jobs = [http.post(path, json={"question": "Why?"}).json()["job_ids"][-1] for _ in range(10)]
    call = {"name": "v1.jobs.get", "arguments": {"job_id": jobs[-1], "poll_timeout_seconds": 600}}
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(post, running, LIST | {"method": "tools/call", "params": call}, key)
        time.sleep(0.3)
        running.close()
        answer = waiting.result(5)
    assert answer.json()["result"]["structuredContent"]["id"] == jobs[-1]


def test_it_is_no_route_of_the_api(service: Service) -> None:
    document = httpx.get(f"{service.root_url}/openapi.json").json()
    assert [path for path in document["paths"] if "mcp" in path] == []


def test_without_the_extra_it_says_so_to_those_with_a_key(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name.startswith("mcp") or (name == "voxpop.mcp" and "server" in (rest[2] or ())):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    assert "pip install 'voxpop[mcp]'" in assert_error(post(service, key=service.key()), 404, "not_found")
    assert_error(post(service), 401, "unauthorized")


def test_a_service_loads_the_library_with_the_first_call_alone(tmp_path: Path) -> None:
    code = """
import sys, httpx, voxpop as vp
with vp.local(agents=1_000) as client:
    client.agents.find(vp.where(country="USA"))
    print([name for name in sys.modules if name == "mcp" or name.startswith("mcp.")])
    httpx.post(client.root_url + "/mcp", json={}, headers={"Authorization": "Bearer vp_live_nobody"})
    print("mcp" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.split() == ["[]", "False"]
