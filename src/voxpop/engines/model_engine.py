"""The language-model engine: a model answers for agents, and reads and writes the texts of a study."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np

from voxpop.engines.answer_cache import AnswerCache
from voxpop.engines.budget import Budget
from voxpop.engines.engine import Engine
from voxpop.engines.hybrid import HybridEngine
from voxpop.engines.model_batch_wire import BatchWire
from voxpop.engines.model_caller import ModelCaller
from voxpop.engines.model_memory import ModelMemory
from voxpop.engines.model_planner import ModelPlanner
from voxpop.engines.model_respondent import ModelRespondent
from voxpop.engines.model_restater import ModelRestater
from voxpop.engines.model_wire import ModelWire
from voxpop.engines.model_writer import ModelWriter
from voxpop.errors import UsageError
from voxpop.settings import EngineSettings


class ModelEngine(ModelRespondent):
    """Engine that answers, plans, writes and restates with one language model.

    Parameters
    ----------
    caller
        Calls the model.
    default
        Engine whose rules take precedence over the model: refused audiences, and the claims of theses.
    """

    remote = True

    def __init__(self, caller: ModelCaller, default: Engine) -> None:
        super().__init__(caller)
        self.planner = ModelPlanner(caller, default.planner)
        self.writer = ModelWriter(caller)
        self.restater = ModelRestater(caller, default.composer)

    def close(self) -> None:
        """Cancel running calls."""
        self._caller.close()


class BatchEngine(ModelRespondent):
    """Engine that answers with one language model through the batch API of its provider.

    Answers may take a day, so audiences, findings and theses are left to the default engine.
    """

    remote = True
    batched = True

    def close(self) -> None:
        """Stop waiting for the batches, which the next start takes up again."""
        self._caller.close()


class Opening(TypedDict):
    """What a model is opened with beside its settings."""

    home: Path
    seed: int
    taken_microdollars: int
    taken_tokens: int


def open_model(
    settings: EngineSettings, default: Engine, values: Engine | None = None, **call: Unpack[Opening]
) -> ModelEngine | BatchEngine | HybridEngine:
    """Return the engine of a language model.

    Parameters
    ----------
    settings
        Settings of the model.
    default
        The default engine.
    values
        The engine that decides on the answers, if the model only words them.
    **call
        As for ``open_engine``.
    """
    caller = _caller(settings, **call)
    if values is None:
        return BatchEngine(caller) if settings.batch else ModelEngine(caller, default)
    return HybridEngine(values, settings.values_by or values.name, caller, close_values=not settings.given)


def _caller(
    settings: EngineSettings, *, home: Path, seed: int, taken_microdollars: int, taken_tokens: int
) -> ModelCaller:
    if settings.batch and settings.probabilities:
        raise UsageError("Batches have no token probabilities; set VOXPOP_ENGINE_BATCH or _PROBABILITIES.")
    wire = BatchWire(settings, home / "batches") if settings.batch else ModelWire(settings)
    if settings.temperature is not None and not wire.takes_temperature:
        raise UsageError(f"{settings.name} takes no temperature; leave VOXPOP_ENGINE_TEMPERATURE unset.")
    limit, taken = settings.budget_tokens, taken_tokens
    if settings.budget_dollars is not None:
        if wire.price is None:
            raise UsageError(
                f"The price of {settings.name} is unknown, so a budget in dollars cannot be enforced. Set "
                "VOXPOP_ENGINE_PRICES (dollars per million tokens read and written), or a budget in tokens."
            )
        limit, taken = round(settings.budget_dollars * 1_000_000), taken_microdollars
    return ModelCaller(
        settings,
        wire,
        budget=Budget(limit, taken=taken),
        cache=AnswerCache(home / "answers" if settings.cache else None),
        memory=ModelMemory(AnswerCache(home / "models"), settings),
        rng=np.random.default_rng(seed),
    )
