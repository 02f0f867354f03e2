"""Settings, read from the environment only when a client or a service is made."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from voxpop.errors import UsageError

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"", "0", "false", "no", "off"}


def home(environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder for voxpop's data and cache (``VOXPOP_HOME`` or the platform's data folder)."""
    chosen = (os.environ if environ is None else environ).get("VOXPOP_HOME")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs  # imported where used: a client never needs it

    return Path(platformdirs.user_data_dir("voxpop", appauthor=False))


def flag(name: str, environ: Mapping[str, str] | None = None) -> bool:
    """Read a yes/no setting; raise :class:`UsageError` when its text is neither."""
    text = (os.environ if environ is None else environ).get(name, "").strip().lower()
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise UsageError(f"{name} must be 1 or 0, not {text!r}.")


def _limit(name: str, default: int | None, environ: Mapping[str, str] | None) -> int | None:
    """Read a limit: a whole number from 1, or ``none``."""
    text = (os.environ if environ is None else environ).get(name, "").strip().lower()
    if not text:
        return default
    if text == "none":
        return None
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise UsageError(f"{name} must be a whole number from 1, or none for no limit, not {text!r}.")
    return int(text)


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """Where a client connects to, and with which key."""

    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> ClientSettings:
        """Read ``VOXPOP_BASE_URL`` and ``VOXPOP_API_KEY``."""
        source = os.environ if environ is None else environ
        return cls(
            base_url=source.get("VOXPOP_BASE_URL") or None, api_key=source.get("VOXPOP_API_KEY") or None
        )


@dataclass(frozen=True, slots=True)
class PaymentsSettings:
    """Who takes payments: the embedded provider, with which no money moves, or Stripe."""

    provider: str = "local"
    stripe_key: str | None = field(default=None, repr=False)
    stripe_price: str | None = None
    stripe_url: str | None = None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> PaymentsSettings:
        """Read ``VOXPOP_PAYMENTS`` (local or stripe), ``VOXPOP_STRIPE_KEY``, ``_PRICE`` and ``_URL``.

        Raises
        ------
        UsageError
            The provider is unknown, or Stripe lacks its key or its price, or its address is not encrypted.
        """
        source = os.environ if environ is None else environ
        made = cls(
            provider=source.get("VOXPOP_PAYMENTS", "").strip().lower() or "local",
            stripe_key=source.get("VOXPOP_STRIPE_KEY", "").strip() or None,
            stripe_price=source.get("VOXPOP_STRIPE_PRICE", "").strip() or None,
            stripe_url=source.get("VOXPOP_STRIPE_URL", "").strip().rstrip("/") or None,
        )
        if made.provider not in ("local", "stripe"):
            raise UsageError(f"VOXPOP_PAYMENTS must be local or stripe, not {made.provider!r}.")
        if made.provider == "stripe":
            made._check_stripe()
        return made

    def _check_stripe(self) -> None:
        needed = {"VOXPOP_STRIPE_KEY": self.stripe_key, "VOXPOP_STRIPE_PRICE": self.stripe_price}
        missing = [name for name, value in needed.items() if value is None]
        if missing:
            raise UsageError(f"VOXPOP_PAYMENTS=stripe needs {' and '.join(missing)} too.")
        start = self.stripe_url or "https://api.stripe.com"
        if not re.match(r"(https://[^/@\s]+|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)(/|$)", start):
            raise UsageError(
                "VOXPOP_STRIPE_URL must be an https address without user name, because the key is sent to it."
            )


@dataclass(frozen=True, slots=True)
class Provider:
    """Who speaks a wire format first: the usual variable of its key, and its address."""

    key_name: str
    url: str


PROVIDERS = {
    "openai": Provider("OPENAI_API_KEY", "https://api.openai.com/v1"),
    "anthropic": Provider("ANTHROPIC_API_KEY", "https://api.anthropic.com"),
}
"""The wire formats that language models are called in."""

