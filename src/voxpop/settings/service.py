"""Settings of a service: limits, links, payments, engine and work."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from voxpop.errors import UsageError
from voxpop.settings.engine import EngineSettings
from voxpop.settings.engines import engine_settings
from voxpop.settings.payments import PaymentsSettings
from voxpop.settings.reading import (
    Environ,
    address,
    flag,
    limit,
    read_settings,
    sendable,
    setting,
    text,
    variables,
)
from voxpop.settings.work import WorkSettings


def _name(variable: str, written: str) -> str:
    if len(written) > 100 or not written.isprintable():
        raise UsageError(f"{variable} must be 1 to 100 printable characters, not {written[:120]!r}.")
    return written


def _public_url(variable: str, written: str) -> str | None:
    """Parse the base address of links: scheme, host, port, and a path if the service is below one.

    Raises
    ------
    UsageError
        The address is not absolute http(s), or contains a user name, a query, a fragment, white space or an
        invalid port.
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
    """Settings of a service, created once when the service starts.

    Attributes
    ----------
    strict_filters : bool
        Whether an unknown value of a finite field is an error instead of matching nothing.
    thesis_lightweight : bool
        Whether a thesis is returned without its details unless they are requested.
    rate_live, rate_free : int or None
        Calls per minute of one key of each kind; None is no limit.
    rate_guesses : int or None
        Unknown keys per minute to look up for one address; None is no limit.
    open_calls : int or None
        Maximum number of concurrent calls; further ones are refused with a retry delay. None is no limit.
    quota_live, quota_free : int or None
        Answers per calendar month of one organization with keys of each kind; None is no limit.
    max_body_bytes : int
        Maximum size of a request body.
    public_url : str or None
        Base address of the service's links; by default the address on which it listens.
    payments : PaymentsSettings
        Settings of the payment provider.
    engine : EngineSettings
        Settings of the engine that answers for agents.
    others : tuple of EngineSettings
        Further engines, which a question may name.
    work : WorkSettings
        Settings of background work.
    name : str
        Name of the service in its signatures, 1 to 100 characters.
    knowledge : str, object or None
        A survey of people that answers in front of the engines: the path of a saved file, or the survey.
    signing_key : bytes or None
        The 32-byte signing key; None uses the key stored in the database.
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
    others: tuple[EngineSettings, ...] = ()
    work: WorkSettings = field(default=WorkSettings())
    name: str = setting("VOXPOP_SERVICE_NAME", _name, "voxpop")
    knowledge: object = setting("VOXPOP_KNOWLEDGE", text, None, secret=True)
    signing_key: bytes | None = field(default=None, repr=False)

    def rate(self, kind: str) -> int | None:
        """Return the calls per minute that a key of this kind may make."""
        return self.rate_free if kind == "free" else self.rate_live

    def quota(self, kind: str) -> int | None:
        """Return the answers per month that an organization may have through keys of this kind."""
        return self.quota_free if kind == "free" else self.quota_live

    @classmethod
    def from_environment(
        cls,
        environ: Environ = None,
        *,
        engine: str | object | Sequence[str | object] | None = None,
        engine_url: str | None = None,
        concurrency: int | None = None,
        public_url: str | None = None,
        knowledge: object = None,
    ) -> ServiceSettings:
        """Read the settings of a service, including those of its payments, engine and work.

        Parameters
        ----------
        environ
            Overrides the environment of the process.
        engine, engine_url
            Override ``VOXPOP_ENGINE`` and ``VOXPOP_ENGINE_URL``; of several engines the first is the default.
        concurrency
            Overrides ``VOXPOP_CONCURRENCY``.
        public_url
            Overrides ``VOXPOP_PUBLIC_URL``.
        knowledge
            Overrides ``VOXPOP_KNOWLEDGE``; a path, or a survey of people.

        Raises
        ------
        UsageError
            A setting is invalid, or the engine or the payments lack a required setting.
        """
        source = variables(environ)
        if public_url is not None:
            source = {**source, "VOXPOP_PUBLIC_URL": public_url}
        engines = engine_settings(source, engine=engine, url=engine_url)
        own = {} if knowledge is None else {"knowledge": knowledge}
        return read_settings(
            cls,
            source,
            **own,
            payments=PaymentsSettings.from_environment(source),
            engine=engines[0],
            others=engines[1:],
            work=WorkSettings.from_environment(source, concurrency=concurrency),
        )
