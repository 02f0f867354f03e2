"""The adapter to pydantic-ai: one call of a model in a given form, and its response or error."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from pydantic_ai import exceptions
from pydantic_ai.direct import model_request
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from voxpop.engines.budget import Price
from voxpop.engines.model_abilities import JSON_MODE, PLAIN, SCHEMA, TOOLS, Abilities
from voxpop.engines.model_answers import objects_in
from voxpop.engines.model_pacing import Timeouts
from voxpop.engines.model_prices import cost_of, price_of
from voxpop.engines.model_prompts import Prompt, Said
from voxpop.engines.model_routes import client_for, newer_limit_at_first, open_route
from voxpop.engines.model_trouble import WIRE_TROUBLE, Trouble, trouble_of
from voxpop.settings import EngineSettings

logger = logging.getLogger(__name__)

DEFAULT_TEMPERATURE = 1.0

_OUTPUT = "answer"
_REASONING = 4_000  # tokens for models that are known to reason
_MOST_TOKENS = 20  # the most that OpenAI gives
_SEEDED = ("openai", "google", "mistral", "groq", "openrouter", "ollama")
_STRANGE: ContextVar[list[str]] = ContextVar("strange")
"""Where the hook of the HTTP client tells the call about a body that is no API's."""


class ModelWire:
    """One model behind its provider's HTTP API.

    Parameters
    ----------
    settings
        Model, address and key.
    """

    def __init__(self, settings: EngineSettings) -> None:
        self._settings = settings
        self._http = client_for(settings)
        self._http.event_hooks["response"].append(_unmasked)
        self._newer = newer_limit_at_first(settings)
        self._models = {self._newer: self._opened(newer_limit=self._newer)}
        profile = self._models[self._newer].profile
        self._thinks = bool(profile.get("supports_thinking"))
        self.forms: tuple[str, ...] = _forms(profile)
        self.takes_temperature: bool = _takes_temperature(profile)
        self.timeouts: Timeouts = Timeouts(settings.timeout_s)
        self.price: Price | None = price_of(settings)

    @property
    def first_abilities(self) -> Abilities:
        """Abilities that the model should have, by the library's knowledge of it."""
        return Abilities(
            form=next(form for form in self.forms if form != JSON_MODE),
            seed=self._settings.provider in _SEEDED and not self._settings.batch,
            temperature=self.takes_temperature,
            newer_limit=self._newer,
        )

    async def send(self, prompt: Prompt, abilities: Abilities, repair: tuple[str, str] | None = None) -> Said:
        """Call the model once.

        Parameters
        ----------
        prompt
            The prompt to send.
        abilities
            How to call the model.
        repair
            The earlier response and the description of its error.

        Raises
        ------
        Trouble
            The call failed.
        """
        messages, settings, parameters = self._request(prompt, abilities, repair)
        _STRANGE.set([])
        began = time.monotonic()
        try:
            async with asyncio.timeout(self.timeouts.seconds):
                response = await model_request(
                    self._model(abilities),
                    messages,
                    model_settings=settings,
                    model_request_parameters=parameters,
                )
            seconds = time.monotonic() - began
            said = self._said(response, seconds, abilities)
            if prompt.weighs:
                said = replace(said, text=_weights(response))
        except (TimeoutError, exceptions.ModelTimeoutError, exceptions.ModelRequestTimeout):
            self.timeouts.missed()
            raise _late(self.timeouts) from None
        except exceptions.ModelAPIError as error:
            raise trouble_of(error) from error
        except Exception as error:  # the library raises many exceptions for malformed responses
            raise self._unreadable(error) from error
        self.timeouts.met(seconds)
        return said

    def most_output(self, prompt: Prompt, abilities: Abilities) -> int:
        """Return the maximum number of output tokens, including reasoning tokens."""
        return prompt.most_tokens + max(abilities.room, _REASONING if self._thinks else 0)

    def temperature(self, prompt: Prompt, abilities: Abilities) -> float | None:
        """Return the temperature of a call, or None if the model takes none."""
        if not abilities.temperature or prompt.weighs:
            return None
        wanted = self._settings.temperature if prompt.temperature is None else prompt.temperature
        return DEFAULT_TEMPERATURE if wanted is None else wanted

    def seed(self, prompt: Prompt, abilities: Abilities) -> int | None:
        """Return the seed of a call, or None if the provider takes none."""
        return prompt.seed if abilities.seed and not prompt.weighs else None

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def _model(self, abilities: Abilities) -> Model:
        newer = abilities.newer_limit
        if newer not in self._models:
            self._models[newer] = self._opened(newer_limit=newer)
        return self._models[newer]

    def _opened(self, *, newer_limit: bool) -> Model:
        return open_route(self._settings, self._http, newer_limit=newer_limit)

    def _request(
        self, prompt: Prompt, abilities: Abilities, repair: tuple[str, str] | None
    ) -> tuple[list[ModelMessage], ModelSettings, ModelRequestParameters]:
        parameters = ModelRequestParameters() if prompt.weighs else _parameters(prompt.schema, abilities)
        return _messages(prompt, repair, abilities), self._model_settings(prompt, abilities), parameters

    def _said(self, response: ModelResponse, seconds: float, abilities: Abilities) -> Said:
        usage = response.usage
        return Said(
            _text(response.parts),
            usage.input_tokens,
            usage.output_tokens,
            cost_of(self._settings, usage, self.price),
            response.finish_reason == "length",
            seconds,
            abilities,
        )

    def _unreadable(self, error: Exception) -> Trouble:
        """Return the trouble for a body that the library cannot parse."""
        if _STRANGE.get():
            told = f"What answers there does not speak the wire format of {self._settings.provider}."
            return Trouble("engine_refused", f"{told} Check the address of the engine.", for_all=True)
        logger.warning("Cannot parse the response of %s.", self._settings.name, exc_info=error)
        return Trouble(
            WIRE_TROUBLE,
            "The language model's server sent an invalid response.",
            again=True,
            unknown_cost=True,
        )

    def _model_settings(self, prompt: Prompt, abilities: Abilities) -> ModelSettings:
        made = ModelSettings(max_tokens=self.most_output(prompt, abilities))
        if self._settings.provider != "bedrock":  # its library takes neither
            made["timeout"], made["max_retries"] = self.timeouts.seconds, 0
        temperature, seed = self.temperature(prompt, abilities), self.seed(prompt, abilities)
        if temperature is not None:
            made["temperature"] = temperature
        if seed is not None:
            made["seed"] = seed
        if self._thinks:
            made["thinking"] = False  # the least that the model allows
        if prompt.weighs:
            return {**made, "openai_logprobs": True, "openai_top_logprobs": _MOST_TOKENS}  # type: ignore[typeddict-unknown-key]
        return made


