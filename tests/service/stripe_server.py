"""A server that speaks Stripe's wire format: forms in, objects and lists out, idempotency, and its errors."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any
from urllib.parse import parse_qsl, urlsplit

KEY = "sk_test_51Nq8VeryMuchASecretKey"
PRICE = "price_monthly"
NOW = 1_795_000_000
MONTH = 30 * 24 * 3600


def nested(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Read a form whose names nest: ``line_items[0][price]=x``."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        path = re.findall(r"[^\[\]]+", name)
        place = found
        for part in path[:-1]:
            place = place.setdefault(part, {})
        place[path[-1]] = value
    return found


class Refusal(Exception):
    """An error answer in Stripe's shape."""

    def __init__(self, status: int, kind: str, **details: Any) -> None:
        super().__init__(kind)
        self.status = status
        told = {"type": kind, "message": f"Stripe's own words about {KEY[:8]}****, {details}."}
        self.body = {"error": told | details}


@dataclass
class Call:
    """A received request."""

    method: str
    path: str
    form: dict[str, Any]
    headers: Mapping[str, str]


@dataclass
class StripeAccount:
    """The objects of the Stripe account."""

    customers: dict[str, dict[str, Any]] = field(default_factory=dict)
    sessions: dict[str, dict[str, Any]] = field(default_factory=dict)
    subscriptions: dict[str, dict[str, Any]] = field(default_factory=dict)
    invoices: list[dict[str, Any]] = field(default_factory=list)
    numbers: Any = field(default_factory=lambda: count(1))

    def new(self, prefix: str, **values: Any) -> dict[str, Any]:
        return {"id": f"{prefix}_{next(self.numbers):06d}", "created": NOW, "livemode": False} | values

    def pay(self, session_id: str, status: str = "active") -> dict[str, Any]:
        """Let a customer complete the checkout on Stripe's page."""
        session = self.sessions[session_id]
        session["status"] = "complete"
        return self.subscribe(session["customer"], status)

    def subscribe(self, customer: str, status: str = "active", **values: Any) -> dict[str, Any]:
        price = {"id": PRICE, "object": "price", "nickname": None, "lookup_key": "standard_monthly"}
        item = self.new("si", object="subscription_item", price=price, quantity=1)
        item |= {"current_period_start": NOW, "current_period_end": NOW + MONTH}
        made = self.new("sub", object="subscription", customer=customer, status=status)
        made |= {"cancel_at_period_end": False, "cancel_at": None, "ended_at": None}
        made |= {"items": listed([item], "/v1/subscription_items")} | values
        self.subscriptions[made["id"]] = made
        self.invoice(customer, NOW)
        return made

    def invoice(self, customer: str, start: int, **values: Any) -> dict[str, Any]:
        line = {"object": "line_item", "period": {"start": start, "end": start + MONTH}}
        made = self.new("in", object="invoice", customer=customer, status="paid", currency="usd")
        made |= {"number": f"A1B2-{len(self.invoices) + 1:04d}", "amount_due": 4900, "created": start}
        made |= {"period_start": start, "period_end": start, "lines": listed([line], "/v1/invoices/lines")}
        made |= {"status_transitions": {"paid_at": start + 60}} | values
        self.invoices.insert(0, made)
        return made

    def answer(self, method: str, path: str, form: dict[str, Any]) -> dict[str, Any]:
        match (method, *path.removeprefix("/v1/").split("/")):
            case ("POST", "customers"):
                made = self.new("cus", object="customer", metadata=form.get("metadata", {}))
                return self.customers.setdefault(made["id"], made)
            case ("GET", "subscriptions"):
                mine = [one for one in self.subscriptions.values() if one["customer"] == self.customer(form)]
                return listed([one for one in mine if one["status"] != "canceled"], path)
            case ("POST", "subscriptions", key):
                one = self.find(self.subscriptions, key)
                one["cancel_at_period_end"] = form["cancel_at_period_end"] == "true"
                return one
            case ("DELETE", "subscriptions", key):
                one = self.find(self.subscriptions, key)
                one.update(status="canceled", ended_at=NOW + 5)
                return one
            case ("POST", "checkout", "sessions"):
                return self.open_checkout(form)
            case ("GET", "checkout", "sessions"):
                mine = [one for one in self.sessions.values() if one["customer"] == self.customer(form)]
                return listed([one for one in mine if one["status"] == form["status"]], path)
            case ("POST", "checkout", "sessions", key, "expire"):
                one = self.find(self.sessions, key)
                if one["status"] != "open":
                    raise Refusal(400, "invalid_request_error")
                one.update(status="expired", url=None)
                return one
            case ("POST", "billing_portal", "sessions"):
                made = self.new("bps", object="billing_portal.session", customer=self.customer(form))
                return made | {"url": f"https://billing.stripe.example/p/{made['id']}", **form}
            case ("GET", "invoices"):
                return self.page(form, path)
        raise Refusal(404, "invalid_request_error", message=f"Unrecognized request URL ({method}: {path}).")

    def open_checkout(self, form: dict[str, Any]) -> dict[str, Any]:
        self.customer(form)
        if form["line_items"]["0"] != {"price": PRICE, "quantity": "1"}:
            raise Refusal(400, "invalid_request_error", code="resource_missing", param="line_items[0][price]")
        if "refused" in form["success_url"]:
            raise Refusal(400, "invalid_request_error", code="url_invalid", param="success_url")
        made = self.new("cs_test", object="checkout.session", status="open", **form)
        made["url"] = f"https://checkout.stripe.example/c/pay/{made['id']}"
        return self.sessions.setdefault(made["id"], made)

    def page(self, form: dict[str, Any], path: str) -> dict[str, Any]:
        mine = [one for one in self.invoices if one["customer"] == self.customer(form)]
        after = (
            [one["id"] for one in mine].index(form["starting_after"]) + 1 if "starting_after" in form else 0
        )
        limit = int(form.get("limit", 10))
        if not 1 <= limit <= 100:
            raise Refusal(400, "invalid_request_error", code="parameter_invalid_integer", param="limit")
        return listed(mine[after : after + limit], path, has_more=after + limit < len(mine))

    def customer(self, form: dict[str, Any]) -> str:
        return str(self.find(self.customers, form["customer"], "customer")["id"])

    def find(self, things: dict[str, dict[str, Any]], key: str, param: str = "id") -> dict[str, Any]:
        if key not in things:
            raise Refusal(404, "invalid_request_error", code="resource_missing", param=param)
        return things[key]


