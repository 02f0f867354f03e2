"""The share page: what it shows, what it never shows, and that hostile words stay words."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from typing import Any

import pytest

import made_study
from read_page import HOSTILE, Page
from voxpop.jobs.completing import STEPS
from voxpop.jobs.evidence import gather
from voxpop.service.pages import NOTE, clip, page_headers
from voxpop.service.share_view import SharedStudy, render_share_page, share_json


def shared(size: int = 240, **changes: Any) -> SharedStudy:
    questions, answers, agents = made_study.study(size)
    evidence = gather(questions, answers, agents)
    made = SharedStudy(
        title="Snack switching",
        objective="Who would switch, and why?",
        population="us-2026.1",
        agent_count=size,
        date=made_study.MOMENT,
        questions=questions,
        answers=answers,
        agents=agents,
        steps={step: json.loads(json.dumps(run(evidence))) for step, run in STEPS.items()},
    )
    return replace(made, **changes)


@pytest.fixture(scope="module")
def html() -> str:
    return render_share_page(shared())


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


# What it shows


def test_it_says_at_once_what_it_is_and_where_it_comes_from(page: Page) -> None:
    assert page.text.count(NOTE) == 2
    for shown in ("Snack switching", "Who would switch, and why?", "embedded-1", "us-2026.1", "240"):
        assert shown in page.text
    assert "20 November 2026" in page.text
    assert made_study.MOMENT.isoformat().replace("+00:00", "Z") in page.values("datetime")


def test_every_question_has_its_base_its_chart_and_its_table(page: Page) -> None:
    for asked in made_study.study()[0]:
        assert asked.text in page.text
    assert page.tags["article"] == 6
    assert page.tags["table"] == page.tags["caption"] == 5
    assert "Base: 237 agents who answered; 3 could not say; 1 of 241 asked gave no answer." in page.text
    yes = sum(made_study.would_switch(number) is True for number in range(1, 241))
    assert f"{yes} {100 * yes / 237:.1f}%" in page.text


def test_every_bar_has_words_for_those_who_do_not_see_it(page: Page) -> None:
    labels = [value for tag, name, value in page.attributes if (tag, name) == ("svg", "aria-label")]
    assert len(labels) == page.tags["svg"] == page.values("role").count("img")
    assert all(re.search(r": \d+\.\d%, \d+ agents, 95% interval", label or "") for label in labels)


def test_its_structure_can_be_walked(page: Page) -> None:
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(page.headings, page.headings[1:], strict=False))
    assert {page.tags[name] for name in ("main", "header", "footer", "title")} == {1}
    assert ("html", "lang", "en") in page.attributes
    assert any(name == "name" and value == "viewport" for _, name, value in page.attributes)


def test_every_link_leads_to_a_place_on_the_page(page: Page) -> None:
    links = [value for tag, name, value in page.attributes if (tag, name) == ("a", "href")]
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {str(link)[1:] for link in links} <= set(ids)
    assert any(re.fullmatch(r"#q\d+a\d+", str(link)) for link in links)


def test_claims_link_to_answers_they_rest_on() -> None:
    data = shared()
    told = share_json(data)
    texts = {quote["ref"]: quote["text"] for question in told["questions"] for quote in question["quotes"]}
    words = {answer.id: answer.text for answer in data.answers}
    kept = [
        claim
        for step in ("key_segments", "divergences", "shared_mindsets")
        for claim in data.steps[step]["claims"]
    ]
    shown = [claim for finding in told["findings"] for claim in finding["claims"]]
    assert len(kept) == len(shown) > 0
    for claim, seen in zip(kept, shown, strict=True):
        assert {texts[quote["ref"]] for quote in seen["quotes"]} <= {words[n] for n in claim["answer_ids"]}
    assert sum(bool(seen["quotes"]) for seen in shown) > len(shown) / 2


def test_open_questions_are_quoted_with_first_name_age_state_and_occupation() -> None:
    data = shared()
    quotes = share_json(data)["questions"][2]["quotes"]
    assert sorted(quote["text"] for quote in quotes) == sorted((*made_study.REASONS, made_study.RARE))
    for quote in quotes:
        assert set(quote) == {"ref", "text", "basis", "basis_note", "name", "age", "state", "occupation"}
        assert quote["name"] in {"Maria", "Tom", "Aisha", "Victor"}
        assert quote["occupation"] in {"Accountants and Auditors", "retired"}


def test_the_page_and_its_json_are_the_same_every_time() -> None:
    data = shared()
    turned = replace(data, answers=list(reversed(data.answers)))
    assert render_share_page(data) == render_share_page(turned)
    assert json.dumps(share_json(data)) == json.dumps(share_json(turned))


def test_the_page_of_ten_thousand_agents_is_no_larger_than_a_reader_needs() -> None:
    assert len(render_share_page(shared(10_000))) < 200_000


@pytest.mark.parametrize(
    "changes",
    [
        {"questions": [], "answers": [], "agents": {}, "steps": {}},
        {"answers": [], "agents": {}, "steps": {}},
        {"steps": {}, "objective": None},
    ],
    ids=["nothing asked", "nothing answered", "not completed"],
)
def test_an_unfinished_study_has_a_page_too(changes: dict[str, Any]) -> None:
    page = Page(render_share_page(shared(30, **changes)))
    assert NOTE in page.text
    assert "None" not in page.text
    json.dumps(share_json(shared(30, **changes)), allow_nan=False)


def test_answers_of_removed_agents_are_not_shown() -> None:
    data = shared()
    secret = "A removed agent said this, which was not to be seen by anybody who reads the page."
    gone = [
        replace(answer, agent_removed=True, text=secret) if answer.agent_id % 4 == 1 else answer
        for answer in data.answers
    ]
    assert secret not in render_share_page(replace(data, answers=gone))


# What it never shows


def test_it_shows_no_keys_no_jobs_no_ids_and_no_family_names(html: str) -> None:
    for text in (html, json.dumps(share_json(shared()))):
        for never in (
            "job_",
            "vp_live_",
            "Hiddenname",
            "00000000-0000",
            "10000000-0000",
            "answer_ids",
            "agent_id",
        ):
            assert never not in text
        assert not re.search(r"\b[1-6]00\d{3}\b", text)  # ids of answers


def test_it_loads_nothing_and_runs_nothing(html: str, page: Page) -> None:
    assert page.tags["script"] == page.tags["iframe"] == page.tags["img"] == 0
    assert [name for _, name, _ in page.attributes if name.startswith("on") or name == "style"] == []
    assert [value for name in ("src", "href") for value in page.values(name) if value[0] != "#"] == ["data:,"]
    assert "url(" not in html
    assert "@import" not in html


def test_the_policy_allows_exactly_the_style_of_the_page(html: str) -> None:
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = page_headers()["Content-Security-Policy"].split("; ")
    assert "default-src 'none'" in policy
    assert f"style-src 'sha256-{digest}'" in policy
    assert not any("unsafe" in part or "script-src" in part for part in policy)


# Hostile words


def hostile() -> SharedStudy:
    data = shared(60)
    questions = [
        replace(
            asked,
            text=f"{HOSTILE} {asked.text}",
            options=tuple(HOSTILE + o for o in asked.options),
            unit=HOSTILE,
        )
        for asked in data.questions
    ]
    answers = [
        replace(
            answer,
            text=HOSTILE + answer.text,
            engine=HOSTILE,
            value=HOSTILE + answer.value if isinstance(answer.value, str) else answer.value,
        )
        for answer in data.answers
    ]
    agents = {
        number: replace(agent, name=HOSTILE, state=HOSTILE, occupation=HOSTILE)
        for number, agent in data.agents.items()
    }
    evidence = gather(questions, answers, agents)
    steps = {step: run(evidence) for step, run in STEPS.items()}
    return SharedStudy(HOSTILE, HOSTILE, HOSTILE, 60, data.date, questions, answers, agents, steps)


def test_hostile_words_stay_words() -> None:
    html = render_share_page(hostile())
    page = Page(html)
    assert page.tags["script"] == page.tags["img"] == 0
    assert [name for _, name, _ in page.attributes if name.startswith("on")] == []
    assert "<script>alert(1)</script>" in page.text
    assert "{{ 7*7 }}" in page.text
    assert "<script" not in html


def test_a_huge_answer_is_cut_for_display() -> None:
    data = shared(60)
    huge = "word " * 200_000 + "end"
    questions = [
        replace(asked, text=huge, options=tuple(huge + o for o in asked.options)) for asked in data.questions
    ]
    answers = [replace(answer, text=huge) for answer in data.answers]
    changed = replace(data, title=huge, objective=huge, questions=questions, answers=answers)
    evidence = gather(questions, answers, data.agents)
    changed = replace(changed, steps={step: run(evidence) for step, run in STEPS.items()})
    assert len(render_share_page(changed)) < 150_000


def test_one_huge_word_without_a_space_is_cut_too() -> None:
    assert len(clip("x" * 1_000_000, 700)) == 700


@pytest.mark.parametrize(
    "text", ["a\x00b", "a\u202eb", "a\u2066b", "a\x1b[31mb", "a\r\n\tb", "a\ud800b"], ids=ascii
)
def test_characters_that_change_other_text_are_taken_out(text: str) -> None:
    assert clip(text, 50) in {"a b", "a [31mb"}
    render_share_page(shared(30, title=text)).encode()
