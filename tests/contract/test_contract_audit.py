"""The audit log as an organization reads it, and as an operator does: issue 20, item 22."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from running_service import Service, ask, new_study, recruit
from voxpop.client import Client
from voxpop.errors import Forbidden, UsageError
from voxpop.wire.audit import AuditEntry, AuditLog

PATH = "/organization/audit-log"
SCOPES = ("studies:read", "studies:write", "audit:read", "billing:read", "billing:write")
SECRET = "Do you drink Zyzzyva Cola in secret?"


@pytest.fixture
def organization() -> str:
    return f"audited {uuid4().hex}"


@pytest.fixture
def key(service: Service, organization: str) -> str:
    return service.key(*SCOPES, organization=organization)


@pytest.fixture
def own(service: Service, key: str) -> httpx.Client:
    return service.client(key)


@pytest.fixture
def client(service: Service, key: str) -> Iterator[Client]:
    with Client(service.base_url, key) as made:
        yield made


def settled(read: Callable[[], list[Any]], count: int) -> list[Any]:
    """Read until so many entries are there: on a server they wait for transactions that began before."""
    for _ in range(200):
        found = read()
        if len(found) >= count:
            return found
        time.sleep(0.05)
    return read()


def test_what_was_done_is_told_in_order_without_words_or_secrets(
    own: httpx.Client, key: str, client: Client
) -> None:
    study = new_study(own, 3)
    ask(own, study, SECRET)
    link = own.post(f"/research-studies/{study['id']}/share", json={"enabled": True}).json()["url"]
    own.post(f"/research-studies/{study['id']}/share", json={"enabled": False})
    own.get(f"/research-studies/{study['id']}/answers")
    own.get(f"/research-studies/{study['id']}/agents")
    own.get(f"/research-studies/{study['id']}/questions")
    own.get(f"/research-studies/{study['id']}/questions", params={"answers": "false"})
    own.post("/research-studies", json={"title": ""})  # fails, so it has no entry
    entries = settled(lambda: [*client.audit.list()], 10)
    assert [entry.action for entry in entries] == [
        "organization.create",
        "key.create",
        "group.recruit",
        "study.create",
        "question.ask",
        "study.share",
        "study.unshare",
        "study.read_answers",
        "study.read_agents",
        "study.read_answers",
    ]
    assert [entry.quantity for entry in entries[2:5]] == [3, 3, 3]
    assert {entry.key_prefix for entry in entries[2:]} == {key[:16]}
    assert (entries[0].actor, entries[2].actor) == ("command line", "key")
    assert entries[5].object_kind == "study"
    assert entries[5].object_id == str(study["id"])
    assert entries[5].request_id.startswith("req_")
    told = own.get(PATH, params={"limit": 500}).text
    assert key not in told
    assert link.rpartition("/")[2] not in told
    assert "Zyzzyva" not in told


def test_pages_go_on_after_the_last_entry(own: httpx.Client, client: Client) -> None:
    for _ in range(3):
        recruit(own, 1)
    settled(lambda: [*client.audit.list()], 5)
    first = AuditLog.model_validate(own.get(PATH, params={"limit": 2}).json())
    rest = AuditLog.model_validate(own.get(PATH, params={"limit": 500, "after": first.next_after}).json())
    assert (len(first.entries), first.limit, len(rest.entries), rest.next_after) == (2, 2, 3, None)
    later = [entry.id for entry in client.audit.list(after=first.entries[-1].id)]
    assert later == [entry.id for entry in rest.entries]
    frame = client.audit.frame()
    assert list(frame.columns) == list(AuditEntry.model_fields)
    assert frame["action"].tolist() == ["organization.create", "key.create", *["group.recruit"] * 3]
    assert str(frame["at"].dt.tz) == "UTC"
    assert client.audit.frame(after=10**12).empty
    with pytest.raises(UsageError, match="after"):
        next(client.audit.list(after=-1))


@pytest.mark.parametrize("params", [{"limit": 0}, {"limit": 501}, {"after": -1}, {"after": "x"}])
def test_pages_are_bounded(own: httpx.Client, params: dict[str, Any]) -> None:
    assert own.get(PATH, params=params).status_code == 400


def test_other_organizations_and_other_scopes_see_nothing(
    service: Service, own: httpx.Client, stranger: httpx.Client
) -> None:
    recruit(own, 1)
    other = service.client(service.key("audit:read", organization=f"other {uuid4().hex}"))
    assert {entry["action"] for entry in other.get(PATH).json()["entries"]} <= {
        "organization.create",
        "key.create",
    }
    key = stranger.headers["Authorization"].removeprefix("Bearer ")
    with Client(service.base_url, key) as made, pytest.raises(Forbidden, match="audit:read"):
        next(made.audit.list())


def test_pages_of_payments_are_told_as_done_by_link(own: httpx.Client, client: Client) -> None:
    urls = {"success_url": "https://shop.example/ok", "cancel_url": "https://shop.example/no"}
    page = own.post("/billing/checkout", json=urls).json()["checkout"]["url"]
    for _ in range(2):
        httpx.post(f"{page}/confirm")
    portal = own.post("/billing/portal", json={"return_url": "https://shop.example/"}).json()["portal"]["url"]
    httpx.post(f"{portal}/cancel")
    httpx.post(f"{portal}/resume")
    entries = settled(lambda: [*client.audit.list()], 7)[2:]
    assert [(entry.actor, entry.action) for entry in entries] == [
        ("key", "billing.checkout"),
        ("link", "billing.subscribe"),
        ("key", "billing.portal"),
        ("link", "billing.cancel"),
        ("link", "billing.resume"),
    ]
    assert page.rpartition("/")[2] not in json.dumps([entry.model_dump(mode="json") for entry in entries])