def listed(items: list[dict[str, Any]], url: str, *, has_more: bool = False) -> dict[str, Any]:
    return {"object": "list", "url": url, "has_more": has_more, "data": items}


class StripeServer:
    """The server; ``faults`` are given out one by one before a call is looked at.

    A fault is a :class:`Refusal`, ``"drop"`` (the connection breaks before the call is done) or ``"lose"``
    (it is done, but its answer is lost).
    """

    def __init__(self) -> None:
        self.account = StripeAccount()
        self.calls: list[Call] = []
        self.faults: list[Refusal | str] = []
        self.replays: dict[str, tuple[dict[str, Any], int, bytes]] = {}
        self.lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                owner.handle(self)

            do_POST = do_DELETE = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def sent(self, method: str, path: str) -> list[Call]:
        return [call for call in self.calls if (call.method, call.path) == (method, path)]

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0)).decode()
        parts = urlsplit(handler.path)
        form = nested(parse_qsl(body or parts.query, strict_parsing=bool(body), keep_blank_values=True))
        call = Call(handler.command, parts.path, form, dict(handler.headers.items()))
        with self.lock:
            self.calls.append(call)
            fault = self.faults.pop(0) if self.faults else None
            if fault == "drop":
                handler.close_connection = True
                return
            status, content, replayed = self.answer(call, fault)
        if fault == "lose":
            handler.close_connection = True
            return
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(content)))
        handler.send_header("Request-Id", f"req_{len(self.calls):06d}")
        if replayed:
            handler.send_header("Idempotent-Replayed", "true")
        handler.end_headers()
        handler.wfile.write(content)

    def answer(self, call: Call, fault: Refusal | str | None) -> tuple[int, bytes, bool]:
        key = call.headers.get("Idempotency-Key") if call.method == "POST" else None
        try:
            if isinstance(fault, Refusal):
                raise fault
            if call.headers.get("Authorization") != f"Bearer {KEY}":
                raise Refusal(401, "invalid_request_error")
            if not re.fullmatch(r"\d{4}-\d\d-\d\d(\.[a-z]+)?", call.headers.get("Stripe-Version", "")):
                raise Refusal(400, "invalid_request_error", param="Stripe-Version")
            if key in self.replays:
                form, status, content = self.replays[key]
                if form != call.form:
                    raise Refusal(400, "idempotency_error")
                return status, content, True
            status, content = 200, json.dumps(self.account.answer(call.method, call.path, call.form)).encode()
        except Refusal as refusal:
            status, content = refusal.status, json.dumps(refusal.body).encode()
        if key is not None and status < 400:
            self.replays[key] = (call.form, status, content)
        return status, content, False
