"""Settings of several engines: the default one first, then those that a question may name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from voxpop.errors import UsageError
from voxpop.settings.engine import EngineSettings
from voxpop.settings.reading import Environ, variables


def engine_settings(
    environ: Environ = None,
    *,
    engine: str | object | Sequence[str | object] | None = None,
    url: str | None = None,
) -> tuple[EngineSettings, ...]:
    """Return the settings of all engines of a service, the default one first.

    Parameters
    ----------
    environ
        Overrides the environment of the process.
    engine
        One engine, a list of engines, or names separated by commas; overrides ``VOXPOP_ENGINE``. A name may
        end in ``@`` and the address of its server. The first part of ``NAME+PROVIDER:MODEL`` may be the name
        of an engine object in the list.
    url
        Overrides ``VOXPOP_ENGINE_URL``.

    Raises
    ------
    UsageError
        A name or setting is invalid, two engines have the same name, or one address is given for several
        language models.

    Examples
    --------
    >>> names = "simulator, openai:llama-3@http://localhost:8000/v1"
    >>> [(one.name, one.url) for one in engine_settings({"VOXPOP_ENGINE_KEY": "none"}, engine=names)]
    [('simulator', None), ('openai:llama-3', 'http://localhost:8000/v1')]
    """
    source = variables(environ)
    given = engine if engine is not None else source.get("VOXPOP_ENGINE", "")
    listed: list[object]
    if isinstance(given, str):
        listed = [name.strip() for name in given.split(",") if name.strip()] or [None]
    else:
        listed = list(given) if isinstance(given, list | tuple) else [given]
    if not listed:
        raise UsageError("The list of engines is empty; leave it out to use the simulator.")
    models = [one for one in listed if isinstance(one, str) and ":" in one]
    if len(models) > 1 and (url or source.get("VOXPOP_ENGINE_URL", "").strip()):
        raise UsageError(
            "One address cannot serve several language models; write each into the name of its engine, "
            f"such as {models[0].partition('@')[0]}@http://localhost:8000/v1."
        )
    only_model = models[0] if len(listed) > 1 and models else None  # the address is that of the only model
    read = [
        EngineSettings.from_environment(source, name=one, url=url if only_model in (None, one) else None)
        for one in listed
    ]
    return _distinct(_with_objects(read))


def _with_objects(found: list[EngineSettings]) -> list[EngineSettings]:
    """Give hybrids the engine objects of the same list that they name."""
    objects = {one.name: one.given for one in found if one.given is not None}
    return [replace(one, given=objects.get(one.values_by or "", one.given)) for one in found]


def _distinct(found: list[EngineSettings]) -> tuple[EngineSettings, ...]:
    names = [one.name for one in found]
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise UsageError(
            f"Two engines have the name {twice[0]}; answers name their engine, so it must differ."
        )
    return tuple(found)
