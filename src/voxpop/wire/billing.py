"""Billing: checkouts, the subscription, invoices and the portal."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from voxpop.wire.base import In, Out

CheckoutStatus = Literal["open", "complete", "expired", "canceled"]
SubscriptionStatus = Literal[
    "active", "trialing", "past_due", "unpaid", "paused", "incomplete", "incomplete_expired", "canceled"
]
InvoiceStatus = Literal["draft", "open", "paid", "uncollectible", "void"]

LONGEST_URL = 2_000
"""Maximum number of characters of an address."""

MOST_INVOICES = 500
"""Maximum number of invoices per response."""

_EXAMPLE = "must be an absolute http(s) address such as https://example.org/billing"
# Only characters allowed by RFC 3986, because the address goes into a header and a policy.
_LETTERS = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")
_HOST = re.compile(r"[A-Za-z0-9\-.]+|\[[0-9A-Fa-f:]+\]")


def _absolute(text: str) -> str:
    if not _LETTERS.fullmatch(text):
        raise ValueError(f"{_EXAMPLE}; other characters are written percent-encoded")
    try:
        parts = urlsplit(text)
        host = parts.netloc.removesuffix(f":{parts.port}" if parts.port is not None else ":")
    except ValueError:
        raise ValueError(f"{_EXAMPLE}, not {text[:80]}") from None
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(host):
        raise ValueError(f"{_EXAMPLE}, not {text[:80]}")
    return text


Address = Annotated[
    str,
    AfterValidator(_absolute),
    Field(min_length=1, max_length=LONGEST_URL, json_schema_extra={"format": "uri"}),
]
"""An absolute http(s) address without user name or password."""


class CheckoutIn(In):
    """Body of ``POST /billing/checkout``."""

    success_url: Address = Field(description="Where the browser goes when the subscription has begun.")
    cancel_url: Address = Field(description="Where the browser goes when it was called off.")


class PortalIn(In):
    """Body of ``POST /billing/portal``."""

    return_url: Address = Field(description="Where the page's link back leads.")


class CancelIn(In):
    """Body of ``POST /billing/cancel``."""

    at_period_end: bool = Field(
        default=True,
        description="true ends the subscription with the period that is paid for, false at once.",
    )


class Checkout(Out):
    """A checkout page for a subscription."""

    id: str = Field(description="The checkout's id.")
    url: str = Field(description="The page to open in a browser; a secret, good for 24 hours.")
    status: CheckoutStatus | str = Field(description="open, complete, expired or canceled.")


class CheckoutResponse(Out):
    """Response of ``POST /billing/checkout``."""

    checkout: Checkout = Field(description="The checkout.")


class Subscription(Out):
    """The subscription of an organization. It does not change the quota in this version."""

    id: str = Field(description="The subscription's id.")
    status: SubscriptionStatus | str = Field(description="active, or why it is not, as past_due or canceled.")
    plan: str = Field(description="What is subscribed to.")
    current_period_start: datetime = Field(description="When the period that is paid for began, UTC.")
    current_period_end: datetime = Field(description="When the period that is paid for ends, UTC.")
    cancel_at_period_end: bool = Field(description="Whether the subscription ends with this period.")


class SubscriptionResponse(Out):
    """Response of ``GET /billing/subscription``."""

    subscription: Subscription | None = Field(
        default=None, description="The subscription that goes on; null when there is none."
    )


class CancelResponse(Out):
    """Response of ``POST /billing/cancel``."""

    subscription: Subscription = Field(description="The subscription as it is now.")


class Invoice(Out):
    """An invoice for one period."""

    id: str = Field(description="The invoice's id.")
    number: str | None = Field(default=None, description="The number that is written on it.")
    status: InvoiceStatus | str = Field(description="draft, open, paid, uncollectible or void.")
    currency: str = Field(description="Three letters, as usd.")
    amount_due: int = Field(description="In the smallest unit of the currency, as cents.")
    period_start: datetime = Field(description="When the period began, UTC.")
    period_end: datetime = Field(description="When the period ends, UTC.")
    created_at: datetime = Field(description="When it was issued, UTC.")
    paid_at: datetime | None = Field(default=None, description="When it was paid, UTC; null until then.")


class InvoiceList(Out):
    """Response of ``GET /billing/invoices``."""

    invoices: list[Invoice] = Field(description="Newest first.")
    limit: int = Field(description="The most that one answer holds, 1 to 500.")


class Portal(Out):
    """A portal page to manage the subscription."""

    url: str = Field(description="The page to open in a browser; a secret, good for an hour at most.")


class PortalResponse(Out):
    """Response of ``POST /billing/portal``."""

    portal: Portal = Field(description="The portal.")
