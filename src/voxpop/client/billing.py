"""Billing: what is used, subscribing, the subscription, its invoices and the portal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from voxpop.client.checks import whole_number
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import ServiceError, UsageError
from voxpop.wire.billing import (
    MOST_INVOICES,
    CancelAnswer,
    CancelIn,
    Checkout,
    CheckoutAnswer,
    CheckoutIn,
    Invoice,
    InvoiceList,
    Portal,
    PortalAnswer,
    PortalIn,
    Subscription,
    SubscriptionAnswer,
)
from voxpop.wire.usage import UsageSnapshot

T = TypeVar("T")


class Billing:
    """``client.billing``: usage and payments of the key's organization."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def usage(self) -> UsageSnapshot:
        """Read how many calls of this minute and answers of this month are used; any key may."""
        return read(UsageSnapshot, self._transport.get("/billing/usage"))

    def checkout(self, success_url: str, cancel_url: str) -> Checkout:
        """Open a page on which the organization can subscribe, and return where it is.

        Parameters
        ----------
        success_url, cancel_url : str
            Absolute http(s) addresses: where the browser goes when the subscription has begun, and when it
            was called off.

        Returns
        -------
        Checkout
            Open its ``url`` in a browser; it is a secret.

        Raises
        ------
        UsageError
            An address is not absolute.
        Conflict
            The organization has a subscription already.
        """
        sent = body(CheckoutIn, success_url=success_url, cancel_url=cancel_url)
        return _held(
            read(CheckoutAnswer, self._transport.post("/billing/checkout", sent)).checkout, "checkout"
        )

    def subscription(self) -> Subscription | None:
        """Read the subscription that goes on; None when there is none."""
        return read(SubscriptionAnswer, self._transport.get("/billing/subscription")).subscription

    def invoices(self, *, limit: int = 50) -> Sequence[Invoice]:
        """Read the newest invoices, newest first.

        Parameters
        ----------
        limit : int
            How many at most, 1 to 500.
        """
        params = {"limit": whole_number("limit", limit, 1, MOST_INVOICES)}
        return read(InvoiceList, self._transport.get("/billing/invoices", params)).invoices or []

    def portal(self, return_url: str) -> Portal:
        """Open a page on which the subscription is looked after, and return where it is.

        Parameters
        ----------
        return_url : str
            Where the page's link back leads, an absolute http(s) address.

        Returns
        -------
        Portal
            Open its ``url`` in a browser; it is a secret, and good for an hour at most.
        """
        sent = body(PortalIn, return_url=return_url)
        return _held(read(PortalAnswer, self._transport.post("/billing/portal", sent)).portal, "portal")

    def cancel(self, *, at_period_end: bool = True) -> Subscription:
        """Cancel the subscription, and return it as it is then.

        Parameters
        ----------
        at_period_end : bool
            Whether it goes on until the end of the period that is paid for; False ends it at once.

        Raises
        ------
        Conflict
            There is no subscription that goes on.
        """
        if not isinstance(at_period_end, bool):
            raise UsageError(f"at_period_end must be True or False, not {at_period_end!r}.")
        sent = body(CancelIn, at_period_end=at_period_end)
        return _held(
            read(CancelAnswer, self._transport.post("/billing/cancel", sent)).subscription, "subscription"
        )


def _held(thing: T | None, what: str) -> T:
    if thing is None:
        raise ServiceError(f"The service's answer holds no {what}.", status=200, code="bad_answer")
    return thing
