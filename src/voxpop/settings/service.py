"""Settings of a service: limits, links, payments, engine and work."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from voxpop.errors import UsageError
from voxpop.settings.engine import EngineSettings
from voxpop.settings.payments import PaymentsSettings
from voxpop.settings.reading import Environ, address, flag, limit, read_settings, sendable, setting, variables
from voxpop.settings.work import WorkSettings


def _name(variable: str, written: str) -> str:
    if len(written) > 100 or not written.isprintable():
        raise UsageError(f"{variable} must be 1 to 100 printable characters, not {written[:120]!r}.")
    return written


def _public_url(variable: str, written: str) -> str | None:
    """Read the address that links begin with: scheme, host, port, and a path where the service is under one.

    Raises
    ------
    UsageError
        It is not absolute http(s), or holds a user name, a query, a fragment, white space or a strange port.
    """
    url = address(variable, written)
    if not url:
        return None
    host = r"([A-Za-z0-9]([A-Za-z0-9.\-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])"
    pattern = rf"https?://{host}(:[0-9]{{1,5}})?(/[A-Za-z0-9._~\-]+)*"
    if not re.fullmatch(pattern, url) or not sendable(url):
        raise UsageError(
            f"{variable} must be the address at which callers reach the service, such as "
            f"https://research.example.org, without user name, ? or #; not {url[:200]!r}."
        )
    return url


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """How a service behaves; one object, made once when the service starts.

    Attributes
    ----------
    strict_filters : bool
        Whether an unknown value of a finite field is an error instead of matching nothing.
    thesis_lightweight : bool
        Whether a thesis is given without its details unless these are asked for.
    rate_live, rate_free : int or None
        Calls a minute of one key of each kind; None is no limit.
    rate_guesses : int or None
        Unknown keys a minute that are looked at for one address; None is no limit.
    open_calls : int or None
        Calls that are being answered at once; one more is told to come again. None is no limit.
    quota_live, quota_free : int or None
        Answers a calendar month of one organization through keys of each kind; None is no limit.
    max_body_bytes : int
        The largest body that is read.
    public_url : str or None
        What the links of the service begin with; without it the address on which it listens.
    payments : PaymentsSettings
        How subscriptions are paid.
    engine : EngineSettings
        Who answers for agents.
    work : WorkSettings
        How the work is shared.
    name : str
        What the service calls itself where it signs, 1 to 100 characters.
    signing_key : bytes or None
        The 32 bytes that it signs with; None takes the key that its database keeps.
    """

    strict_filters: bool = setting("API_V1_STRICT_INVALID_FILTERS", flag, False)
    thesis_lightweight: bool = setting("THESIS_DETAIL_LIGHTWEIGHT_DEFAULT", flag, False)
    rate_live: int | None = setting("VOXPOP_RATE_LIVE", limit, 600)
    rate_free: int | None = setting("VOXPOP_RATE_FREE", limit, 60)
    rate_guesses: int | None = setting("VOXPOP_RATE_GUESSES", limit, 60)
    open_calls: int | None = setting("VOXPOP_OPEN_CALLS", limit, 1_000)
    quota_live: int | None = setting("VOXPOP_QUOTA_LIVE", limit, 100_000)
    quota_free: int | None = setting("VOXPOP_QUOTA_FREE", limit, 500)
    max_body_bytes: int = 30 * 1024 * 1024
    public_url: str | None = setting("VOXPOP_PUBLIC_URL", _public_url, None)
    payments: PaymentsSettings = field(default=PaymentsSettings())
    engine: EngineSettings = field(default=EngineSettings())
    work: WorkSettings = field(default=WorkSettings())
    name: str = setting("VOXPOP_SERVICE_NAME", _name, "voxpop")
    signing_key: bytes | None = field(default=None, repr=False)

    def rate(self, kind: str) -> int | None:
        """Return how many calls a minute a key of this kind may make."""
        return self.rate_free if kind == "free" else self.rate_live

    def quota(self, kind: str) -> int | None:
        """Return how many answers a month an organization may have through keys of this kind."""
        return self.quota_free if kind == "free" else self.quota_live

    @classmethod
    def from_environment(
        cls,
        environ: Environ = None,
        *,
        engine: str | object | None = None,
        engine_url: str | None = None,
        concurrency: int | None = None,
        public_url: str | None = None,
    ) -> ServiceSettings:
        """Read the settings of a service, with those of its payments, engine and work.

        Parameters
        ----------
        environ
            Instead of the process's environment.
        engine, engine_url
            Instead of ``VOXPOP_ENGINE`` and ``VOXPOP_ENGINE_URL``.
        concurrency
            Instead of ``VOXPOP_CONCURRENCY``.
        public_url
            Instead of ``VOXPOP_PUBLIC_URL``.

        Raises
        ------
        UsageError
            A setting cannot be read, or the engine or the payments lack one that they need.
        """
        source = variables(environ)
        if public_url is not None:
            source = {**source, "VOXPOP_PUBLIC_URL": public_url}
        return read_settings(
            cls,
            source,
            payments=PaymentsSettings.from_environment(source),
            engine=EngineSettings.from_environment(source, name=engine, url=engine_url),
            work=WorkSettings.from_environment(source, concurrency=concurrency),
        )
