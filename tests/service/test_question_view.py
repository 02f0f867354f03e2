"""The page of a direct question and the page that asks for a key: what they show and never show."""

from __future__ import annotations

from typing import Any

import pytest

from made_study import agent
from read_page import HOSTILE, Page
from voxpop.engines.agents import as_record
from voxpop.service.pages import NOTE
from voxpop.service.question_view import render_direct_question_page, render_key_page

PLACEHOLDER = {"basis": "none", "basis_note": "No figure is known for this."}


def test_placeholders_are_marked_and_every_basis_is_named() -> None:
    held = record()
    for target in held["targets"][:2]:
        target["answer"] |= PLACEHOLDER
    text = Page(render_direct_question_page(held)).text
    assert "Placeholders: no figure is known for" in text
    assert "(2 of 2 answers). Nothing here is a finding." in text
    assert "The answers rest on: none (2 answers: No figure is known for this.)" in " ".join(text.split())
    assert "Placeholders" not in Page(render_direct_question_page(record())).text


def record(**changes: Any) -> dict[str, Any]:
    """A question to four agents: two answered, one waits, one failed."""
    values = [(True, "finished"), (["Store", "Online"], "finished"), (None, "waiting"), (None, "failed")]
    targets = [
        {
            "agent": as_record(agent(number)),
            "job_id": f"job_secret{number}",
            "status": status,
            "answer": None
            if value is None
            else {
                "response_text": f"I would, says {number}.",
                "value": value,
                "answered_at": "2026-11-20T09:31:00Z",
            },
        }
        for number, (value, status) in enumerate(values, start=1)
    ]
    made = {
        "id": 31_415,
        "uuid": "20000000-0000-0000-0000-000000000001",
        "question": "Would you switch to a lower-sugar snack?",
        "status": "running",
        "targets": targets,
        "artifacts": [{"kind": "summary", "text": "Both would.", "answer_ids": [1, 2]}],
        "attachments": [{"id": 7, "uuid": "u", "filename": "box.png", "mime": "image/png"}],
        "question_url": "http://x/v1/questions/31415",
        "web_url": "http://x/questions/secret",
        "created_at": "2026-11-20T09:30:00Z",
    }
    return made | changes


def test_it_shows_the_question_the_answers_and_who_is_still_asked() -> None:
    page = Page(render_direct_question_page(record()))
    for shown in (
        "Would you switch to a lower-sugar snack?",
        "Answers are still coming in",
        "Both would. Based on 2 answers",
        "Yes I would, says 1. Tom , 25, TX · Accountants and Auditors",
        "Store, Online I would, says 2.",
        "Victor , 39, CA · Accountants and Auditors",
        "box.png",
        "20 November 2026",
    ):
        assert shown in page.text
    assert page.text.count(NOTE) == 2
    assert page.headings == [1, 2, 2, 2, 2]


def test_it_shows_no_ids_no_jobs_no_family_names_and_no_addresses() -> None:
    html = render_direct_question_page(record())
    for never in (
        "31415",
        "31_415",
        "job_",
        "Hiddenname",
        "00000000-0000",
        "http://",
        "answer_ids",
        "<script",
    ):
        assert never not in html


@pytest.mark.parametrize("status", ["waiting", "running", "finished", "failed", "a new word"])
def test_every_status_has_a_page_and_so_has_a_question_to_nobody(status: str) -> None:
    page = Page(render_direct_question_page(record(status=status, targets=[], artifacts=[], attachments=[])))
    assert "Nobody has answered yet." in page.text
    assert "None" not in page.text


def test_hostile_words_stay_words_here_too() -> None:
    made = record(
        question=HOSTILE,
        artifacts=[{"kind": "summary", "text": HOSTILE, "answer_ids": []}],
        attachments=[{"filename": HOSTILE}],
    )
    for target in made["targets"]:
        target["agent"] |= {"name": HOSTILE, "state": HOSTILE, "occupation": HOSTILE}
        if target["answer"]:
            target["answer"] |= {"response_text": HOSTILE, "value": [HOSTILE]}
    for html in (render_direct_question_page(made), render_key_page(refused=HOSTILE)):
        page = Page(html)
        assert page.tags["script"] == page.tags["img"] == 0
        assert [name for _, name, _ in page.attributes if name.startswith("on")] == []


def test_thousands_of_answers_are_cut_and_the_page_says_so() -> None:
    (target, *_) = record()["targets"]
    html = render_direct_question_page(record(targets=[target] * 3_000))
    assert "The first 500 of 3,000 answers." in Page(html).text
    assert len(html) < 300_000


def test_the_key_page_asks_for_a_key_and_sends_it_to_its_own_address() -> None:
    page = Page(render_key_page())
    assert ("form", "method", "post") in page.attributes
    assert ("input", "type", "password") in page.attributes
    assert ("input", "name", "key") in page.attributes
    assert page.values("action") == []
    assert NOTE not in page.text
    assert "alert" not in page.values("role")


def test_a_refused_key_is_told_why_and_a_link_that_is_not_valid_asks_for_none() -> None:
    refused = Page(render_key_page(refused="The key is unknown or revoked."))
    assert "The key is unknown or revoked." in refused.text
    assert ("input", "aria-invalid", "true") in refused.attributes
    gone = Page(render_key_page(gone=True))
    assert "This link is not valid" in gone.text
    assert gone.tags["form"] == 0
