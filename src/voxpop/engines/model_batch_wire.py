"""The adapter to pydantic-ai's batch APIs, which answer within a day at half the price."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import cast

from pydantic_ai import exceptions
from pydantic_ai.models import Model
from pydantic_ai.models.batch import BatchRequest
from pydantic_ai.settings import ModelSettings

from voxpop.engines.answer_cache import fingerprint
from voxpop.engines.model_abilities import Abilities
from voxpop.engines.model_batches import Batches
from voxpop.engines.model_prompts import Prompt, Said
from voxpop.engines.model_routes import open_batch_route
from voxpop.engines.model_trouble import Trouble, trouble_of
from voxpop.engines.model_wire import ModelWire
from voxpop.errors import UsageError
from voxpop.settings import EngineSettings

_LONGEST_ID = 48


class BatchWire(ModelWire):
    """One model behind its provider's batch API.

    Parameters
    ----------
    settings
        Model, address and key.
    folder
        Keeps the batches that are under way.

    Raises
    ------
    UsageError
        The provider has no batch API.
    """

    def __init__(self, settings: EngineSettings, folder: Path) -> None:
        super().__init__(settings)
        self._http.event_hooks["response"].clear()  # batches report errors within successes
        model = self._model(self.first_abilities)
        if model.batch_max_requests is None:
            raise UsageError(
                f"{settings.name} has no batch API; openai, anthropic and google have. "
                "Leave VOXPOP_ENGINE_BATCH unset."
            )
        place = fingerprint({"engine": settings.name, "url": settings.url})[:16]
        self._batches = Batches(model, folder / place, settings.name)

    async def send(self, prompt: Prompt, abilities: Abilities, repair: tuple[str, str] | None = None) -> Said:
        """Have the model answer a prompt in a batch.

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
        model = self._model(abilities)
        request = self._batch_request(prompt, abilities, repair)
        began = time.monotonic()
        try:
            encoded = await model.batch_encode(request)
            depends_on = {"body": encoded.body, "about": prompt.about, "seed": prompt.seed}
            encoded = replace(encoded, custom_id=fingerprint(depends_on)[:_LONGEST_ID])
            result = await self._batches.result(encoded)
            response = model.batch_decode(result, replace(request, custom_id=encoded.custom_id))
            return self._said(response, time.monotonic() - began, abilities)
        except Trouble:
            raise
        except exceptions.ModelAPIError as error:
            raise trouble_of(error) from error
        except Exception as error:  # the library raises many exceptions for malformed responses
            raise self._unreadable(error) from error

    def _batch_request(
        self, prompt: Prompt, abilities: Abilities, repair: tuple[str, str] | None
    ) -> BatchRequest:
        messages, settings, parameters = self._request(prompt, abilities, repair)
        kept = {name: value for name, value in settings.items() if name not in ("timeout", "max_retries")}
        return BatchRequest(
            custom_id="text",
            messages=messages,
            model_settings=cast(ModelSettings, kept),
            model_request_parameters=parameters,
        )

    def _opened(self, *, newer_limit: bool) -> Model:
        return open_batch_route(self._settings, self._http)
