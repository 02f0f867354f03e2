"""The embedded provider's pages: what they show, who may press their buttons, and for how long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from voxpop.errors import Conflict
from voxpop.records import keys
from voxpop.records.billing import Invoice
from voxpop.records.database import Database
from voxpop.records.folder import sqlite_url
from voxpop.service import billing_pages
from voxpop.service.admission import Admission
from voxpop.service.errors import shown_path
from voxpop.service.limits import Boundary
from voxpop.service.payments_local import LocalPayments
from voxpop.service.server import RunningServer, start_server
from voxpop.settings import ServiceSettings

SUCCESS, CANCEL = "https://shop.example/ok?a=1&b=2", "http://127.0.0.1:9/no"
NOTE = "No money moves"


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **amount: float) -> None:
        self.now += timedelta(**amount)


class Held:
    """The parts of a service's state that the pages need."""

    def __init__(self, payments: LocalPayments) -> None:
        self.payments = payments
        self.closing = self
        self.listens_at = ""

    @property
    def root_url(self) -> str:
        """The address that links begin with."""
        return self.listens_at

    def set(self) -> None:
        """Be told that the service stops."""


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def payments(database_url: str, clock: Clock) -> Iterator[LocalPayments]:
    database = Database.open(database_url, clock=clock)
    with database.begin() as c:
        assert keys.create_organization(c, "acme") == 1
    yield LocalPayments(database)
    database.close()


@pytest.fixture
def server(payments: LocalPayments) -> Iterator[RunningServer]:
    app = FastAPI()
    app.state.service = Held(payments)
    app.include_router(billing_pages.router)
    app.add_middleware(Boundary, settings=ServiceSettings(max_body_bytes=1_000), admission=Admission())
    running = start_server(app)
    yield running
    running.stop()


@pytest.fixture
def checkout(server: RunningServer, payments: LocalPayments) -> str:
    return server.root_url + payments.checkout(1, SUCCESS, CANCEL).url


@pytest.fixture
def portal(server: RunningServer, payments: LocalPayments) -> str:
    return server.root_url + payments.portal(1, SUCCESS)


def subscribe(payments: LocalPayments) -> None:
    assert payments.confirm(payments.checkout(1, SUCCESS, CANCEL).url.rsplit("/", 1)[1]) is not None


class Page(HTMLParser):
    """The text of a page and the targets of its links and buttons."""

    def __init__(self, url: str) -> None:
        super().__init__()
        answer = httpx.get(url)
        self.status, self.headers = answer.status_code, answer.headers
        self.words: list[str] = []
        self.links: list[str] = []
        self.forms: list[str] = []
        self.tags: list[str] = []
        self._silent = False
        self.feed(answer.text)
        self.text = " ".join(" ".join(self.words).split())
        self.forms = [str(answer.url.join(action)) for action in self.forms]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self._silent = tag == "style"
        if tag == "form":
            assert given["method"] == "post"
            self.forms.append(str(given["action"]))
        if tag == "a":
            self.links.append(str(given["href"]))

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(data)


# The checkout


def test_the_checkout_says_what_is_bought_and_that_no_money_moves(checkout: str) -> None:
    page = Page(checkout)
    assert page.status == 200
    assert page.text.count(NOTE) == 2
    assert "Plan Standard Price 0.00 USD a month" in page.text
    assert page.forms == [f"{checkout}/confirm", f"{checkout}/decline"]
    assert "script" not in page.tags


def test_its_headers_allow_its_style_and_its_ways_on_alone(checkout: str) -> None:
    headers = Page(checkout).headers
    rules = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == "'none'"
    assert re.fullmatch(r"'sha256-[A-Za-z0-9+/]{43}='", rules["style-src"])
    assert rules["form-action"] == "'self' https://shop.example http://127.0.0.1:9"
    assert headers["cache-control"] == "no-store"
    assert headers["x-robots-tag"] == "noindex"
    assert headers["referrer-policy"] == "same-origin"


