"""The Stripe payment provider: sends customers, checkouts and cancellations, and reads the rest live.

No webhook is needed, because the current state is always read from Stripe. Stripe's error texts are not
passed on: callers get our own messages, and the log gets Stripe's request id.
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
"""Timeout of a call to Stripe."""

RETRIES = 2
"""Number of retries of a failed call, under the same idempotency key."""

_ENDED = ("canceled", "incomplete_expired")
_NOT_BEGUN = "incomplete"  # first payment pending: another checkout may be opened
_PAGE = 100  # Stripe's maximum page size
_OF_CALLER = ("success_url", "cancel_url", "return_url")


class StripePayments:
    """Payments through a Stripe account.

    Parameters
    ----------
    database
        Stores the Stripe customer of each organization and the open checkouts.
    settings
        The account's key and the price.
    retries
        Maximum number of retries.
    """

    name = billing.STRIPE

    def __init__(self, database: Database, settings: PaymentsSettings, *, retries: int = RETRIES) -> None:
        assert settings.stripe_key is not None  # checked when the settings were read
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
        """Open a Stripe checkout and expire earlier open ones, so that nobody pays twice."""
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
        """Return the active subscription from Stripe."""
        customer = self._known_customer(organization)
        if customer is None:
            return None
        with _told():
            return self._current(customer)

    def invoices(self, organization: int, limit: int) -> list[Invoice]:
        """Return the latest invoices from Stripe, newest first."""
        customer = self._known_customer(organization)
        if customer is None:
            return []
        with _told():
            found = self._stripe.invoices.list({"customer": customer, "limit": min(limit, _PAGE)})
            return [_invoice(one) for one in islice(found.auto_paging_iter(), limit)]

    def portal(self, organization: int, return_url: str) -> str:
        """Return the URL of Stripe's customer portal."""
        with _told():
            session = self._stripe.billing_portal.sessions.create(
                {"customer": self._customer(organization), "return_url": return_url}
            )
        return session.url

    def cancel(self, organization: int, at_period_end: bool) -> Subscription:
        """Cancel the subscription at the end of its period, or at once."""
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
        """Close connections."""
        self._http.close()

    def _known_customer(self, organization: int) -> str | None:
        with self._database.read() as c:
            return billing.customer_id(c, organization)

    def _customer(self, organization: int) -> str:
        """Return the organization's customer; concurrent or repeated calls create only one."""
        customer = self._known_customer(organization)
        if customer is not None:
            return customer
        # Separate transactions, so that none stays open during the call to Stripe.
        with self._database.apart() as c:
            secret = billing.make_secret(c)
        # Two services on one Stripe account may both have an organization 1; their secrets differ.
        key = hmac.digest(secret.encode(), f"customer {organization}".encode(), hashlib.sha256).hex()
        made = self._stripe.customers.create(
            {"metadata": {"organization_id": str(organization)}}, {"idempotency_key": key}
        )
        with self._database.apart() as c:
            billing.set_customer(c, organization, made.id)
        return made.id

    def _current(self, customer: str) -> Subscription | None:
        """Return the customer's active subscription, preferring a paid one."""
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
    """HTTP client for Stripe: one connection pool for all threads, closed with the service.

    The library's own httpx client causes a warning per body, and its other clients leave connections open in
    finished threads.
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
        """Send one request."""
        try:
            answer = self._client.request(method, url, headers=headers, content=post_data)
        except httpx.RequestError as error:
            name = type(error).__name__
            raise stripe.APIConnectionError(name, should_retry=True) from error  # type: ignore[no-untyped-call]
        return answer.content, answer.status_code, answer.headers

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


@contextmanager
def _told() -> Iterator[None]:
    """Convert Stripe's errors to ours without passing on their texts."""
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
        raise _ours(error) from None  # the cause contains request and response


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
    item = one["items"].data[0]  # attribute access would return dict.items
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
    periods = [line.period for line in one.lines.data]  # the invoice's own period is the previous one
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
