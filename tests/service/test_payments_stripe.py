"""Payments through Stripe: the official library against a server that speaks Stripe's wire format."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from stripe_server import KEY, MONTH, NOW, PRICE, Refusal, StripeServer

from running_service import Service
from voxpop.errors import Conflict, InvalidRequest, ServiceError, Unavailable, UsageError
from voxpop.records import billing, keys
from voxpop.records.database import Database
from voxpop.records.folder import sqlite_url
from voxpop.service.payments_local import LocalPayments
from voxpop.service.payments_opening import open_payments
from voxpop.service.payments_stripe import StripePayments
from voxpop.settings import PaymentsSettings, ServiceSettings

SUCCESS, CANCEL = "https://shop.example/ok?a=1&b=ü".replace("ü", "%C3%BC"), "https://shop.example/no"
SESSIONS = "/v1/checkout/sessions"


@pytest.fixture
def stripe() -> Iterator[StripeServer]:
    server = StripeServer()
    yield server
    server.close()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database.open(database_url)
    yield opened
    opened.close()


@pytest.fixture
def org(database: Database) -> int:
    with database.begin() as c:
        return keys.create_organization(c, "acme")


def settings(stripe: StripeServer, **changes: Any) -> PaymentsSettings:
    given = {"provider": "stripe", "stripe_key": KEY, "stripe_price": PRICE, "stripe_url": stripe.url}
    return PaymentsSettings(**(given | changes))


@pytest.fixture
def payments(stripe: StripeServer, database: Database) -> Iterator[StripePayments]:
    opened = StripePayments(database, settings(stripe), retries=0)
    yield opened
    opened.close()


@pytest.fixture
def patient(stripe: StripeServer, database: Database) -> Iterator[StripePayments]:
    """Payments that send a call once more."""
    opened = StripePayments(database, settings(stripe), retries=1)
    yield opened
    opened.close()


def paid(stripe: StripeServer, payments: StripePayments, org: int, **values: Any) -> dict[str, Any]:
    """Open a checkout, let the customer pay, and return Stripe's subscription."""
    payments.checkout(org, SUCCESS, CANCEL)
    made = stripe.account.pay(list(stripe.account.sessions)[-1])
    made.update(values)
    return made


# What is sent


def test_a_checkout_is_a_session_of_the_organizations_own_customer(
    stripe: StripeServer, payments: StripePayments, org: int, database: Database
) -> None:
    opened = payments.checkout(org, SUCCESS, CANCEL)
    assert (opened.id[:4], opened.status) == ("chk_", "open")
    (session,) = stripe.account.sessions.values()
    assert opened.url == session["url"]
    (customer,) = stripe.account.customers.values()
    assert customer["metadata"] == {"organization_id": str(org)}
    (call,) = stripe.sent("POST", SESSIONS)
    assert call.form == {
        "mode": "subscription",
        "customer": customer["id"],
        "line_items": {"0": {"price": PRICE, "quantity": "1"}},
        "success_url": SUCCESS,
        "cancel_url": CANCEL,
        "client_reference_id": opened.id,
    }
    assert call.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert call.headers["Idempotency-Key"] == opened.id
    with database.read() as c:
        assert billing.customer_id(c, org) == customer["id"]


def test_the_customer_is_made_once(stripe: StripeServer, payments: StripePayments, org: int) -> None:
    for _ in range(2):
        payments.checkout(org, SUCCESS, CANCEL)
    payments.portal(org, CANCEL)
    assert len(stripe.account.customers) == len(stripe.sent("POST", "/v1/customers")) == 1


def test_two_calls_at_once_make_one_customer(
    stripe: StripeServer, payments: StripePayments, org: int
) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: payments.portal(org, CANCEL), range(4)))
    assert len(stripe.account.customers) == 1


def test_two_services_with_one_account_have_their_own_customers(
    stripe: StripeServer, payments: StripePayments, org: int, tmp_path: Path
) -> None:
    payments.portal(org, CANCEL)
    second = Database.open(sqlite_url(tmp_path / "second"))
    with second.begin() as c:
        same_number = keys.create_organization(c, "somebody else")
    there = StripePayments(second, settings(stripe), retries=0)
    there.portal(same_number, CANCEL)
    there.close()
    second.close()
    assert same_number == org
    assert len(stripe.account.customers) == 2


def test_an_answer_that_is_lost_makes_nothing_twice(
    stripe: StripeServer, patient: StripePayments, org: int
) -> None:
    stripe.faults = ["lose"]  # of the customer
    patient.portal(org, CANCEL)
    assert (len(stripe.sent("POST", "/v1/customers")), len(stripe.account.customers)) == (2, 1)


