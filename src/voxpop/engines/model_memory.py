"""The memory kept of a model between starts: its abilities and the sizes of its calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voxpop.engines.answer_cache import AnswerCache, fingerprint
from voxpop.engines.model_abilities import Abilities, abilities_from
from voxpop.engines.model_sizes import Sizes, sizes_from
from voxpop.settings import EngineSettings


class ModelMemory:
    """A file per server and model.

    Remembered abilities are where a trial begins; they are not trusted before the first answer.

    Parameters
    ----------
    files
        Folder of the files.
    settings
        Provider, model and address.
    """

    def __init__(self, files: AnswerCache, settings: EngineSettings) -> None:
        self._files = files
        self._name = fingerprint({"engine": settings.name, "url": settings.url})

    def abilities(self, forms: Sequence[str]) -> Abilities | None:
        """Return the remembered abilities; None if there are none, or they are not among the forms."""
        return abilities_from(self._part("abilities"), forms)

    def sizes(self) -> Sizes:
        """Return the remembered sizes, or empty ones."""
        return sizes_from(self._part("sizes"))

    def keep(self, abilities: Abilities, sizes: Sizes) -> None:
        """Remember abilities and sizes."""
        self._files.put(self._name, {"abilities": abilities.kept(), "sizes": sizes.kept()})

    def _part(self, name: str) -> Mapping[str, Any] | None:
        found = (self._files.get(self._name) or {}).get(name)
        return found if isinstance(found, dict) else None
