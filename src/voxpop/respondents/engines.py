"""Engines by name: who answers for agents, and who reads and writes the texts around a study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from voxpop.audiences.planning import Planner
from voxpop.errors import ServiceStartError, UsageError
from voxpop.respondents.embedded import EmbeddedRespondent
from voxpop.respondents.protocol import Respondent
from voxpop.respondents.writing import Writer
from voxpop.settings import EngineSettings
from voxpop.theses.restating import Restater


@dataclass(frozen=True, slots=True)
class Engine:
    """Everything that an engine does.

    Attributes
    ----------
    respondent : Respondent
        Who answers for agents.
    planner : Planner or None
        Who reads the texts of recruitment requests; None is voxpop's own.
    writer : Writer or None
        Who tells the findings of studies; None is voxpop's own.
    restater : Restater or None
        Who says what theses claim; None takes them in their own words.
    close : callable
        Stops what is under way and lets connections go.
    """

    respondent: Respondent
    planner: Planner | None = None
    writer: Writer | None = None
    restater: Restater | None = None
    close: Callable[[], None] = lambda: None


def open_engine(
    settings: EngineSettings, *, home: Path, seed: int = 0, taken_microdollars: int = 0, taken_tokens: int = 0
) -> Engine:
    """Return the engine that the settings name; nothing is called yet.

    Parameters
    ----------
    settings
        Which engine, with its key and its limits.
    home
        The folder whose ``answers`` folder keeps the answers of language models.
    seed
        Moves the waits between tries.
    taken_microdollars, taken_tokens
        What the engine has taken of its budget before.

    Raises
    ------
    ServiceStartError
        The library that calls language models is not installed.
    UsageError
        The budget is in dollars, and the price of the model is not known; or the model takes no temperature.
    """
    if settings.embedded:
        return Engine(EmbeddedRespondent())
    missing = [name for name in ("pydantic_ai", settings.provider) if find_spec(name) is None]
    if missing:
        raise ServiceStartError(
            f"The engine {settings.name} needs the library {missing[0]}: pip install 'voxpop[llm]'."
        )
    # imported where used: the library takes a second to load
    import numpy as np

    from voxpop.respondents.answer_cache import AnswerCache
    from voxpop.respondents.budget import Budget
    from voxpop.respondents.model_caller import ModelCaller
    from voxpop.respondents.model_planner import ModelPlanner
    from voxpop.respondents.model_respondent import ModelRespondent
    from voxpop.respondents.model_restater import ModelRestater
    from voxpop.respondents.model_wire import ModelWire
    from voxpop.respondents.model_writer import ModelWriter

    wire = ModelWire(settings)
    if settings.temperature is not None and not wire.takes_temperature:
        raise UsageError(f"{settings.name} takes no temperature: leave VOXPOP_ENGINE_TEMPERATURE unset.")
    limit, taken = settings.budget_tokens, taken_tokens
    if settings.budget_dollars is not None:
        if wire.price is None:
            raise UsageError(
                f"The price of {settings.name} is not known, so a budget in dollars cannot be kept: set "
                "VOXPOP_ENGINE_PRICES (dollars per million tokens read and written), or a budget in tokens."
            )
        limit, taken = round(settings.budget_dollars * 1_000_000), taken_microdollars
    caller = ModelCaller(
        settings,
        wire,
        budget=Budget(limit, taken=taken),
        cache=AnswerCache(home / "answers" if settings.cache else None),
        rng=np.random.default_rng(seed),
    )
    return Engine(
        ModelRespondent(caller),
        ModelPlanner(caller),
        ModelWriter(caller),
        ModelRestater(caller),
        caller.close,
    )
