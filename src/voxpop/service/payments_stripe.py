"""Stripe takes payments: customers, checkouts and cancellations are sent to it, everything else is read live.

No webhook is needed: what Stripe says when it is asked is the truth. Whatever it sends back with an error
stays here: callers get words of ours, and the log gets the number under which Stripe keeps the call.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from typing import Any, overload

import httpx
import stripe

from voxpop.errors import Conflict, InvalidRequest, ServiceError, Unavailable
from voxpop.records import billing
from voxpop.records.billing import Invoice, Subscription
from voxpop.records.database import Database
from voxpop.service.payments import Opened, subscribed_already
from voxpop.settings import PaymentsSettings

logger: logging.Logger = logging.getLogger("voxpop.service")

TIMEOUT_S = 20.0
"""How long one call to Stripe may take."""

RETRIES = 2
"""How often a call that did not reach Stripe, or that it failed on, is sent again under the same key."""

_ENDED = ("canceled", "incomplete_expired")
_NOT_BEGUN = "incomplete"  # its first payment has not come: another checkout may be opened
_PAGE = 100  # the most that Stripe lists at once
_OF_CALLER = ("success_url", "cancel_url", "return_url")


class StripePayments:
    """Payments through a Stripe account.

    Parameters
    ----------
    database
        Keeps which customer of Stripe an organization is, and which checkouts were opened.
    settings
        The account's key, and the price that is sold.
    retries
        How often a call to Stripe is sent again at most.
    """

    name = billing.STRIPE

    def __init__(self, database: Database, settings: PaymentsSettings, *, retries: int = RETRIES) -> None:
        assert settings.stripe_key is not None  # the settings were checked when they were read
        assert settings.stripe_price is not None
        self._database = database
        self._price = settings.stripe_price
        self._http = _Http()
        address: dict[str, Any] = {"api": settings.stripe_url} if settings.stripe_url else {}
        client = stripe.StripeClient(
            settings.stripe_key,
            http_client=self._http,
            max_network_retries=retries,
            base_addresses=address,  # type: ignore[arg-type]
        )
        self._stripe = client.v1

    def __repr__(self) -> str:
        return f"StripePayments({self._price!r})"

    def checkout(self, organization: int, success_url: str, cancel_url: str) -> Opened:
        """Open a page of Stripe's; earlier ones that are still open are closed, so that none pays twice."""
        with _told():
            customer = self._customer(organization)
            found = self._current(customer)
            if found is not None and found.status != _NOT_BEGUN:
                raise subscribed_already(found.status)
            self._close_open_ones(customer)
            number = billing.new_checkout_id()
            session = self._stripe.checkout.sessions.create(
                {
                    "mode": "subscription",
                    "customer": customer,
                    "line_items": [{"price": self._price, "quantity": 1}],
                    "success_url": success_url,
                    "cancel_url": cancel_url,
                    "client_reference_id": number,
                },
                {"idempotency_key": number},
            )
        if session.url is None:
            raise Unavailable("Stripe opened a checkout without a page; try again.")
        with self._database.begin() as c:
            billing.create_checkout(
                c,
                organization,
                success_url=success_url,
                cancel_url=cancel_url,
                checkout_id=number,
                provider_id=session.id,
            )
        return Opened(number, session.url, session.status or "open")

    def subscription(self, organization: int) -> Subscription | None:
        """Return the subscription that goes on, as Stripe has it now."""
        customer = self._known_customer(organization)
        if customer is None:
            return None
        with _told():
            return self._current(customer)

    def invoices(self, organization: int, limit: int) -> list[Invoice]:
        """Return the newest invoices, newest first, as Stripe has them now."""
        customer = self._known_customer(organization)
        if customer is None:
            return []
        with _told():
            found = self._stripe.invoices.list({"customer": customer, "limit": min(limit, _PAGE)})
            return [_invoice(one) for one in islice(found.auto_paging_iter(), limit)]

    def portal(self, organization: int, return_url: str) -> str:
        """Return a page of Stripe's customer portal."""
        with _told():
            session = self._stripe.billing_portal.sessions.create(
                {"customer": self._customer(organization), "return_url": return_url}
            )
        return session.url

    def cancel(self, organization: int, at_period_end: bool) -> Subscription:
        """End the subscription at the end of its period, or at once."""
        found = self.subscription(organization)
        if found is None:
            raise billing.nothing_to_cancel()
        with _told():
            if at_period_end:
                return _subscription(
                    self._stripe.subscriptions.update(found.id, {"cancel_at_period_end": True})
                )
            return _subscription(self._stripe.subscriptions.cancel(found.id))

    def close(self) -> None:
        """Let connections go."""
        self._http.close()

    def _known_customer(self, organization: int) -> str | None:
        with self._database.read() as c:
            return billing.customer_id(c, organization)

    def _customer(self, organization: int) -> str:
        """Return the organization's customer; two calls at once, or after a broken one, make the same."""
        customer = self._known_customer(organization)
        if customer is not None:
            return customer
        # Apart from the call: no transaction stays open while Stripe is called, and both facts stay true.
        with self._database.apart() as c:
            secret = billing.make_secret(c)
        # Two services with one Stripe account both have an organization 1: their secrets tell them apart.
        key = hmac.digest(secret.encode(), f"customer {organization}".encode(), hashlib.sha256).hex()
        made = self._stripe.customers.create(
            {"metadata": {"organization_id": str(organization)}}, {"idempotency_key": key}
        )
        with self._database.apart() as c:
            billing.set_customer(c, organization, made.id)
        return made.id

    def _current(self, customer: str) -> Subscription | None:
        """Return the customer's subscription that goes on; one that is paid for before any other."""
        listed = self._stripe.subscriptions.list({"customer": customer, "limit": _PAGE})
        found = [_subscription(one) for one in listed.data if one.status not in _ENDED]
        return min(found, key=lambda one: one.status == _NOT_BEGUN, default=None)

    def _close_open_ones(self, customer: str) -> None:
        listed = self._stripe.checkout.sessions.list({"customer": customer, "status": "open", "limit": _PAGE})
        for session in listed.data:
            try:
                self._stripe.checkout.sessions.expire(session.id)
            except stripe.InvalidRequestError:
                raise Conflict(
                    "An earlier checkout was completed a moment ago; GET /billing/subscription shows it.",
                    details={"status": "complete"},
                ) from None


