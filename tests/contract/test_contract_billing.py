"""Billing with the embedded provider: interface 2.10 and 4.8, contract 10."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import httpx
import pytest

from running_service import Service
from voxpop.client import Client
from voxpop.errors import Conflict, Forbidden, UsageError
from voxpop.wire.billing import CheckoutResponse, InvoiceList, PortalResponse, SubscriptionResponse

SUCCESS, CANCEL = "https://shop.example/ok?from=voxpop#top", "https://shop.example/no"
URLS = {"success_url": SUCCESS, "cancel_url": CANCEL}
SUBSCRIPTION = ["id", "status", "plan", "current_period_start", "current_period_end", "cancel_at_period_end"]
_NUMBERS = count(1)


@pytest.fixture
def buyer(service: Service) -> httpx.Client:
    """A caller of an organization that has bought nothing yet."""
    name = f"buyer {next(_NUMBERS)}"
    return service.client(service.key("billing:read", "billing:write", organization=name))


@pytest.fixture
def client(service: Service, buyer: httpx.Client) -> Iterator[Client]:
    with Client(service.base_url, buyer.headers["Authorization"].removeprefix("Bearer ")) as made:
        yield made


def opened(http: httpx.Client) -> str:
    """Open a checkout and return its page."""
    answer = http.post("/billing/checkout", json=URLS)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["checkout"]["url"])


def subscribe(http: httpx.Client) -> None:
    assert httpx.post(f"{opened(http)}/confirm").status_code == 303


def error(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    return dict(answer.json()["error"])


def test_a_checkout_has_a_page_under_the_service(service: Service, buyer: httpx.Client) -> None:
    answer = buyer.post("/billing/checkout", json=URLS)
    assert answer.status_code == 201
    assert list(answer.json()["checkout"]) == ["id", "url", "status"]
    made = CheckoutResponse.model_validate(answer.json()).checkout
    assert (made.id[:4], made.status) == ("chk_", "open")
    assert made.url.startswith(f"{service.root_url}/pay/checkout/")
    assert len(made.url.rsplit("/", 1)[1]) == 43  # 256 bits


def test_the_page_leads_on_and_the_subscription_has_begun(buyer: httpx.Client) -> None:
    assert buyer.get("/billing/subscription").json() == {"subscription": None}
    page = opened(buyer)
    assert httpx.get(page).status_code == 200
    led = httpx.post(f"{page}/confirm")
    assert (led.status_code, led.headers["location"]) == (303, SUCCESS)
    answer = buyer.get("/billing/subscription").json()
    assert list(answer["subscription"]) == SUBSCRIPTION
    found = SubscriptionResponse.model_validate(answer).subscription
    assert found is not None
    assert (found.status, found.cancel_at_period_end) == ("active", False)
    assert 28 <= (found.current_period_end - found.current_period_start).days <= 31
    assert answer["subscription"]["current_period_end"].endswith("Z")


def test_a_checkout_that_is_called_off_buys_nothing(buyer: httpx.Client) -> None:
    led = httpx.post(f"{opened(buyer)}/decline")
    assert (led.status_code, led.headers["location"]) == (303, CANCEL)
    assert buyer.get("/billing/subscription").json() == {"subscription": None}
    assert buyer.get("/billing/invoices").json() == {"invoices": [], "limit": 50}


def test_each_period_has_an_invoice(buyer: httpx.Client) -> None:
    subscribe(buyer)
    answer = buyer.get("/billing/invoices", params={"limit": 7}).json()
    assert answer["limit"] == 7
    (invoice,) = InvoiceList.model_validate(answer).invoices
    assert (invoice.status, invoice.currency, invoice.amount_due) == ("paid", "usd", 0)  # no money moves
    found = buyer.get("/billing/subscription").json()["subscription"]
    assert answer["invoices"][0]["period_end"] == found["current_period_end"]


def test_whoever_is_subscribed_cannot_subscribe_again(buyer: httpx.Client) -> None:
    subscribe(buyer)
    told = error(buyer.post("/billing/checkout", json=URLS), 409)
    assert (told["code"], told["details"]) == ("conflict", {"status": "active"})


def test_cancelled_at_the_end_of_the_period_unless_said_otherwise(buyer: httpx.Client) -> None:
    subscribe(buyer)
    for body in ({"json": {}}, {}, {"json": {"at_period_end": True}}):
        answer = buyer.post("/billing/cancel", **body)
        assert answer.status_code == 200
        found = answer.json()["subscription"]
        assert list(found) == SUBSCRIPTION
        assert (found["status"], found["cancel_at_period_end"]) == ("active", True)
    assert buyer.get("/billing/subscription").json() == {"subscription": found}


def test_cancelled_at_once_it_is_gone_and_can_be_bought_again(buyer: httpx.Client) -> None:
    subscribe(buyer)
    ended = buyer.post("/billing/cancel", json={"at_period_end": False}).json()["subscription"]
    assert ended["status"] == "canceled"
    assert buyer.get("/billing/subscription").json() == {"subscription": None}
    assert error(buyer.post("/billing/cancel", json={}), 409)["details"] == {"status": "canceled"}
    subscribe(buyer)
    assert len(buyer.get("/billing/invoices").json()["invoices"]) == 2


def test_without_a_subscription_nothing_is_cancelled(buyer: httpx.Client) -> None:
    told = error(buyer.post("/billing/cancel", json={}), 409)
    assert (told["code"], told["details"]) == ("conflict", {"status": "none"})


def test_the_portal_has_a_page_too(service: Service, buyer: httpx.Client) -> None:
    answer = buyer.post("/billing/portal", json={"return_url": SUCCESS})
    assert answer.status_code == 200
    assert list(answer.json()["portal"]) == ["url"]
    url = PortalResponse.model_validate(answer.json()).portal.url
    assert url.startswith(f"{service.root_url}/pay/portal/")
    assert httpx.get(url).status_code == 200


def test_every_path_answers_without_the_version_too(service: Service, buyer: httpx.Client) -> None:
    bare = f"{service.root_url}/billing"
    page = buyer.post(f"{bare}/checkout", json=URLS).json()["checkout"]["url"]
    httpx.post(f"{page}/confirm")
    for name in ("subscription", "invoices"):
        assert buyer.get(f"{bare}/{name}").json() == buyer.get(f"/billing/{name}").json()
    assert buyer.post(f"{bare}/portal", json={"return_url": SUCCESS}).status_code == 200
    assert buyer.post(f"{bare}/cancel", json={}).status_code == 200
    told = buyer.get(f"{service.root_url}/openapi.json").json()
    assert {path for path in told["paths"] if "billing" in path} == {
        f"/v1/billing/{name}"
        for name in ("checkout", "subscription", "usage", "invoices", "portal", "cancel")
    }


@pytest.mark.parametrize(
    "url",
    [
        "",
        "shop.example/ok",
        "/ok",
        "//shop.example/ok",
        "ftp://shop.example/ok",
        "javascript:alert(1)",
        "https://",
        "https:///ok",
        "https://me:secret@shop.example/",
        "https://shop.example:99999/",
        "https://shop.example/a b",
        "https://shop.example/\r\nSet-Cookie: a=b",
        "https://shop.example;/",
        "https://[::1/",
        "https://café.example/",
        "https://shop.example/" + "x" * 2_000,
        7,
        None,
    ],
)
def test_addresses_must_be_absolute(buyer: httpx.Client, url: Any) -> None:
    for path, body, name in (
        ("/billing/checkout", URLS | {"success_url": url}, "success_url"),
        ("/billing/checkout", URLS | {"cancel_url": url}, "cancel_url"),
        ("/billing/portal", {"return_url": url}, "return_url"),
    ):
        told = error(buyer.post(path, json=body), 400)
        assert told["code"] == "invalid_request"
        assert list(told["details"]["fields"]) == [name]


@pytest.mark.parametrize(
    "url", ["http://localhost:8080", "HTTPS://Shop.Example/?q=%20", "http://127.0.0.1/", "http://[::1]:9/a"]
)
def test_other_absolute_addresses_are_taken(buyer: httpx.Client, url: str) -> None:
    page = buyer.post("/billing/checkout", json={"success_url": url, "cancel_url": url}).json()
    assert httpx.get(page["checkout"]["url"]).status_code == 200
    led = httpx.post(f"{page['checkout']['url']}/confirm")
    assert (led.status_code, led.headers["location"]) == (303, url)


@pytest.mark.parametrize(
    ("path", "body", "fields"),
    [
        ("/billing/checkout", {}, ["success_url", "cancel_url"]),
        ("/billing/checkout", URLS | {"plan": "gold"}, ["plan"]),
        ("/billing/portal", {}, ["return_url"]),
        ("/billing/cancel", {"at_period_end": "true"}, ["at_period_end"]),
        ("/billing/cancel", {"at_period_end": None}, ["at_period_end"]),
        ("/billing/cancel", {"at_once": True}, ["at_once"]),
    ],
)
def test_bad_bodies_are_refused_by_field(
    buyer: httpx.Client, path: str, body: dict[str, Any], fields: list[str]
) -> None:
    assert list(error(buyer.post(path, json=body), 400)["details"]["fields"]) == fields


@pytest.mark.parametrize("limit", ["0", "501", "-1", "many", "1.5", ""])
def test_the_limit_is_1_to_500(buyer: httpx.Client, limit: str) -> None:
    told = error(buyer.get("/billing/invoices", params={"limit": limit}), 400)
    assert list(told["details"]["fields"]) == ["limit"]


CALLS = [
    ("GET", "subscription", "billing:read"),
    ("GET", "invoices", "billing:read"),
    ("POST", "checkout", "billing:write"),
    ("POST", "portal", "billing:write"),
    ("POST", "cancel", "billing:write"),
]


@pytest.mark.parametrize(("method", "name", "scope"), CALLS)
def test_each_call_needs_its_scope(service: Service, method: str, name: str, scope: str) -> None:
    others = {"studies:read", "studies:write", "billing:read", "billing:write"} - {scope}
    keys = [service.key(*others), service.key("free:ask", kind="free")]
    for address in (f"{service.base_url}/billing/{name}", f"{service.root_url}/billing/{name}"):
        for key in keys:
            told = error(service.client(key).request(method, address), 403)
            assert told["details"] == {"required_scope": scope}
        assert error(httpx.request(method, address), 401)["code"] == "unauthorized"


def test_nothing_is_seen_of_another_organization(service: Service, buyer: httpx.Client) -> None:
    subscribe(buyer)
    stranger = service.client(service.key("billing:read", "billing:write", organization="no customer"))
    assert stranger.get("/billing/subscription").json() == {"subscription": None}
    assert stranger.get("/billing/invoices").json()["invoices"] == []
    assert error(stranger.post("/billing/cancel", json={}), 409)["details"] == {"status": "none"}
    portal = stranger.post("/billing/portal", json={"return_url": SUCCESS}).json()["portal"]["url"]
    assert "There is no subscription." in httpx.get(portal).text
    assert httpx.post(f"{portal}/cancel").status_code == 303
    assert buyer.get("/billing/subscription").json()["subscription"]["cancel_at_period_end"] is False


def test_the_client_has_a_method_for_each_call(client: Client) -> None:
    assert client.billing.subscription() is None
    assert client.billing.invoices() == []
    assert client.billing.usage().usage.organization_id > 0
    checkout = client.billing.checkout(SUCCESS, CANCEL)
    assert checkout.url not in repr(checkout)
    httpx.post(f"{checkout.url}/confirm")
    assert client.billing.subscription().status == "active"
    assert [invoice.status for invoice in client.billing.invoices(limit=1)] == ["paid"]
    assert httpx.get(client.billing.portal(SUCCESS).url).status_code == 200
    with pytest.raises(Conflict):
        client.billing.checkout(SUCCESS, CANCEL)
    assert client.billing.cancel().cancel_at_period_end
    assert client.billing.cancel(at_period_end=False).status == "canceled"
    with pytest.raises(Conflict):
        client.billing.cancel()


def test_the_client_checks_before_it_sends(client: Client, service: Service) -> None:
    with pytest.raises(UsageError, match="success_url"):
        client.billing.checkout("shop.example", CANCEL)
    with pytest.raises(UsageError, match="return_url"):
        client.billing.portal("/back")
    with pytest.raises(UsageError, match="limit must be a whole number from 1 to 500"):
        client.billing.invoices(limit=0)
    with pytest.raises(UsageError, match="at_period_end must be True or False"):
        client.billing.cancel(at_period_end="no")  # type: ignore[arg-type]
    with Client(service.base_url, service.key("free:ask", kind="free")) as free:
        assert free.billing.usage().quota.used == 0
        with pytest.raises(Forbidden):
            free.billing.subscription()
