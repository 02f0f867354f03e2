"""Abilities of a model at its server: the form in which it takes a schema, and the settings that it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

SCHEMA = "schema"
JSON_MODE = "json"
TOOLS = "tools"
PLAIN = "plain"

FORMS = (SCHEMA, JSON_MODE, TOOLS, PLAIN)
"""Forms of asking for an answer: a strict schema, JSON mode, an output tool, or words alone; best first."""

_TOLD = {
    SCHEMA: "a strict JSON schema",
    JSON_MODE: "JSON mode, with the schema in words",
    TOOLS: "an output tool",
    PLAIN: "the schema in words alone",
}


@dataclass(frozen=True, slots=True)
class Abilities:
    """Abilities of a model on its server.

    Attributes
    ----------
    form : str
        One of :data:`FORMS`.
    seed, temperature : bool
        Whether it takes these settings.
    newer_limit : bool
        Whether the limit of output tokens is called ``max_completion_tokens``.
    room : int
        Output tokens that it needs in addition to those of the answer, for example for reasoning.

    Examples
    --------
    >>> Abilities(form="json", seed=False).told()
    'JSON mode, with the schema in words; without seed'
    """

    form: str = SCHEMA
    seed: bool = True
    temperature: bool = True
    newer_limit: bool = False
    room: int = 0

    def told(self) -> str:
        """Return the abilities in words."""
        lacking = [name for name in ("seed", "temperature") if not getattr(self, name)]
        without = f"; without {' and '.join(lacking)}" if lacking else ""
        room = f"; {self.room:,} output tokens more" if self.room else ""
        return f"{_TOLD[self.form]}{without}{room}"

    def without(self, setting: str) -> Abilities | None:
        """Return the abilities without a setting that the server names in a refusal; None if it is unused."""
        if setting == "seed":
            return replace(self, seed=False) if self.seed else None
        if setting == "temperature":
            return replace(self, temperature=False) if self.temperature else None
        newer = setting == "max_tokens"
        return replace(self, newer_limit=newer) if newer != self.newer_limit else None

    def kept(self) -> dict[str, Any]:
        """Return the abilities as JSON values."""
        return asdict(self)


def abilities_from(kept: Mapping[str, Any] | None, forms: Sequence[str]) -> Abilities | None:
    """Return abilities from JSON values; None if they are missing, incomplete or not among the forms.

    Examples
    --------
    >>> abilities_from({"form": "telepathy"}, FORMS) is None
    True
    >>> abilities_from(Abilities(form="tools").kept(), FORMS).form
    'tools'
    """
    if kept is None or set(kept) != set(Abilities.__dataclass_fields__) or kept["form"] not in forms:
        return None
    usual = Abilities()
    if any(type(kept[name]) is not type(getattr(usual, name)) for name in kept):
        return None
    return Abilities(**kept)
