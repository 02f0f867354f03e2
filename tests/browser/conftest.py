"""A real browser, and a page that records its requests and console messages."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from browser_views import ADDRESS, HOSTILE, QUESTIONS, Seen
from lab_page import LabPage
from playwright.sync_api import Browser, sync_playwright

from lab_server import LabServer
from running_service import Service, ask, finish, new_study
from voxpop.engines.agents import Agent
from voxpop.engines.question import Question
from voxpop_simulator.embedded import EmbeddedRespondent

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


@pytest.fixture(scope="module")
def windows(browser: Browser) -> Iterator[list[Seen]]:
    """Keep windows from one test to the next: opening one takes longer than most tests."""
    kept: list[Seen] = []
    yield kept
    for seen in kept:
        seen.page.context.close()


@pytest.fixture
def look(browser: Browser, windows: list[Seen]) -> Iterator[Callable[..., Seen]]:
    """Open an address at a width and in a colour scheme; with ``html`` it needs no service."""
    used: list[Seen] = []

    def opened(
        url: str = ADDRESS,
        *,
        width: int = 1280,
        scheme: str = "light",
        html: str | None = None,
        headers: dict[str, str] | None = None,
        scripts: bool = True,
    ) -> Seen:
        seen = next((one for one in windows if one.scripts == scripts), None)
        if seen is None:
            seen = new_window(browser, scripts)
        else:
            windows.remove(seen)
        used.append(seen)
        seen.requests.clear()
        seen.complaints.clear()
        seen.page.set_viewport_size({"width": width, "height": 900})
        seen.page.emulate_media(media="screen", color_scheme=scheme, reduced_motion="reduce")
        if html is not None:
            answer = {"body": html, "content_type": "text/html; charset=utf-8", "headers": headers or {}}
            seen.page.route(url, lambda route: route.fulfill(**answer))
        seen.page.goto(url)
        return seen

    yield opened
    for seen in used:
        seen.page.unroute_all()
        seen.page.goto("about:blank")
        windows.append(seen)


def new_window(browser: Browser, scripts: bool) -> Seen:
    """Open a window that remembers what it loads and complains of."""
    context = browser.new_context(java_script_enabled=scripts)
    context.set_default_timeout(15_000)
    seen = Seen(context.new_page(), scripts)
    seen.page.on("request", lambda request: seen.requests.append(request.url))
    seen.page.on("console", lambda message: seen.complaints.append(message.text))
    seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    return seen


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


class Thoughtful(EmbeddedRespondent):
    """The embedded respondent, who thinks about questions with "slowly" in them until the gate opens."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()

    def answer(self, agents: Sequence[Agent], question: Question, *rest: Any, **more: Any) -> Iterator[Any]:
        """Answer as ever, the first hundred at once and the others when the gate is open."""
        if "slowly" in question.text and agents[0].id not in self._first(agents):
            self.gate.wait(60)
        yield from super().answer(agents, question, *rest, **more)

    def _first(self, agents: Sequence[Agent]) -> set[int]:
        if not hasattr(self, "_at_once"):
            self._at_once = {agent.id for agent in agents}
        return self._at_once


@dataclass
class Bench:
    """A JupyterLab, the service that its notebooks use, and who answers there."""

    lab: LabServer
    service: Service
    respondent: Thoughtful
    shots: Path


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which pictures stay."""
    folder = tmp_path_factory.getbasetemp() / "screenshots"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def bench(home: Path, shots: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Start one JupyterLab and one service for all tests of widgets; pictures stay in ``screenshots``."""
    service = Service(home, tmp_path_factory.mktemp("bench"))
    respondent = Thoughtful()
    service.state.runner.respondent = respondent
    key = service.key("studies:read", "studies:write", "billing:read")
    named = {"VOXPOP_BASE_URL": service.base_url, "VOXPOP_API_KEY": key}
    lab = LabServer(tmp_path_factory.mktemp("lab"), **named)
    yield Bench(lab, service, respondent, shots)
    respondent.gate.set()
    lab.close()
    service.close()


@pytest.fixture(scope="module")
def lab_page(bench: Bench, browser: Browser) -> Iterator[LabPage]:
    """Open JupyterLab once: it takes longer to come up than any widget."""
    page = LabPage.open(browser, bench.lab.address)
    yield page
    page.close()


@pytest.fixture
def notebook(bench: Bench, lab_page: LabPage) -> Iterator[Callable[..., LabPage]]:
    """Write a notebook, open it in a theme, and run its cells; nothing may fail or leave the machine."""

    def open_(name: str, *cells: str, theme: str = "Light") -> LabPage:
        bench.lab.write(f"{name}.ipynb", *cells)
        lab_page.show(f"{name}.ipynb", f"JupyterLab {theme}")
        lab_page.run_all()
        return lab_page

    yield open_
    assert lab_page.errors == []
    assert lab_page.outside == []
    lab_page.leave()
