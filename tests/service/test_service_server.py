"""The service's life on a socket: start, revoke, stop, start again."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import httpx
import pytest

from running_service import Service, finish, new_study
from voxpop.errors import ServiceStartError
from voxpop.records import keys
from voxpop.service.server import start_server


def test_a_revoked_key_is_refused_at_once(embedded: Service) -> None:
    key = embedded.key()
    http = embedded.client(key)
    assert http.get("/research-studies").status_code == 200
    with embedded.state.database.begin() as connection:
        keys.revoke(connection, key)
    assert http.get("/research-studies").status_code == 401


def test_a_port_that_is_taken_is_named(embedded: Service) -> None:
    port = int(embedded.root_url.rsplit(":", 1)[1])
    with pytest.raises(ServiceStartError, match=f"127.0.0.1:{port}"):
        start_server(embedded.app, port=port)


def test_a_host_that_is_none_is_named(embedded: Service) -> None:
    with pytest.raises(ServiceStartError, match=r"no\.such\.host\.invalid"):
        start_server(embedded.app, host="no.such.host.invalid")


def test_small_answers_are_not_held_back(caller: httpx.Client) -> None:
    """Without TCP_NODELAY every call takes 44 ms, so the quickest of some tells, on a busy machine too."""
    taken = []
    for _ in range(20):
        started = time.perf_counter()
        caller.get("/jobs/none")
        taken.append(time.perf_counter() - started)
    assert min(taken) < 0.03


def test_a_stopped_service_goes_on_where_it_was(home: Path, tmp_path: Path) -> None:
    first = Service(home, tmp_path)
    key = first.key()
    http = first.client(key)
    study = new_study(http, 500)
    asked = [
        http.post(f"/research-studies/{study['id']}/questions", json={"question": question}).json()
        for question in ("Do you smoke?", "How old are you?")
    ]
    first.close()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{first.root_url}/healthz")
    second = Service(home, tmp_path)
    try:
        http = second.client(key)
        jobs = [job for question in asked for job in finish(http, question["job_ids"][-3:])]
        assert {job["status"] for job in jobs} == {"finished"}
        assert len(http.get(f"/research-studies/{study['id']}/answers").json()["answers"]) == 1_000
    finally:
        second.close()


def test_one_service_at_a_time_uses_a_folder(embedded: Service, home: Path) -> None:
    with embedded.state.database.read() as connection:
        folder = Path(connection.engine.url.database).parent
    with pytest.raises(ServiceStartError, match="Another service"):
        Service(home, folder)


def test_stopping_ends_calls_that_are_held_open(home: Path, tmp_path: Path) -> None:
    service = Service(home, tmp_path)
    http = service.client(service.key())
    study = new_study(http, 1)
    assert service.state.queue.stop(5)  # nobody works any more, so the job stays started
    path = f"/research-studies/{study['id']}/questions"
    (job_id,) = http.post(path, json={"question": "Do you smoke?"}).json()["job_ids"]
    seen: list[httpx.Response] = []
    waiting = threading.Thread(
        target=lambda: seen.append(http.get(f"/jobs/{job_id}", params={"wait_seconds": 60}))
    )
    waiting.start()
    waiting.join(0.3)
    assert waiting.is_alive()
    started = time.perf_counter()
    service.server.stop()
    waiting.join(5)
    assert time.perf_counter() - started < 3
    assert seen[0].json()["status"] == "started"
    service.close()


def test_stopping_with_an_idle_connection_open_is_quick(home: Path, tmp_path: Path) -> None:
    service = Service(home, tmp_path)
    with socket.create_connection(("127.0.0.1", int(service.root_url.rsplit(":", 1)[1]))):
        started = time.perf_counter()
        service.close()
        service.close()
        assert time.perf_counter() - started < 3
