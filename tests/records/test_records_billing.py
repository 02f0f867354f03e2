"""Subscriptions renew by the clock of the database, one invoice a period, whoever reads them and when."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import Connection

from voxpop.errors import Conflict
from voxpop.records import billing, keys
from voxpop.records.billing import Price
from voxpop.records.database import Database

PRICE = Price("standard", "usd", 4_900)
URLS = {"success_url": "https://shop.example/ok", "cancel_url": "https://shop.example/no"}


def subscribed(c: Connection, org: int) -> billing.Subscription:
    billing.hold(c, org)
    return billing.subscribe(c, org, PRICE)


def starts(c: Connection, org: int) -> list[str]:
    """Return the days on which the invoiced periods begin, oldest first."""
    return [f"{one.period_start:%m-%d}" for one in reversed(billing.list_invoices(c, org, 500))]


def test_nobody_is_subscribed_at_first(c: Connection, org: int) -> None:
    assert billing.subscription(c, org) is None
    assert billing.renew(c, org, PRICE) is None
    assert billing.list_invoices(c, org, 500) == []


def test_a_subscription_begins_with_a_month_and_its_invoice(c: Connection, org: int, clock: Any) -> None:
    begun = subscribed(c, org)
    assert (begun.status, begun.plan, begun.cancel_at_period_end) == ("active", "standard", False)
    assert begun.current_period_start == clock.now
    assert begun.current_period_end == datetime(2026, 12, 20, 9, 30, tzinfo=UTC)
    (invoice,) = billing.list_invoices(c, org, 500)
    assert (invoice.amount_due, invoice.currency, invoice.status) == (4_900, "usd", "paid")
    assert (invoice.period_start, invoice.period_end) == (clock.now, begun.current_period_end)
    assert invoice.number == f"{begun.id[-8:].upper()}-0001"


def test_the_last_day_of_a_month_stays_the_last_day(c: Connection, org: int, clock: Any) -> None:
    clock.now = datetime(2027, 10, 31, 23, 0, tzinfo=UTC)
    subscribed(c, org)
    clock.now = datetime(2028, 4, 30, 22, 59, 59, tzinfo=UTC)
    renewed = billing.renew(c, org, PRICE)
    assert starts(c, org) == ["10-31", "11-30", "12-31", "01-31", "02-29", "03-31"]
    assert renewed is not None
    assert renewed.current_period_end == datetime(2028, 4, 30, 23, 0, tzinfo=UTC)


def test_periods_touch_and_are_numbered_in_order(c: Connection, org: int, clock: Any) -> None:
    subscribed(c, org)
    clock.advance(days=400)
    billing.renew(c, org, PRICE)
    written = billing.list_invoices(c, org, 500)[::-1]
    assert len(written) == 14
    assert all(a.period_end == b.period_start for a, b in pairwise(written))
    assert [one.number[-4:] for one in written] == [f"{n:04d}" for n in range(1, 15)]
    assert billing.list_invoices(c, org, 2) == written[:-3:-1]
    assert billing.renew(c, org, PRICE) is not None
    assert len(billing.list_invoices(c, org, 500)) == 14


def test_when_it_is_read_makes_no_difference(database: Database, clock: Any) -> None:
    begun = clock.now
    with database.begin() as c:
        often, once = (keys.create_organization(c, name) for name in ("often", "once"))
        for org in (often, once):
            subscribed(c, org)
    for _ in range(40):
        clock.advance(days=7)
        with database.begin() as c:
            billing.renew(c, often, PRICE)
    with database.begin() as c:
        billing.renew(c, once, PRICE)
        told = [
            [(one.period_start, one.period_end, one.created_at, one.paid_at) for one in found]
            for found in (billing.list_invoices(c, org, 500) for org in (often, once))
        ]
    assert told[0] == told[1]
    assert clock.now - begun == timedelta(days=280)
    assert len(told[0]) == 10


def test_a_period_ends_at_its_end_and_not_before(c: Connection, org: int, clock: Any) -> None:
    begun = subscribed(c, org)
    clock.now = begun.current_period_end - timedelta(microseconds=1)
    assert not billing.is_due(c, begun)
    clock.now = begun.current_period_end
    assert billing.is_due(c, begun)
    renewed = billing.renew(c, org, PRICE)
    assert renewed is not None
    assert renewed.current_period_start == begun.current_period_end


def test_cancelled_at_the_end_of_the_period_it_ends_there(c: Connection, org: int, clock: Any) -> None:
    begun = subscribed(c, org)
    assert billing.cancel(c, org, at_period_end=True).cancel_at_period_end
    assert billing.cancel(c, org, at_period_end=True).status == "active"
    clock.advance(days=300)
    ended = billing.renew(c, org, PRICE)
    assert ended is not None
    assert (ended.status, ended.ended_at) == ("canceled", begun.current_period_end)
    assert len(billing.list_invoices(c, org, 500)) == 1


def test_resumed_it_goes_on(c: Connection, org: int, clock: Any) -> None:
    subscribed(c, org)
    billing.cancel(c, org, at_period_end=True)
    assert not billing.resume(c, org).cancel_at_period_end
    clock.advance(days=31)
    billing.renew(c, org, PRICE)
    assert len(billing.list_invoices(c, org, 500)) == 2


def test_what_does_not_go_on_cannot_be_changed(c: Connection, org: int) -> None:
    with pytest.raises(Conflict) as none:
        billing.cancel(c, org, at_period_end=True)
    subscribed(c, org)
    assert billing.cancel(c, org, at_period_end=False).status == "canceled"
    with pytest.raises(Conflict) as ended:
        billing.resume(c, org)
    assert (none.value.details, ended.value.details) == ({"status": "none"}, {"status": "canceled"})


def test_after_its_end_it_can_begin_again_on_another_day(c: Connection, org: int, clock: Any) -> None:
    subscribed(c, org)
    billing.cancel(c, org, at_period_end=False)
    clock.now = datetime(2026, 12, 31, tzinfo=UTC)
    again = subscribed(c, org)
    assert (again.status, again.cancel_at_period_end, again.ended_at) == ("active", False, None)
    clock.now = datetime(2027, 3, 1, tzinfo=UTC)
    billing.renew(c, org, PRICE)
    assert starts(c, org) == ["11-20", "12-31", "01-31", "02-28"]


def test_a_checkout_is_open_for_a_day(c: Connection, org: int, clock: Any) -> None:
    made = billing.create_checkout(c, org, **URLS)
    assert billing.checkout_of(c, made.token) == made
    clock.advance(hours=24)
    found = billing.checkout_of(c, made.token)
    assert found is not None
    assert (found.status, found.ended_at) == ("expired", clock.now)


def test_a_checkout_of_another_provider_has_no_page(c: Connection, org: int) -> None:
    made = billing.create_checkout(c, org, **URLS, checkout_id="chk_1", provider_id="cs_1")
    assert (made.id, billing.checkout_of(c, made.token)) == ("chk_1", None)


def test_an_organization_has_a_name_at_stripe_besides(c: Connection, org: int, other: int) -> None:
    billing.hold(c, org)
    assert billing.customer_id(c, org) is None
    billing.set_customer(c, org, "cus_1")
    billing.hold(c, org)
    assert (billing.customer_id(c, org), billing.customer_id(c, other)) == ("cus_1", None)


def test_nothing_of_one_organization_is_seen_by_another(c: Connection, org: int, other: int) -> None:
    subscribed(c, org)
    assert billing.subscription(c, other) is None
    assert billing.list_invoices(c, other, 500) == []
    with pytest.raises(Conflict):
        billing.cancel(c, other, at_period_end=False)


def test_the_secret_stays_the_same(c: Connection) -> None:
    assert billing.secret(c) is None
    made = billing.make_secret(c)
    assert len(made) == 64
    assert billing.make_secret(c) == billing.secret(c) == made


def test_many_who_read_at_once_write_each_invoice_once(database: Database, clock: Any) -> None:
    with database.begin() as c:
        org = keys.create_organization(c, "acme")
        subscribed(c, org)
    clock.advance(days=100)

    def read(_: int) -> billing.Subscription | None:
        with database.begin() as connection:
            billing.hold(connection, org)
            return billing.renew(connection, org, PRICE)

    with ThreadPoolExecutor(8) as pool:
        seen = set(pool.map(read, range(24)))
    assert len(seen) == 1
    with database.read() as c:
        assert starts(c, org) == ["11-20", "12-20", "01-20", "02-20"]
