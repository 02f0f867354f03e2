"""Links begin with the service's own address, whatever a caller writes into its headers: contract 14."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from everything import Belongings, own_everything

from running_service import Service, recruit
from voxpop.errors import UsageError
from voxpop.records.keys import SCOPES
from voxpop.settings import ServiceSettings

PUBLIC = "https://research.example.org/panel"
HOSTILE = {
    "Host": "evil.example:1",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "javascript",
    "X-Forwarded-Prefix": "/evil",
    "X-Forwarded-Port": "666",
    "X-Original-Host": "evil.example",
    "Forwarded": "host=evil.example;proto=gopher",
}
PLACES = (
    "/research-groups",
    "/research-groups/{group_id}",
    "/research-studies",
    "/research-studies/{study_id}",
    "/research-studies/{study_id}/share",
    "/direct-questions",
    "/direct-questions/{question_id}",
    "/direct-questions/{question_id}/share",
    "/zeitgeist/surveys",
    "/zeitgeist/surveys/{survey_id}",
    "/zeitgeist/surveys/{survey_id}/results",
    "/research-group-requests/{request_id}",
    "/organization/operations/{operation_id}",
    "/thesis/{thesis_id}",
    "/thesis/{thesis_id}/state",
    "/jobs/{job_id}",
)
NAMES = re.compile(r"(^|_)(url|link)$")
PATHS = {"status_url", "poll_url", "resource_url", "operation_url", "state_url"}
"""Links to be read under the address that the caller called: paths, which hold no host."""
URLS = {"success_url": "https://shop.example/ok", "cancel_url": "https://shop.example/no"}


def links(data: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Give every link in an answer with the name of its field."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from links(value, key)
    elif isinstance(data, list):
        for value in data:
            yield from links(value, name)
    elif isinstance(data, str) and NAMES.search(name):
        yield name, data


def check(answer: httpx.Response, root: str) -> list[str]:
    """Look at every link of an answer and return the names of their fields."""
    assert answer.is_success, answer.text
    assert "evil" not in answer.text
    found = list(links(answer.json()))
    for name, link in found:
        assert link.startswith("/v1/" if name in PATHS else f"{root}/"), (name, link)
    return [name for name, _ in found]


def links_of(service: Service, own: Belongings, root: str) -> set[str]:
    """Create and read every object with hostile headers; return the names of the fields with links."""
    http, seen = own.http, []
    named = {name: ids[0] for name, ids in own.ids.items()}
    named["job_id"] = own.ids["job_id"][1]  # one that is part of an operation
    for place in PLACES:
        seen += check(http.get(place.format(**named), headers=HOSTILE), root)
    group, study = named["group_id"], named["study_id"]
    once = {**HOSTILE, "Idempotency-Key": uuid4().hex}
    audience = {"name": "g", "filters": {}, "group_size": 2}
    sent: list[tuple[str, dict[str, Any], dict[str, str]]] = [
        ("/research-groups/recruit", audience, HOSTILE),
        ("/research-groups/interview", {"objective": "Why?", "filters": {}, "group_size": 2}, HOSTILE),
        (f"/research-groups/{own.ids['group_uuid'][0]}/append", {"filters": {}, "group_size": 1}, HOSTILE),
        ("/research-studies", {"title": "t", "research_group_uuid": own.ids["group_uuid"][0]}, HOSTILE),
        (f"/research-groups/{group}/questions", {"question": "Why?"}, HOSTILE),
        (f"/research-groups/{group}:ask", {"question": "Why?"}, once),
        ("/research-agents/1/questions", {"question": "Why?"}, HOSTILE),
        (f"/research-studies/{study}/share", {"enabled": True}, HOSTILE),
        (f"/direct-questions/{named['question_id']}/share", {"enabled": True}, HOSTILE),
    ]
    for path, body, headers in sent:
        seen += check(http.post(path, json=body, headers=headers), root)
    opened = http.post("/billing/checkout", json=URLS, headers=HOSTILE)
    seen += check(opened, root)
    page = opened.json()["checkout"]["url"].removeprefix(root)
    assert httpx.post(f"{service.root_url}{page}/confirm").status_code == 303
    portal = {"return_url": "https://shop.example/"}
    seen += check(http.post("/billing/portal", json=portal, headers=HOSTILE), root)
    return set(seen)


WANTED = {
    "url",
    "share_link",
    "question_url",
    "web_url",
    "status_url",
    "poll_url",
    "resource_url",
    "operation_url",
}


def test_links_begin_with_the_address_that_the_service_listens_on(
    guarded: Service, belongings: Belongings
) -> None:
    assert links_of(guarded, belongings, guarded.root_url) >= WANTED


def test_links_begin_with_the_public_address_where_there_is_one(home: Path, tmp_path: Path) -> None:
    service = Service(home, tmp_path, public_url=PUBLIC)
    try:
        http = service.client(service.key(*SCOPES))
        own = own_everything(service, http)
        assert links_of(service, own, PUBLIC) >= WANTED
        assert all(page.startswith((f"{PUBLIC}/shared/", service.root_url)) for page in own.pages)
    finally:
        service.close()


def test_pages_hold_no_host_of_the_caller(guarded: Service, belongings: Belongings) -> None:
    key = belongings.http.headers["Authorization"]
    for page in belongings.pages:
        for accept in ("text/html", "application/json"):
            shown = httpx.get(page, headers={**HOSTILE, "Accept": accept, "Authorization": key})
            assert "evil.example" not in shown.text


def test_a_stored_answer_has_no_link_of_the_caller_either(guarded: Service, belongings: Belongings) -> None:
    body = {"name": "g", "filters": {}, "group_size": 2}
    key = {"Idempotency-Key": uuid4().hex}
    belongings.http.post("/research-groups/recruit", json=body, headers=HOSTILE | key)
    check(belongings.http.post("/research-groups/recruit", json=body, headers=key), guarded.root_url)
    assert recruit(belongings.http, 2)["group"]["url"].startswith(guarded.root_url)


def test_the_button_of_a_page_listens_to_no_host_of_the_caller(guarded: Service) -> None:
    http = guarded.client(guarded.key("billing:write", organization="buttons"))
    page = http.post("/billing/checkout", json=URLS).json()["checkout"]["url"]
    foreign = {"Host": "evil.example", "Origin": "http://evil.example"}
    assert httpx.post(f"{page}/confirm", headers=foreign).status_code == 403
    assert httpx.post(f"{page}/confirm", headers={"Origin": guarded.root_url}).status_code == 303


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("", None),
        ("https://voxpop.example", "https://voxpop.example"),
        (" https://voxpop.example/ ", "https://voxpop.example"),
        ("http://10.0.0.1:8321/panel/", "http://10.0.0.1:8321/panel"),
        ("http://[::1]:8321", "http://[::1]:8321"),
    ],
)
def test_the_public_address_is_read(given: str, read: str | None) -> None:
    assert ServiceSettings.from_environment({"VOXPOP_PUBLIC_URL": given}).public_url == read
    assert ServiceSettings.from_environment({}, public_url=given).public_url == read


@pytest.mark.parametrize(
    "given",
    [
        "voxpop.example",
        "ftp://voxpop.example",
        "//voxpop.example",
        "https://me:secret@voxpop.example",
        "https://voxpop.example?x=1",
        "https://voxpop.example/#a",
        "https://voxpop.example/<script>",
        "https://voxpop.example:99999",
        "https://voxpop.example:0",
        "https://",
        "https://vox pop.example",
        "javascript:alert(1)",
    ],
)
def test_a_public_address_that_can_begin_no_link_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="VOXPOP_PUBLIC_URL must be"):
        ServiceSettings.from_environment({"VOXPOP_PUBLIC_URL": given})
