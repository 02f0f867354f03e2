"""Text that a database cannot store is refused with a 400 that names the field."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from running_service import new_study, recruit

NUL = "must not have the character U+0000"
SCALE = {"min": 1, "max": 5, "max_label": "very\0"}
BODIES: list[tuple[str, dict[str, Any], str]] = [
    ("/research-groups/recruit", {"name": "a\0", "filters": {}, "group_size": 2}, "name"),
    ("/research-groups/create", {"name": "a", "description": "\0", "agent_ids": [1]}, "description"),
    ("/research-groups/interview", {"objective": "\0", "filters": {}, "group_size": 2}, "objective"),
    ("/research-groups:from-description", {"description": "nurses\0", "group_size": 2}, "description"),
    ("/research-group-requests", {"request_text": "nurses\0", "group_size": 2}, "request_text"),
    ("/thesis:compose-and-recruit", {"raw_input": "Snacks\0 win."}, "raw_input"),
    ("/research-studies/{study}/questions", {"question": "Why\0?"}, "question"),
    ("/research-studies/{study}/questions", {"question": "Why?", "options": ["a", "b\0"]}, "options"),
    ("/research-studies/{study}/questions", {"question": "Well?", "scale": SCALE}, "scale.max_label"),
    ("/research-groups/{group}/update", {"name": "\0"}, "name"),
]


@pytest.fixture(scope="module")
def study(http: httpx.Client) -> dict[str, Any]:
    return new_study(http, 2)


def fields(answer: httpx.Response) -> dict[str, list[str]]:
    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    assert error["code"] == "invalid_request"
    return error["details"]["fields"]


@pytest.mark.parametrize(("path", "body", "field"), BODIES)
def test_a_nul_in_a_text_is_refused_and_its_field_named(
    http: httpx.Client, study: dict[str, Any], path: str, body: dict[str, Any], field: str
) -> None:
    group = recruit(http, 2)["group"]["uuid"] if "{group}" in path else ""
    answer = http.post(
        path.format(study=study["id"], group=group), json=body, headers={"Idempotency-Key": "nul"}
    )
    assert fields(answer) == {field: [NUL]}


@pytest.mark.parametrize("path", ["/research-studies", "/thesis:compose-and-recruit"])
def test_half_a_character_is_refused(http: httpx.Client, study: dict[str, Any], path: str) -> None:
    field = "title" if path == "/research-studies" else "raw_input"
    answer = http.post(
        path,
        content=f'{{"{field}": "a\\ud800"}}'.encode(),
        headers={"Content-Type": "application/json", "Idempotency-Key": "half"},
    )
    assert "must be valid Unicode text" in fields(answer)[field][0]


def test_a_nul_in_a_filter_is_refused(http: httpx.Client) -> None:
    sent = {"name": "a", "filters": {"state": {"any": ["New\0 York"]}}, "group_size": 2}
    assert fields(http.post("/research-groups/recruit", json=sent)) == {"filters": [NUL]}


@pytest.mark.parametrize(
    "path", ["/jobs/job%00", "/research-studies/1%00", "/operations/%00", "/research-group-requests/rgr_%00"]
)
def test_a_nul_in_a_path_names_nothing(http: httpx.Client, path: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_a_nul_in_a_query_is_refused_and_its_name_told(http: httpx.Client) -> None:
    assert fields(http.get("/jobs", params={"ids": "job_\0"})) == {"ids": [NUL]}
    assert fields(http.get("/agents/search", params={"state": "\0"})) == {"state": [NUL]}


def test_the_text_of_a_nul_is_text(http: httpx.Client) -> None:
    group = recruit(http, 2, name="\\u0000 and %00")["group"]
    assert group["name"] == "\\u0000 and %00"
