"""Isolation of organizations: every route is called with every id of another organization."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from everything import Belongings
from fastapi.routing import APIRoute

from endpoints_table import routes, scopes
from media_files import upload_body
from running_service import Service
from voxpop.records.keys import SCOPES
from voxpop.records.schema import metadata

BODIES: dict[str, dict[str, Any]] = {
    "/v1/research-groups/{group_id}/agents/add": {"agent_ids": [1]},
    "/v1/research-groups/{group_id}/agents/remove": {"agent_ids": [1]},
    "/v1/research-groups/{group_id}/agents/replace": {"agent_ids": [1]},
    "/v1/research-groups/{group_id}/update": {"name": "mine"},
    "/v1/research-groups/{group_uuid}/append": {"filters": {}, "group_size": 1},
    "/v1/research-groups/{group_id}/questions": {"question": "Why?"},
    "/v1/research-groups/{group_id}:ask": {"question": "Why?"},
    "/v1/research-groups/{group_id}/people": {"columns": {"age": [1]}},
    "/v1/research-studies/{study_id}/next-wave": {"refresh": 0.5},
    "/v1/research-studies/{study_id}/agents": {"agent_ids": [1]},
    "/v1/research-studies/{study_id}/agents/remove": {"agent_ids": [1]},
    "/v1/research-studies/{study_id}/complete": {"force": True},
    "/v1/research-studies/{study_id}/estimate": {"questions": [{"question": "Why?"}]},
    "/v1/research-studies/{study_id}/questions": {"question": "Why?"},
    "/v1/research-studies/{study_id}/questions/preview": {"question": "Why?"},
    "/v1/research-studies/{study_id}/share": {"enabled": True},
    "/v1/direct-questions/{question_id}/share": {"enabled": True},
    "/v1/research-group-requests/{request_id}/respond": {"answer": "US adults"},
    "/v1/research-study-requests/{request_id}/respond": {"answer": "US adults"},
    "/v1/thesis/{thesis_id}/respond": {"answer": "US adults"},
}
"""What is sent along, so that it is the id and nothing else that is refused."""

ELSEWHERE = {"usage_events", "usage_cycles", "rates", "key_minutes", "organizations", "api_keys"}
"""Tables in which the caller's own doings are told."""


def named(route: APIRoute) -> list[str]:
    return re.findall(r"{(\w+)}", route.path)


WITH_IDS = [route for route in routes() if scopes(route) and set(named(route)) - {"agent_id"}]


@pytest.fixture(scope="module")
def stranger(guarded: Service) -> httpx.Client:
    """A caller of another organization, whose key has every scope."""
    return guarded.client(guarded.key(*SCOPES, organization="other"))


def written(service: Service) -> dict[str, list[Any]]:
    """Return every row of every table that belongs to anybody."""
    with service.state.database.read() as c:
        return {
            name: sorted(map(repr, c.execute(sa.select(table)).all()))
            for name, table in metadata.tables.items()
            if name not in ELSEWHERE
        }


@pytest.mark.parametrize("route", WITH_IDS, ids=lambda route: f"{min(route.methods)} {route.path}")
def test_no_id_of_another_organization_opens_anything(
    guarded: Service, belongings: Belongings, stranger: httpx.Client, route: APIRoute
) -> None:
    before = written(guarded)
    for values in product(*(belongings.ids[name] for name in named(route))):
        path = route.path.format(**dict(zip(named(route), values, strict=True)))
        answer = stranger.request(
            min(route.methods),
            guarded.root_url + path,
            json=BODIES.get(route.path),
            headers={"Idempotency-Key": "theirs"},
        )
        assert answer.status_code == (403 if "/jobs/" in path else 404), answer.text
        told = answer.text.replace(path, "")
        assert not any(word in told for word in ("DROP TABLE", "passwd", "calc", "script"))
    assert written(guarded) == before


def test_no_id_of_another_organization_is_taken_inside_a_body(
    guarded: Service, belongings: Belongings, stranger: httpx.Client
) -> None:
    own = stranger.post("/research-groups/recruit", json={"filters": {}, "group_size": 2}).json()["group"]
    group, asset = belongings.group["uuid"], belongings.asset["id"]
    asked = {"question": "Why?", "attachments": [asset]}
    survey = {"title": "t", "question": "Which?", "answer_options": ["a", "b"]}
    before = written(guarded)
    for path, body, status in (
        ("/research-studies", {"title": "t", "research_group_uuid": group}, 404),
        ("/zeitgeist/surveys/create", survey | {"research_group_uuid": group}, 404),
        (f"/research-groups/{own['id']}/questions", asked, 400),
        (f"/research-groups/{own['id']}/questions", asked | {"attachments": [belongings.asset["uuid"]]}, 400),
        ("/research-agents/1/questions", asked, 400),
    ):
        answer = stranger.post(path, json=body)
        assert answer.status_code == status, (path, answer.text)
    assert written(guarded) == before


def test_lists_hold_ones_own_alone(guarded: Service, belongings: Belongings) -> None:
    newcomer = guarded.client(guarded.key(*SCOPES, organization="newcomer"))
    lists = ("/research-groups", "/research-studies", "/media-assets", "/direct-questions")
    for path in (*lists, "/zeitgeist/surveys", "/billing/invoices"):
        told = newcomer.get(path).json()
        assert [value for value in told.values() if value not in ([], 0, None, False, 1, 25, 50, 100)] == []
    jobs = newcomer.get("/jobs", params={"ids": ",".join(belongings.ids["job_id"])}).json()
    assert jobs == {"jobs": [], "missing": belongings.ids["job_id"]}


def test_the_same_file_of_two_organizations_is_two_files(
    belongings: Belongings, stranger: httpx.Client
) -> None:
    mine = stranger.post("/media-assets", json=upload_body()).json()["media_asset"]
    assert mine["uuid"] != belongings.asset["uuid"]
    assert mine["filename"] != belongings.asset["filename"]
