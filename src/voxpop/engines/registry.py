"""The registry of engines: installed entry points, language models, and engine objects."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from voxpop.engines.engine import Engine, checked
from voxpop.errors import ServiceStartError, UsageError
from voxpop.settings import PROVIDERS, EngineSettings
from voxpop.vocabulary.nearest import nearest

GROUP = "voxpop.engines"
"""Entry-point group; each entry names a callable without arguments that returns an engine."""

DEFAULT = "simulator"
ALIASES: Mapping[str, str] = {"embedded": DEFAULT, "embedded-1": DEFAULT}
"""Former names -> current names."""


def installed() -> dict[str, EntryPoint]:
    """Return the installed engines by name.

    Examples
    --------
    >>> "simulator" in installed()
    True
    """
    return {one.name: one for one in sorted(entry_points(group=GROUP), key=lambda one: one.name)}


@cache
def default_engine() -> Engine:
    """Return the engine that provides the parts missing from other engines."""
    return Engine(checked(_loaded(DEFAULT)), default_engine)


def check(*chosen: EngineSettings) -> None:
    """Validate the choice of engines before any resource is opened.

    Raises
    ------
    UsageError
        No engine has this name, or the object is not an engine.
    """
    for settings in chosen:
        if settings.given is not None:
            checked(settings.given)
        elif settings.values_by is not None:
            _found(settings.values_by)
        elif not settings.is_model:
            _found(settings.name)


def open_engine(
    settings: EngineSettings, *, home: Path, seed: int = 0, taken_microdollars: int = 0, taken_tokens: int = 0
) -> Engine:
    """Return the engine named or held by the settings; no model is called yet.

    Parameters
    ----------
    settings
        Choice of the engine; for a language model also its key and its limits.
    home
        Folder whose ``answers`` subfolder caches the answers of language models.
    seed
        Seed of the jitter between attempts of model calls.
    taken_microdollars, taken_tokens
        Consumption of a language model's budget so far.

    Raises
    ------
    UsageError
        No engine has this name, or the object is not an engine. The budget is in dollars but the price of the
        model is unknown, or the model takes no temperature.
    ServiceStartError
        The engine cannot be loaded, or the library for language models is not installed.
    """
    if not settings.is_model:
        return _plain_engine(settings, settings.name)
    provider = PROVIDERS[settings.provider]
    missing = [name for name in ("pydantic_ai", provider.library) if not is_there(name)]
    if missing:
        install = f"pip install 'voxpop[{provider.extra}]'"
        raise ServiceStartError(f"The engine {settings.name} needs the library {missing[0]}: {install}.")
    # imported where used: the library takes a second to load
    from voxpop.engines.model_engine import open_model

    values = None if settings.values_by is None else _plain_engine(settings, settings.values_by)
    model = open_model(
        settings,
        default_engine(),
        values,
        home=home,
        seed=seed,
        taken_microdollars=taken_microdollars,
        taken_tokens=taken_tokens,
    )
    return Engine(model, default_engine)


def _plain_engine(settings: EngineSettings, name: str) -> Engine:
    """Return the engine object of the settings, or the installed engine with a name."""
    if settings.given is not None:
        return Engine(checked(settings.given), default_engine)
    return Engine(checked(_loaded(name), f"The engine {name!r}:"), default_engine)


def is_there(library: str) -> bool:
    """Return whether a library is installed, without importing it."""
    parent, dot, _ = library.partition(".")
    return find_spec(parent) is not None and (not dot or find_spec(library) is not None)


def _found(name: str) -> EntryPoint:
    found = installed()
    own = ALIASES.get(name, name)
    if own not in found:
        raise _unknown(name, list(found))
    return found[own]


def _loaded(name: str) -> object:
    found = _found(name)
    try:
        make = found.load()
    except (ImportError, AttributeError) as error:
        raise ServiceStartError(f"The engine {name!r} cannot be loaded ({found.value}): {error}.") from error
    if not callable(make):
        raise ServiceStartError(
            f"The entry point of the engine {name!r} ({found.value}) must name a callable that "
            "returns the engine."
        )
    made: object = make()
    return made


def _unknown(name: str, known: list[str]) -> UsageError:
    models = [f"{one}:MODEL" for one in PROVIDERS]
    near = nearest(name, [*known, *ALIASES, *PROVIDERS], n=2, cutoff=0.6)
    meant = [f"{one}:MODEL" if one in PROVIDERS else one for one in near]
    hint = f" Did you mean {' or '.join(meant)}?" if meant else ""
    return UsageError(
        f"The engine {name!r} is not installed.{hint} Installed: {', '.join(known) or 'none'}; "
        f"language models: {', '.join(models)}."
    )
