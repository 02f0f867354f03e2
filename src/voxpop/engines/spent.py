"""Calls, tokens and cost of a text that a language model made."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls, tokens and cost of one text, with the settings of the model.

    Attributes
    ----------
    engine : str
        The engine's name, for example ``openai:gpt-x``.
    calls : int
        Calls of the model; more than one where its first text had to be repaired.
    input_tokens, output_tokens : int
        All calls together.
    cost_microdollars : int or None
        Millionths of a dollar; None where the price of the model is not known.
    cached : bool
        Whether the text is a replay: nothing was called, nothing was paid.
    temperature, seed
        Settings of the calls.
    """

    engine: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_microdollars: int | None = None
    cached: bool = False
    temperature: float | None = None
    seed: int | None = None
