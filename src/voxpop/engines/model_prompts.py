"""Prompts and responses of language models, independent of the wire."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from voxpop.engines.model_abilities import Abilities
from voxpop.engines.model_answers import objects_in


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
        The task, which many prompts share; it comes first, so that servers can cache it.
    past : tuple of (str, str)
        Earlier turns: prompt and response.
    text : str
        Text of this turn.
    schema : mapping
        JSON schema of the response.
    profile : str
        What follows the instructions and differs between prompts, such as the persona.
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
    weighs : bool
        Whether the probabilities of the first token are wanted, without a JSON object and its schema.
    """

    instructions: str
    past: tuple[tuple[str, str], ...]
    text: str
    schema: Mapping[str, Any]
    profile: str = ""
    files: tuple[File, ...] = ()
    seed: int | None = None
    about: str = ""
    most_tokens: int = 1_000
    temperature: float | None = None
    weighs: bool = False

    @property
    def pages(self) -> int:
        """Number of pages of all files."""
        return sum(file.pages for file in self.files)

    def size(self, repair: tuple[str, str] | None = None) -> int:
        """Return the number of bytes of all texts, with those of a repair."""
        texts = [self.instructions, self.profile, self.text, json.dumps(self.schema)]
        texts += [text for turn in (*self.past, *([repair] if repair else [])) for text in turn]
        return sum(len(text.encode("utf-8", "ignore")) for text in texts)


@dataclass(frozen=True, slots=True)
class Said:
    """The response of a model, with its usage.

    Attributes
    ----------
    text : str
        The words, or the reasoning if the answer is only there.
    input_tokens, output_tokens, cost_microdollars : int
        Usage and cost; the cost is None if the price is unknown.
    cut_off : bool
        Whether the limit of output tokens ended it.
    seconds : float
        How long it took.
    abilities : Abilities
        How the model was called.
    """

    text: str
    input_tokens: int
    output_tokens: int
    cost_microdollars: int | None
    cut_off: bool
    seconds: float
    abilities: Abilities

    @property
    def usable(self) -> bool | None:
        """Whether the text has a JSON object; None if it was cut off earlier."""
        if any(objects_in(self.text)):
            return True
        return None if self.cut_off else False
