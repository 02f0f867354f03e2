"""The adapter to pydantic-ai, the only module that imports it: open a model, call it, map its errors."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic_ai import exceptions
from pydantic_ai.direct import model_request
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, create_async_httpx2_client
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RequestUsage

from voxpop.engines.budget import Price
from voxpop.settings import PROVIDERS, EngineSettings

logger = logging.getLogger(__name__)

DEFAULT_TEMPERATURE = 1.0

_OUTPUT = "answer"
_MILLION = 1_000_000
_OPENAIS = re.compile(r"(openai/)?(gpt|chatgpt|o[0-9])-?")  # others know the older max_tokens only


@dataclass(frozen=True, slots=True)
class File:
    """A file in a prompt; ``digest`` identifies its bytes, ``pages`` is an upper bound of its page count."""

    data: bytes
    mime: str
    digest: str
    pages: int = 1


@dataclass(frozen=True, slots=True)
class Prompt:
    """The complete prompt of one text.

    Attributes
    ----------
    instructions : str
        The persona and the task.
    past : tuple of (str, str)
        Earlier turns: prompt and response.
    text : str
        Text of this turn.
    schema : mapping
        JSON schema of the response.
    files : tuple of File
        Files that are sent with the text.
    seed : int or None
        Seed of the sampling, if the provider takes one.
    about : str
        Subject of the text; distinguishes otherwise equal prompts.
    most_tokens : int
        Maximum number of output tokens.
    temperature : float or None
        Temperature that overrides the engine's.
    """

    instructions: str
    past: tuple[tuple[str, str], ...]
    text: str
    schema: Mapping[str, Any]
    files: tuple[File, ...] = ()
    seed: int | None = None
    about: str = ""
    most_tokens: int = 1_000
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """The response of a model, with its usage."""

    text: str
    input_tokens: int
    output_tokens: int
    cost_microdollars: int | None


class Trouble(Exception):
    """A failed call.

    Attributes
    ----------
    code, message : str
        Error of the job that fails. The provider's own text is left out because it may quote the key.
    again : bool
        Whether another attempt may succeed.
    after_s : float or None
        Delay in seconds that the provider asks for.
    for_all : bool
        Whether every other call would fail in the same way.
    unknown_cost : bool
        Whether the call may have been charged.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        again: bool = False,
        after_s: float | None = None,
        for_all: bool = False,
        unknown_cost: bool = False,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.again = again
        self.after_s = after_s
        self.for_all = for_all
        self.unknown_cost = unknown_cost