def test_confirming_begins_the_subscription_and_leads_on(checkout: str, payments: LocalPayments) -> None:
    for _ in range(2):  # pressed twice it is the same
        led = httpx.post(f"{checkout}/confirm")
        assert (led.status_code, led.headers["location"]) == (303, SUCCESS)
    assert payments.subscription(1) is not None
    assert len(payments.invoices(1, 500)) == 1
    page = Page(checkout)
    assert (page.status, page.forms) == (200, [])
    assert SUCCESS in page.links
    assert httpx.post(f"{checkout}/decline").status_code == 200  # says that it is complete
    assert payments.subscription(1) is not None


def test_calling_off_buys_nothing(checkout: str, payments: LocalPayments) -> None:
    for _ in range(2):
        led = httpx.post(f"{checkout}/decline")
        assert (led.status_code, led.headers["location"]) == (303, CANCEL)
    assert httpx.post(f"{checkout}/confirm").status_code == 410
    page = Page(checkout)
    assert (page.status, page.forms) == (410, [])
    assert payments.subscription(1) is None


def test_after_a_day_it_is_too_late(checkout: str, payments: LocalPayments, clock: Clock) -> None:
    clock.advance(hours=23, minutes=59)
    assert Page(checkout).status == 200
    clock.advance(minutes=1)
    assert Page(checkout).status == 410
    assert httpx.post(f"{checkout}/confirm").status_code == 410
    assert payments.subscription(1) is None


def test_of_two_open_checkouts_one_subscribes(checkout: str, payments: LocalPayments) -> None:
    second = payments.checkout(1, SUCCESS, CANCEL)
    assert httpx.post(f"{checkout}/confirm").status_code == 303
    with pytest.raises(Conflict):
        payments.confirm(second.url.rsplit("/", 1)[1])
    again = checkout.rsplit("/", 1)[0] + "/" + second.url.rsplit("/", 1)[1]
    assert httpx.post(f"{again}/confirm").status_code == 409
    assert len(payments.invoices(1, 500)) == 1


def test_pressed_by_many_at_once_it_subscribes_once(
    checkout: str, payments: LocalPayments, server: RunningServer
) -> None:
    others = [server.root_url + payments.checkout(1, SUCCESS, CANCEL).url for _ in range(3)]
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda url: httpx.post(f"{url}/confirm").status_code, [checkout, *others] * 3))
    assert sorted(set(told)) == [303, 409]
    assert told.count(303) == 3
    assert len(payments.invoices(1, 500)) == 1


@pytest.mark.parametrize("token", ["x", "a" * 43, "%00", "..%2f..%2fhealthz", "é", "'--"])
def test_a_wrong_link_is_no_page(server: RunningServer, token: str) -> None:
    for path in ("checkout", "portal"):
        page = Page(f"{server.root_url}/pay/{path}/{token}")
        assert page.status == 404
        for action in ("confirm", "decline") if path == "checkout" else ("cancel", "resume"):
            assert httpx.post(f"{server.root_url}/pay/{path}/{token}/{action}").status_code == 404


# The portal


def test_the_portal_shows_the_subscription_and_its_invoices(
    portal: str, payments: LocalPayments, clock: Clock
) -> None:
    assert "There is no subscription." in Page(portal).text
    subscribe(payments)
    clock.advance(minutes=1)
    page = Page(portal)
    assert "Since 20 November 2026 Renews on 20 December 2026" in page.text
    assert "1 invoice, newest first" in page.text
    assert "20 November 2026 to 20 December 2026 0.00 USD paid" in page.text
    assert page.forms == [f"{portal}/cancel"]
    assert SUCCESS in page.links
    assert "form-action 'self';" in page.headers["content-security-policy"]


def test_a_subscription_is_cancelled_and_kept_there(portal: str, payments: LocalPayments) -> None:
    subscribe(payments)
    led = httpx.post(f"{portal}/cancel")
    assert (led.status_code, str(led.url.join(led.headers["location"]))) == (303, portal)
    page = Page(portal)
    assert "The subscription ends on 20 December 2026." in page.text
    assert page.forms == [f"{portal}/resume"]
    assert payments.subscription(1).cancel_at_period_end
    httpx.post(f"{portal}/resume")
    assert not payments.subscription(1).cancel_at_period_end


