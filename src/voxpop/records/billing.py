"""Billing: checkouts, subscriptions and invoices, renewed by the clock of the database.

The embedded provider stores everything here. For Stripe, only customers and checkouts are stored and the rest
is read from Stripe.
"""

from __future__ import annotations

import calendar
import secrets
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

import sqlalchemy as sa

from voxpop.errors import Conflict
from voxpop.records.database import now
from voxpop.records.inserting import insert_new, insert_or_replace
from voxpop.records.schema import billing_accounts, checkouts, invoices, service_facts, subscriptions

OPEN_FOR = timedelta(hours=24)
"""Lifetime of an open checkout."""

LOCAL, STRIPE = "local", "stripe"
"""Payment providers."""

_SECRET = "billing_secret"  # nosec B105


@dataclass(frozen=True, slots=True)
class Checkout:
    """A checkout as it is stored.

    Attributes
    ----------
    status : str
        ``open``, ``complete``, ``expired`` or ``canceled``.
    token : str
        The secret part of its page's address.
    provider_id : str or None
        Its id at another provider; None for the embedded provider.
    """

    id: str
    organization_id: int
    status: str
    success_url: str
    cancel_url: str
    token: str
    provider_id: str | None
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Subscription:
    """The subscription of an organization and its paid period."""

    id: str
    status: str
    plan: str
    current_period_start: datetime
    current_period_end: datetime
    cancel_at_period_end: bool
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Invoice:
    """An invoice; ``amount_due`` is in the smallest unit of the currency, such as cents."""

    id: str
    number: str | None
    status: str
    currency: str
    amount_due: int
    period_start: datetime
    period_end: datetime
    created_at: datetime
    paid_at: datetime | None


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a period; ``amount`` is in the smallest unit of the currency, such as cents."""

    plan: str
    currency: str
    amount: int


_CHECKOUT = [checkouts.c[name] for name in Checkout.__dataclass_fields__]
_SUBSCRIPTION = [subscriptions.c[name] for name in Subscription.__dataclass_fields__]
_INVOICE = [invoices.c[name] for name in Invoice.__dataclass_fields__]


def months_later(anchor: datetime, months: int) -> datetime:
    """Return the same day a number of months later, or the last day of a shorter month.

    Examples
    --------
    >>> from datetime import UTC
    >>> [f"{months_later(datetime(2026, 1, 31, tzinfo=UTC), n):%b %d}" for n in (1, 2, 13)]
    ['Feb 28', 'Mar 31', 'Feb 28']
    """
    year, month = divmod(anchor.year * 12 + anchor.month - 1 + months, 12)
    day = min(anchor.day, calendar.monthrange(year, month + 1)[1])
    return anchor.replace(year=year, month=month + 1, day=day)


def secret(c: sa.Connection) -> str | None:
    """Return the secret that signs addresses; None if it was never needed."""
    return c.execute(sa.select(service_facts.c.value).where(service_facts.c.name == _SECRET)).scalar()


def make_secret(c: sa.Connection) -> str:
    """Return the secret that signs addresses, creating it if missing."""
    insert_new(c, service_facts, [{"name": _SECRET, "value": secrets.token_hex(32)}], key=("name",))
    found = secret(c)
    assert found is not None  # it existed, or was written above
    return found


def customer_id(c: sa.Connection, organization_id: int) -> str | None:
    """Return the Stripe customer id of an organization, or None."""
    account = billing_accounts.c
    found = sa.select(account.customer_id).where(account.organization_id == organization_id)
    return c.execute(found.where(account.provider == STRIPE)).scalar()


def set_customer(c: sa.Connection, organization_id: int, customer: str) -> None:
    """Store the Stripe customer id of an organization."""
    row = {
        "organization_id": organization_id,
        "provider": STRIPE,
        "customer_id": customer,
        "created_at": now(c),
    }
    insert_or_replace(c, billing_accounts, row, key=("organization_id",))


def new_checkout_id() -> str:
    """Return an id for a new checkout."""
    return f"chk_{secrets.token_hex(12)}"


def create_checkout(
    c: sa.Connection,
    organization_id: int,
    *,
    success_url: str,
    cancel_url: str,
    checkout_id: str | None = None,
    provider_id: str | None = None,
) -> Checkout:
    """Store an open checkout."""
    made = Checkout(
        id=checkout_id or new_checkout_id(),
        organization_id=organization_id,
        status="open",
        success_url=success_url,
        cancel_url=cancel_url,
        token=secrets.token_urlsafe(32),
        provider_id=provider_id,
        created_at=now(c),
        ended_at=None,
    )
    c.execute(checkouts.insert().values(asdict(made)))
    return made


def checkout_of(c: sa.Connection, token: str) -> Checkout | None:
    """Return the embedded provider's checkout with this token; open ones expire after a day."""
    mine = sa.and_(checkouts.c.token == token, checkouts.c.provider_id.is_(None))
    row = c.execute(sa.select(*_CHECKOUT).where(mine)).first()
    if row is None:
        return None
    found = Checkout(*row)
    ends = found.created_at + OPEN_FOR
    if found.status != "open" or now(c) < ends:
        return found
    return replace(found, status="expired", ended_at=ends)


def end_checkout(c: sa.Connection, checkout: Checkout, status: str) -> None:
    """Close an open checkout."""
    c.execute(checkouts.update().where(checkouts.c.id == checkout.id).values(status=status, ended_at=now(c)))


