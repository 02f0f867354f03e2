"""Attacks on the routes of a service, without a key and with a key: none succeeds."""

from __future__ import annotations

import asyncio
import base64
import gzip
import inspect
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from everything import Belongings
from starlette.types import Message

from endpoints_table import routes, scopes
from media_files import png
from running_service import Service
from voxpop import settings
from voxpop.cli import serve as serve_command
from voxpop.cli import worker as worker_command
from voxpop.records import billing, direct_questions, keys, studies
from voxpop.service import server, timeouts
from voxpop.service.payments_local import LocalPayments

JSON = {"Content-Type": "application/json"}
BODIED = [
    route for route in routes() if scopes(route) and "{" not in route.path and min(route.methods) == "POST"
]
MOMENT = datetime(2026, 11, 21, 12, 0, 30, tzinfo=UTC)


@pytest.fixture
def hasty(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Service]:
    """Return a service that waits half a second for a head, and as long for a body."""
    monkeypatch.setattr(timeouts, "HEAD_S", 0.5)
    monkeypatch.setattr(timeouts, "BODY_S", 0.5)
    running = Service(home, tmp_path)
    yield running
    running.close()


@contextmanager
def line_to(service: Service) -> Iterator[socket.socket]:
    place = urlsplit(service.root_url)
    with socket.create_connection((place.hostname, place.port), timeout=20) as line:
        yield line


def heard(line: socket.socket) -> bytes:
    """Return all bytes received until the service closes the connection."""
    told = b""
    try:
        while part := line.recv(65_536):
            told += part
    except ConnectionResetError:
        pass
    return told


# Slow callers