def test_a_checkout_whose_answer_is_lost_is_opened_once(
    stripe: StripeServer, patient: StripePayments, org: int
) -> None:
    patient.portal(org, CANCEL)
    stripe.faults = ["", "", "lose"]  # subscriptions, open sessions, the new session
    patient.checkout(org, SUCCESS, CANCEL)
    assert (len(stripe.sent("POST", SESSIONS)), len(stripe.account.sessions)) == (2, 1)


def test_an_earlier_checkout_is_closed_so_that_nobody_pays_twice(
    stripe: StripeServer, payments: StripePayments, org: int
) -> None:
    for _ in range(3):
        payments.checkout(org, SUCCESS, CANCEL)
    assert [one["status"] for one in stripe.account.sessions.values()] == ["expired", "expired", "open"]


def test_an_earlier_checkout_that_was_paid_a_moment_ago_is_a_conflict(
    stripe: StripeServer, payments: StripePayments, org: int
) -> None:
    payments.checkout(org, SUCCESS, CANCEL)
    stripe.faults = ["", "", Refusal(400, "invalid_request_error")]
    with pytest.raises(Conflict, match="completed a moment ago"):
        payments.checkout(org, SUCCESS, CANCEL)


# What is read


def test_the_subscription_is_what_stripe_says_now(
    stripe: StripeServer, payments: StripePayments, org: int
) -> None:
    assert payments.subscription(org) is None
    assert payments.invoices(org, 50) == []
    assert stripe.calls == []  # nobody has to be asked about somebody who is no customer
    theirs = paid(stripe, payments, org)
    found = payments.subscription(org)
    assert found is not None
    assert (found.id, found.status, found.plan) == (theirs["id"], "active", "standard_monthly")
    assert found.current_period_start.timestamp() == NOW
    assert found.current_period_end.timestamp() == NOW + MONTH
    assert not found.cancel_at_period_end
    theirs["status"] = "past_due"
    assert payments.subscription(org).status == "past_due"


@pytest.mark.parametrize("status", ["active", "trialing", "past_due", "unpaid", "paused"])
def test_whoever_is_subscribed_cannot_subscribe_again(
    stripe: StripeServer, payments: StripePayments, org: int, status: str
) -> None:
    paid(stripe, payments, org, status=status)
    with pytest.raises(Conflict) as caught:
        payments.checkout(org, SUCCESS, CANCEL)
    assert caught.value.details == {"status": status}


@pytest.mark.parametrize("status", ["canceled", "incomplete_expired", "incomplete"])
def test_after_its_end_it_can_be_bought_again(
    stripe: StripeServer, payments: StripePayments, org: int, status: str
) -> None:
    paid(stripe, payments, org, status=status)
    assert (payments.subscription(org) is None) == (status != "incomplete")
    assert payments.checkout(org, SUCCESS, CANCEL).status == "open"


def test_one_that_was_paid_comes_before_one_that_was_not(
    stripe: StripeServer, payments: StripePayments, org: int
) -> None:
    theirs = paid(stripe, payments, org, status="incomplete")
    stripe.account.subscribe(theirs["customer"])
    assert payments.subscription(org).status == "active"


def test_an_end_that_was_set_in_stripes_portal_is_seen(
    stripe: StripeServer, payments: StripePayments, org: int
) -> None:
    paid(stripe, payments, org, cancel_at=NOW + MONTH)
    assert payments.subscription(org).cancel_at_period_end


def test_it_ends_with_its_period_or_at_once(stripe: StripeServer, payments: StripePayments, org: int) -> None:
    theirs = paid(stripe, payments, org)
    kept = payments.cancel(org, at_period_end=True)
    assert (kept.status, kept.cancel_at_period_end) == ("active", True)
    (call,) = stripe.sent("POST", f"/v1/subscriptions/{theirs['id']}")
    assert call.form == {"cancel_at_period_end": "true"}
    ended = payments.cancel(org, at_period_end=False)
    assert (ended.status, ended.ended_at.timestamp()) == ("canceled", NOW + 5)
    assert payments.subscription(org) is None


def test_without_a_subscription_nothing_is_cancelled(payments: StripePayments, org: int) -> None:
    for _ in range(2):
        with pytest.raises(Conflict) as caught:
            payments.cancel(org, at_period_end=True)
        assert caught.value.details == {"status": "none"}
        payments.portal(org, CANCEL)


