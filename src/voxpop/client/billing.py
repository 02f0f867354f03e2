"""Billing: usage, checkout, subscription, invoices and portal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from voxpop.client.checks import whole_number
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import ServiceError, UsageError
from voxpop.vocabulary.markup import escaped
from voxpop.wire.billing import (
    MOST_INVOICES,
    CancelIn,
    CancelResponse,
    Checkout,
    CheckoutIn,
    CheckoutResponse,
    Invoice,
    InvoiceList,
    Portal,
    PortalIn,
    PortalResponse,
    Subscription,
    SubscriptionResponse,
)
from voxpop.wire.usage import NO_LIMIT, PerMinute, Quota, UsageSnapshot

T = TypeVar("T")


class Usage(UsageSnapshot):
    """Usage: calls of this minute and answers of this month.

    Attributes
    ----------
    usage, rate, quota
        As in the interface; ``quota.used`` are the answers, ``rate.per_minute.used`` the calls.

    Examples
    --------
    >>> month = {"limit": 500, "used": 12, "cycle_start": "2026-11-01T00:00:00Z"}
    >>> minute = {"limit": NO_LIMIT, "used": 3, "reset_in_s": 20}
    >>> read(Usage, {"quota": month, "rate": {"per_minute": minute}})
    Usage: 12 of 500 answers this month, 3 calls this minute (no limit)
    """

    def __repr__(self) -> str:
        told = [_used(self.quota, "answers", "this month")] if self.quota is not None else []
        rate = self.rate.per_minute if self.rate is not None else None
        told += [_used(rate, "calls", "this minute")] if rate is not None else []
        open_lines = self.usage.pending_event_count if self.usage is not None else 0
        told += [f"{open_lines:,} not settled yet"] if open_lines else []
        return f"Usage: {', '.join(told)}"

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        return f"<p>{escaped(repr(self))}</p>"


def _used(counted: Quota | PerMinute, what: str, period: str) -> str:
    if counted.limit is None or counted.limit >= NO_LIMIT:
        return f"{counted.used or 0:,} {what} {period} (no limit)"
    return f"{counted.used or 0:,} of {counted.limit:,} {what} {period}"


class Billing:
    """``client.billing``: usage and payments of the key's organization."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def usage(self) -> Usage:
        """Return the calls of this minute and the answers of this month; works with any key."""
        return read(Usage, self._transport.get("/billing/usage"))

    def checkout(self, success_url: str, cancel_url: str) -> Checkout:
        """Open a checkout page and return it.

        Parameters
        ----------
        success_url, cancel_url : str
            Absolute http(s) URLs to which the browser returns after the subscription or its cancellation.

        Returns
        -------
        Checkout
            Open its ``url`` in a browser; it is a secret.

        Raises
        ------
        UsageError
            An address is not absolute.
        Conflict
            The organization already has a subscription.
        """
        sent = body(CheckoutIn, success_url=success_url, cancel_url=cancel_url)
        return _held(
            read(CheckoutResponse, self._transport.post("/billing/checkout", sent)).checkout, "checkout"
        )

    def subscription(self) -> Subscription | None:
        """Return the active subscription, or None."""
        return read(SubscriptionResponse, self._transport.get("/billing/subscription")).subscription

    def invoices(self, *, limit: int = 50) -> Sequence[Invoice]:
        """Return the latest invoices, newest first.

        Parameters
        ----------
        limit : int
            Maximum number, 1 to 500.
        """
        params = {"limit": whole_number("limit", limit, 1, MOST_INVOICES)}
        return read(InvoiceList, self._transport.get("/billing/invoices", params)).invoices or []

    def portal(self, return_url: str) -> Portal:
        """Open a portal page to manage the subscription, and return it.

        Parameters
        ----------
        return_url : str
            Target of the page's back link, an absolute http(s) URL.

        Returns
        -------
        Portal
            Open its ``url`` in a browser; it is a secret and valid for up to an hour.
        """
        sent = body(PortalIn, return_url=return_url)
        return _held(read(PortalResponse, self._transport.post("/billing/portal", sent)).portal, "portal")

    def cancel(self, *, at_period_end: bool = True) -> Subscription:
        """Cancel the subscription and return its new state.

        Parameters
        ----------
        at_period_end : bool
            Whether it continues to the end of the paid period; False ends it at once.

        Raises
        ------
        Conflict
            There is no active subscription.
        """
        if not isinstance(at_period_end, bool):
            raise UsageError(f"at_period_end must be True or False, not {at_period_end!r}.")
        sent = body(CancelIn, at_period_end=at_period_end)
        return _held(
            read(CancelResponse, self._transport.post("/billing/cancel", sent)).subscription, "subscription"
        )


def _held(thing: T | None, what: str) -> T:
    if thing is None:
        raise ServiceError(f"The service's answer holds no {what}.", status=200, code="bad_answer")
    return thing