def test_with_nothing_to_cancel_its_buttons_do_nothing(portal: str, payments: LocalPayments) -> None:
    for action in ("cancel", "resume"):
        assert httpx.post(f"{portal}/{action}").status_code == 303
    assert payments.subscription(1) is None


def test_its_link_is_good_for_an_hour(portal: str, payments: LocalPayments, clock: Clock) -> None:
    subscribe(payments)
    clock.advance(minutes=59)
    assert Page(portal).status == 200
    clock.advance(minutes=1)
    assert Page(portal).status == 404
    assert httpx.post(f"{portal}/cancel").status_code == 404
    assert not payments.subscription(1).cancel_at_period_end


def test_its_link_cannot_be_changed(portal: str) -> None:
    told, signature = portal.rsplit("/", 1)[1].split(".")
    start = portal.rsplit("/", 1)[0]
    last = chr(ord(signature[-1]) + 1)
    for token in (
        f"{told}.",
        f"{told}x.{signature}",
        f"{told}.{signature[:-1]}{last}",
        f"{told}={signature}",
    ):
        assert httpx.get(f"{start}/{token}").status_code == 404


def test_a_link_of_another_service_is_no_page_here(portal: str, tmp_path: Path, clock: Clock) -> None:
    database = Database.open(sqlite_url(tmp_path / "other"), clock=clock)
    theirs = LocalPayments(database)
    assert theirs.visit(portal.rsplit("/", 1)[1]) is None
    theirs.portal(1, SUCCESS)
    assert theirs.visit(portal.rsplit("/", 1)[1]) is None
    database.close()


# Both


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_a_button_on_a_page_of_another_site_does_nothing(
    checkout: str, portal: str, payments: LocalPayments, headers: dict[str, str]
) -> None:
    for action in ("confirm", "decline"):
        assert httpx.post(f"{checkout}/{action}", headers=headers).status_code == 403
    assert payments.subscription(1) is None
    subscribe(payments)
    assert httpx.post(f"{portal}/cancel", headers=headers).status_code == 403
    assert not payments.subscription(1).cancel_at_period_end


def test_a_button_on_the_page_itself_works(checkout: str, server: RunningServer) -> None:
    headers = {"Origin": server.root_url, "Sec-Fetch-Site": "same-origin"}
    assert httpx.post(f"{checkout}/confirm", headers=headers).status_code == 303


def test_the_secret_of_an_address_is_kept_out_of_the_log() -> None:
    assert shown_path({"path": "/pay/checkout/secret/confirm"}) == "/pay/checkout/…"
    assert shown_path({"path": "/pay/portal/secret"}) == "/pay/portal/…"


def test_looking_at_a_page_changes_nothing(checkout: str) -> None:
    for action in ("confirm", "decline"):
        assert httpx.get(f"{checkout}/{action}").status_code == 405
    assert Page(checkout).status == 200


def test_hostile_addresses_stay_words(server: RunningServer, payments: LocalPayments) -> None:
    hostile = "https://shop.example/'onmouseover='alert(1)&lt;"
    portal = httpx.get(server.root_url + payments.portal(1, hostile)).text
    assert 'href="https://shop.example/&#39;onmouseover=&#39;alert(1)&amp;lt;"' in portal


def test_periods_pass_while_nobody_looks(payments: LocalPayments, clock: Clock) -> None:
    subscribe(payments)
    clock.advance(days=65)

    def read(_: int) -> tuple[Invoice, ...]:
        return tuple(payments.invoices(1, 500))

    with ThreadPoolExecutor(8) as pool:
        (seen,) = set(pool.map(read, range(16)))
    assert [f"{one.period_start:%d %b}" for one in seen] == ["20 Jan", "20 Dec", "20 Nov"]


def test_at_the_end_of_its_period_a_cancelled_one_is_gone(payments: LocalPayments, clock: Clock) -> None:
    subscribe(payments)
    payments.cancel(1, at_period_end=True)
    clock.advance(days=31)
    assert payments.subscription(1) is None
    with pytest.raises(Conflict):
        payments.cancel(1, at_period_end=True)
    subscribe(payments)
    assert len(payments.invoices(1, 500)) == 2
