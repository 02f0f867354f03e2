"""A real browser for the pages, and a page that remembers whatever it loaded or complained about."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_views import ADDRESS, HOSTILE, QUESTIONS, Seen
from playwright.sync_api import Browser, sync_playwright

from running_service import Service, ask, finish, new_study

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return the browser of this machine: a missing one is a failure, for these tests are no extra.

    It ends with the module, since its driver keeps an event loop running in this thread.
    """
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.fail(
            f"No browser: put one of {', '.join(NAMES)} on the PATH (Debian: apt-get install chromium)."
        )
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def look(browser: Browser) -> Iterator[Callable[..., Seen]]:
    """Open an address at a width and in a colour scheme; with ``html`` it needs no service."""
    contexts = []

    def opened(
        url: str = ADDRESS,
        *,
        width: int = 1280,
        scheme: str = "light",
        html: str | None = None,
        headers: dict[str, str] | None = None,
        **options: Any,
    ) -> Seen:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce", **options
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        seen = Seen(context.new_page())
        seen.page.on("request", lambda request: seen.requests.append(request.url))
        seen.page.on("console", lambda message: seen.complaints.append(message.text))
        seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
        if html is not None:
            answer = {"body": html, "content_type": "text/html; charset=utf-8", "headers": headers or {}}
            seen.page.route(url, lambda route: route.fulfill(**answer))
        seen.page.goto(url)
        return seen

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def link(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the share link of a finished study with a question of every type and hostile words."""
    running = Service(home, tmp_path_factory.mktemp("browser"))
    http = running.client(running.key())
    study = new_study(
        http, 120, title=f"Snack switching {HOSTILE}", objective=f"Who would, and why? {HOSTILE}"
    )
    for question in QUESTIONS:
        ask(http, study, question["question"], **{k: v for k, v in question.items() if k != "question"})
    completed = http.post(f"/research-studies/{study['id']}/complete", json={})
    assert completed.status_code == 202, completed.text
    finish(http, [completed.json()["job_id"]])
    shared = http.post(f"/research-studies/{study['id']}/share", json={"enabled": True}).json()
    yield shared["url"]
    running.close()