def test_invoices_are_read_page_by_page_up_to_the_limit(
    stripe: StripeServer, payments: StripePayments, org: int
) -> None:
    customer = paid(stripe, payments, org)["customer"]
    for month in range(1, 240):
        stripe.account.invoice(customer, NOW + month * MONTH)
    found = payments.invoices(org, 230)
    assert [one.id for one in found] == [one["id"] for one in stripe.account.invoices[:230]]
    assert [call.form["limit"] for call in stripe.sent("GET", "/v1/invoices")] == ["100"] * 3
    newest = found[0]
    assert (newest.number, newest.status, newest.currency) == ("A1B2-0240", "paid", "usd")
    assert (newest.amount_due, newest.period_start.timestamp()) == (4_900, NOW + 239 * MONTH)
    assert newest.period_end.timestamp() == NOW + 240 * MONTH  # what it is for, which its lines say
    assert newest.paid_at.timestamp() == NOW + 239 * MONTH + 60
    assert len(payments.invoices(org, 3)) == 3
    assert stripe.calls[-1].form["limit"] == "3"


def test_a_draft_has_neither_number_nor_payment(
    stripe: StripeServer, payments: StripePayments, org: int
) -> None:
    customer = paid(stripe, payments, org)["customer"]
    made = {"status": "draft", "number": None, "status_transitions": {"paid_at": None}}
    stripe.account.invoice(customer, NOW + MONTH, **made, lines={"object": "list", "data": []})
    draft = payments.invoices(org, 1)[0]
    assert (draft.status, draft.number, draft.paid_at) == ("draft", None, None)


def test_one_organization_does_not_see_the_customer_of_another(
    stripe: StripeServer, payments: StripePayments, org: int, database: Database
) -> None:
    paid(stripe, payments, org)
    with database.begin() as c:
        other = keys.create_organization(c, "other")
    payments.portal(other, CANCEL)
    assert payments.subscription(other) is None
    assert payments.invoices(other, 50) == []


# What goes wrong

ERRORS = [
    ("drop", Unavailable, "cannot be reached"),
    (Refusal(500, "api_error"), Unavailable, "cannot answer now"),
    (Refusal(429, "invalid_request_error", code="rate_limit"), Unavailable, "cannot answer now"),
    (Refusal(401, "invalid_request_error"), Unavailable, "VOXPOP_STRIPE_KEY"),
    (Refusal(403, "invalid_request_error"), Unavailable, "VOXPOP_STRIPE_KEY"),
    (Refusal(400, "invalid_request_error", param="return_url"), InvalidRequest, "return_url"),
    (Refusal(400, "invalid_request_error", param="line_items[0][price]"), Unavailable, "VOXPOP_STRIPE_PRICE"),
    (
        Refusal(404, "invalid_request_error", param="customer"),
        Conflict,
        "refused this; its request req_000001",
    ),
    (Refusal(402, "card_error", param="", code="card_declined"), Conflict, "refused this"),
    (Refusal(400, "idempotency_error"), Conflict, "refused this"),
]


@pytest.mark.parametrize(("fault", "kind", "words"), ERRORS, ids=[str(n) for n in range(len(ERRORS))])
def test_errors_of_stripe_become_ours(
    payments: StripePayments, stripe: StripeServer, org: int, fault: Any, kind: type[ServiceError], words: str
) -> None:
    stripe.faults = [fault]
    with pytest.raises(kind, match=words):
        payments.portal(org, CANCEL)