async def _unmasked(response: Any) -> None:
    """Give a response with an error in place of an answer the status of its error.

    Some routers answer with 200 and ``{"error": {"code": 502}}``; the library would call that malformed.
    """
    if response.status_code != 200 or "text/event-stream" in response.headers.get("content-type", ""):
        return
    body = await response.aread()
    try:
        found = json.loads(body)
    except ValueError:
        if body.lstrip()[:1] == b"<" and (seen := _STRANGE.get(None)) is not None:
            seen.append("html")
        return
    error = found.get("error") if isinstance(found, dict) and not found.get("choices") else None
    if error:
        code = error.get("code") if isinstance(error, dict) else None
        response.status_code = code if isinstance(code, int) and 400 <= code < 600 else 502


def _forms(profile: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the forms in which the library can call a model, best first."""
    able = {
        SCHEMA: profile.get("supports_json_schema_output"),
        JSON_MODE: profile.get("supports_json_object_output"),
        TOOLS: profile.get("supports_tools", True),
        PLAIN: True,
    }
    return tuple(form for form, is_able in able.items() if is_able)


def _takes_temperature(profile: Mapping[str, Any]) -> bool:
    """Whether reasoning can be turned off or reduced; models that always reason do not allow it."""
    if profile.get("anthropic_disallows_sampling_settings"):
        return False
    thinks_always = profile.get("openai_supports_reasoning") and not profile.get(
        "openai_supports_reasoning_effort_none"
    )
    return not thinks_always


def _parameters(schema: Mapping[str, Any], abilities: Abilities) -> ModelRequestParameters:
    if abilities.form == PLAIN:
        return ModelRequestParameters()
    if abilities.form == JSON_MODE:
        return ModelRequestParameters(output_mode="prompted")
    if abilities.form == SCHEMA:
        wanted = OutputObjectDefinition(json_schema=dict(schema), name=_OUTPUT, strict=True)
        return ModelRequestParameters(output_mode="native", output_object=wanted)
    tool = ToolDefinition(
        name=_OUTPUT,
        description="Takes what you have to say.",
        parameters_json_schema=dict(schema),
        kind="output",
    )
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def _messages(prompt: Prompt, repair: tuple[str, str] | None, abilities: Abilities) -> list[ModelMessage]:
    parts = [prompt.instructions]
    if abilities.form in (JSON_MODE, PLAIN) and not prompt.weighs:
        parts.append(f"The JSON object follows this schema: {json.dumps(prompt.schema)}")
    instructions = "\n\n".join([*parts, prompt.profile] if prompt.profile else parts)
    told: list[ModelMessage] = []
    for asked, said in prompt.past:
        told.append(ModelRequest(parts=[UserPromptPart(content=asked)]))
        told.append(ModelResponse(parts=[TextPart(content=said)]))
    shown = [BinaryContent(file.data, media_type=file.mime) for file in prompt.files]
    now = UserPromptPart(content=[prompt.text, *shown] if shown else prompt.text)
    told.append(ModelRequest(parts=[now], instructions=instructions))
    if repair is not None:
        said, wrong = repair
        said = json.loads(said)["tokens"][0][0] if prompt.weighs else said
        told.append(ModelResponse(parts=[TextPart(content=said or "(nothing)")]))
        whole = "" if prompt.weighs else " Send the whole JSON object again, and nothing else."
        again = UserPromptPart(content=f"{wrong}{whole}")
        told.append(ModelRequest(parts=[again], instructions=instructions))
    return told


def _text(parts: Sequence[Any]) -> str:
    """Return what a model said: the call of its tool, its words, or its reasoning if only that has JSON."""
    calls = [part.args_as_json_str() for part in parts if isinstance(part, ToolCallPart)]
    if calls:
        return calls[0]
    words = "".join(part.content for part in parts if isinstance(part, TextPart))
    thoughts = "".join(part.content for part in parts if isinstance(part, ThinkingPart))
    return thoughts if not objects_in(words) and objects_in(thoughts) else words


def _weights(response: ModelResponse) -> str:
    """Return the probabilities of the likeliest first tokens as a JSON object, or an empty one."""
    given = (response.provider_details or {}).get("logprobs") or []
    likely = given[0].get("top_logprobs") if given else None
    return json.dumps(
        {"tokens": [[one["token"], math.exp(one["logprob"])] for one in likely]} if likely else {}
    )


def _late(timeouts: Timeouts) -> Trouble:
    times = f"{timeouts.least:g} to {timeouts.most:g} seconds"
    told = f"The language model did not answer in time ({times})."
    return Trouble("engine_timeout", told, again=True, unknown_cost=True)
