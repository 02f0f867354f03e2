"""One call for every route that changes something, with what has to be there before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import httpx
from fastapi.routing import APIRoute

from endpoints_table import routes
from media_files import upload_body
from running_service import Service, ask, fail_one, finish, new_study, recruit
from voxpop.service.auth import KeyedRoute

Made = tuple[str, dict[str, Any] | None]
"""Path under ``/v1`` and body of a call."""

USA = {"country": "USA"}
WAITING = "men"
URLS = {"success_url": "https://shop.example/ok", "cancel_url": "https://shop.example/no"}
UNCLEAR_THESIS = "Something will change soon"
ONCE = {
    "/v1/research-groups/{group_id}:ask",
    "/v1/research-groups:from-description",
    "/v1/research-study-requests",
    "/v1/thesis:compose-and-recruit",
    "/v1/free/questions",
}
"""The one-call endpoints: they have to have a key, and tell how their job stands when they are repeated."""


def writing_routes() -> list[APIRoute]:
    """Return every route of the app's own table that changes something."""
    return [route for route in routes() if isinstance(route, KeyedRoute) and route.writes]


def name(route: APIRoute) -> str:
    """Return what a route is called in :data:`CALLS`."""
    return f"{min(route.methods)} {route.path}"


class Maker:
    """Makes what the calls need, for one caller of one service."""

    def __init__(self, service: Service) -> None:
        self.service = service
        scopes = ("studies:read", "studies:write", "billing:read", "billing:write", "free:ask", "audit:read")
        self.http = service.client(service.key(*scopes, organization=f"caller {uuid4().hex}"))

    def once(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.http.post(path, json=body, headers={"Idempotency-Key": uuid4().hex})
        assert answer.status_code == 202, answer.text
        return dict(answer.json())

    def group(self) -> dict[str, Any]:
        return dict(recruit(self.http, 3)["group"])

    def study(self) -> dict[str, Any]:
        return new_study(self.http, 3)

    def asked(self) -> tuple[dict[str, Any], dict[str, Any]]:
        study = self.study()
        return study, ask(self.http, study, "Do you smoke?")

    def failed(self) -> Made:
        study, asked = self.asked()
        fail_one(self.service, asked["question_id"])
        return f"/research-studies/{study['id']}/questions/{asked['question_id']}/retry", {}

    def failed_job(self) -> Made:
        _, asked = self.asked()
        return f"/jobs/{fail_one(self.service, asked['question_id']).job_id}/retry", None

    def direct(self) -> int:
        path = f"/research-groups/{self.group()['id']}/questions"
        asked = self.http.post(path, json={"question": "Do you smoke?"}).json()
        finish(self.http, asked["job_ids"])
        return int(asked["question_id"])

    def waiting_request(self) -> str:
        body = {"request_text": WAITING, "group_size": 3, "response_mode": "sync"}
        made = self.http.post("/research-group-requests", json=body).json()
        assert made["request"]["status"] == "needs_clarification", made
        return str(made["request"]["id"])

    def waiting_study_request(self) -> str:
        body = {"request_text": WAITING, "group_size": 3, "questions": ["Do you smoke?"], "wait_seconds": 60}
        made = self.once("/research-study-requests", body)
        assert made["request"]["status"] == "needs_clarification", made
        return str(made["request"]["id"])

    def waiting_thesis(self) -> int:
        made = self.once("/thesis:compose-and-recruit", {"raw_input": UNCLEAR_THESIS, "wait_seconds": 60})
        assert made["operation"]["status"] == "needs_clarification", made
        return int(made["thesis"]["id"])

    def survey_body(self) -> dict[str, Any]:
        return {
            "title": "Snacks",
            "question": "Which one?",
            "research_group_uuid": self.group()["uuid"],
            "answer_options": ["Chips", "Nuts"],
        }

    def survey(self) -> int:
        made = self.http.post("/zeitgeist/surveys/create", json=self.survey_body()).json()
        finish(self.http, [made["job_id"]])
        return int(made["survey"]["id"])

    def subscribed(self) -> None:
        page = self.http.post("/billing/checkout", json=URLS).json()["checkout"]["url"]
        assert httpx.post(f"{page}/confirm").status_code == 303


CALLS: dict[str, Callable[[Maker], Made]] = {
    "POST /v1/research-groups/recruit": lambda of: (
        "/research-groups/recruit",
        {"name": "g", "filters": USA, "group_size": 3},
    ),
    "POST /v1/research-groups/interview": lambda of: (
        "/research-groups/interview",
        {"objective": "Who switches?", "filters": USA, "group_size": 3},
    ),
    "POST /v1/research-groups/create": lambda of: (
        "/research-groups/create",
        {"name": "g", "agent_ids": [3, 1, 2]},
    ),
    "POST /v1/research-groups/{group_id}/update": lambda of: (
        f"/research-groups/{of.group()['id']}/update",
        {"name": "other"},
    ),
    "DELETE /v1/research-groups/{group_id}": lambda of: (f"/research-groups/{of.group()['id']}", None),
    "POST /v1/research-groups/{group_uuid}/append": lambda of: (
        f"/research-groups/{of.group()['uuid']}/append",
        {"filters": USA, "group_size": 2},
    ),
    "POST /v1/research-groups/{group_id}/agents/add": lambda of: (
        f"/research-groups/{of.group()['id']}/agents/add",
        {"agent_ids": [1, 2, 3, 4]},
    ),
    "POST /v1/research-groups/{group_id}/agents/remove": lambda of: (
        (path := f"/research-groups/{of.group()['id']}") + "/agents/remove",
        {"agent_ids": [of.http.get(path).json()["agents"][0]["id"]]},
    ),
    "POST /v1/research-groups/{group_id}/agents/replace": lambda of: (
        (path := f"/research-groups/{of.group()['id']}") + "/agents/replace",
        {"agent_ids": [of.http.get(path).json()["agents"][0]["id"]]},
    ),
    "POST /v1/research-groups/{group_id}/questions": lambda of: (
        f"/research-groups/{of.group()['id']}/questions",
        {"question": "Do you smoke?"},
    ),
    "POST /v1/research-groups/{group_id}:ask": lambda of: (
        f"/research-groups/{of.group()['id']}:ask",
        {"question": "Do you smoke?"},
    ),
    "POST /v1/research-agents/{agent_id}/questions": lambda of: (
        "/research-agents/1/questions",
        {"question": "Do you smoke?"},
    ),
    "POST /v1/research-group-requests": lambda of: (
        "/research-group-requests",
        {"request_text": "US adults", "group_size": 3},
    ),
    "POST /v1/research-group-requests/{request_id}/respond": lambda of: (
        f"/research-group-requests/{of.waiting_request()}/respond",
        {"answer": "in the USA"},
    ),
    "POST /v1/research-groups:from-description": lambda of: (
        "/research-groups:from-description",
        {"description": "US adults", "group_size": 3},
    ),
    "POST /v1/research-study-requests": lambda of: (
        "/research-study-requests",
        {"request_text": "US adults", "group_size": 3, "questions": ["Do you smoke?"]},
    ),
    "POST /v1/research-study-requests/{request_id}/respond": lambda of: (
        f"/research-study-requests/{of.waiting_study_request()}/respond",
        {"answer": "in the USA"},
    ),
    "POST /v1/research-studies": lambda of: (
        "/research-studies",
        {"title": "Snacks", "research_group_uuid": of.group()["uuid"]},
    ),
    "POST /v1/research-studies/{study_id}/questions": lambda of: (
        f"/research-studies/{of.study()['id']}/questions",
        {"question": "Do you smoke?", "key": "smokes"},
    ),
    "POST /v1/research-studies/{study_id}/questions/{question_id}/retry": Maker.failed,
    "POST /v1/jobs/{job_id}/retry": Maker.failed_job,
    "POST /v1/research-studies/{study_id}/complete": lambda of: (
        f"/research-studies/{of.asked()[0]['id']}/complete",
        {"steps": ["stats"]},
    ),
    "POST /v1/research-studies/{study_id}/share": lambda of: (
        f"/research-studies/{of.study()['id']}/share",
        {"enabled": True},
    ),
    "DELETE /v1/research-studies/{study_id}/agents": lambda of: (
        (path := f"/research-studies/{of.study()['id']}/agents"),
        {"agent_ids": [of.http.get(path).json()["agents"][0]["id"]]},
    ),
    "POST /v1/research-studies/{study_id}/agents/remove": lambda of: (
        (path := f"/research-studies/{of.study()['id']}/agents") + "/remove",
        {"agent_ids": [of.http.get(path).json()["agents"][0]["id"]]},
    ),
    "POST /v1/direct-questions/{question_id}/share": lambda of: (
        f"/direct-questions/{of.direct()}/share",
        {"enabled": True},
    ),
    "POST /v1/free/questions": lambda of: ("/free/questions", {"question": "Do you smoke?"}),
    "POST /v1/thesis:compose-and-recruit": lambda of: (
        "/thesis:compose-and-recruit",
        {"raw_input": "Starbucks is losing Gen Z because of price", "panel_size": 8},
    ),
    "POST /v1/thesis/{thesis_id}/respond": lambda of: (
        f"/thesis/{of.waiting_thesis()}/respond",
        {"answer": "Starbucks will lose customers because of price"},
    ),
    "POST /v1/zeitgeist/surveys/create": lambda of: ("/zeitgeist/surveys/create", of.survey_body()),
    "DELETE /v1/zeitgeist/surveys/{survey_id}": lambda of: (f"/zeitgeist/surveys/{of.survey()}", None),
    "POST /v1/media-assets": lambda of: ("/media-assets", upload_body()),
    "POST /v1/billing/checkout": lambda of: ("/billing/checkout", URLS),
    "POST /v1/billing/portal": lambda of: (
        of.subscribed() or "/billing/portal",
        {"return_url": "https://shop.example/"},
    ),
    "POST /v1/billing/cancel": lambda of: (of.subscribed() or "/billing/cancel", {"at_period_end": True}),
}
"""A call of each route, by its name; the test of the routes fails where one is missing."""