def hold(c: sa.Connection, organization_id: int) -> None:
    """Lock the billing of this organization until the transaction ends."""
    row = {"organization_id": organization_id, "provider": LOCAL, "customer_id": None, "created_at": now(c)}
    insert_new(c, billing_accounts, [row], key=("organization_id",))
    account = billing_accounts.c.organization_id
    c.execute(sa.select(account).where(account == organization_id).with_for_update())


def subscription(c: sa.Connection, organization_id: int) -> Subscription | None:
    """Return an organization's subscription, including an ended one; None if it never had one."""
    row = c.execute(
        sa.select(*_SUBSCRIPTION).where(subscriptions.c.organization_id == organization_id)
    ).first()
    return None if row is None else Subscription(*row)


def is_due(c: sa.Connection, found: Subscription | None) -> bool:
    """Return whether a subscription's period is over and has to be renewed or ended."""
    return found is not None and found.status == "active" and found.current_period_end <= now(c)


def subscribe(c: sa.Connection, organization_id: int, price: Price) -> Subscription:
    """Start a subscription now, with its first invoice; requires :func:`hold`.

    An organization has one subscription: an ended one starts again under the same id.
    """
    moment = now(c)
    values = {
        "status": "active",
        "plan": price.plan,
        "current_period_start": moment,
        "current_period_end": months_later(moment, 1),
        "cancel_at_period_end": False,
        "created_at": moment,
        "ended_at": None,
    }
    earlier = subscription(c, organization_id)
    if earlier is None:
        made = {"id": f"sub_{secrets.token_hex(12)}", "organization_id": organization_id}
        c.execute(subscriptions.insert().values(made | values))
    else:
        _change(c, earlier, **values)
    begun = _stored(c, organization_id)
    _bill(c, organization_id, begun, price)
    return begun


def renew(c: sa.Connection, organization_id: int, price: Price) -> Subscription | None:
    """Start every period that is due, each with an invoice; requires :func:`hold`.

    A subscription with a pending cancellation ends with its period. Periods start on the day of the month on
    which the subscription started.
    """
    found = subscription(c, organization_id)
    while found is not None and is_due(c, found):
        start = found.current_period_end
        if found.cancel_at_period_end:
            _change(c, found, status="canceled", ended_at=start)
        else:
            since = found.created_at
            passed = (start.year - since.year) * 12 + start.month - since.month
            ends = months_later(since, passed + 1)
            _change(c, found, current_period_start=start, current_period_end=ends)
            _bill(c, organization_id, _stored(c, organization_id), price)
        found = subscription(c, organization_id)
    return found


def cancel(c: sa.Connection, organization_id: int, *, at_period_end: bool) -> Subscription:
    """Cancel a subscription at the end of its period, or at once; requires :func:`hold`.

    Raises
    ------
    Conflict
        The organization has no active subscription.
    """
    found = _active(c, organization_id)
    if at_period_end:
        _change(c, found, cancel_at_period_end=True)
    else:
        _change(c, found, status="canceled", ended_at=now(c))
    return _stored(c, organization_id)


def resume(c: sa.Connection, organization_id: int) -> Subscription:
    """Withdraw a pending cancellation; requires :func:`hold`."""
    _change(c, _active(c, organization_id), cancel_at_period_end=False)
    return _stored(c, organization_id)


def list_invoices(c: sa.Connection, organization_id: int, limit: int) -> list[Invoice]:
    """Return an organization's invoices, newest first."""
    query = sa.select(*_INVOICE).where(invoices.c.organization_id == organization_id)
    newest = query.order_by(invoices.c.period_start.desc()).limit(limit)
    return [Invoice(*row) for row in c.execute(newest)]


def nothing_to_cancel(status: str = "none") -> Conflict:
    """Return the error for an organization without an active subscription."""
    told = "has none" if status == "none" else f"has one that is {status}"
    return Conflict(
        f"Only a subscription that goes on can be changed, and this organization {told}; "
        "POST /billing/checkout begins one.",
        details={"status": status},
    )


def _active(c: sa.Connection, organization_id: int) -> Subscription:
    found = subscription(c, organization_id)
    if found is None or found.status != "active":
        raise nothing_to_cancel("none" if found is None else found.status)
    return found


def _stored(c: sa.Connection, organization_id: int) -> Subscription:
    found = subscription(c, organization_id)
    assert found is not None  # written in this transaction
    return found


def _change(c: sa.Connection, found: Subscription, **values: object) -> None:
    c.execute(subscriptions.update().where(subscriptions.c.id == found.id).values(values))


def _bill(c: sa.Connection, organization_id: int, found: Subscription, price: Price) -> None:
    """Store the invoice of the current period, issued and paid at its start."""
    mine = invoices.c.subscription_id == found.id
    written = c.execute(sa.select(sa.func.count()).select_from(invoices).where(mine)).scalar_one()
    row = {
        "id": f"inv_{secrets.token_hex(12)}",
        "organization_id": organization_id,
        "subscription_id": found.id,
        "number": f"{found.id[-8:].upper()}-{written + 1:04d}",
        "status": "paid",
        "currency": price.currency,
        "amount_due": price.amount,
        "period_start": found.current_period_start,
        "period_end": found.current_period_end,
        "created_at": found.current_period_start,
        "paid_at": found.current_period_start,
    }
    insert_new(c, invoices, [row], key=("subscription_id", "period_start"))
