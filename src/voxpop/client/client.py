"""The client: address, key and the families of calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from types import TracebackType
from typing import Any, Self

import httpx

from voxpop.client.agents import Agents
from voxpop.client.audit import Audit
from voxpop.client.billing import Billing
from voxpop.client.direct_questions import DirectQuestions
from voxpop.client.filters import Filters
from voxpop.client.free import Free
from voxpop.client.groups import Groups
from voxpop.client.jobs import Jobs
from voxpop.client.media import Media
from voxpop.client.operations import Operations
from voxpop.client.polling import Clock, Polling, Sleep, Timekeeper, pause, utc_now
from voxpop.client.questions import Questions
from voxpop.client.requests import Requests
from voxpop.client.studies import Studies
from voxpop.client.study_requests import StudyRequests
from voxpop.client.surveys import Surveys
from voxpop.client.thesis import Theses
from voxpop.client.transport import Transport
from voxpop.errors import ServiceError, UsageError


class Client:
    """A connection to an audience-research service.

    Every ``client.<family>.<verb>`` is one call. Reads are retried after transient errors; all calls are
    retried after the service asks to wait (429, ``Retry-After``).

    Parameters
    ----------
    base_url : str
        The service's address, with or without ``/v1``.
    api_key : str
        The key; only its last four characters are ever shown.
    timeout : float
        Seconds to wait for a response, above 0.
    retries : int
        Maximum number of retries, 0 or more.
    polling : Polling
        Polling pattern, unless the service gives hints.
    sleep, clock : callable
        Sleep function and clock (aware UTC); replaced in tests.
    transport : httpx.BaseTransport, optional
        Transport to use instead of the network.

    Raises
    ------
    UsageError
        The address is not an http(s) URL, or the key is empty or malformed.

    Examples
    --------
    >>> with Client("http://127.0.0.1:8000", "vp_live_" + "x" * 39 + "a1b2") as client:
    ...     client
    <voxpop.Client http://127.0.0.1:8000/v1, key …a1b2>
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        retries: int = 4,
        polling: Polling | None = None,
        sleep: Sleep = pause,
        clock: Clock = utc_now,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        if not timeout > 0:
            raise UsageError(f"timeout must be above 0 seconds, not {timeout!r}.")
        if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
            raise UsageError(f"retries must be a whole number of at least 0, not {retries!r}.")
        self._transport = Transport(
            with_version(base_url),
            checked_key(api_key),
            timeout=timeout,
            retries=retries,
            sleep=sleep,
            clock=clock,
            http=transport,
        )
        self.polling: Polling = polling or Polling()
        self._clock = clock
        self._on_close: list[Callable[[], Any]] = []
        self._keeps: Client | None = None
        self._set_families(self._transport, Timekeeper(self.polling, sleep, clock))

    def _set_families(self, transport: Transport, times: Timekeeper) -> None:
        self._transport = transport
        self.filters: Filters = Filters(self._transport)
        self.agents: Agents = Agents(self._transport)
        self.groups: Groups = Groups(self._transport)
        self.requests: Requests = Requests(self._transport, times)
        self.study_requests: StudyRequests = StudyRequests(self._transport, times)
        self.studies: Studies = Studies(self._transport)
        self.questions: Questions = Questions(self._transport, times)
        self.media: Media = Media(self._transport)
        self.direct_questions: DirectQuestions = DirectQuestions(self._transport, times)
        self.free: Free = Free(self._transport, times)
        self.surveys: Surveys = Surveys(self._transport)
        self.thesis: Theses = Theses(self._transport, times)
        self.jobs: Jobs = Jobs(self._transport, times)
        self.operations: Operations = Operations(self._transport)
        self.audit: Audit = Audit(self._transport)
        self.billing: Billing = Billing(self._transport)

    @property
    def base_url(self) -> str:
        """The service's address, ending in ``/v1``."""
        return self._transport.base_url

    @property
    def root_url(self) -> str:
        """The service's address without ``/v1``."""
        return self.base_url.removesuffix("/v1")

    def about(self) -> dict[str, Any]:
        """Return version and population of the service, without a key; empty if not available."""
        try:
            told = self._transport.public(f"{self.root_url}/healthz")
        except ServiceError as error:
            if error.status >= 500:
                raise
            return {}
        return dict(told) if isinstance(told, Mapping) else {}

    def fetch_shared(self, link: str) -> bytes:
        """Return the public page behind a share link, as anybody with the link would see it.

        Raises
        ------
        NotFound
            The study is not shared.
        """
        if not isinstance(link, str) or not link.startswith(("http://", "https://")):
            raise UsageError("link must be a share link, as study.share() returns it.")
        return self._transport.public_page(link)

    def waiting(self, *, poll: Sleep, retry: Sleep) -> Client:
        """Return a client with the same service, key and connection but other sleep functions.

        For callers that display waits or end them early by raising. Closing either client closes the
        connection of both.

        Parameters
        ----------
        poll, retry : callable
            Sleep functions for polling and for retries.
        """
        other = Client.__new__(Client)
        other.polling, other._clock, other._on_close = self.polling, self._clock, []
        other._keeps = self  # an embedded service ends with its first client
        other._set_families(self._transport.waiting(retry), Timekeeper(self.polling, poll, self._clock))
        return other

    def on_close(self, action: Callable[[], Any]) -> None:
        """Register a function to call once when the client is closed."""
        self._on_close.append(action)

    def close(self) -> None:
        """Close the connection; a remote service continues, an embedded one stops."""
        self._transport.close()
        while self._on_close:
            self._on_close.pop()()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<voxpop.Client {self.base_url}, key {self._transport.masked_key}>"

    def _repr_html_(self) -> str:
        url, key = escape(self.base_url), escape(self._transport.masked_key)
        return f"<div><b>voxpop.Client</b> <code>{url}</code>, key <code>{key}</code></div>"

    def __getstate__(self) -> Mapping[str, Any]:
        raise UsageError(
            "A client holds a key and a connection, so it cannot be pickled or copied; make a new one."
        )


def with_version(base_url: str) -> str:
    """Return an address that ends in ``/v1``.

    Examples
    --------
    >>> with_version("http://localhost:8000/"), with_version("https://example.org/api/v1")
    ('http://localhost:8000/v1', 'https://example.org/api/v1')
    """
    text = base_url.strip().rstrip("/") if isinstance(base_url, str) else ""
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise UsageError(f"base_url must be an address like http://localhost:8000/v1, not {base_url!r}.")
    if url.userinfo:
        raise UsageError("base_url must not hold a user name or password; the key goes into api_key.")
    if url.query or url.fragment:
        raise UsageError(
            f"base_url must end with its path, without '?' or '#': http(s)://{url.host}{url.path}"
        )
    return text if text.endswith("/v1") else f"{text}/v1"


def checked_key(api_key: str) -> str:
    """Return the key without surrounding white space; errors never show it."""
    text = api_key.strip() if isinstance(api_key, str) else ""
    if not text:
        raise UsageError(
            "api_key is empty: set VOXPOP_API_KEY or pass a key; "
            "`voxpop keys create` makes one for a service of yours."
        )
    if not all("!" <= character <= "~" for character in text):
        raise UsageError("api_key has characters that no key has (spaces, line breaks or non-ASCII letters).")
    return text
