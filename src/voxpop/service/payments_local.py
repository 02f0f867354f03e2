"""The embedded payment provider: takes no money, and serves its pages below the service's root."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import timedelta

import msgspec
import sqlalchemy as sa

from voxpop.records import audit, billing
from voxpop.records.billing import Checkout, Invoice, Price, Subscription
from voxpop.records.database import Database, now
from voxpop.service.payments import Opened, subscribed_already

PRICE = Price(plan="standard", currency="usd", amount=0)
"""The plan of the embedded provider, which is free of charge."""

PAGES = "/pay"
"""Path of the embedded provider's pages below the service's root."""

PORTAL_FOR = timedelta(hours=1)
"""Lifetime of a portal page."""


@dataclass(frozen=True, slots=True)
class PortalVisit:
    """Content of a portal token."""

    organization: int
    return_url: str


class _Signed(msgspec.Struct, array_like=True):
    organization: int
    return_url: str
    until: int


class LocalPayments:
    """The embedded provider: subscriptions in the database, paid for by pressing a button.

    Parameters
    ----------
    database
        Stores everything; its clock renews subscriptions when they are read.
    """

    name = billing.LOCAL

    def __init__(self, database: Database) -> None:
        self._database = database

    def checkout(self, organization: int, success_url: str, cancel_url: str) -> Opened:
        """Open a checkout page."""
        self._refuse_second(self.subscription(organization))
        with self._database.begin() as c:
            made = billing.create_checkout(c, organization, success_url=success_url, cancel_url=cancel_url)
        return Opened(made.id, f"{PAGES}/checkout/{made.token}", made.status)

    def subscription(self, organization: int) -> Subscription | None:
        """Return the active subscription, renewed if its period has passed."""
        with self._database.read() as c:
            found = billing.subscription(c, organization)
            due = billing.is_due(c, found)
        if due:
            with self._database.begin() as c:
                billing.hold(c, organization)
                found = billing.renew(c, organization, PRICE)
        return found if found is not None and found.status == "active" else None

    def invoices(self, organization: int, limit: int) -> list[Invoice]:
        """Return the latest invoices, newest first."""
        self.subscription(organization)  # writes due invoices
        with self._database.read() as c:
            return billing.list_invoices(c, organization, limit)

    def portal(self, organization: int, return_url: str) -> str:
        """Return the URL of the portal, valid for an hour."""
        with self._database.begin() as c:
            until = int((now(c) + PORTAL_FOR).timestamp())
            key = billing.make_secret(c)
        told = msgspec.json.encode(_Signed(organization, return_url, until))
        return f"{PAGES}/portal/{_text(told)}.{_text(_signature(key, told))}"

    def cancel(self, organization: int, at_period_end: bool) -> Subscription:
        """Cancel the subscription at the end of its period, or at once."""
        with self._database.begin() as c:
            billing.hold(c, organization)
            billing.renew(c, organization, PRICE)
            return billing.cancel(c, organization, at_period_end=at_period_end)

    def resume(self, organization: int) -> Subscription:
        """Withdraw a pending cancellation."""
        with self._database.begin() as c:
            billing.hold(c, organization)
            billing.renew(c, organization, PRICE)
            resumed = billing.resume(c, organization)
            self._log(c, organization, "resume", resumed.id)
            return resumed

    def cancel_by_link(self, organization: int) -> Subscription:
        """Cancel at the end of the period, authorized by the portal link."""
        with self._database.begin() as c:
            billing.hold(c, organization)
            billing.renew(c, organization, PRICE)
            ended = billing.cancel(c, organization, at_period_end=True)
            self._log(c, organization, "cancel", ended.id)
            return ended

    def find(self, token: str) -> Checkout | None:
        """Return the checkout with this token."""
        with self._database.read() as c:
            return billing.checkout_of(c, token)

    def confirm(self, token: str) -> Checkout | None:
        """Complete an open checkout and start the subscription; ignore one that is not open.

        Raises
        ------
        Conflict
            The organization already has a subscription through another checkout.
        """
        return self._end(token, "complete")

    def decline(self, token: str) -> Checkout | None:
        """Cancel an open checkout; ignore one that is not open."""
        return self._end(token, "canceled")

    def visit(self, token: str) -> PortalVisit | None:
        """Return the content of a portal token; None if it is invalid or expired."""
        told, _, signature = token.partition(".")
        try:
            content, given = _bytes(told), _bytes(signature)
        except ValueError:
            return None
        with self._database.read() as c:
            key, moment = billing.secret(c), now(c).timestamp()
        if key is None or not hmac.compare_digest(_signature(key, content), given):
            return None
        signed = msgspec.json.decode(content, type=_Signed)
        return PortalVisit(signed.organization, signed.return_url) if moment < signed.until else None

    def close(self) -> None:
        """Do nothing: there are no connections."""

    def _end(self, token: str, status: str) -> Checkout | None:
        found = self.find(token)
        if found is None or found.status != "open":
            return found
        with self._database.begin() as c:
            billing.hold(c, found.organization_id)
            current = billing.checkout_of(c, token)
            if current is None or current.status != "open":  # another click was first
                return current
            if status == "complete":
                self._refuse_second(billing.renew(c, found.organization_id, PRICE))
                billing.subscribe(c, found.organization_id, PRICE)
            billing.end_checkout(c, current, status)
            self._log(c, found.organization_id, "subscribe" if status == "complete" else "decline", found.id)
            return billing.checkout_of(c, token)

    def _log(self, c: sa.Connection, organization: int, what: str, number: str) -> None:
        """Record an action taken on a page by the holder of its link."""
        kind = "checkout" if what in ("subscribe", "decline") else "subscription"
        audit.write(c, organization, f"billing.{what}", kind, number, actor=audit.LINK)

    def _refuse_second(self, found: Subscription | None) -> None:
        if found is not None and found.status == "active":
            raise subscribed_already(found.status)


def _signature(key: str, told: bytes) -> bytes:
    return hmac.digest(key.encode(), told, hashlib.sha256)


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    """Parse the output of :func:`_text`; raise ValueError for any other spelling."""
    content = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    if _text(content) != text:
        raise ValueError("This is no token.")
    return content
