"""HTTP transport: sends calls, retries where it is safe, and reads responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import UTC
from email.utils import parsedate_to_datetime
from threading import Event
from typing import Any
from uuid import uuid4

import httpx
import msgspec

from voxpop.client.polling import Clock, Sleep, pause, utc_now
from voxpop.errors import (
    ConnectionFailed,
    RateLimited,
    ServiceError,
    Unavailable,
    UsageError,
    service_error_class,
)

BACKOFF = 0.5
"""Seconds before the first retry if the service names none; doubled for each further one."""

LONGEST_REFUSED = 1.0
"""Seconds to retry a refused connection to this machine, where a service rarely appears by itself."""

LONGEST_WAIT = 120.0
"""Maximum ``Retry-After`` in seconds; for a longer one the error is raised at once, with its value."""

Params = Mapping[str, Any] | Sequence[tuple[str, str]] | None
"""Query parameters; pairs may repeat a name."""

_KEYS_KEPT = "Idempotency-Hours"
"""Response header by which a service declares that it honours idempotency keys, and for how long."""

_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_PASSING = {502, 503, 504}
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


class Transport:
    """A keep-alive connection to one service with one key.

    Parameters
    ----------
    base_url : str
        The service's address with ``/v1``.
    api_key : str
        Sent with every call; never shown in an error or a repr.
    timeout : float
        Seconds to wait for a response.
    retries : int
        Maximum number of retries of a call. After 429 or a failure to connect, every call is retried. After a
        broken response or 502, 503 or 504, only calls that change nothing are retried, or calls with an
        idempotency key if the service has declared that it honours them. All retries of a call carry the same
        key.
    sleep, clock : callable
        Functions that wait and return the time.
    http : httpx.BaseTransport, optional
        Transport of the calls, instead of the network.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        retries: int = 4,
        sleep: Sleep = pause,
        clock: Clock = utc_now,
        http: httpx.BaseTransport | None = None,
    ) -> None:
        self.base_url = base_url
        self.timeout = timeout
        self.retries = retries
        self._key = api_key
        self._sleep = sleep
        self._clock = clock
        self._keeps_keys = Event()  # set once the service declares support; shared with copies
        self.is_here = httpx.URL(base_url).host in _LOOPBACK
        self._http = httpx.Client(
            headers={"Authorization": f"Bearer {api_key}", "Accept": "application/json"},
            timeout=httpx.Timeout(timeout, connect=min(timeout, 10.0)),
            transport=http,
            trust_env=not self.is_here,
        )

    def __repr__(self) -> str:
        return f"Transport({self.base_url!r}, key {self.masked_key})"

    @property
    def masked_key(self) -> str:
        """The last four characters of the key after an ellipsis."""
        return f"…{self._key[-4:]}" if len(self._key) >= 12 else "…"

    def close(self) -> None:
        """Close the connection; closing twice is allowed."""
        self._http.close()

    def get(self, path: str, params: Params = None) -> Any:
        """Send a GET call and return its JSON."""
        return self._json(self._send("GET", path, params=params, safe=True))

    def post(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        headers: Mapping[str, str] | None = None,
        safe: bool = False,
        key: str | None = None,
    ) -> Any:
        """Send a POST call with a JSON body, and return the JSON of the response.

        Parameters
        ----------
        path, body, headers
            Path, body and extra headers.
        safe : bool
            Whether the call changes nothing and may be retried.
        key : str, optional
            Idempotency key of a call that changes something; random by default.
        """
        return self.post_told(path, body, headers=headers, safe=safe, key=key)[0]

    def post_told(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        headers: Mapping[str, str] | None = None,
        safe: bool = False,
        key: str | None = None,
    ) -> tuple[Any, bool]:
        """Send a body as :meth:`post` does; also return whether the response is a repeated one."""
        sent = dict(headers or {})
        if not safe:
            sent["Idempotency-Key"] = checked_key(key)
        answer = self._send("POST", path, body=body, headers=sent, safe=safe)
        return self._json(answer), answer.headers.get("Idempotent-Replayed") == "true"

    def once(self, path: str, body: Mapping[str, Any], key: str | None = None) -> Any:
        """Send a body under the one-call contract, in which repeating the call is always safe.

        Parameters
        ----------
        path, body
            Path and body.
        key : str, optional
            The idempotency key; random by default.
        """
        return self.post(path, body, headers={"Idempotency-Key": checked_key(key)}, safe=True)

    def delete(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send a DELETE call, with a body if the service needs one."""
        return self._json(
            self._send("DELETE", path, body=body, headers={"Idempotency-Key": checked_key(None)})
        )

    def public(self, url: str) -> Any:
        """Return JSON that needs no key."""
        return self._json(self._repeat(self._without_key(url, "application/json"), safe=True))

    def public_page(self, url: str) -> bytes:
        """Return a page that needs no key."""
        return self._repeat(self._without_key(url, "text/html"), safe=True).content

    @contextmanager
    def stream(self, path: str, params: Params = None, *, accept: str) -> Iterator[httpx.Response]:
        """Open a streamed response, whose content type may differ from ``accept``."""
        response = self._send("GET", path, params=params, headers={"Accept": accept}, safe=True, stream=True)
        try:
            yield response
        except httpx.TransportError as error:
            raise ConnectionFailed(f"The answer of {self.base_url} broke off: {error}.") from error
        finally:
            response.close()

    def waiting(self, sleep: Sleep) -> Transport:
        """Return the same connection with another way to wait before retries."""
        other = copy(self)
        other._sleep = sleep
        return other

    def pause(self, attempt: int) -> None:
        """Wait as before a retry, counted from 1."""
        self._sleep(self._backoff(attempt - 1))

    def _send(
        self,
        method: str,
        path: str,
        *,
        params: Params = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        safe: bool = False,
        stream: bool = False,
    ) -> httpx.Response:
        sent = dict(headers or {})
        content = None
        if body is not None:
            content = msgspec.json.encode(body)
            sent["Content-Type"] = "application/json"
        request = self._http.build_request(
            method, f"{self.base_url}{path}", params=_query(params), content=content, headers=sent
        )
        return self._repeat(request, safe=safe, stream=stream)

    def _without_key(self, url: str, accept: str) -> httpx.Request:
        request = self._http.build_request("GET", url, headers={"Accept": accept})
        del request.headers["Authorization"]
        return request

    def _repeat(self, request: httpx.Request, *, safe: bool, stream: bool = False) -> httpx.Response:
        """Send until a response is below 300, no retry is allowed, or all retries are used up."""
        if self._http.is_closed:
            raise UsageError(f"This client of {self.base_url} is closed; make a new one.")
        attempt, waited = 0, 0.0
        while True:
            more = attempt < self.retries
            safe = safe or ("Idempotency-Key" in request.headers and self._keeps_keys.is_set())
            try:
                response = self._http.send(request, stream=stream)
                if _KEYS_KEPT in response.headers:
                    self._keeps_keys.set()
                if response.status_code < 300:
                    return response
                response.read()
                response.close()
            except httpx.TransportError as error:
                if not (more and (safe or isinstance(error, _NOT_SENT))):
                    raise self._unreachable(request, error, safe) from error
                pause_s = self._backoff(attempt)
                refused = self.is_here and isinstance(error, httpx.ConnectError)
                if refused and waited + pause_s > LONGEST_REFUSED:
                    raise self._unreachable(request, error, safe) from error
            else:
                told = self._wait_after(response, attempt, safe)
                if told is None or not more:
                    raise self._error(response)
                pause_s = told
            self._sleep(pause_s)
            waited += pause_s
            attempt += 1

    def _backoff(self, attempt: int) -> float:
        return float(min(BACKOFF * 2**attempt, 8.0))

    def _wait_after(self, response: httpx.Response, attempt: int, safe: bool) -> float | None:
        """Return the seconds to wait before a retry, or None if the call must not be retried."""
        status = response.status_code
        if status != 429 and not (safe and status in _PASSING):
            return None
        told = self._retry_after(response)
        if told is None:
            return max(1.0, self._backoff(attempt)) if status == 429 else self._backoff(attempt)
        return told if told <= LONGEST_WAIT else None

    def _retry_after(self, response: httpx.Response) -> float | None:
        """Parse ``Retry-After``, which is a number of seconds or a date."""
        text = response.headers.get("Retry-After", "").strip()
        if text.replace(".", "", 1).isascii() and text.replace(".", "", 1).isdigit():
            return float(text)
        try:
            when = parsedate_to_datetime(text)
        except (ValueError, TypeError):
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, (when - self._clock()).total_seconds())

    def _json(self, response: httpx.Response) -> Any:
        if not response.content:
            return {}
        try:
            return msgspec.json.decode(response.content)
        except msgspec.DecodeError:
            raise ServiceError(
                f"{self.base_url} answered {self._kind(response)} instead of JSON: "
                "is this the address of an audience-research service?",
                status=response.status_code,
                code="not_json",
                request_id=response.headers.get("X-Request-Id"),
            ) from None

    def _kind(self, response: httpx.Response) -> str:
        return (
            response.headers.get("Content-Type", "").partition(";")[0].strip() or "something without a type"
        )

    def _error(self, response: httpx.Response) -> ServiceError:
        """Return the error for a response of 300 or above."""
        status = response.status_code
        found = self._error_fields(response)
        details = found.get("details")
        details = dict(details) if isinstance(details, Mapping) else {}
        kind = service_error_class(status)
        message = found.get("message")
        named: dict[str, Any] = {
            "status": status,
            "code": found["code"] if isinstance(found.get("code"), str) else None,
            "details": details,
            "request_id": response.headers.get("X-Request-Id") or details.get("request_id"),
        }
        if named["code"] is None and kind is ServiceError:
            named["code"] = "unknown"
        text = message if isinstance(message, str) and message else self._unexplained(response)
        if issubclass(kind, RateLimited):
            wait = self._retry_after(response)
            return kind(text, retry_after=1.0 if wait is None else wait, **named)
        if issubclass(kind, Unavailable):
            return kind(text, retry_after=self._retry_after(response), **named)
        return kind(text, **named)

    def _error_fields(self, response: httpx.Response) -> Mapping[str, Any]:
        """Return the ``error`` object of a response, with the key masked in case the service repeats it."""
        clean = response.content.replace(self._key.encode(), self.masked_key.encode())
        try:
            data = msgspec.json.decode(clean)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return {}
        if not isinstance(data, Mapping):
            return {}
        error = data.get("error", {"message": data.get("detail") or data.get("message")})
        return error if isinstance(error, Mapping) else {"message": error}

    def _unexplained(self, response: httpx.Response) -> str:
        status = response.status_code
        if response.is_redirect:
            return (
                f"{self.base_url} points to {response.headers.get('Location')}: use that address as base_url."
            )
        told = f"{self.base_url} answered {status} {response.reason_phrase}".rstrip()
        return f"{told} with {self._kind(response)} and gave no reason."

    def _unreachable(
        self, request: httpx.Request, error: httpx.TransportError, safe: bool
    ) -> ConnectionFailed:
        where = self.base_url
        advice = (
            "Check that the service runs there (`voxpop serve` starts one) and that the address is right; "
            "vp.local() needs no address."
        )
        if isinstance(error, _NOT_SENT):
            return ConnectionFailed(f"Nothing answers at {where}: {error or type(error).__name__}. {advice}")
        why = (
            f"did not answer within {self.timeout:g} seconds"
            if isinstance(error, httpx.TimeoutException)
            else f"broke the connection ({error or type(error).__name__})"
        )
        path = request.url.path
        if path.startswith("/shared/"):
            path = "/shared/…"  # a share link is a secret
        told = f"{where} {why} on {request.method} {path}."
        if not safe:
            told += " It may have been carried out all the same, so it was not sent again."
        return ConnectionFailed(told)


def checked_key(key: str | None) -> str:
    """Return a valid idempotency key, or a new random one for None.

    Examples
    --------
    >>> checked_key("snacks-2026-11"), len(checked_key(None))
    ('snacks-2026-11', 32)
    """
    if key is None:
        return uuid4().hex
    if not isinstance(key, str) or not 1 <= len(key) <= 255 or not all(" " <= sign <= "~" for sign in key):
        raise UsageError(f"idempotency_key must be 1 to 255 printable ASCII characters, not {key!r}.")
    return key


def _query(params: Params) -> httpx.QueryParams | None:
    if params is None:
        return None
    items = params.items() if isinstance(params, Mapping) else params
    return httpx.QueryParams([(name, str(value)) for name, value in items])
