"""Billing: checkout, subscription, invoices and portal, with and without the ``/v1`` prefix."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from voxpop.records.billing import Subscription
from voxpop.service.answering import encoded
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.wire.billing import (
    MOST_INVOICES,
    CancelIn,
    CancelResponse,
    CheckoutIn,
    CheckoutResponse,
    InvoiceList,
    PortalIn,
    PortalResponse,
    SubscriptionResponse,
)

router: APIRouter = APIRouter(prefix="/v1/billing", tags=["billing"], route_class=KeyedRoute)

_SUBSCRIPTION = (
    "id",
    "status",
    "plan",
    "current_period_start",
    "current_period_end",
    "cancel_at_period_end",
)


_AT_PERIOD_END = CancelIn()


@router.post(
    "/checkout",
    summary="Open a page on which the organization can subscribe",
    response_model=CheckoutResponse,
    status_code=201,
    dependencies=[needs("billing:write", logs="billing.checkout")],
    responses=documented(400, 401, 403, 409),
)
def checkout(call: CallDep, body: CheckoutIn) -> Response:
    """Return the URL of a checkout page, valid for 24 hours.

    A subscription does not change the quota in this version.
    """
    opened = call.state.payments.checkout(call.organization, body.success_url, body.cancel_url)
    call.writing.about("checkout", opened.id)
    shape = {"id": opened.id, "url": _absolute(call, opened.url), "status": opened.status}
    return encoded({"checkout": shape}, 201)


@router.get(
    "/subscription",
    summary="The organization's subscription",
    response_model=SubscriptionResponse,
    status_code=200,
    dependencies=[needs("billing:read")],
    responses=documented(401, 403),
)
def subscription(call: CallDep) -> Response:
    """Return the active subscription, or null. It does not change the quota in this version."""
    found = call.state.payments.subscription(call.organization)
    return encoded({"subscription": None if found is None else subscription_shape(found)})


@router.get(
    "/invoices",
    summary="Invoices, newest first",
    response_model=InvoiceList,
    status_code=200,
    dependencies=[needs("billing:read")],
    responses=documented(400, 401, 403),
)
def invoices(
    call: CallDep,
    limit: Annotated[int, Query(ge=1, le=MOST_INVOICES, description="Invoices in the answer.")] = 50,
) -> Response:
    """Return the organization's newest invoices, one per period."""
    return encoded({"invoices": call.state.payments.invoices(call.organization, limit), "limit": limit})


@router.post(
    "/portal",
    summary="Open a page on which the subscription is looked after",
    response_model=PortalResponse,
    status_code=200,
    dependencies=[needs("billing:write", logs="billing.portal")],
    responses=documented(400, 401, 403, 409),
)
def portal(call: CallDep, body: PortalIn) -> Response:
    """Return the URL of a portal page, valid for up to an hour."""
    url = call.state.payments.portal(call.organization, body.return_url)
    call.writing.about("subscription", None)
    return encoded({"portal": {"url": _absolute(call, url)}})


@router.post(
    "/cancel",
    summary="Cancel the subscription",
    response_model=CancelResponse,
    status_code=200,
    dependencies=[needs("billing:write", logs="billing.cancel")],
    responses=documented(400, 401, 403, 409),
)
def cancel(call: CallDep, body: CancelIn = _AT_PERIOD_END) -> Response:
    """Cancel the subscription at the end of the paid period, or at once."""
    ended = call.state.payments.cancel(call.organization, body.at_period_end)
    call.writing.about("subscription", ended.id)
    return encoded({"subscription": subscription_shape(ended)})


def _without_version() -> APIRouter:
    """Return the same routes under ``/billing``; OpenAPI describes them once, under ``/v1``."""
    made = APIRouter(route_class=KeyedRoute, include_in_schema=False)
    for route in router.routes:
        assert isinstance(route, KeyedRoute)
        made.add_api_route(
            route.path.removeprefix("/v1"),
            route.endpoint,
            methods=sorted(route.methods or ()),
            dependencies=route.dependencies,
        )
    return made


bare: APIRouter = _without_version()


def subscription_shape(found: Subscription) -> dict[str, Any]:
    """Return a subscription in its wire form."""
    return {name: getattr(found, name) for name in _SUBSCRIPTION}


def _absolute(call: Call, url: str) -> str:
    """Return the URL of a page; those of the embedded provider are below the service's root."""
    return f"{call.root_url}{url}" if url.startswith("/") else url
