"""Making a client, what it shows of itself, and closing it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from scripted_service import Script

from voxpop.client import Client
from voxpop.errors import ConnectionFailed, UsageError


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def client(script: Script) -> Iterator[Client]:
    with script.client() as made:
        yield made


@pytest.mark.parametrize(
    "given", ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/", " http://h:1 "]
)
def test_the_address_may_have_its_version_or_not(given: str, script: Script) -> None:
    with Client(given, script.key) as client:
        assert (client.base_url, client.root_url) == ("http://h:1/v1", "http://h:1")


@pytest.mark.parametrize("given", ["", "localhost:8000", "ftp://h/v1", "http://", "http://h/v1?x=1", None])
def test_other_addresses_are_refused(given: Any, script: Script) -> None:
    with pytest.raises(UsageError, match="base_url must"):
        Client(given, script.key)


def test_a_password_in_the_address_is_refused_without_showing_it(script: Script) -> None:
    with pytest.raises(UsageError, match="user name or password") as caught:
        Client("http://me:s3cret@h/v1", script.key)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("key", ["", "   ", None, "vp_live_\nabc", "vp_live_ключ"])
def test_keys_that_cannot_be_keys_are_refused_without_showing_them(key: Any) -> None:
    with pytest.raises(UsageError, match="api_key") as caught:
        Client("http://h", key)
    assert "vp_live" not in str(caught.value)


@pytest.mark.parametrize("options", [{"timeout": 0}, {"retries": -1}, {"retries": 1.5}])
def test_options_out_of_range_are_refused(options: Any, script: Script) -> None:
    with pytest.raises(UsageError, match=next(iter(options))):
        Client("http://h", script.key, **options)


def test_it_shows_its_address_and_the_last_four_characters_of_the_key(client: Client, script: Script) -> None:
    assert repr(client) == "<voxpop.Client http://service.test/v1, key …a1b2>"
    assert "http://service.test/v1" in client._repr_html_()
    shown = repr(client) + client._repr_html_() + repr(vars(client)) + repr(vars(client.jobs))
    assert script.key not in shown


@pytest.mark.parametrize("taken", [copy.deepcopy, pickle.dumps])
def test_a_client_cannot_be_copied_or_pickled_with_its_key(client: Client, taken: Any) -> None:
    with pytest.raises(UsageError, match="make a new one"):
        taken(client)


def test_every_call_carries_the_key_and_json(client: Client, script: Script) -> None:
    script.on("POST", "/research-studies/1/share", {"enabled": True})
    client.studies.share(1)
    headers = script.calls[0].headers
    assert headers["Authorization"] == f"Bearer {script.key}"
    assert headers["Content-Type"] == headers["Accept"] == "application/json"


def test_closing_does_what_was_left_for_it_once(script: Script) -> None:
    done: list[int] = []
    client = script.client()
    client.on_close(lambda: done.append(1))
    client.close()
    client.close()
    assert done == [1]


def test_the_health_page_needs_no_key_and_may_be_missing() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return (
            httpx.Response(200, json={"status": "ok", "version": "9"})
            if len(seen) == 1
            else httpx.Response(404)
        )

    with Client("http://h", "vp_live_0123456789", transport=httpx.MockTransport(answer)) as client:
        assert client.about()["version"] == "9"
        assert client.about() == {}
    assert (seen[0].url.path, "Authorization" in seen[0].headers) == ("/healthz", False)


def test_a_shared_page_is_read_without_the_key_and_its_link_stays_out_of_errors() -> None:
    link = "http://h/shared/" + "s" * 43
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if len(seen) > 1:
            raise httpx.ReadTimeout("slow")
        return httpx.Response(200, html="<h1>Snacks</h1>")

    with Client("http://h", "vp_live_0123456789", transport=httpx.MockTransport(answer), retries=0) as client:
        assert client.fetch_shared(link) == b"<h1>Snacks</h1>"
        with pytest.raises(ConnectionFailed) as caught:
            client.fetch_shared(link)
        with pytest.raises(UsageError, match="share link"):
            client.fetch_shared("snacks")
    assert "Authorization" not in seen[0].headers
    assert "sss" not in str(caught.value)
