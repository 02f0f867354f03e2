"""The routes to language models: how the library's model is opened for each provider of the settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, create_async_http_client, create_async_httpx2_client
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.profiles.openai import OpenAIModelProfile

from voxpop.errors import ServiceStartError
from voxpop.settings import PROVIDERS, EngineSettings

_OPENAIS = re.compile(r"(openai/)?(gpt|chatgpt|o[0-9])-?")  # others know the older max_tokens only
_NO_KEY = "no-key"


def open_route(settings: EngineSettings, http: Any, *, newer_limit: bool) -> Model:
    """Return the library's model for the provider of the settings.

    Parameters
    ----------
    settings
        Provider, model, address and key.
    http
        The HTTP client of :func:`client_for`.
    newer_limit
        Whether the limit of output tokens is called ``max_completion_tokens``, for other servers that speak
        OpenAI's wire format.

    Raises
    ------
    ServiceStartError
        The provider's library cannot be loaded or set up, for example without a region.
    """
    try:
        return _ROUTES[settings.provider](settings, http, newer_limit)
    except UserError as error:
        raise ServiceStartError(f"The engine {settings.name} cannot be opened: {error}") from error
    except ImportError as error:
        install = f"pip install 'voxpop[{PROVIDERS[settings.provider].extra}]'"
        raise ServiceStartError(
            f"The library of the engine {settings.name} is incomplete or of an older version: {install}."
        ) from error


def open_batch_route(settings: EngineSettings, http: Any) -> Model:
    """Return the library's model for the batch API of a provider.

    OpenAI's batches hold calls of its newer Responses API. Another address is taken to have one too.
    """
    if settings.provider != "openai":
        return open_route(settings, http, newer_limit=True)
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(
        api_key=settings.key or _NO_KEY,
        base_url=settings.url or PROVIDERS["openai"].url,
        http_client=http,
    )
    return OpenAIResponsesModel(settings.model, provider=provider)


def client_for(settings: EngineSettings) -> Any:
    """Return a new HTTP client of the kind that the provider's library takes."""
    return create_async_http_client() if settings.provider == "groq" else create_async_httpx2_client()


def newer_limit_at_first(settings: EngineSettings) -> bool:
    """Return whether to begin with ``max_completion_tokens``, which only OpenAI's own models need."""
    return settings.url is None or bool(_OPENAIS.match(settings.model))


def _openai(settings: EngineSettings, http: Any, newer_limit: bool) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    if settings.url is not None:
        return _compatible(settings, http, newer_limit, settings.url)
    url = PROVIDERS["openai"].url
    return OpenAIChatModel(
        settings.model, provider=OpenAIProvider(api_key=settings.key, base_url=url, http_client=http)
    )


def _compatible(settings: EngineSettings, http: Any, newer_limit: bool, url: str) -> Model:
    """Return a model of any server that speaks OpenAI's wire format; a trial finds out what it supports."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    profile = OpenAIModelProfile(
        supports_json_schema_output=True,
        supports_json_object_output=True,
        supports_tools=True,
        openai_chat_supports_max_completion_tokens=newer_limit,
    )
    provider = OpenAICompatibleProvider(
        "openai-compatible", base_url=url, api_key=settings.key, http_client=http, profile=profile
    )
    return OpenAIChatModel(settings.model, provider=provider)


def _anthropic(settings: EngineSettings, http: Any, _: bool) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    url = settings.url or PROVIDERS["anthropic"].url
    provider = AnthropicProvider(api_key=settings.key or _NO_KEY, base_url=url, http_client=http)
    return AnthropicModel(settings.model, provider=provider)


def _google(settings: EngineSettings, http: Any, _: bool) -> Model:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    url = settings.url or PROVIDERS["google"].url
    provider = GoogleProvider(api_key=settings.key or _NO_KEY, base_url=url, http_client=http)
    return GoogleModel(settings.model, provider=provider)


def _mistral(settings: EngineSettings, http: Any, _: bool) -> Model:
    from pydantic_ai.models.mistral import MistralModel
    from pydantic_ai.providers.mistral import MistralProvider

    url = settings.url or PROVIDERS["mistral"].url
    provider = MistralProvider(api_key=settings.key or _NO_KEY, base_url=url, http_client=http)
    return MistralModel(settings.model, provider=provider)


def _groq(settings: EngineSettings, http: Any, _: bool) -> Model:
    from pydantic_ai.models.groq import GroqModel
    from pydantic_ai.providers.groq import GroqProvider

    url = settings.url or PROVIDERS["groq"].url
    provider = GroqProvider(api_key=settings.key or _NO_KEY, base_url=url, http_client=http)
    return GroqModel(settings.model, provider=provider)


def _openrouter(settings: EngineSettings, http: Any, _: bool) -> Model:
    from pydantic_ai.models.openrouter import OpenRouterModel
    from pydantic_ai.providers.openrouter import OpenRouterProvider

    url = settings.url or PROVIDERS["openrouter"].url
    provider = OpenRouterProvider(api_key=settings.key or _NO_KEY, http_client=http)
    provider.client.base_url = url
    profile = ModelProfile(
        supports_json_schema_output=True, supports_json_object_output=True, supports_tools=True
    )
    return OpenRouterModel(settings.model, provider=provider, profile=profile)


def _ollama(settings: EngineSettings, http: Any, _: bool) -> Model:
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    url = settings.url or PROVIDERS["ollama"].url
    provider = OllamaProvider(base_url=url, api_key=settings.key or _NO_KEY, http_client=http)
    return OllamaModel(settings.model, provider=provider)


def _bedrock(settings: EngineSettings, _: Any, __: bool) -> Model:
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    if settings.key is not None:
        provider = BedrockProvider(api_key=settings.key, base_url=settings.url)
    else:  # the usual credentials of AWS: environment, profile or role
        provider = BedrockProvider(base_url=settings.url)
    return BedrockConverseModel(settings.model, provider=provider)


_ROUTES: Mapping[str, Callable[[EngineSettings, Any, bool], Model]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "mistral": _mistral,
    "groq": _groq,
    "openrouter": _openrouter,
    "ollama": _ollama,
    "bedrock": _bedrock,
}
