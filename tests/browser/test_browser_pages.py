"""Every page in a real browser: layout at any width and in print, no outside requests."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import httpx
import pytest
from browser_views import ADDRESS, HOSTILE, QUESTIONS, Seen, findings, overflow
from playwright.sync_api import Page

from voxpop.service.pages import NOTE, page_headers, render_page
from voxpop.service.question_view import render_direct_question_page, render_key_page

Look = Callable[..., Seen]

SCHEMES = ("light", "dark")
RECORD = {
    "question": f"Would you switch? {HOSTILE}",
    "status": "running",
    "targets": [
        {
            "agent": {"name": "Maria Hiddenname", "age": 30, "state": "TX", "occupation": HOSTILE},
            "status": "finished" if text else "running",
            "answer": {"response_text": text, "value": True} if text else None,
        }
        for text in ("I would, at a lower price.", HOSTILE, "x" * 3_000, None)
    ],
    "artifacts": [{"kind": "summary", "text": "Two of three would.", "answer_ids": [1, 2]}],
    "attachments": [{"filename": "box.png"}],
    "created_at": "2026-11-20T09:30:00Z",
}
MOMENT = "2026-11-20T09:30:00Z"
PORTAL = {
    "token": "t",
    "price": "$49",
    "return_url": "http://pages.test/",
    "subscription": {"plan": "standard", "since": MOMENT, "end": MOMENT, "ends": True},
    "invoices": [
        {"number": "VP-000001", "start": MOMENT, "end": MOMENT, "amount": "$49.00", "status": "paid"}
    ],
}
MADE = {
    "direct question": render_direct_question_page(RECORD),
    "key": render_key_page(),
    "key refused": render_key_page(refused="The key is unknown or revoked."),
    "gone": render_key_page(gone=True),
    "checkout": render_page("billing_checkout.html", page={"token": "t", "plan": "standard", "price": "$49"}),
    "portal": render_page("billing_portal.html", page=PORTAL),
    "message": render_page(
        "billing_message.html", page={"title": "Gone", "words": "It is.", "link": "/", "lead": "Go on"}
    ),
}


@pytest.fixture(params=["share", *MADE])
def open_page(request: pytest.FixtureRequest, look: Look) -> Callable[..., Seen]:
    """Open the page under test at a width and in a scheme."""

    def opened(width: int = 1280, scheme: str = "light", **options: object) -> Seen:
        if request.param == "share":
            url = request.getfixturevalue("link")
            return look(url, width=width, scheme=scheme, **options)
        headers = page_headers(forms_to=["'self'"])
        return look(width=width, scheme=scheme, html=MADE[request.param], headers=headers, **options)

    return opened


def open_details(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")


# Any width, any scheme, paper


@pytest.mark.parametrize("scheme", SCHEMES)
def test_it_fits_any_width_and_is_accessible(open_page: Callable[..., Seen], scheme: str) -> None:
    seen = open_page(1280, scheme)
    for width in (1280, 390, 320):
        seen.page.set_viewport_size({"width": width, "height": 900})
        assert overflow(seen.page) == 0, width
        open_details(seen.page)
        assert overflow(seen.page) == 0, width
        if width == {"light": 1280, "dark": 390}[scheme]:
            assert findings(seen.page) == []
    assert seen.complaints == []


def test_the_two_schemes_differ_and_both_have_their_own_paper(open_page: Callable[..., Seen]) -> None:
    papers = {
        scheme: open_page(390, scheme).page.evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in SCHEMES
    }
    lights = {scheme: sum(map(int, re.findall(r"\d+", paper))) for scheme, paper in papers.items()}
    assert lights["dark"] < 150 < 600 < lights["light"]


def test_on_paper_it_is_black_on_white_and_whole(open_page: Callable[..., Seen]) -> None:
    seen = open_page(794, "dark")
    seen.page.emulate_media(media="print")
    assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert seen.page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert overflow(seen.page) == 0
    assert findings(seen.page) == []
    assert all(table.is_visible() for table in seen.page.locator("table").all())
    assert seen.page.locator("button:visible, nav:visible").count() == 0
    assert seen.page.pdf(format="A4").startswith(b"%PDF")


def test_a_reader_who_enlarges_text_to_200_percent_loses_nothing(open_page: Callable[..., Seen]) -> None:
    seen = open_page(780)
    session = seen.page.context.new_cdp_session(seen.page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    seen.page.reload()
    assert seen.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert overflow(seen.page) == 0
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    session.detach()


# Alone with its reader


def test_nothing_is_loaded_but_the_page(open_page: Callable[..., Seen]) -> None:
    seen = open_page()
    open_details(seen.page)
    seen.page.mouse.wheel(0, 20_000)
    seen.page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
    assert [url for url in seen.requests if not url.startswith("data:")] == [seen.page.url]


def test_hostile_words_run_nothing_and_stay_words(look: Look, link: str) -> None:
    for seen in (look(link), look(html=MADE["direct question"], headers=page_headers())):
        assert "broken" not in seen.page.evaluate("document.title").split("<")[0]
        assert seen.page.locator("script, img, [onerror]").count() == 0
        assert "<script>" in seen.page.locator("h1").inner_text()
        assert "{{ 7*7 }}" in seen.page.locator("h1").inner_text()


@pytest.mark.parametrize(
    "made",
    [
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))",
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = 1\">')",
        "document.body.innerHTML += '<iframe src=\"javascript:parent.ran = 1\"></iframe>'",
        "document.body.append(Object.assign(document.createElement('script'), {src: '/elsewhere.js'}))",
        "document.body.insertAdjacentHTML('beforeend', '<style>body { --ran: 1 }</style>')",
    ],
    ids=["script", "handler", "frame", "file", "style"],
)
def test_the_policy_stops_what_got_into_the_page_all_the_same(look: Look, link: str, made: str) -> None:
    seen = look(link)
    seen.page.evaluate(made)
    seen.page.wait_for_timeout(100)
    assert seen.page.evaluate("window.ran") is None
    assert seen.page.evaluate("getComputedStyle(document.body).getPropertyValue('--ran')") == ""
    assert any("Content Security Policy" in complaint for complaint in seen.complaints)


def test_it_is_the_same_without_scripts(open_page: Callable[..., Seen]) -> None:
    with_scripts = open_page()
    without = open_page(scripts=False)
    assert without.page.locator("body").inner_text() == with_scripts.page.locator("body").inner_text()


# For those who do not see it, and those who do not point


def test_headings_and_landmarks_are_in_order(open_page: Callable[..., Seen]) -> None:
    page = open_page().page
    levels = [
        int(tag[1])
        for tag in page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => h.tagName)")
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert page.get_by_role("main").count() == page.get_by_role("banner").count() == 1


def test_every_chart_is_told_in_words_and_as_a_table(look: Look, link: str) -> None:
    page = look(link).page
    charts = page.locator("svg")
    images = page.get_by_role("img")
    assert charts.count() == images.count() > 15
    for image in images.all():
        assert re.search(r": \d+\.\d%, [\d,]+ agents, 95% interval", image.get_attribute("aria-label") or "")
    for article in page.locator("article:has(svg)").all():
        article.locator("summary").click()
        assert article.locator("table caption").is_visible()
        assert article.locator("svg").count() == article.locator("tbody tr").count()


def test_the_keyboard_reaches_everything_in_order_and_opens_the_tables(look: Look, link: str) -> None:
    page = look(link).page
    wanted = page.evaluate(
        "[...document.querySelectorAll('a[href], summary, button, input')]"
        ".map((each, place) => (each.dataset.n = place, String(place)))"
    )
    reached = []
    for _ in wanted:
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.n"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
        assert outline != "0px"
    assert reached == wanted
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details").first.get_attribute("open") is not None


def test_the_first_tab_skips_to_the_content(open_page: Callable[..., Seen]) -> None:
    page = open_page().page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_a_key_is_typed_unseen_and_sent_to_the_page_itself(look: Look) -> None:
    seen = look(html=MADE["key"], headers=page_headers(forms_to=["'self'"]))
    seen.page.get_by_label("Key", exact=True).fill("vp_live_secret")
    assert seen.page.get_by_label("Key", exact=True).get_attribute("type") == "password"
    with seen.page.expect_request(lambda request: request.method == "POST") as sent:
        seen.page.get_by_role("button", name="Open the question").click()
    assert (sent.value.url, sent.value.post_data) == (ADDRESS, "key=vp_live_secret")


# What a program gets


def test_the_study_is_there_as_json_for_who_accepts_that(link: str) -> None:
    answer = httpx.get(link, headers={"Accept": "application/json"})
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["vary"] == "Accept"
    told = answer.json()
    assert told["note"] == NOTE
    assert [asked["type"] for asked in told["questions"]] == [asked["type"] for asked in QUESTIONS]


def test_a_link_that_was_never_made_is_a_404_of_the_same_policy(link: str) -> None:
    answer = httpx.get(link[:-4] + "none")
    assert answer.status_code == 404
    assert answer.headers["content-security-policy"] == httpx.get(link).headers["content-security-policy"]
