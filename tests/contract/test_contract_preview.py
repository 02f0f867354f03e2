"""Previews of questions: how they are read and what answers would rest on, before anything is spent."""

from __future__ import annotations

from typing import Any

import httpx

from running_service import Service, ask, new_study
from voxpop.service.preview import MOST_AGENTS
from voxpop.wire.preview import PreviewResponse


def preview(http: httpx.Client, study: dict[str, Any], **body: Any) -> PreviewResponse:
    answer = http.post(f"/research-studies/{study['id']}/questions/preview", json=body)
    assert answer.status_code == 200, answer.text
    return PreviewResponse.model_validate(answer.json())


def test_a_question_is_read_as_it_would_be_asked(http: httpx.Client, asked: dict[str, Any]) -> None:
    told = preview(
        http,
        asked,
        question="How much do you like tea?",
        key="tea",
        type="scale",
        scale={"min": 1, "max": 5, "max_label": "a lot"},
    )
    assert (told.question.key, told.question.type) == ("tea", "scale")
    assert told.question.scale is not None
    assert (told.question.scale.min, told.question.scale.max_label) == (1, "a lot")
    choice = preview(http, asked, question="Tea or coffee?", options=["Tea", "Coffee"]).question
    assert (choice.type, choice.options) == ("single_choice", ["Tea", "Coffee"])


def test_every_agent_has_one_basis_and_nothing_is_asked_or_counted(
    http: httpx.Client, asked: dict[str, Any]
) -> None:
    before = http.get("/billing/usage").json()["quota"]["used"]
    listed = http.get(f"/research-studies/{asked['id']}/questions?answers=false").json()["count"]
    told = preview(http, asked, question="Do you own a dog?")
    assert (told.agent_count, told.looked_at) == (12, 12)
    assert sum(one.agents for one in told.bases) == 12
    assert all(one.notes for one in told.bases)
    assert http.get("/billing/usage").json()["quota"]["used"] == before
    assert http.get(f"/research-studies/{asked['id']}/questions?answers=false").json()["count"] == listed


def test_it_agrees_with_the_answers_that_follow(http: httpx.Client) -> None:
    study = new_study(http, 12)
    told = preview(http, study, question="Do you own a dog?", type="yes_no")
    made = ask(http, study, "Do you own a dog?", type="yes_no")
    listed = http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
    (given,) = [one["answers"] for one in listed if one["id"] == made["question_id"]]
    kinds = [one["basis"] for one in given]
    assert {one.basis: one.agents for one in told.bases} == {kind: kinds.count(kind) for kind in set(kinds)}


def test_of_a_large_group_a_sample_is_looked_at_and_said_so(http: httpx.Client) -> None:
    told = preview(http, new_study(http, 1_200), question="Do you own a dog?")
    assert (told.agent_count, told.looked_at) == (1_200, MOST_AGENTS)
    assert sum(one.agents for one in told.bases) == MOST_AGENTS


def test_removed_agents_are_left_out(http: httpx.Client) -> None:
    study = new_study(http, 12)
    agents = http.get(f"/research-studies/{study['id']}/agents").json()["agents"]
    gone = {"agent_ids": [agents[0]["id"]]}
    http.request("DELETE", f"/research-studies/{study['id']}/agents", json=gone).raise_for_status()
    assert preview(http, study, question="Do you own a dog?").agent_count == 11


def test_it_needs_a_key_that_reads_and_a_study_of_the_caller(
    service: Service, http: httpx.Client, stranger: httpx.Client, asked: dict[str, Any]
) -> None:
    path = f"/research-studies/{asked['id']}/questions/preview"
    body = {"question": "Do you own a dog?"}
    reader = service.client(service.key("studies:read"))
    assert reader.post(path, json=body).status_code == 200
    assert service.client(service.key("free:ask", kind="free")).post(path, json=body).status_code == 403
    assert service.client().post(path, json=body).status_code == 401
    assert stranger.post(path, json=body).status_code == 404


def test_a_question_that_could_not_be_asked_is_refused(http: httpx.Client, asked: dict[str, Any]) -> None:
    path = f"/research-studies/{asked['id']}/questions/preview"
    for body in (
        {"question": ""},
        {"question": "Which?", "type": "single_choice"},
        {"question": "Do you?", "attachments": [987_654]},
    ):
        answer = http.post(path, json=body)
        assert answer.status_code in (400, 404), answer.text
        assert answer.json()["error"]["message"]