_LONGEST_ENGINE = 64


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """The engine that answers for agents, and how a language model is called.

    Attributes
    ----------
    name : str
        The name of an installed engine such as ``simulator``, or ``openai:MODEL`` or ``anthropic:MODEL``.
    url : str or None
        Another server that speaks the provider's wire format.
    key : str or None
        The provider's key; a server of one's own may need none.
    temperature : float or None
        0 (always the likeliest words) to 2, with anthropic to 1; None is 1, where the model takes one at all.
    concurrency : int
        How many calls are under way at once, 1 to 256.
    timeout_s : float
        How long one call may take, in seconds.
    attempts : int
        How often a call is tried when the provider is busy or fails, 1 to 20.
    first_wait_s : float
        The longest wait before the second try, in seconds; each further one waits up to twice as long.
    budget_dollars, budget_tokens : float, int or None
        What the calls of this engine may take, those before this start counted; None is no limit. Several
        processes on one database count each for itself.
    prices : (float, float) or None
        Dollars per million tokens read and written, for a model whose price is not known.
    cache : bool
        Whether answers are kept on disk and replayed at no cost.
    replicate : int
        Which of several independent answers to the same question is made; each has a cache of its own.
    given : object
        An engine itself, instead of one that is found by its name; its name is ``name`` then.
    """

    name: str = "simulator"
    url: str | None = None
    key: str | None = field(default=None, repr=False)
    temperature: float | None = None
    concurrency: int = 16
    timeout_s: float = 60.0
    attempts: int = 5
    first_wait_s: float = 1.0
    budget_dollars: float | None = None
    budget_tokens: int | None = None
    prices: tuple[float, float] | None = None
    cache: bool = True
    replicate: int = 0
    given: object = field(default=None, repr=False)

    @property
    def is_model(self) -> bool:
        """Whether the name is that of a language model."""
        return self.given is None and ":" in self.name

    @property
    def provider(self) -> str:
        """The wire format: ``openai`` or ``anthropic``."""
        return self.name.partition(":")[0]

    @property
    def model(self) -> str:
        """The model's name, as its provider knows it."""
        return self.name.partition(":")[2]

    @classmethod
    def from_environment(
        cls,
        environ: Mapping[str, str] | None = None,
        *,
        name: str | object | None = None,
        url: str | None = None,
    ) -> EngineSettings:
        """Read ``VOXPOP_ENGINE`` and what begins with it, and the provider's key from its usual variable.

        Parameters
        ----------
        environ
            Instead of the process's environment.
        name, url
            Instead of ``VOXPOP_ENGINE`` and ``VOXPOP_ENGINE_URL``; an engine itself in place of a name.

        Raises
        ------
        UsageError
            The engine is unknown, its key is missing, or a setting cannot be read.

        Examples
        --------
        >>> EngineSettings.from_environment({}, name="openai:gpt-x")
        Traceback (most recent call last):
        voxpop.errors.UsageError: The engine openai:gpt-x needs a key: set OPENAI_API_KEY.
        """
        source = os.environ if environ is None else environ
        if name is not None and not isinstance(name, str):
            if url:
                raise UsageError(f"The address {url} needs the name of a model, not an engine itself.")
            return cls(name=str(getattr(name, "name", "")), given=name)
        chosen = _engine_name(name or source.get("VOXPOP_ENGINE", "").strip() or cls().name)
        if ":" not in chosen and url:
            raise UsageError(f"The address {url} needs the name of a model too: the engine openai:MODEL.")
        if ":" not in chosen:
            return cls(name=chosen)
        address = (url or source.get("VOXPOP_ENGINE_URL", "")).strip().rstrip("/") or None
        warmest = 1 if chosen.startswith("anthropic:") else 2
        dollars, tokens = _budget(source.get("VOXPOP_ENGINE_BUDGET", ""))
        default = cls()
        return cls(
            name=chosen,
            url=address,
            key=_engine_key(chosen, address, source),
            temperature=_temperature(source, warmest),
            concurrency=int(_number("VOXPOP_ENGINE_CONCURRENCY", default.concurrency, (1, 256), source, int)),
            timeout_s=_number("VOXPOP_ENGINE_TIMEOUT", default.timeout_s, (0.1, 3_600), source),
            attempts=int(_number("VOXPOP_ENGINE_ATTEMPTS", default.attempts, (1, 20), source, int)),
            budget_dollars=dollars,
            budget_tokens=tokens,
            prices=_prices(source.get("VOXPOP_ENGINE_PRICES", "")),
            cache=source.get("VOXPOP_ENGINE_CACHE", "").strip() == "" or flag("VOXPOP_ENGINE_CACHE", environ),
            replicate=int(_number("VOXPOP_ENGINE_REPLICATE", 0, (0, 1_000_000), source, int)),
        )


def _engine_name(name: str) -> str:
    """Return a name that an engine may have; opening the engine shows whether it is installed."""
    provider, colon, model = name.partition(":")
    if not colon and name not in PROVIDERS and re.fullmatch(r"[!-~]{1,64}", name):
        return name
    if provider not in PROVIDERS:
        allowed = ", ".join(f"{one}:MODEL" for one in PROVIDERS)
        near = difflib.get_close_matches(provider.lower(), PROVIDERS, 1)
        hint = f" Did you mean {near[0]}:{model or 'MODEL'}?" if near else ""
        raise UsageError(
            f"The engine {name!r} is unknown; allowed: {allowed}, or the name of an installed engine.{hint}"
        )
    if not colon or not re.fullmatch(r"[!-~]+", model):
        raise UsageError(f"The engine {name!r} names no model; write {provider}:MODEL.")
    if len(name) > _LONGEST_ENGINE:
        raise UsageError(
            f"An engine's name has at most {_LONGEST_ENGINE} characters; {name!r} has {len(name)}."
        )
    return name


