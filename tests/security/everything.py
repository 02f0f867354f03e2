"""One of everything that an organization can have: groups, studies, answers, files, theses, links, bills."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx

from media_files import upload_body
from read_page import HOSTILE
from running_service import Service, finish

INJECTIONS = (
    "'; DROP TABLE studies; --",
    '" OR ""="',
    "%(x)s {0} ${x} {{7*7}} %n%s",
    "../../../etc/passwd\\..\\..",
    "=cmd|' /C calc'!A0",
    HOSTILE,
)
"""What breaks out of SQL, formats, templates, paths, sheets and pages, where words are not kept words."""

FILE_NAME = "\"; filename=x.html <img src=x onerror=alert(1)>'.png"
WORDS = " ".join(INJECTIONS)


@dataclass
class Belongings:
    """One object of each kind, with its ids.

    Attributes
    ----------
    http
        The caller it belongs to.
    ids
        Every id that a path names, as number and as UUID where there are both.
    pages
        Addresses of every page on which words of the organization stand.
    """

    http: httpx.Client
    ids: dict[str, list[Any]] = field(default_factory=dict)
    pages: list[str] = field(default_factory=list)
    study: dict[str, Any] = field(default_factory=dict)
    group: dict[str, Any] = field(default_factory=dict)
    asset: dict[str, Any] = field(default_factory=dict)
    question: dict[str, Any] = field(default_factory=dict)
    survey: dict[str, Any] = field(default_factory=dict)


def _made(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code in (200, 201, 202), answer.text
    made: dict[str, Any] = answer.json()
    return made


def own_everything(service: Service, http: httpx.Client) -> Belongings:
    """Make one of everything, and name each with hostile words."""
    own = Belongings(http)
    once = {"Idempotency-Key": "everything"}
    recruited = {"name": WORDS[:190], "description": WORDS, "filters": {}, "group_size": 6}
    own.group = _made(http.post("/research-groups/recruit", json=recruited))["group"]
    study = {"title": WORDS[:190], "objective": WORDS, "research_group_uuid": own.group["uuid"]}
    own.study = _made(http.post("/research-studies", json=study))["study"]
    own.asset = _made(http.post("/media-assets", json=upload_body() | {"filename": FILE_NAME}))["media_asset"]
    place = f"/research-studies/{own.study['id']}"
    asked = {"key": "which", "question": f"Which? {WORDS}", "options": [*INJECTIONS]}
    own.question = _made(http.post(f"{place}/questions", json=asked | {"attachments": [own.asset["id"]]}))
    finish(http, own.question["job_ids"])
    own.pages.append(_made(http.post(f"{place}/share", json={"enabled": True}))["url"])
    direct = _made(
        http.post(f"/research-groups/{own.group['id']}/questions", json={"question": f"Why? {WORDS}"})
    )
    finish(http, direct["job_ids"])
    number = direct["question_uuid"]
    own.pages.append(f"{service.root_url}/direct-questions/{number}")
    shared = _made(http.post(f"/direct-questions/{number}/share", json={"enabled": True}))
    own.pages.append(shared["url"])
    survey = {
        "title": WORDS[:190],
        "question": f"Which? {WORDS}",
        "research_group_uuid": own.group["uuid"],
        "answer_options": [*INJECTIONS],
    }
    own.survey = _made(http.post("/zeitgeist/surveys/create", json=survey))["survey"]
    wanted = {"request_text": "US adults", "group_size": 4}
    request = _made(http.post("/research-group-requests", json=wanted))
    planned = {**wanted, "questions": [{"question": "Do you smoke?", "key": "a"}]}
    conducted = _made(http.post("/research-study-requests", json=planned, headers=once))
    claim = {"raw_input": "Starbucks is losing Gen Z because of price", "panel_size": 100}
    thesis = _made(http.post("/thesis:compose-and-recruit", json=claim, headers={"Idempotency-Key": "t"}))
    finish(http, [conducted["job"]["id"], thesis["job"]["id"]])
    own.ids = {
        "group_id": [own.group["id"], own.group["uuid"]],
        "group_uuid": [own.group["uuid"]],
        "study_id": [own.study["id"], own.study["uuid"]],
        "media_asset_id": [own.asset["id"], own.asset["uuid"]],
        "question_id": [number],
        "survey_id": [own.survey["uuid"]],
        "request_id": [request["request"]["id"], conducted["request"]["id"]],
        "thesis_id": [thesis["thesis"]["id"], thesis["thesis"]["uuid"]],
        "operation_id": [conducted["operation"]["id"], thesis["operation"]["id"]],
        "job_id": [own.question["job_ids"][0], conducted["job"]["id"], thesis["job"]["id"]],
    }
    return own