@pytest.mark.parametrize("start", [b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: "])
def test_whoever_does_not_finish_a_head_is_cut_off(hasty: Service, start: bytes) -> None:
    with line_to(hasty) as line:
        line.sendall(start)
        assert heard(line) == b""


def test_a_head_that_drips_is_cut_off_however_often_it_drips(hasty: Service) -> None:
    with line_to(hasty) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n")
        with pytest.raises(OSError):  # noqa: PT011, PT012
            for number in range(100):
                line.sendall(f"X-{number}: x\r\n".encode())
                time.sleep(0.02)
            raise AssertionError("it was listened to for two seconds")


def test_the_second_head_on_a_line_has_no_more_time_than_the_first(hasty: Service) -> None:
    with line_to(hasty) as line:
        line.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        told = b""
        while not told.endswith(b'{"status":"ok"}'):
            told += line.recv(1_000)
        line.sendall(b"GET /livez HT")
        assert heard(line) == b""


def test_a_body_that_does_not_come_is_a_408_and_the_line_is_cut(hasty: Service) -> None:
    head = f"POST /v1/research-studies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {hasty.key()}\r\n"
    with line_to(hasty) as line:
        line.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{{".encode())
        told = heard(line)
    assert told.startswith(b"HTTP/1.1 408 ")
    assert b"request_timeout" in told
    assert b"connection: close" in told.lower()


def test_whoever_takes_no_part_of_an_answer_holds_nobody_up_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(timeouts, "ANSWER_S", 0.05)

    async def never(_: Message) -> None:
        await asyncio.Event().wait()

    part = {"type": "http.response.body", "body": b"x", "more_body": True}
    with pytest.raises(TimeoutError):
        asyncio.run(timeouts.untiring(never)(part))


def test_calls_that_are_held_open_are_not_slow_callers(hasty: Service) -> None:
    http = hasty.client(hasty.key())
    hasty.state.queue.stop(5.0)
    body = {"description": "US adults", "group_size": 5}
    made = http.post("/research-groups:from-description", json=body, headers={"Idempotency-Key": "k"}).json()
    held = http.get(f"/jobs/{made['job']['id']}", params={"wait_seconds": 0.8})
    assert (held.status_code, held.json()["status"]) == (200, "started")


# Crowds and guessers


def test_held_polls_of_an_organization_make_room_for_its_other_calls(home: Path, tmp_path: Path) -> None:
    service = Service(home, tmp_path, open_calls=2)
    try:
        http = service.client(service.key())
        service.state.queue.stop(5.0)
        body, once = {"description": "US adults", "group_size": 5}, {"Idempotency-Key": "k"}
        job = http.post("/research-groups:from-description", json=body, headers=once).json()["job"]["id"]
        held: list[int] = []

        def hold() -> None:
            held.append(http.get(f"/jobs/{job}", params={"wait_seconds": 30}).status_code)

        begun = time.monotonic()
        crowd = [threading.Thread(target=hold) for _ in range(2)]
        for one in crowd:
            one.start()
        while not held and time.monotonic() < begun + 20:
            assert http.get("/research-studies").status_code == 200
        assert held == [200]  # the oldest poll is answered early, and there is room for one call at a time
        service.state.closing.set()
        for one in crowd:
            one.join(20)
        assert held == [200, 200]
    finally:
        service.close()


def test_after_many_unknown_keys_an_address_is_not_heard_but_good_keys_are(
    home: Path, tmp_path: Path
) -> None:
    now = [MOMENT]
    service = Service(home, tmp_path, clock=lambda: now[0], rate_guesses=20)
    try:
        good = service.client(service.key())
        assert good.get("/research-studies").status_code == 200
        guesser = service.client()

        def guess(number: int) -> httpx.Response:
            headers = {"Authorization": f"Bearer vp_live_{number:043}"}
            return guesser.get("/research-studies", headers=headers)

        assert {guess(number).status_code for number in range(20)} == {401}
        answer = guess(20)
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "30")
        form = httpx.post(f"{service.root_url}/direct-questions/x", data={"key": "vp_live_guess"})
        assert form.status_code == 429
        assert good.get("/research-studies").status_code == 200
        now[0] = MOMENT.replace(minute=1)
        assert guess(21).status_code == 401
    finally:
        service.close()


@pytest.mark.parametrize(
    "place", [keys.authenticate, studies.by_token, direct_questions.by_token, LocalPayments.visit]
)
def test_secrets_are_compared_in_constant_time(place: Callable[..., object]) -> None:
    assert "compare_digest" in inspect.getsource(place)


def test_every_secret_has_256_random_bits(guarded: Service, belongings: Belongings) -> None:
    assert len(guarded.key().removeprefix("vp_live_")) == 43
    tokens = [url.rsplit("/", 1)[1] for url in belongings.pages if "/shared/" in url]
    assert [len(token) for token in tokens] == [43, 43]
    assert "token_urlsafe(32)" in inspect.getsource(billing)


# Other sites and other addresses


@pytest.mark.parametrize("method", ["OPTIONS", "GET", "POST", "DELETE"])
def test_no_other_site_may_read_an_answer(guarded: Service, belongings: Belongings, method: str) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for route in routes():
        url = guarded.root_url + route.path.replace("{", "").replace("}", "")
        answer = belongings.http.request(method, url, headers=asked, json={})
        assert [name for name in answer.headers if name.startswith("access-control")] == []
        assert "set-cookie" not in answer.headers
        assert method != "OPTIONS" or answer.status_code == 405


def test_no_address_in_a_call_is_ever_visited(guarded: Service, belongings: Belongings) -> None:
    visited: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as trap:
        trap.settimeout(0.5)
        url = f"http://127.0.0.1:{trap.getsockname()[1]}/latest/meta-data"
        group, http = belongings.group, belongings.http
        for path, body in (
            ("/billing/checkout", {"success_url": url, "cancel_url": url}),
            ("/billing/portal", {"return_url": url}),
            ("/research-agents/1/questions", {"question": url, "attachments": [url]}),
            ("/research-agents/1/questions", {"question": f"What do you think of {url} ?"}),
            (f"/research-groups/{group['id']}/questions", {"question": f"![x]({url})"}),
            ("/media-assets", {"filename": url, "mime": "image/png", "file_data": url}),
            ("/research-group-requests", {"request_text": url, "group_size": 2}),
            ("/thesis:compose-and-recruit", {"raw_input": url}),
        ):
            told = http.post(path, json=body, headers={"Idempotency-Key": path, "Referer": url})
            assert told.status_code < 500
        with suppress(TimeoutError):
            visited.append(trap.accept())
    assert visited == []


def test_by_default_a_service_its_figures_and_a_worker_listen_to_this_machine_alone() -> None:
    for function, name in (
        (serve_command.serve, "host"),
        (serve_command.serve, "metrics_host"),
        (worker_command.worker, "metrics_host"),
        (server.start_server, "host"),
    ):
        assert inspect.signature(function).parameters[name].default == "127.0.0.1"


# Bodies


@pytest.mark.parametrize("route", BODIED, ids=lambda route: route.path)
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 40_000,
        b'{"a":' * 40_000,
        b"[" * 40_000 + b"]" * 40_000,
        b'"' + b"\\u0000" * 1_000,
        b"1" * 100_000,
    ],
    ids=["deep lists", "deep objects", "whole deep lists", "half a text", "a long number"],
)
def test_no_body_is_too_deep_or_too_long_to_be_refused(
    guarded: Service, belongings: Belongings, route: object, body: bytes
) -> None:
    headers = JSON | {"Idempotency-Key": "deep"}
    path = getattr(route, "path", "")
    answer = belongings.http.post(guarded.root_url + path, content=body, headers=headers)
    assert answer.status_code == 400, answer.text[:300]
    assert len(answer.content) < 5_000


def test_compressed_bodies_are_not_unpacked(belongings: Belongings) -> None:
    bomb = gzip.compress(b'{"title": "' + b"a" * 20_000_000 + b'"}')
    assert len(bomb) < 30_000
    for coding in ("gzip", "deflate", "br"):
        answer = belongings.http.post(
            "/research-studies", content=bomb, headers=JSON | {"Content-Encoding": coding}
        )
        assert answer.status_code in (400, 415), answer.text


def test_a_picture_that_would_unpack_to_a_terabyte_is_kept_as_the_bytes_it_is(
    belongings: Belongings,
) -> None:
    bomb = png(2_000, 2_000)
    assert len(bomb) < 10_000
    body = {"filename": "bomb.png", "mime": "image/png", "file_data": base64.b64encode(bomb).decode()}
    made = belongings.http.post("/media-assets", json=body)
    assert made.status_code in (200, 201)
    assert made.json()["media_asset"]["bytes"] == len(bomb)


# Secrets


def test_settings_and_callers_show_no_secret_in_their_repr(guarded: Service) -> None:
    environ = {
        "VOXPOP_PAYMENTS": "stripe",
        "VOXPOP_STRIPE_KEY": "sk_live_secret",
        "VOXPOP_STRIPE_PRICE": "price_1",
        "VOXPOP_ENGINE": "openai:gpt-x",
        "OPENAI_API_KEY": "sk-secret",
        "VOXPOP_API_KEY": "vp_live_secret",
    }
    made = settings.ServiceSettings.from_environment(environ)
    told = repr(made) + str(made) + repr(settings.ClientSettings.from_environment(environ))
    assert "secret" not in told
    key = guarded.key()
    with guarded.state.database.read() as c:
        assert key not in repr(keys.authenticate(c, key)) + repr(keys.list_keys(c))
        assert key.encode() not in Path(str(c.engine.url.database)).read_bytes()