def _engine_key(name: str, url: str | None, source: Mapping[str, str]) -> str | None:
    usual = PROVIDERS[name.partition(":")[0]].key_name
    own = source.get("VOXPOP_ENGINE_KEY", "").strip()
    keyless = own.lower() == "none" and url is not None
    key = None if keyless else own or source.get(usual, "").strip() or None
    if url is None and key is None:
        raise UsageError(f"The engine {name} needs a key: set {usual}.")
    if key is not None and not re.fullmatch(r"[!-~]+", key):
        raise UsageError(
            f"The key of {name} holds a space or a character that cannot be sent; copy it again."
        )
    if url is not None and not re.match(r"https?://[^/@\s]+(/|$)", url):
        raise UsageError(f"The engine's address must begin with https:// or http://, not {url!r}.")
    if url is not None and not _sendable(url):
        raise UsageError(f"The engine's address must have a right port and no ? or #, unlike {url!r}.")
    if url is not None and key is not None and not _PRIVATE.match(url):
        raise UsageError(
            "The engine's address must be https, because the key is sent to it; "
            "for a server without a key set VOXPOP_ENGINE_KEY=none."
        )
    return key


def _sendable(url: str) -> bool:
    """Whether a path can be put behind an address."""
    try:
        return not set("?#") & set(url) and urlsplit(url).port != 0
    except ValueError:  # no number, or too high a one
        return False


_PRIVATE = re.compile(r"https://|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(/|$)")


def _number(
    name: str,
    default: float,
    bounds: tuple[float, float],
    source: Mapping[str, str],
    kind: type[int] | type[float] = float,
) -> float:
    text = source.get(name, "").strip()
    if not text:
        return default
    pattern = r"[0-9]{1,9}" if kind is int else r"[0-9]{1,9}(\.[0-9]{1,9})?"
    if not re.fullmatch(pattern, text) or not bounds[0] <= float(text) <= bounds[1]:
        what = "a whole number" if kind is int else "a number"
        raise UsageError(f"{name} must be {what} from {bounds[0]:,} to {bounds[1]:,}, not {text!r}.")
    return float(text)


def _temperature(source: Mapping[str, str], warmest: int) -> float | None:
    name = "VOXPOP_ENGINE_TEMPERATURE"
    return _number(name, 0.0, (0, warmest), source) if source.get(name, "").strip() else None


def _budget(text: str) -> tuple[float | None, int | None]:
    """Read a budget: dollars, or tokens where the word stands behind the number."""
    given = text.strip().lower().replace(",", "").replace("_", "")
    if not given or given == "none":
        return None, None
    tokens = re.fullmatch(r"([0-9]{1,15}) *tokens?", given)
    if tokens:
        return None, int(tokens[1])
    dollars = re.fullmatch(r"\$? *([0-9]{1,9}(?:\.[0-9]{1,9})?) *(?:usd|dollars?)?", given)
    if not dollars:
        raise UsageError(
            "VOXPOP_ENGINE_BUDGET must be dollars such as 5.00, or tokens such as '200000 tokens', "
            f"not {text!r}."
        )
    return float(dollars[1]), None


def _prices(text: str) -> tuple[float, float] | None:
    if not text.strip():
        return None
    number = r" *([0-9]{1,6}(?:\.[0-9]{1,9})?) *"
    found = re.fullmatch(f"{number},{number}", text)
    if not found:
        raise UsageError(
            "VOXPOP_ENGINE_PRICES must be two numbers, dollars per million tokens read and written, "
            f"such as 0.15,0.60, not {text!r}."
        )
    return float(found[1]), float(found[2])


def _public_url(given: str | None, environ: Mapping[str, str] | None) -> str | None:
    """Read the address that links begin with: scheme, host, port, and a path where the service is under one.

    Raises
    ------
    UsageError
        It is not absolute http(s), or holds a user name, a query, a fragment, white space or a strange port.
    """
    source = os.environ if environ is None else environ
    text = (source.get("VOXPOP_PUBLIC_URL", "") if given is None else given).strip().rstrip("/")
    if not text:
        return None
    host = r"([A-Za-z0-9]([A-Za-z0-9.\-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])"
    address = rf"https?://{host}(:[0-9]{{1,5}})?(/[A-Za-z0-9._~\-]+)*"
    if not re.fullmatch(address, text) or not _sendable(text):
        raise UsageError(
            "VOXPOP_PUBLIC_URL must be the address at which callers reach the service, such as "
            f"https://research.example.org, without user name, ? or #; not {text[:200]!r}."
        )
    return text


