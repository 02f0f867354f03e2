"""Pages of the embedded payment provider: checkout and subscription portal.

The address of a page is the secret that authorizes its buttons; there is no cookie that another site could
use. Forms submitted from other sites are refused all the same.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from voxpop.errors import Conflict
from voxpop.records.billing import Checkout, Invoice, Subscription
from voxpop.service.auth import FairRoute
from voxpop.service.pages import page_headers, render_page
from voxpop.service.payments_local import PAGES, PRICE, LocalPayments, PortalVisit
from voxpop.service.state import ServiceState
from voxpop.wire.billing import MOST_INVOICES

router: APIRouter = APIRouter(prefix=PAGES, tags=["pages"], include_in_schema=False, route_class=FairRoute)

_GONE = ("There is no such page", "The link is wrong, or it is no longer good. Ask for a new one.")
_FOREIGN = ("This was not sent from the page", "Open the link itself, and press its button.")
_CHECKOUT_ENDED = {
    "complete": ("The subscription has begun", "This checkout is complete; nothing is left to do here."),
    "canceled": ("The checkout was called off", "Nothing was bought. A new checkout needs a new link."),
    "expired": (
        "The checkout has expired",
        "Nothing was bought within a day. A new checkout needs a new link.",
    ),
}


@router.get("/checkout/{token}")
def checkout_page(request: Request, token: str) -> Response:
    """Show the purchase and ask for confirmation."""
    payments = _local(request)
    found = payments.find(token) if payments else None
    if found is None:
        return _message(*_GONE, 404)
    if found.status != "open":
        return _ended(found)
    page = {"token": token, "plan": PRICE.plan, "price": _money(PRICE.amount, PRICE.currency)}
    return _page("checkout.html", page, forms_to=["'self'", *_origins(found)])


@router.post("/checkout/{token}/confirm")
def confirm_checkout(request: Request, token: str) -> Response:
    """Start the subscription and redirect."""
    payments = _local(request)
    if not _from_here(request):
        return _message(*_FOREIGN, 403)
    try:
        found = payments.confirm(token) if payments else None
    except Conflict:
        return _message(
            "There is a subscription already", "This checkout was not needed; nothing was bought again.", 409
        )
    return _led_on(found, "complete")


@router.post("/checkout/{token}/decline")
def decline_checkout(request: Request, token: str) -> Response:
    """Cancel the checkout and redirect."""
    payments = _local(request)
    if not _from_here(request):
        return _message(*_FOREIGN, 403)
    return _led_on(payments.decline(token) if payments else None, "canceled")


@router.get("/portal/{token}")
def portal_page(request: Request, token: str) -> Response:
    """Show the subscription and its invoices."""
    payments, visit = _visit(request, token)
    if payments is None or visit is None:
        return _message(*_GONE, 404)
    found = payments.subscription(visit.organization)
    page = {
        "token": token,
        "return_url": visit.return_url,
        "subscription": None if found is None else _subscription(found),
        "price": _money(PRICE.amount, PRICE.currency),
        "invoices": [_invoice(one) for one in payments.invoices(visit.organization, MOST_INVOICES)],
    }
    return _page("portal.html", page, forms_to=["'self'"])


@router.post("/portal/{token}/cancel")
def cancel_subscription(request: Request, token: str) -> Response:
    """Cancel the subscription at the end of its period."""
    return _changed(request, token, go_on=False)


@router.post("/portal/{token}/resume")
def resume_subscription(request: Request, token: str) -> Response:
    """Withdraw the cancellation of the subscription."""
    return _changed(request, token, go_on=True)


def _changed(request: Request, token: str, *, go_on: bool) -> Response:
    payments, visit = _visit(request, token)
    if payments is None or visit is None:
        return _message(*_GONE, 404)
    if not _from_here(request):
        return _message(*_FOREIGN, 403)
    try:
        if go_on:
            payments.resume(visit.organization)
        else:
            payments.cancel_by_link(visit.organization)
    except Conflict:  # it has ended meanwhile; the page shows that
        pass
    return _led(f"../{token}")


def _local(request: Request) -> LocalPayments | None:
    state: ServiceState = request.app.state.service
    return state.payments if isinstance(state.payments, LocalPayments) else None


def _visit(request: Request, token: str) -> tuple[LocalPayments | None, PortalVisit | None]:
    payments = _local(request)
    return payments, payments.visit(token) if payments else None


def _from_here(request: Request) -> bool:
    """Return whether a form came from a page of this service; non-browsers send no origin."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin, state = request.headers.get("origin"), request.app.state.service
    return origin is None or urlsplit(origin)[:2] == urlsplit(state.root_url)[:2]


def _led_on(found: Checkout | None, wanted: str) -> Response:
    if found is None:
        return _message(*_GONE, 404)
    if found.status != wanted:
        return _ended(found)
    return _led(found.success_url if wanted == "complete" else found.cancel_url)


def _led(url: str) -> Response:
    return RedirectResponse(url, 303, headers=_headers())


def _ended(found: Checkout) -> Response:
    title, words = _CHECKOUT_ENDED[found.status]
    if found.status == "complete":
        return _message(title, words, 200, "Go on", found.success_url)
    return _message(title, words, 410, "Go back", found.cancel_url)


def _message(title: str, words: str, status: int, lead: str = "", link: str | None = None) -> Response:
    page = {"title": title, "words": words, "lead": lead, "link": link}
    return _page("message.html", page, status=status)


def _page(
    template: str, page: dict[str, Any], *, status: int = 200, forms_to: list[str] | None = None
) -> Response:
    return HTMLResponse(render_page(f"billing_{template}", page=page), status, headers=_headers(forms_to))


def _headers(forms_to: list[str] | None = None) -> dict[str, str]:
    # Browsers send the origin of a form to the service only if the policy allows it.
    return page_headers(forms_to=forms_to or []) | {"Referrer-Policy": "same-origin"}


def _origins(checkout: Checkout) -> list[str]:
    """Return the allowed redirect targets, without duplicates."""
    parts = [urlsplit(url) for url in (checkout.success_url, checkout.cancel_url)]
    return list(dict.fromkeys(f"{part.scheme}://{part.netloc.rstrip(':')}" for part in parts))


def _subscription(found: Subscription) -> dict[str, Any]:
    return {
        "plan": found.plan,
        "since": found.created_at.isoformat(),
        "start": found.current_period_start.isoformat(),
        "end": found.current_period_end.isoformat(),
        "ends": found.cancel_at_period_end,
    }


def _invoice(one: Invoice) -> dict[str, Any]:
    return {
        "number": one.number,
        "start": one.period_start.isoformat(),
        "end": one.period_end.isoformat(),
        "amount": _money(one.amount_due, one.currency),
        "status": one.status,
    }


def _money(amount: int, currency: str) -> str:
    return f"{amount / 100:,.2f} {currency.upper()}"