@pytest.mark.parametrize("fault", [fault for fault, _, _ in ERRORS], ids=[str(n) for n in range(len(ERRORS))])
def test_errors_repeat_nothing_that_was_sent_or_said(
    payments: StripePayments, stripe: StripeServer, org: int, fault: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    stripe.faults = [fault]
    with pytest.raises(ServiceError) as caught:
        payments.portal(org, "https://shop.example/private-return")
    told = f"{caught.value!r} {caught.value.details} {caught.value.__cause__} {caplog.text}"
    assert caught.value.__suppress_context__
    for secret in (KEY, KEY[:8], "own words", "private-return"):
        assert secret not in told
    assert "Stripe: " in caplog.text


def test_a_refused_address_is_named(payments: StripePayments, org: int) -> None:
    with pytest.raises(InvalidRequest) as caught:
        payments.checkout(org, "https://refused.example/", CANCEL)
    assert list(caught.value.details["fields"]) == ["success_url"]


def test_a_price_that_is_not_sold_is_the_services_own_mistake(
    stripe: StripeServer, database: Database, org: int
) -> None:
    wrong = StripePayments(database, settings(stripe, stripe_price="price_gone"), retries=0)
    with pytest.raises(Unavailable, match="VOXPOP_STRIPE_PRICE"):
        wrong.checkout(org, SUCCESS, CANCEL)
    wrong.close()


def test_after_a_failure_nothing_is_half_stored(
    stripe: StripeServer, payments: StripePayments, org: int, database: Database
) -> None:
    stripe.faults = ["lose"]
    with pytest.raises(Unavailable):
        payments.checkout(org, SUCCESS, CANCEL)
    with database.read() as c:
        assert billing.customer_id(c, org) is None
    payments.checkout(org, SUCCESS, CANCEL)
    assert len(stripe.account.customers) == 1  # the one whose answer was lost


def test_the_key_is_never_logged_or_shown(
    payments: StripePayments, stripe: StripeServer, org: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    payments.checkout(org, SUCCESS, CANCEL)
    assert caplog.records
    assert KEY not in caplog.text + repr(payments) + repr(settings(stripe)) + repr(
        ServiceSettings(payments=settings(stripe))
    )


# A whole service with it


def test_a_service_with_stripe_answers_in_the_same_shapes(
    home: Path, tmp_path: Path, stripe: StripeServer
) -> None:
    service = Service(home, tmp_path, payments=settings(stripe))
    try:
        http = service.client(service.key("billing:read", "billing:write"))
        body = {"success_url": SUCCESS, "cancel_url": CANCEL}
        made = http.post("/billing/checkout", json=body)
        assert (made.status_code, list(made.json()["checkout"])) == (201, ["id", "url", "status"])
        assert made.json()["checkout"]["url"].startswith("https://checkout.stripe.example/")
        stripe.account.pay(next(iter(stripe.account.sessions)))
        assert http.get("/billing/subscription").json()["subscription"]["status"] == "active"
        assert http.get("/billing/invoices").json()["invoices"][0]["paid_at"].endswith("Z")
        portal = http.post("/billing/portal", json={"return_url": CANCEL}).json()["portal"]["url"]
        assert portal.startswith("https://billing.stripe.example/")
        assert http.post("/billing/cancel").json()["subscription"]["cancel_at_period_end"] is True
        stripe.faults = [Refusal(403, "invalid_request_error")]
        gone = http.get("/billing/subscription")
        assert (gone.status_code, gone.json()["error"]["code"]) == (503, "unavailable")
        assert gone.headers["Retry-After"] == "1"
        with service.state.database.read() as c:
            token = c.exec_driver_sql("SELECT token FROM checkouts").scalar_one()
        assert httpx.get(f"{service.root_url}/pay/checkout/{token}").status_code == 404
        assert httpx.post(f"{service.root_url}/pay/checkout/{token}/confirm").status_code == 404
    finally:
        service.close()


# Settings


def test_without_settings_no_money_moves(database: Database) -> None:
    assert PaymentsSettings.from_environment({}) == PaymentsSettings(provider="local")
    assert isinstance(open_payments(database, PaymentsSettings()), LocalPayments)


def test_the_settings_name_stripe(database: Database) -> None:
    given = {
        "VOXPOP_PAYMENTS": "Stripe",
        "VOXPOP_STRIPE_KEY": KEY,
        "VOXPOP_STRIPE_PRICE": PRICE,
        "VOXPOP_STRIPE_URL": "https://stripe.proxy.example/",
    }
    read = ServiceSettings.from_environment(given).payments
    assert read == PaymentsSettings("stripe", KEY, PRICE, "https://stripe.proxy.example")
    payments = open_payments(database, read)
    assert payments.name == "stripe"
    payments.close()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"VOXPOP_PAYMENTS": "paypal"}, "must be local or stripe, not 'paypal'"),
        ({"VOXPOP_PAYMENTS": "stripe"}, "also needs VOXPOP_STRIPE_KEY and VOXPOP_STRIPE_PRICE"),
        ({"VOXPOP_PAYMENTS": "stripe", "VOXPOP_STRIPE_KEY": KEY}, "also needs VOXPOP_STRIPE_PRICE"),
        ({"VOXPOP_STRIPE_URL": "http://stripe.example"}, "must be an https address"),
        ({"VOXPOP_STRIPE_URL": "https://me:secret@stripe.example"}, "must be an https address"),
        ({"VOXPOP_STRIPE_URL": "stripe.example"}, "must be an https address"),
    ],
)
def test_settings_that_cannot_work_are_refused(given: dict[str, str], words: str) -> None:
    if "VOXPOP_STRIPE_URL" in given:
        given = given | {"VOXPOP_PAYMENTS": "stripe", "VOXPOP_STRIPE_KEY": KEY, "VOXPOP_STRIPE_PRICE": PRICE}
    with pytest.raises(UsageError, match=words) as caught:
        PaymentsSettings.from_environment(given)
    assert KEY not in str(caught.value)
