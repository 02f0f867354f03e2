"""The embedded provider of payments: it takes no money, and has its pages under the service's address."""

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
"""What the embedded provider sells: it takes no money, so a month is invoiced with nothing."""

PAGES = "/pay"
"""Where the embedded provider has its pages, under the service's address."""

PORTAL_FOR = timedelta(hours=1)
"""How long a portal page can be opened."""


@dataclass(frozen=True, slots=True)
class PortalVisit:
    """What a portal page is about, as its address says."""

    organization: int
    return_url: str


class _Signed(msgspec.Struct, array_like=True):
    organization: int
    return_url: str
    until: int


class LocalPayments:
    """The embedded provider: subscriptions of the database, paid for by pressing a button.

    Parameters
    ----------
    database
        Where everything is kept, and whose clock renews subscriptions when they are read.
    """

    name = billing.LOCAL

    def __init__(self, database: Database) -> None:
        self._database = database

    def checkout(self, organization: int, success_url: str, cancel_url: str) -> Opened:
        """Open a page on which the organization can subscribe."""
        self._refuse_second(self.subscription(organization))
        with self._database.begin() as c:
            made = billing.create_checkout(c, organization, success_url=success_url, cancel_url=cancel_url)
        return Opened(made.id, f"{PAGES}/checkout/{made.token}", made.status)

    def subscription(self, organization: int) -> Subscription | None:
        """Return the subscription that goes on, renewed when its period has passed."""
        with self._database.read() as c:
            found = billing.subscription(c, organization)
            due = billing.is_due(c, found)
        if due:
            with self._database.begin() as c:
                billing.hold(c, organization)
                found = billing.renew(c, organization, PRICE)
        return found if found is not None and found.status == "active" else None

    def invoices(self, organization: int, limit: int) -> list[Invoice]:
        """Return the newest invoices, newest first."""
        self.subscription(organization)  # writes those that are due
        with self._database.read() as c:
            return billing.list_invoices(c, organization, limit)

    def portal(self, organization: int, return_url: str) -> str:
        """Return a page to look after the subscription; its address is good for an hour."""
        with self._database.begin() as c:
            until = int((now(c) + PORTAL_FOR).timestamp())
            key = billing.make_secret(c)
        told = msgspec.json.encode(_Signed(organization, return_url, until))
        return f"{PAGES}/portal/{_text(told)}.{_text(_signature(key, told))}"

    def cancel(self, organization: int, at_period_end: bool) -> Subscription:
        """End the subscription at the end of its period, or at once."""
        with self._database.begin() as c:
            billing.hold(c, organization)
            billing.renew(c, organization, PRICE)
            return billing.cancel(c, organization, at_period_end=at_period_end)

    def resume(self, organization: int) -> Subscription:
        """Let a subscription that was to end with its period go on."""
        with self._database.begin() as c:
            billing.hold(c, organization)
            billing.renew(c, organization, PRICE)
            resumed = billing.resume(c, organization)
            self._log(c, organization, "resume", resumed.id)
            return resumed

    def cancel_by_link(self, organization: int) -> Subscription:
        """End the subscription with its period, for whoever has the link of the portal."""
        with self._database.begin() as c:
            billing.hold(c, organization)
            billing.renew(c, organization, PRICE)
            ended = billing.cancel(c, organization, at_period_end=True)
            self._log(c, organization, "cancel", ended.id)
            return ended

    def find(self, token: str) -> Checkout | None:
        """Return the checkout whose page has this token."""
        with self._database.read() as c:
            return billing.checkout_of(c, token)

    def confirm(self, token: str) -> Checkout | None:
        """Complete a checkout: the subscription begins. One that is not open any more stays as it is.

        Raises
        ------
        Conflict
            The organization has a subscription already, through another checkout.
        """
        return self._end(token, "complete")

    def decline(self, token: str) -> Checkout | None:
        """Call a checkout off; one that is not open any more stays as it is."""
        return self._end(token, "canceled")

    def visit(self, token: str) -> PortalVisit | None:
        """Return what the portal page with this token is about; None for a wrong or an old one."""
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
            if current is None or current.status != "open":  # another press of the button was first
                return current
            if status == "complete":
                self._refuse_second(billing.renew(c, found.organization_id, PRICE))
                billing.subscribe(c, found.organization_id, PRICE)
            billing.end_checkout(c, current, status)
            self._log(c, found.organization_id, "subscribe" if status == "complete" else "decline", found.id)
            return billing.checkout_of(c, token)

    def _log(self, c: sa.Connection, organization: int, what: str, number: str) -> None:
        """Write down what was done on a page; whoever has its link may, and nothing else is known of them."""
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
    """Read what :func:`_text` wrote; ValueError for anything else, so that one address has one spelling."""
    content = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    if _text(content) != text:
        raise ValueError("This is no token.")
    return content
