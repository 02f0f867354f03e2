"""HTTP calls of the tools, made with the caller's key, and polling."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import httpx

from voxpop.errors import ConnectionFailed, RateLimited, ServiceError, Unavailable, service_error_class

T = TypeVar("T")
Pause = Callable[[float], Awaitable[bool]]
"""A function that sleeps for some seconds and returns whether to stop polling."""

_FIRST_STEP_S = 0.05
_LONGEST_STEP_S = 20.0
_USUAL_STEP_S = 1.0


async def rest(seconds: float) -> bool:
    """Sleep and continue polling; the default :data:`Pause`."""
    await asyncio.sleep(seconds)
    return False


class Calls:
    """Client for the calls of the tools.

    Parameters
    ----------
    http
        HTTP client whose base URL ends in ``/v1`` and whose headers hold the key.
    pause, clock
        Sleep function and clock in seconds; replaced in tests and by a service that may stop.
    """

    def __init__(
        self, http: httpx.AsyncClient, *, pause: Pause = rest, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._http = http
        self._pause = pause
        self._clock = clock

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send a GET request."""
        return await self._send("GET", path, params=params)

    async def post(
        self,
        path: str,
        body: Mapping[str, Any],
        headers: Mapping[str, str] | None = None,
        *,
        key: str | None = None,
    ) -> dict[str, Any]:
        """Send a POST request, with an idempotency key if given."""
        once = {} if key is None else {"Idempotency-Key": key}
        return await self._send("POST", path, body=body, headers={**(headers or {}), **once})

    async def until(
        self,
        seconds: float,
        seen: T,
        *,
        look: Callable[[], Awaitable[T]],
        ended: Callable[[T], bool],
        hint: Callable[[T], float | None] = lambda _: None,
    ) -> T:
        """Poll until a resource has ended or the time is up, and return its last state.

        A failed poll ends the wait but not the tool, so the started work is always reported.
        """
        end, step = self._clock() + seconds, _FIRST_STEP_S
        while not ended(seen) and (left := end - self._clock()) > 0:
            hinted = hint(seen)
            usual = min(step, _USUAL_STEP_S)
            if await self._pause(min(left, usual if hinted is None else max(usual, hinted))):
                break
            step *= 2
            try:
                seen = await look()
            except RateLimited as limited:
                step = min(limited.retry_after, _LONGEST_STEP_S)
                if await self._pause(min(step, max(0.0, end - self._clock()))):
                    break
            except (ServiceError, ConnectionFailed):
                break
        return seen

    async def _send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        sent = {"Accept": "application/json", **(headers or {})}
        content = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            content = json.dumps(body)
        try:
            answer = await self._http.request(method, path, params=params, content=content, headers=sent)
        except httpx.TransportError as error:
            told = f"Nothing answered at {self._http.base_url}: {str(error) or type(error).__name__}."
            if method == "POST" and not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
                told += " The call may have been carried out all the same."
            raise ConnectionFailed(told) from error
        try:
            data = answer.json()
        except ValueError:
            data = None
        if answer.is_success and isinstance(data, dict):
            return data
        raise self._error(answer, data)

    def _error(self, answer: httpx.Response, data: Any) -> ServiceError:
        found = data.get("error") if isinstance(data, dict) else None
        found = found if isinstance(found, dict) else {}
        status = answer.status_code
        message = str(found.get("message") or f"{self._http.base_url} answered {status} and gave no reason.")
        details = found.get("details")
        rest: dict[str, Any] = {
            "status": status,
            "code": found.get("code"),
            "details": details if isinstance(details, dict) else None,
        }
        if status < 400:
            return Unavailable(f"{self._http.base_url} answered {status} with something else than JSON.")
        kind = service_error_class(status)
        if issubclass(kind, RateLimited):
            wait = answer.headers.get("Retry-After", "")
            return kind(message, retry_after=float(wait) if wait.isdigit() else 1.0, **rest)
        return kind(message, **rest)
