"""No body holds up the other calls: what is too large or too crowded is refused before it is read."""

from __future__ import annotations

import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator

import httpx
import pytest

from running_service import Service
from voxpop.service.bodies import MOST_VALUES
from voxpop.service.limits import MOST_JSON_BYTES

JSON = {"Content-Type": "application/json"}
LONGEST_PAUSE_S = 2.0
"""Far above what it is: the fullest of these bodies, if they were read, would take a service a minute."""


def longest_pause(service: Service, work: Callable[[], object]) -> float:
    """Return the longest that another caller waits while something is done, in seconds."""
    done, longest = threading.Event(), 0.0

    def look() -> None:
        nonlocal longest
        with httpx.Client(base_url=service.root_url, timeout=60) as other:
            while not done.is_set():
                begun = time.monotonic()
                other.get("/healthz")
                longest = max(longest, time.monotonic() - begun)

    watching = threading.Thread(target=look)
    watching.start()
    work()
    done.set()
    watching.join()
    return longest


def names(count: int) -> bytes:
    return b"{" + b",".join(b'"%x":1' % number for number in range(count)) + b"}"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/research-studies", lambda: names(100_000)),
        ("/agents/find", lambda: b'{"country": [' + b"[]," * 500_000 + b"[]]}"),
        ("/research-groups/create", lambda: b'{"name": "x", "agent_ids": [' + b"1," * 900_000 + b"1]}"),
        (
            "/research-agents/1/questions",
            lambda: b'{"question": "x", "attachments": [' + b"1," * 900_000 + b"1]}",
        ),
        ("/media-assets", lambda: names(1_500_000)),
        ("/media-assets", lambda: b'{"filename": [' + b"[]," * 5_000_000 + b"[]]}"),
    ],
)
def test_a_body_with_too_many_values_is_refused_at_once(
    embedded: Service, caller: httpx.Client, path: str, content: Callable[[], bytes]
) -> None:
    answers: list[httpx.Response] = []
    body = content()

    def send() -> None:
        answers.append(caller.post(path, content=body, headers=JSON))

    assert longest_pause(embedded, send) < LONGEST_PAUSE_S
    assert answers[0].status_code == 400, answers[0].text
    error = answers[0].json()["error"]
    assert error["code"] == "invalid_request"
    assert error["details"]["fields"]["body"] == [
        f"the body has more than {MOST_VALUES:,} commas and brackets"
    ]


def test_an_object_with_more_names_than_any_has_is_refused(caller: httpx.Client) -> None:
    for path in ("/research-studies", "/agents/find", "/media-assets"):
        answer = caller.post(path, content=names(101), headers=JSON)
        assert answer.status_code == 400, answer.text
        assert answer.json()["error"]["details"]["fields"]["body"] == [
            "an object has 101 names; no more than 100 are read"
        ]


@pytest.mark.parametrize("streamed", [False, True])
def test_only_an_upload_may_be_larger_than_two_megabytes(caller: httpx.Client, streamed: bool) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(33):
            yield b" " * (MOST_JSON_BYTES // 32)

    content = pieces() if streamed else b" " * (MOST_JSON_BYTES + 1)
    answer = caller.post("/agents/find", content=content, headers=JSON)
    assert answer.status_code == 413, answer.text
    assert "2,097,152 bytes" in answer.json()["error"]["message"]
    assert caller.post("/media-assets", content=b" " * (MOST_JSON_BYTES + 1), headers=JSON).status_code == 400


@pytest.mark.parametrize(("path", "size"), [("/agents/find", 3_000_000), ("/media-assets", 32_000_000)])
def test_a_client_that_listens_only_after_sending_hears_the_413(
    embedded: Service, path: str, size: int
) -> None:
    headers = JSON | {"Authorization": f"Bearer {embedded.key()}"}
    call = urllib.request.Request(embedded.base_url + path, data=b" " * size, headers=headers)
    with pytest.raises(urllib.error.HTTPError) as caught, urllib.request.urlopen(call, timeout=60):
        pass
    assert caught.value.code == 413
    caught.value.close()


def test_an_endless_body_is_not_read_to_its_end(caller: httpx.Client) -> None:
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(400):
            sent += 1
            yield b" " * 1_000_000

    try:
        answer = caller.post("/agents/find", content=pieces(), headers=JSON)
    except httpx.TransportError:
        pass  # the service hung up, and the system threw its answer away with what was still on the way
    else:
        assert answer.status_code == 413
    assert sent < 400


def test_an_error_is_short_however_long_what_was_sent(caller: httpx.Client) -> None:
    long = "z" * 100_000
    for body in ({"country": long}, {long: "x"}, {"filters": {"occupation": {"any": [long]}}}):
        answer = caller.post("/agents/find", json=body)
        assert answer.status_code == 400, answer.text[:300]
        assert len(answer.content) < 3_000
    answer = caller.post("/research-studies", json={long: "x"})
    assert (answer.status_code, len(answer.content) < 3_000) == (400, True)
    answer = caller.get(
        "/agents/find", params=[("occupation", f"{number:04}{'z' * 50}") for number in range(900)]
    )
    assert (answer.status_code, len(answer.content) < 10_000) == (404, True)


def test_a_filter_value_has_at_most_500_characters(caller: httpx.Client) -> None:
    assert caller.post("/agents/find", json={"state": "z" * 500}).status_code == 404
    answer = caller.post("/agents/find", json={"state": "z" * 501})
    assert answer.status_code == 400
    assert "at most 500 characters, not 501" in answer.json()["error"]["details"]["filters"]["state"][0]
