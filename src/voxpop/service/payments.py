"""The protocol of payment providers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from voxpop.errors import Conflict
from voxpop.records.billing import Invoice, Subscription


@dataclass(frozen=True, slots=True)
class Opened:
    """An open checkout; ``url`` is absolute or a path below the service's root."""

    id: str
    url: str
    status: str


class Payments(Protocol):
    """A payment provider; each call concerns one organization, given by id."""

    name: str

    def checkout(self, organization: int, success_url: str, cancel_url: str) -> Opened:
        """Open a checkout page; raise :class:`Conflict` if the organization has a subscription."""

    def subscription(self, organization: int) -> Subscription | None:
        """Return the active subscription, or None."""

    def invoices(self, organization: int, limit: int) -> list[Invoice]:
        """Return the latest invoices, newest first."""

    def portal(self, organization: int, return_url: str) -> str:
        """Return the URL of the portal: absolute, or a path below the service's root."""

    def cancel(self, organization: int, at_period_end: bool) -> Subscription:
        """Cancel the subscription; raise :class:`Conflict` if none is active."""

    def close(self) -> None:
        """Close connections."""


def subscribed_already(status: str) -> Conflict:
    """Return the error for a checkout by an organization with a subscription."""
    return Conflict(
        f"The organization has a subscription already, which is {status}; "
        "POST /billing/portal gives the page to change it.",
        details={"status": status},
    )
