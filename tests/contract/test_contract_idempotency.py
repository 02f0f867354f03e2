"""Idempotency keys and the audit log on every route that changes something: contract 14, issue 20."""

from __future__ import annotations

import re
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
import sqlalchemy as sa
from fastapi.routing import APIRoute
from writing_calls import CALLS, ONCE, Maker, name, writing_routes

from running_service import Service, ask, finish, new_study
from voxpop.records import audit, idempotency
from voxpop.records.schema import (
    audit_log,
    group_members,
    idempotency_keys,
    media_assets,
    operations,
    questions,
    study_agents,
    usage_events,
)
from voxpop.records.schema import groups as groups_table
from voxpop.records.schema import jobs as jobs_table
from voxpop.records.schema import studies as studies_table
from voxpop.service import writing

ROUTES = writing_routes()
KEY = "Idempotency-Key"
EFFECTS = (
    groups_table,
    group_members,
    studies_table,
    study_agents,
    questions,
    jobs_table,
    operations,
    usage_events,
    media_assets,
    audit_log,
)
"""Tables in which the calls of :data:`CALLS` leave their effects, one way or another."""


def send(http: httpx.Client, method: str, path: str, body: Any, key: str | None) -> httpx.Response:
    headers = {} if key is None else {KEY: key}
    return (
        http.request(method, path, json=body, headers=headers)
        if body is not None
        else http.request(method, path, headers=headers)
    )


def effects(service: Service) -> dict[str, int]:
    """Count what there is."""
    with service.state.database.read() as c:
        return {
            table.name: c.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in EFFECTS
        }


def quiet(service: Service) -> None:
    """Wait until no job is open: what goes on in the background is not counted as an effect of a call."""
    waiting = sa.select(sa.func.count()).select_from(jobs_table).where(jobs_table.c.status == "started")
    for _ in range(600):
        with service.state.database.read() as c:
            if not c.execute(waiting).scalar_one():
                return
        threading.Event().wait(0.05)
    raise AssertionError("Jobs are still open after half a minute.")


def test_every_route_that_changes_something_has_a_call_here() -> None:
    assert set(CALLS) == {name(route) for route in ROUTES}


@pytest.mark.parametrize("route", ROUTES, ids=name)
def test_a_repeated_call_gives_its_first_answer_and_leaves_one_audit_entry(
    service: Service, route: APIRoute
) -> None:
    method = min(route.methods)
    maker = Maker(service)
    path, body = CALLS[name(route)](maker)
    key = uuid4().hex
    first = send(maker.http, method, path, body, key)
    assert first.is_success, first.text
    assert writing.REPLAYED not in first.headers
    quiet(service)
    before = effects(service)
    turned = dict(reversed(body.items())) if body and "file_data" not in body else body
    again = send(maker.http, method, path, turned, key)
    assert (again.status_code, again.headers[writing.REPLAYED]) == (first.status_code, "true")
    if route.path in ONCE:
        assert again.json()["operation"]["id"] == first.json()["operation"]["id"]
    else:
        assert again.content == first.content
        assert again.headers.get("content-type") == first.headers.get("content-type")
    elsewhere = {"filters": {}, "group_size": 7}
    refusals = [send(maker.http, "POST", "/research-groups/recruit", elsewhere, key)]
    if body:
        refusals.append(send(maker.http, method, path, body | _changed(body), key))
    for refused in refusals:
        assert refused.status_code == 409, refused.text
        assert refused.json()["error"]["code"] == "idempotency_key_conflict"
    assert effects(service) == before
    _assert_logged(service, maker.http, first, route)


def _assert_logged(service: Service, http: httpx.Client, done: httpx.Response, route: APIRoute) -> None:
    """Look for the one entry of a call: it names the key, the object and the call."""
    with service.state.database.read() as c:
        entries = [one for _, one in audit.list_all(c) if one.request_id == done.headers["x-request-id"]]
    (entry,) = entries
    key = http.headers["Authorization"].removeprefix("Bearer ")
    assert (entry.actor, entry.key_prefix, entry.outcome) == ("key", key[:16], "done")
    assert entry.action.partition(".")[2]
    assert entry.object_kind
    assert entry.object_id is not None or route.path == "/v1/billing/portal"


_TEXTS = {"question", "title", "name", "answer", "filename", "success_url", "return_url", "raw_input"}


def _changed(body: dict[str, Any]) -> dict[str, Any]:
    """Return a field of a body with another value that can be used too."""
    for field, value in body.items():
        if isinstance(value, bool):
            return {field: not value}
        if isinstance(value, int):
            return {field: value + 5}
        if field in (
            "question",
            "title",
            "name",
            "answer",
            "filename",
            "success_url",
            "return_url",
            "raw_input",
        ):
            return {field: f"{value}x"}
        if field == "agent_ids":
            return {field: [9]}
        if field == "steps":
            return {field: ["overall_summary"]}
    raise AssertionError(f"No field of {body} is known how to change.")


@pytest.mark.parametrize("route", ROUTES, ids=name)
def test_a_key_that_is_none_is_refused(anybody: httpx.Client, route: APIRoute) -> None:
    path = re.sub(r"{[a-z_]+}", "1", route.path).removeprefix("/v1")
    for key in ("", "k" * 256, "tab\there"):
        answer = send(anybody, min(route.methods), path, {}, key)
        assert answer.status_code == 400, answer.text
        assert KEY in answer.json()["error"]["details"]["fields"]


