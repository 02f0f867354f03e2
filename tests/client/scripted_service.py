"""A service with scripted answers, and a clock that advances only by sleeping."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from voxpop.client import Client

KEY = "vp_live_" + "k3y" * 13 + "a1b2"


class Script:
    """Answers by method and path; the last one of a list is given again and again."""

    def __init__(self) -> None:
        self.calls: list[httpx.Request] = []
        self.slept: list[float] = []
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.key = KEY
        self._answers: dict[tuple[str, str], list[Any]] = {}

    def on(self, method: str, path: str, *answers: Any) -> Script:
        self._answers[method, f"/v1{path}"] = list(answers)
        return self

    def client(self, base_url: str = "http://service.test", **options: Any) -> Client:
        return Client(
            base_url,
            KEY,
            transport=httpx.MockTransport(self._answer),
            sleep=self._sleep,
            clock=lambda: self.now,
            **options,
        )

    def body(self, call: int = -1) -> Any:
        return json.loads(self.calls[call].content)

    def paths(self) -> list[str]:
        return [request.url.path.removeprefix("/v1") for request in self.calls]

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += timedelta(seconds=seconds)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.calls.append(request)
        waiting = self._answers.get((request.method, request.url.path))
        if waiting is None:
            return refuse(404, "not_found", "There is no such page.")
        answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if isinstance(answer, Exception):
            raise answer
        if callable(answer):
            answer = answer(request)
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)


def refuse(status: int, code: str, message: str, *, headers: Any = None, **rest: Any) -> httpx.Response:
    """Make an error answer in the service's one shape."""
    return httpx.Response(status, json={"error": {"code": code, "message": message, **rest}}, headers=headers)
