"""One organization cannot shut out the others: a real service, a flood of one key, and a call of another."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from media_files import png, upload_body
from running_service import Service
from voxpop.service.uploads import _IN_MEMORY, _Body

OPEN_CALLS = 8
HELD = 6  # of them


@pytest.fixture
def service(home: Path, tmp_path: Path) -> Iterator[Service]:
    made = Service(home, tmp_path, open_calls=OPEN_CALLS)
    made.state.queue.stop(5.0)  # so that jobs stay unfinished
    yield made
    made.close()


def job_of(http: httpx.Client) -> str:
    body = {"description": "US adults", "group_size": 5}
    made = http.post("/research-groups:from-description", json=body, headers={"Idempotency-Key": "k"})
    return str(made.json()["job"]["id"])


class Polls:
    """Polls of one job that are held by threads."""

    def __init__(self, http: httpx.Client, job: str) -> None:
        self.answers: list[httpx.Response] = []
        self._http, self._job = http, job
        self._threads: list[threading.Thread] = []

    def begin(self, count: int) -> None:
        def poll() -> None:
            self.answers.append(self._http.get(f"/jobs/{self._job}", params={"wait_seconds": 50}))

        self._threads += [threading.Thread(target=poll) for _ in range(count)]
        for thread in self._threads[-count:]:
            thread.start()

    def end(self) -> None:
        for thread in self._threads:
            thread.join(20)


def wait_until(state: Any, held: int) -> None:
    ends = time.monotonic() + 20
    while state.admission.holds.share.total != held:
        assert time.monotonic() < ends, state.admission.holds.share.total
        time.sleep(0.005)


def test_held_polls_of_one_key_leave_room_for_everybody_else(service: Service) -> None:
    flood, other = service.client(service.key()), service.client(service.key(organization="other"))
    job, theirs = job_of(flood), job_of(other)
    polls = Polls(flood, job)
    polls.begin(HELD)
    wait_until(service.state, HELD)
    for _ in range(3):  # answered at once with what is known: to be held is a wish
        beyond = flood.get(f"/jobs/{job}", params={"wait_seconds": 50})
        assert (beyond.status_code, beyond.json()["status"]) == (200, "started")
    assert not polls.answers
    assert other.get("/research-studies").status_code == 200
    mine = Polls(other, theirs)
    mine.begin(2)
    ends = time.monotonic() + 20
    while len(polls.answers) < 2 and time.monotonic() < ends:  # the oldest two make room
        time.sleep(0.005)
    assert [each.json()["status"] for each in polls.answers] == ["started"] * 2
    assert not mine.answers
    service.state.closing.set()
    polls.end()
    mine.end()
    assert {each.status_code for each in polls.answers + mine.answers} == {200}


def test_a_call_that_finds_no_room_takes_that_of_the_oldest_poll_of_its_key(service: Service) -> None:
    key = service.key()
    flood = service.client(key)
    job = job_of(flood)
    polls = Polls(flood, job)
    polls.begin(HELD)
    wait_until(service.state, HELD)
    body = json.dumps(upload_body(data=png(padding=2_000_000))).encode()
    lines = [slow_upload(service, key, body) for _ in range(OPEN_CALLS - HELD)]
    ends = time.monotonic() + 20
    while service.state.admission.calls.total < OPEN_CALLS:
        assert time.monotonic() < ends
        time.sleep(0.005)
    more = flood.get(f"/jobs/{job}")
    assert (more.status_code, more.json()["status"]) == (200, "started")
    while not polls.answers and time.monotonic() < ends:
        time.sleep(0.005)
    assert [each.json()["status"] for each in polls.answers] == ["started"]
    service.state.closing.set()
    polls.end()
    for line in lines:
        line.close()
    assert {each.status_code for each in polls.answers} == {200}


def slow_upload(service: Service, key: str, body: bytes) -> socket.socket:
    """Begin an upload on a line of its own, and send a part of it."""
    place = urlsplit(service.root_url)
    line = socket.create_connection((str(place.hostname), int(place.port or 0)), timeout=20)
    head = f"POST /v1/media-assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
    line.sendall(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode())
    line.sendall(body[: len(body) // 2])
    return line


def test_uploads_that_do_not_go_on_hold_up_nobody(service: Service) -> None:
    key, other = service.key(), service.client(service.key(organization="other"))
    assert service.client(key).get("/media-assets").status_code == 200
    body = json.dumps(upload_body(data=png(padding=2_000_000))).encode()
    lines = [slow_upload(service, key, body) for _ in range(OPEN_CALLS - 1)]
    ends = time.monotonic() + 20
    while service.state.admission.uploads.total < len(lines):
        assert time.monotonic() < ends
        time.sleep(0.005)
    assert other.post("/media-assets", content=body, headers=_JSON).status_code == 201
    assert other.post("/research-groups/recruit", json={"filters": {}, "group_size": 5}).status_code == 201
    for line in lines:
        line.sendall(body[len(body) // 2 :])
    assert all(line.recv(12) == b"HTTP/1.1 201" for line in lines)
    for line in lines:
        line.close()


_JSON = {"Content-Type": "application/json"}


def test_a_large_body_is_in_a_file_while_it_arrives() -> None:
    body = json.dumps({"mime": "x", "file_data": "A" * 3_000_000}).encode()
    with _Body() as whole:
        for start in range(0, len(body), 65_536):
            if whole.add(body[start : start + 65_536]):
                whole.write()
            assert len(whole._end) < _IN_MEMORY
        assert whole.first == body[:16]
        assert whole.parse() == json.loads(body)


def test_a_small_body_needs_no_file() -> None:
    with _Body() as whole:
        assert not whole.add(b'{"mime":')
        assert not whole.add(b'"x"}')
        assert whole.parse() == {"mime": "x"}
        assert whole._file is None