@pytest.fixture(scope="module")
def anybody(service: Service) -> httpx.Client:
    return service.client(service.key("studies:write", "free:ask", "billing:write"))


def test_what_failed_is_not_kept_so_it_can_be_sent_again(service: Service) -> None:
    maker, key = Maker(service), uuid4().hex
    place = f"/research-studies/{maker.study()['id']}/questions"
    first = send(maker.http, "POST", place, {"question": "Which?", "attachments": [10**9]}, key)
    assert first.status_code == 400
    good = send(maker.http, "POST", place, {"question": "Do you smoke?"}, key)
    assert good.status_code == 202, good.text
    assert writing.REPLAYED not in good.headers


def test_twenty_at_once_ask_one_question(service: Service) -> None:
    maker, key = Maker(service), uuid4().hex
    study = maker.study()
    own = maker.http.headers["Authorization"].removeprefix("Bearer ")
    callers = [service.client(own) for _ in range(20)]
    together, answers = threading.Barrier(20), []

    def call(http: httpx.Client) -> None:
        together.wait()
        place = f"/research-studies/{study['id']}/questions"
        answers.append(send(http, "POST", place, {"question": "Do you smoke?"}, key))

    threads = [threading.Thread(target=call, args=(each,)) for each in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.content for answer in answers}) == 1
    assert sum(writing.REPLAYED in answer.headers for answer in answers) == 19
    finish(maker.http, answers[0].json()["job_ids"])
    assert maker.http.get(f"/research-studies/{study['id']}").json()["study"]["question_count"] == 1
    assert maker.http.get("/billing/usage").json()["quota"]["used"] == 3


def test_a_crash_between_effect_and_stored_answer_leaves_neither(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker, key = Maker(service), uuid4().hex
    study = maker.study()
    place = f"/research-studies/{study['id']}/questions"

    def dies(*_: Any) -> None:
        raise SystemError("the process dies here")

    before = effects(service)
    for part, where in (("keep", idempotency), ("write", audit)):
        with monkeypatch.context() as patched:
            patched.setattr(where, part, dies)
            answer = send(maker.http, "POST", place, {"question": "Do you smoke?"}, key)
            assert answer.status_code == 500
        assert effects(service) == before
    good = send(maker.http, "POST", place, {"question": "Do you smoke?"}, key)
    assert (good.status_code, writing.REPLAYED in good.headers) == (202, False)


def test_a_sync_request_is_held_again_and_is_the_same_request(service: Service) -> None:
    maker, key = Maker(service), uuid4().hex
    body = {"request_text": "US adults", "group_size": 3, "response_mode": "sync"}
    first = send(maker.http, "POST", "/research-group-requests", body, key)
    again = send(maker.http, "POST", "/research-group-requests", body, key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again.headers[writing.REPLAYED] == "true"


def test_a_key_is_free_again_after_a_day_and_swept(home: Path, tmp_path: Path) -> None:
    moment = [datetime(2026, 11, 23, tzinfo=UTC)]
    service = Service(home, tmp_path, clock=lambda: moment[0])
    try:
        http = service.client(service.key())
        body = {"name": "a", "filters": {}, "group_size": 2}
        first = send(http, "POST", "/research-groups/recruit", body, "k")
        moment[0] += timedelta(hours=23, minutes=59)
        again = send(http, "POST", "/research-groups/recruit", body, "k")
        assert again.content == first.content
        moment[0] += timedelta(minutes=2)
        other = send(http, "POST", "/research-groups/recruit", body | {"name": "b"}, "k")
        assert (other.status_code, writing.REPLAYED in other.headers) == (201, False)
        moment[0] += timedelta(days=2)
        with service.state.database.begin() as c:
            assert idempotency.sweep(c) == 1
            assert c.execute(sa.select(sa.func.count()).select_from(idempotency_keys)).scalar_one() == 0
    finally:
        service.close()


def test_an_answer_too_large_to_keep_is_a_conflict_and_does_nothing_twice(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "LARGEST_ANSWER", 10)
    maker, key = Maker(service), uuid4().hex
    body = {"name": "g", "filters": {}, "group_size": 2}
    assert send(maker.http, "POST", "/research-groups/recruit", body, key).status_code == 201
    again = send(maker.http, "POST", "/research-groups/recruit", body, key)
    assert (again.status_code, again.json()["error"]["details"]) == (409, {"status": "done"})
    assert maker.http.get("/research-groups").json()["total"] == 1


def test_agents_of_a_stored_answer_are_kept_by_number(service: Service) -> None:
    maker, key = Maker(service), uuid4().hex
    body = {"name": '{"$agents":[1]}', "filters": {}, "group_size": 500}
    first = send(maker.http, "POST", "/research-groups/recruit", body, key)
    assert len(first.json()["recruited_agents"]) == 500
    assert first.json()["group"]["name"] == body["name"]
    with service.state.database.read() as c:
        kept = c.execute(sa.select(idempotency_keys.c.body).where(idempotency_keys.c.key == key)).scalar_one()
    assert len(kept) < 5_000 < len(first.content)
    assert send(maker.http, "POST", "/research-groups/recruit", body, key).content == first.content


def test_every_answer_says_how_long_keys_are_kept(http: httpx.Client) -> None:
    assert http.get("/research-studies").headers["idempotency-hours"] == "24"


def test_without_a_key_every_call_is_another(http: httpx.Client) -> None:
    study = new_study(http, 2)
    numbers = {ask(http, study, "Do you smoke?")["question_id"] for _ in range(2)}
    assert len(numbers) == 2
