"""Settings of the engine that answers for agents."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from voxpop.errors import UsageError
from voxpop.settings.reading import Environ, flag, number, read_settings, sendable, setting, variables, whole


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider of language models.

    Attributes
    ----------
    key_name : str
        The usual environment variable of its key.
    url : str
        Its usual address; of bedrock empty, since it depends on the region.
    library : str
        The library of its wire format.
    extra : str
        The extra of voxpop that brings the library.
    keyless : bool
        Whether its usual address needs no key, or takes other credentials.
    """

    key_name: str
    url: str
    library: str
    extra: str = "llm"
    keyless: bool = False


PROVIDERS = {
    "openai": Provider("OPENAI_API_KEY", "https://api.openai.com/v1", "openai"),
    "anthropic": Provider("ANTHROPIC_API_KEY", "https://api.anthropic.com", "anthropic"),
    "google": Provider(
        "GOOGLE_API_KEY", "https://generativelanguage.googleapis.com", "google.genai", "google"
    ),
    "mistral": Provider("MISTRAL_API_KEY", "https://api.mistral.ai", "mistralai", "mistral"),
    "groq": Provider("GROQ_API_KEY", "https://api.groq.com", "groq", "groq"),
    "openrouter": Provider("OPENROUTER_API_KEY", "https://openrouter.ai/api/v1", "openai"),
    "ollama": Provider("OLLAMA_API_KEY", "http://localhost:11434/v1", "openai", keyless=True),
    "bedrock": Provider("AWS_BEARER_TOKEN_BEDROCK", "", "boto3", "bedrock", keyless=True),
}
"""Providers by name: a subset of pydantic-ai's, with the same names."""

_LONGEST_ENGINE = 64


def _prices(variable: str, written: str) -> tuple[float, float]:
    one = r" *([0-9]{1,6}(?:\.[0-9]{1,9})?) *"
    found = re.fullmatch(f"{one},{one}", written)
    if not found:
        raise UsageError(
            f"{variable} must be two numbers, dollars per million tokens read and written, "
            f"such as 0.15,0.60, not {written!r}."
        )
    return float(found[1]), float(found[2])


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Settings of the engine that answers for agents, including calls of language models.

    Attributes
    ----------
    name : str
        The name of an installed engine such as ``simulator``, ``PROVIDER:MODEL`` for a language model, or
        ``NAME+PROVIDER:MODEL`` for both: the first one decides on the answers and the model words them.
    url : str or None
        Another server that supports the provider's wire format.
    key : str or None
        The provider's key; a self-hosted server may need none.
    temperature : float or None
        0 (most likely words) to 2, or to 1 with anthropic; None means 1, if the model supports it.
    concurrency : int
        Maximum number of concurrent calls, 1 to 256.
    timeout_s : float
        Timeout of the first call in seconds; that of a slow server grows to eight times as much.
    attempts : int
        Maximum number of attempts of a call when the provider is busy or fails, 1 to 20.
    first_wait_s : float
        Maximum wait before the second attempt, in seconds; the maximum doubles with each attempt.
    budget_dollars, budget_tokens : float, int or None
        Spending limits for this engine, including calls before this start; None is no limit. Several
        processes on one database each have their own count.
    prices : (float, float) or None
        Dollars per million input and output tokens, for a model whose price is unknown.
    cache : bool
        Whether to keep answers on disk and replay them at no cost.
    replicate : int
        Number of the independent replicate of answers; each replicate has its own cache.
    probabilities : bool
        Whether to draw answers to closed questions from token probabilities, if the server gives them.
    batch : bool
        Whether to call the model through its provider's batch API, at half the price and within a day.
    given : object
        An engine object, used instead of looking up an engine by name; ``name`` is then its name.
    values_by : str or None
        The engine that decides on the answers, if the model only words them; ``given`` is then this engine.
    """

    name: str = "simulator"
    url: str | None = None
    key: str | None = field(default=None, repr=False)
    temperature: float | None = None
    concurrency: int = setting("VOXPOP_ENGINE_CONCURRENCY", whole(1, 256), 16)
    timeout_s: float = setting("VOXPOP_ENGINE_TIMEOUT", number(0.1, 3_600), 60.0)
    attempts: int = setting("VOXPOP_ENGINE_ATTEMPTS", whole(1, 20), 5)
    first_wait_s: float = 1.0
    budget_dollars: float | None = None
    budget_tokens: int | None = None
    prices: tuple[float, float] | None = setting("VOXPOP_ENGINE_PRICES", _prices, None)
    cache: bool = setting("VOXPOP_ENGINE_CACHE", flag, True)
    replicate: int = setting("VOXPOP_ENGINE_REPLICATE", whole(0, 1_000_000), 0)
    probabilities: bool = setting("VOXPOP_ENGINE_PROBABILITIES", flag, False)
    batch: bool = setting("VOXPOP_ENGINE_BATCH", flag, False)
    given: object = field(default=None, repr=False)
    values_by: str | None = None

    @property
    def is_model(self) -> bool:
        """Whether a language model gives the answers or words them."""
        return ":" in self.name and (self.given is None or self.values_by is not None)

    @property
    def provider(self) -> str:
        """The name of the provider in :data:`PROVIDERS`."""
        return self.name.partition(":")[0].rpartition("+")[2]

    @property
    def model(self) -> str:
        """The provider's name of the model."""
        return self.name.partition(":")[2]

    @classmethod
    def from_environment(
        cls, environ: Environ = None, *, name: str | object | None = None, url: str | None = None
    ) -> EngineSettings:
        """Read ``VOXPOP_ENGINE``, the variables with this prefix, and the provider's usual key variable.

        Parameters
        ----------
        environ
            Overrides the environment of the process.
        name, url
            Override ``VOXPOP_ENGINE`` and ``VOXPOP_ENGINE_URL``; the name may be an engine object. A name may
            end in ``@`` and the address of its server.

        Raises
        ------
        UsageError
            The engine is unknown, its key is missing, or a setting is invalid.

        Examples
        --------
        >>> EngineSettings.from_environment({}, name="openai:gpt-x")
        Traceback (most recent call last):
        voxpop.errors.UsageError: The engine openai:gpt-x needs a key: set OPENAI_API_KEY.
        """
        source = variables(environ)
        if name is not None and not isinstance(name, str):
            if url:
                raise UsageError(f"The address {url} needs the name of a model, not an engine object.")
            return cls(name=str(getattr(name, "name", "")), given=name)
        written, at, host = (name or source.get("VOXPOP_ENGINE", "").strip() or cls().name).partition("@http")
        chosen, url = _engine_name(written), f"http{host}" if at else url
        if ":" not in chosen and url:
            raise UsageError(f"The address {url} needs the name of a model too: the engine openai:MODEL.")
        if ":" not in chosen:
            return cls(name=chosen)
        values_by, model = _parts_of(chosen)
        address = (url or source.get("VOXPOP_ENGINE_URL", "")).strip().rstrip("/") or None
        dollars, tokens = _budget(source.get("VOXPOP_ENGINE_BUDGET", ""))
        return read_settings(
            cls,
            source,
            name=chosen,
            url=address,
            key=_engine_key(model, address, source),
            temperature=_temperature(source, warmest=1 if model.startswith("anthropic:") else 2),
            budget_dollars=dollars,
            budget_tokens=tokens,
            values_by=values_by,
        )


