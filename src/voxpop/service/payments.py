"""What a provider of payments does, whoever it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from voxpop.errors import Conflict
from voxpop.records.billing import Invoice, Subscription


@dataclass(frozen=True, slots=True)
class Opened:
    """A checkout that was opened; ``url`` is absolute, or a path under the service's address."""

    id: str
    url: str
    status: str


class Payments(Protocol):
    """A provider of payments; each call is about one organization, which it knows by number."""

    name: str

    def checkout(self, organization: int, success_url: str, cancel_url: str) -> Opened:
        """Open a page on which the organization can subscribe; :class:`Conflict` when it has."""

    def subscription(self, organization: int) -> Subscription | None:
        """Return the subscription that goes on, or None."""

    def invoices(self, organization: int, limit: int) -> list[Invoice]:
        """Return the newest invoices, newest first."""

    def portal(self, organization: int, return_url: str) -> str:
        """Return a page to look after the subscription: absolute, or a path under the service's address."""

    def cancel(self, organization: int, at_period_end: bool) -> Subscription:
        """End the subscription; :class:`Conflict` when there is none that goes on."""

    def close(self) -> None:
        """Let connections go."""


def subscribed_already(status: str) -> Conflict:
    """Return the error for a checkout of an organization that has a subscription."""
    return Conflict(
        f"The organization has a subscription already, which is {status}; "
        "POST /billing/portal gives the page to change it.",
        details={"status": status},
    )