class _Http(stripe.HTTPClient):
    """What carries the calls: one pool of connections for all threads, which is closed with the service.

    The library's own client of this kind lets httpx warn of every body, and those of other kinds leave
    connections open in threads that have ended.
    """

    name = "httpx"

    def __init__(self) -> None:
        super().__init__()
        self._client = httpx.Client(timeout=TIMEOUT_S)

    def request(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None,
        post_data: Any = None,
        *,
        _usage: list[str] | None = None,
    ) -> tuple[Any, int, Mapping[str, str]]:
        """Send one call."""
        try:
            answer = self._client.request(method, url, headers=headers, content=post_data)
        except httpx.RequestError as error:
            name = type(error).__name__
            raise stripe.APIConnectionError(name, should_retry=True) from error  # type: ignore[no-untyped-call]
        return answer.content, answer.status_code, answer.headers

    def close(self) -> None:
        """Let the connections go."""
        self._client.close()


@contextmanager
def _told() -> Iterator[None]:
    """Turn Stripe's errors into ours; nothing of what Stripe wrote goes further."""
    try:
        yield
    except stripe.StripeError as error:
        logger.warning(
            "Stripe: %s, status %s, code %s, Stripe's request %s",
            type(error).__name__,
            error.http_status,
            error.code,
            error.request_id,
        )
        raise _ours(error) from None  # the cause holds what was sent and what came back


def _ours(error: stripe.StripeError) -> ServiceError:
    param = getattr(error, "param", None)
    if isinstance(error, stripe.InvalidRequestError) and param in _OF_CALLER:
        told = "Stripe does not take this address"
        return InvalidRequest(
            f"The call cannot be used: {param}: {told}.", details={"fields": {param: [told]}}
        )
    if isinstance(error, stripe.APIConnectionError):
        return Unavailable("Stripe cannot be reached; try again.")
    if isinstance(error, stripe.AuthenticationError | stripe.PermissionError):
        return Unavailable(
            "Stripe does not take this service's key; who runs it has to look at VOXPOP_STRIPE_KEY."
        )
    if isinstance(error, stripe.InvalidRequestError) and "price" in (param or ""):
        return Unavailable(
            "Stripe does not sell this service's price; who runs it has to look at VOXPOP_STRIPE_PRICE."
        )
    if isinstance(error, stripe.RateLimitError) or (error.http_status or 500) >= 500:
        return Unavailable("Stripe cannot answer now; try again.")
    told = f"; its request {error.request_id} says why" if error.request_id else ""
    return Conflict(f"Stripe refused this{told}.", details={"status": "refused"})


def _subscription(one: stripe.Subscription) -> Subscription:
    item = one["items"].data[0]  # the attribute of this name is that of every dict
    price = item.price
    return Subscription(
        id=one.id,
        status=one.status,
        plan=price.nickname or price.lookup_key or price.id,
        current_period_start=_moment(item.current_period_start),
        current_period_end=_moment(item.current_period_end),
        cancel_at_period_end=one.cancel_at_period_end or one.cancel_at is not None,
        created_at=_moment(one.created),
        ended_at=_moment(one.ended_at),
    )


def _invoice(one: stripe.Invoice) -> Invoice:
    periods = [line.period for line in one.lines.data]  # the invoice's own is that of the period before
    return Invoice(
        id=str(one.id),
        number=one.number,
        status=one.status or "draft",
        currency=one.currency,
        amount_due=one.amount_due,
        period_start=_moment(min((period.start for period in periods), default=one.period_start)),
        period_end=_moment(max((period.end for period in periods), default=one.period_end)),
        created_at=_moment(one.created),
        paid_at=_moment(one.status_transitions.paid_at),
    )


@overload
def _moment(seconds: int) -> datetime: ...
@overload
def _moment(seconds: None) -> None: ...
def _moment(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