def _engine_name(name: str) -> str:
    """Return a valid engine name; whether it is installed is checked when the engine is opened."""
    if ":" not in name and name not in PROVIDERS and re.fullmatch(r"[!-~]{1,64}", name):
        return name
    values_by, model = _parts_of(name)
    _check_model(model, f"{values_by}+" if values_by is not None else "")
    if values_by == "":
        raise UsageError(f"The engine {name!r} names no engine before the +; write simulator+{model}.")
    if len(name) > _LONGEST_ENGINE:
        raise UsageError(
            f"An engine's name has at most {_LONGEST_ENGINE} characters; {name!r} has {len(name)}."
        )
    return name


def _parts_of(name: str) -> tuple[str | None, str]:
    """Return the engine that decides on the answers, if one is named, and the model.

    Examples
    --------
    >>> _parts_of("simulator+openai:gpt-x"), _parts_of("openrouter:command-r+")
    (('simulator', 'openai:gpt-x'), (None, 'openrouter:command-r+'))
    """
    head, colon, model = name.partition(":")
    values_by, plus, provider = head.rpartition("+")
    return (values_by if plus else None), f"{provider}{colon}{model}"


def _check_model(name: str, before: str) -> None:
    """Check a name PROVIDER:MODEL, which may stand after the name of another engine."""
    provider, colon, model = name.partition(":")
    if provider not in PROVIDERS:
        allowed = ", ".join(f"{one}:MODEL" for one in PROVIDERS)
        near = difflib.get_close_matches(provider.lower(), PROVIDERS, 1)
        hint = f" Did you mean {before}{near[0]}:{model or 'MODEL'}?" if near else ""
        raise UsageError(
            f"The engine {before + name!r} is unknown; allowed: {allowed}, or the name of an installed "
            f"engine; also both, as in simulator+openai:MODEL.{hint}"
        )
    if not colon or not re.fullmatch(r"[!-~]+", model):
        raise UsageError(f"The engine {before + name!r} names no model; write {before}{provider}:MODEL.")
    if second := re.search(rf"\+({'|'.join(PROVIDERS)}):", model):
        raise UsageError(
            f"The engine {name!r} joins two models; a model can only word the answers of an installed "
            f"engine, such as simulator+{model[second.start() + 1 :]}."
        )


def _engine_key(name: str, url: str | None, source: Mapping[str, str]) -> str | None:
    provider = PROVIDERS[name.partition(":")[0]]
    usual = provider.key_name
    own = source.get("VOXPOP_ENGINE_KEY", "").strip()
    keyless = own.lower() == "none" and url is not None
    key = None if keyless else own or source.get(usual, "").strip() or None
    if url is None and key is None and not provider.keyless:
        raise UsageError(f"The engine {name} needs a key: set {usual}.")
    if key is not None and not re.fullmatch(r"[!-~]+", key):
        raise UsageError(f"The key of {name} contains a space or an invalid character; copy it again.")
    if url is not None and not re.match(r"https?://[^/@\s]+(/|$)", url):
        raise UsageError(f"The engine's address must start with https:// or http://, not {url!r}.")
    if url is not None and not sendable(url):
        raise UsageError(f"The engine's address must have a valid port and no ? or #, not {url!r}.")
    if url is not None and key is not None and not _PRIVATE.match(url):
        raise UsageError(
            "The engine's address must be https, because the key is sent to it; "
            "for a server without a key set VOXPOP_ENGINE_KEY=none."
        )
    return key


_PRIVATE = re.compile(r"https://|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(/|$)")


def _temperature(source: Mapping[str, str], warmest: int) -> float | None:
    name = "VOXPOP_ENGINE_TEMPERATURE"
    written = source.get(name, "").strip()
    return number(0, warmest)(name, written) if written else None


def _budget(text: str) -> tuple[float | None, int | None]:
    """Parse a budget in dollars, or in tokens if the number is followed by that word."""
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
