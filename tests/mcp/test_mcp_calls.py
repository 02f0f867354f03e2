"""Waiting, and what is told when the service answers with errors, rubbish or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from voxpop.errors import ConnectionFailed, NotFound, RateLimited, ServiceError, Unavailable
from voxpop.mcp.calls import Calls


class Time:
    """A clock that only waiting moves."""

    def __init__(self, stop_after: float = 1e9) -> None:
        self.now, self.waits, self.stop_after = 0.0, list[float](), stop_after

    async def pause(self, seconds: float) -> bool:
        self.now += seconds
        self.waits.append(seconds)
        return self.now > self.stop_after


def calls(answer: Callable[[httpx.Request], httpx.Response], time: Time | None = None) -> Calls:
    time = time or Time()
    http = httpx.AsyncClient(base_url="http://service/v1", transport=httpx.MockTransport(answer))
    return Calls(http, pause=time.pause, clock=lambda: time.now)


def waited(states: list[Any], seconds: float, time: Time) -> str:
    """Wait for the state `done`; an exception among the states is raised by that look."""

    def answer(request: httpx.Request) -> httpx.Response:
        state = states.pop(0) if states else "started"
        if isinstance(state, httpx.Response):
            return state
        return httpx.Response(200, json={"status": state})

    service = calls(answer, time)

    async def run() -> dict[str, Any]:
        return await service.until(
            seconds,
            {"status": "queued"},
            look=lambda: service.get("/x"),
            ended=lambda seen: seen["status"] == "done",
        )

    return str(asyncio.run(run())["status"])


def test_looks_are_further_and_further_apart() -> None:
    time = Time()
    assert waited(["started"] * 8 + ["done"], 60, time) == "done"
    assert time.waits == [0.05, 0.1, 0.2, 0.4, 0.8, 1, 1, 1, 1]


def test_the_last_state_is_given_when_the_time_is_over() -> None:
    time = Time()
    assert waited([], 3, time) == "started"
    assert time.now == pytest.approx(3)


def test_no_time_means_no_look() -> None:
    time = Time()
    assert waited(["done"], 0, time) == "queued"
    assert time.waits == []


def test_a_service_that_stops_ends_the_waiting() -> None:
    time = Time(stop_after=0.5)
    assert waited([], 60, time) == "started"
    assert time.now < 1


def test_a_look_that_fails_ends_the_waiting_and_not_the_tool() -> None:
    assert waited(["started", httpx.Response(500)], 60, Time()) == "started"


def test_a_look_that_comes_too_often_is_repeated_when_the_service_says() -> None:
    time = Time()
    limited = httpx.Response(429, headers={"Retry-After": "7"}, json={"error": {"code": "rate_limited"}})
    assert waited([limited, "done"], 60, time) == "done"
    assert 7 in time.waits


@pytest.mark.parametrize(
    ("answer", "kind", "code", "told"),
    [
        (
            httpx.Response(404, json={"error": {"code": "not_found", "message": "No."}}),
            NotFound,
            "not_found",
            "No.",
        ),
        (httpx.Response(429, headers={"Retry-After": "3"}), RateLimited, "rate_limited", "gave no reason"),
        (httpx.Response(502, text="<html>"), Unavailable, "unavailable", "answered 502"),
        (httpx.Response(200, text="<html>"), Unavailable, "unavailable", "something else than JSON"),
        (httpx.Response(307, headers={"Location": "/"}), Unavailable, "unavailable", "answered 307"),
    ],
)
def test_errors_keep_their_code(
    answer: httpx.Response, kind: type[ServiceError], code: str, told: str
) -> None:
    with pytest.raises(kind, match=told) as caught:
        asyncio.run(calls(lambda _: answer).get("/x"))
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("method", "error", "told"),
    [
        ("get", httpx.ConnectError("refused"), "Nothing answered at http://service/v1/: refused.$"),
        ("post", httpx.ConnectError("refused"), "refused.$"),
        ("post", httpx.ReadTimeout(""), "ReadTimeout. The call may have been carried out all the same.$"),
    ],
)
def test_silence_is_told(method: str, error: httpx.TransportError, told: str) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise error

    service = calls(fail)
    with pytest.raises(ConnectionFailed, match=told):
        asyncio.run(service.get("/x") if method == "get" else service.post("/x", {}))