@dataclass(frozen=True, slots=True)
class WorkSettings:
    """How the work of a service is shared among the processes that do it, on a database server.

    Attributes
    ----------
    takeover_s : float
        After how many seconds without a sign of life a worker's work is taken over, 1 to 3,600.
    concurrency : int
        How many work items one process does at once, 1 to 64.
    per_organization : int
        How many work items of one organization are done at once, by all processes together, 1 to 1,000.
    connections : int
        How many connections to the database one process opens at most, 5 to 1,000.
    """

    takeover_s: float = 30.0
    concurrency: int = 2
    per_organization: int = 4
    connections: int = 20

    @classmethod
    def from_environment(
        cls, environ: Mapping[str, str] | None = None, *, concurrency: int | None = None
    ) -> WorkSettings:
        """Read ``VOXPOP_TAKEOVER``, ``_CONCURRENCY``, ``_ORGANIZATION_CONCURRENCY``, ``_DATABASE_…``.

        Raises
        ------
        UsageError
            A setting is not a number within its bounds.
        """
        source = os.environ if environ is None else environ
        if concurrency is not None:
            source = {**source, "VOXPOP_CONCURRENCY": str(concurrency)}
        default = cls()

        def whole(name: str, usual: int, bounds: tuple[float, float]) -> int:
            return int(_number(name, usual, bounds, source, int))

        return cls(
            takeover_s=_number("VOXPOP_TAKEOVER", default.takeover_s, (1, 3_600), source),
            concurrency=whole("VOXPOP_CONCURRENCY", default.concurrency, (1, 64)),
            per_organization=whole("VOXPOP_ORGANIZATION_CONCURRENCY", default.per_organization, (1, 1_000)),
            connections=whole("VOXPOP_DATABASE_CONNECTIONS", default.connections, (5, 1_000)),
        )


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
        The engine that answers for agents.
    work : WorkSettings
        How the work is shared.
    name : str
        What the service calls itself where it signs, 1 to 100 characters.
    signing_key : bytes or None
        The 32 bytes that it signs with; None takes the key that its database keeps.
    """

    strict_filters: bool = False
    thesis_lightweight: bool = False
    rate_live: int | None = 600
    rate_free: int | None = 60
    rate_guesses: int | None = 60
    open_calls: int | None = 1_000
    quota_live: int | None = 100_000
    quota_free: int | None = 500
    max_body_bytes: int = 30 * 1024 * 1024
    public_url: str | None = None
    payments: PaymentsSettings = PaymentsSettings()
    engine: EngineSettings = EngineSettings()
    work: WorkSettings = WorkSettings()
    name: str = "voxpop"
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
        environ: Mapping[str, str] | None = None,
        *,
        engine: str | object | None = None,
        engine_url: str | None = None,
        concurrency: int | None = None,
        public_url: str | None = None,
    ) -> ServiceSettings:
        """Read the flags and limits of contract 10 and 12, how payments are taken, and who answers.

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
            The public address cannot begin links, a flag is neither 1 nor 0, a limit is not a whole number
            from 1, or the engine is unknown or lacks its key.
        """
        default = cls()
        called = (os.environ if environ is None else environ).get("VOXPOP_SERVICE_NAME", "").strip()
        if len(called) > 100 or not called.isprintable():
            raise UsageError(
                f"VOXPOP_SERVICE_NAME must be 1 to 100 printable characters, not {called[:120]!r}."
            )
        return cls(
            name=called or default.name,
            strict_filters=flag("API_V1_STRICT_INVALID_FILTERS", environ),
            thesis_lightweight=flag("THESIS_DETAIL_LIGHTWEIGHT_DEFAULT", environ),
            rate_live=_limit("VOXPOP_RATE_LIVE", default.rate_live, environ),
            rate_free=_limit("VOXPOP_RATE_FREE", default.rate_free, environ),
            rate_guesses=_limit("VOXPOP_RATE_GUESSES", default.rate_guesses, environ),
            open_calls=_limit("VOXPOP_OPEN_CALLS", default.open_calls, environ),
            quota_live=_limit("VOXPOP_QUOTA_LIVE", default.quota_live, environ),
            quota_free=_limit("VOXPOP_QUOTA_FREE", default.quota_free, environ),
            public_url=_public_url(public_url, environ),
            payments=PaymentsSettings.from_environment(environ),
            engine=EngineSettings.from_environment(environ, name=engine, url=engine_url),
            work=WorkSettings.from_environment(environ, concurrency=concurrency),
        )