class ModelWire:
    """One model behind its provider's HTTP API.

    Parameters
    ----------
    settings
        Model, address and key.
    """

    def __init__(self, settings: EngineSettings) -> None:
        self._settings = settings
        self._http = create_async_httpx2_client()
        self._model = _open(settings, self._http)
        profile = self._model.profile
        self._native = bool(profile.get("supports_json_schema_output"))
        self._thinks = bool(profile.get("supports_thinking"))
        self._plain = False  # True if the server rejects schemas: the prompt then describes it
        self._takes_seed = settings.provider == "openai"
        self.takes_temperature: bool = _takes_temperature(profile)
        self.price: Price | None = _price(settings)

    async def send(self, prompt: Prompt, repair: tuple[str, str] | None = None) -> Said:
        """Call the model once.

        Parameters
        ----------
        prompt
            The prompt to send.
        repair
            The earlier response and the description of its error.

        Raises
        ------
        Trouble
            The call failed.
        """
        plain = self._plain
        try:
            return await self._send(prompt, repair)
        except exceptions.ModelRequestRejectedError as error:
            unlike = (exceptions.ModelAuthenticationError, exceptions.ModelNotFoundError)
            if plain or self._settings.url is None or isinstance(error, unlike):
                raise _trouble(error) from error
        self._plain = True
        try:
            return await self._send(prompt, repair)
        except exceptions.ModelRequestRejectedError as error:
            self._plain = False  # the schema was not the cause
            raise _trouble(error) from error

    async def _send(self, prompt: Prompt, repair: tuple[str, str] | None) -> Said:
        if self._plain:
            told = f"{prompt.instructions}\nThe JSON object follows this schema: {json.dumps(prompt.schema)}"
            prompt = replace(prompt, instructions=told)
        messages, settings = _messages(prompt, repair), self._model_settings(prompt)
        parameters = self._parameters(prompt.schema)
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                response = await model_request(
                    self._model, messages, model_settings=settings, model_request_parameters=parameters
                )
            return self._said(response)
        except (TimeoutError, exceptions.ModelTimeoutError, exceptions.ModelRequestTimeout):
            raise Trouble(
                "engine_timeout",
                f"The language model did not answer within {self._settings.timeout_s:g} seconds.",
                again=True,
                unknown_cost=True,
            ) from None
        except exceptions.ModelRequestRejectedError:
            raise
        except exceptions.ModelAPIError as error:
            raise _trouble(error) from error
        except Exception as error:  # the library raises many exceptions for malformed responses
            logger.warning("Cannot parse the response of %s.", self._settings.name, exc_info=error)
            raise Trouble(
                "engine_unavailable",
                "The language model's server sent an invalid response.",
                again=True,
                unknown_cost=True,
            ) from error

    def _said(self, response: ModelResponse) -> Said:
        usage = response.usage
        return Said(
            _text(response.parts),
            usage.input_tokens,
            usage.output_tokens,
            _cost(self._settings, usage, self.price),
        )

    def most_output(self, prompt: Prompt) -> int:
        """Return the maximum number of output tokens, including reasoning tokens."""
        return prompt.most_tokens + (4_000 if self._thinks else 0)

    def temperature(self, prompt: Prompt) -> float | None:
        """Return the temperature of a call, or None if the model takes none."""
        if not self.takes_temperature:
            return None
        wanted = self._settings.temperature if prompt.temperature is None else prompt.temperature
        return DEFAULT_TEMPERATURE if wanted is None else wanted

    def seed(self, prompt: Prompt) -> int | None:
        """Return the seed of a call, or None if the provider takes none."""
        return prompt.seed if self._takes_seed else None

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def _model_settings(self, prompt: Prompt) -> ModelSettings:
        made = ModelSettings(
            max_tokens=self.most_output(prompt), timeout=self._settings.timeout_s, max_retries=0
        )
        temperature, seed = self.temperature(prompt), self.seed(prompt)
        if temperature is not None:
            made["temperature"] = temperature
        if seed is not None:
            made["seed"] = seed
        if self._thinks:
            made["thinking"] = False  # the least that the model allows
        return made

    def _parameters(self, schema: Mapping[str, Any]) -> ModelRequestParameters:
        if self._plain:
            return ModelRequestParameters()
        if self._native:
            wanted = OutputObjectDefinition(json_schema=dict(schema), name=_OUTPUT, strict=True)
            return ModelRequestParameters(output_mode="native", output_object=wanted)
        tool = ToolDefinition(
            name=_OUTPUT,
            description="Takes what you have to say.",
            parameters_json_schema=dict(schema),
            kind="output",
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def _open(settings: EngineSettings, http: Any) -> Model:
    if settings.provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        key, url = settings.key or "no-key", settings.url or PROVIDERS["anthropic"].url
        return AnthropicModel(
            settings.model, provider=AnthropicProvider(api_key=key, base_url=url, http_client=http)
        )
    from pydantic_ai.models.openai import OpenAIChatModel

    if settings.url is not None:
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

        return OpenAIChatModel(
            settings.model,
            provider=OpenAICompatibleProvider(
                "openai-compatible",
                base_url=settings.url,
                api_key=settings.key,
                http_client=http,
                profile=OpenAIModelProfile(
                    openai_chat_supports_max_completion_tokens=bool(_OPENAIS.match(settings.model))
                ),
            ),
        )
    from pydantic_ai.providers.openai import OpenAIProvider

    url = PROVIDERS["openai"].url
    return OpenAIChatModel(
        settings.model, provider=OpenAIProvider(api_key=settings.key, base_url=url, http_client=http)
    )


def _takes_temperature(profile: Mapping[str, Any]) -> bool:
    """Whether reasoning can be turned off or reduced; models that always reason do not allow it."""
    if profile.get("anthropic_disallows_sampling_settings"):
        return False
    thinks_always = profile.get("openai_supports_reasoning") and not profile.get(
        "openai_supports_reasoning_effort_none"
    )
    return not thinks_always


def _messages(prompt: Prompt, repair: tuple[str, str] | None) -> list[ModelMessage]:
    told: list[ModelMessage] = []
    for asked, said in prompt.past:
        told.append(ModelRequest(parts=[UserPromptPart(content=asked)]))
        told.append(ModelResponse(parts=[TextPart(content=said)]))
    shown = [BinaryContent(file.data, media_type=file.mime) for file in prompt.files]
    now = UserPromptPart(content=[prompt.text, *shown] if shown else prompt.text)
    told.append(ModelRequest(parts=[now], instructions=prompt.instructions))
    if repair is not None:
        said, wrong = repair
        told.append(ModelResponse(parts=[TextPart(content=said or "(nothing)")]))
        again = UserPromptPart(content=f"{wrong} Send the whole JSON object again, and nothing else.")
        told.append(ModelRequest(parts=[again], instructions=prompt.instructions))
    return told


def _text(parts: Sequence[Any]) -> str:
    calls = [part.args_as_json_str() for part in parts if isinstance(part, ToolCallPart)]
    return calls[0] if calls else "".join(part.content for part in parts if isinstance(part, TextPart))


def _trouble(error: exceptions.ModelAPIError) -> Trouble:
    status = getattr(error, "status_code", None)
    named = " ".join(str(one) for one in (status, error.provider_error_code) if one)
    shown = f" ({named[:80]})" if named else ""
    again, after = True, error.retry_after
    match error:
        case exceptions.ModelRateLimitError():
            return Trouble(
                "rate_limited", f"The provider's rate limit is reached{shown}.", again=again, after_s=after
            )
        case exceptions.ModelQuotaExceededError():
            said = f"The provider says that the account has nothing left{shown}."
            return Trouble("engine_refused", said, for_all=True)
        case exceptions.ModelAuthenticationError() if status == 403:  # may concern this text only
            return Trouble("engine_refused", f"The provider does not permit the call{shown}.")
        case exceptions.ModelAuthenticationError():
            return Trouble("engine_refused", f"The provider rejected the API key{shown}.", for_all=True)
        case exceptions.ModelNotFoundError():
            said = f"The provider does not know the model, or its address is wrong{shown}."
            return Trouble("engine_refused", said, for_all=True)
        case exceptions.ModelRequestRejectedError():
            return Trouble("engine_refused", f"The provider rejected the call{shown}.")
    said = f"The provider failed or cannot be reached{shown}."
    return Trouble("engine_unavailable", said, again=again, after_s=after)


def _price(settings: EngineSettings) -> Price | None:
    if settings.prices is not None:
        return Price(*settings.prices)
    read = _listed(settings, RequestUsage(input_tokens=_MILLION))
    written = _listed(settings, RequestUsage(output_tokens=_MILLION))
    return None if read is None or written is None else Price(read, written)


def _cost(settings: EngineSettings, usage: RequestUsage, price: Price | None) -> int | None:
    if price is None or not (usage.input_tokens or usage.output_tokens):
        return None
    listed = None if settings.prices is not None else _listed(settings, usage)
    if listed is None:
        return price.microdollars(usage.input_tokens, usage.output_tokens)
    return -int(-listed * _MILLION // 1)


def _listed(settings: EngineSettings, usage: RequestUsage) -> float | None:
    """Return the cost of usage in dollars, by the price list of the library."""
    response = ModelResponse(
        parts=[], usage=usage, model_name=settings.model, provider_name=settings.provider
    )
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError):
        return None
