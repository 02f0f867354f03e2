"""The language-model engine: a model answers for agents, and reads and writes the texts of a study."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from voxpop.engines.answer_cache import AnswerCache
from voxpop.engines.budget import Budget
from voxpop.engines.engine import Engine
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


def open_model(
    settings: EngineSettings,
    default: Engine,
    *,
    home: Path,
    seed: int,
    taken_microdollars: int,
    taken_tokens: int,
) -> ModelEngine:
    """Return the engine of a language model; the parameters are those of ``open_engine``."""
    wire = ModelWire(settings)
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
    caller = ModelCaller(
        settings,
        wire,
        budget=Budget(limit, taken=taken),
        cache=AnswerCache(home / "answers" if settings.cache else None),
        memory=ModelMemory(AnswerCache(home / "models"), settings),
        rng=np.random.default_rng(seed),
    )
    return ModelEngine(caller, default)
