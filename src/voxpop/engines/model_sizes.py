"""Observed sizes and times of model calls, from which budgets reserve and estimates are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

ENOUGH = 10
"""Number of observed calls from which reservations use what was observed."""

_TOKENS_PER_BYTE = 0.25  # usual for English
_USUAL_OUTPUT = 80
_SPARE = 1.25
_SPARE_OUTPUT = 2


@dataclass(slots=True)
class Sizes:
    """Totals and maxima of the calls of one model.

    Attributes
    ----------
    calls, texts : int
        Number of calls, and of texts that they made; repairs take more than one call.
    input_bytes, input_tokens, output_tokens : int
        Totals of the calls without files.
    most_per_byte : float
        Highest number of input tokens per byte.
    most_output : int
        Highest number of output tokens.
    seconds : float
        Total time of the calls.

    Examples
    --------
    >>> sizes = Sizes()
    >>> sizes.most_input(4_000), sizes.most_written(1_000)
    (4500, 1000)
    >>> for _ in range(ENOUGH):
    ...     sizes.add(4_000, 1_000, 60, 1.5)
    >>> sizes.most_input(4_000), sizes.most_written(1_000)
    (1300, 120)
    """

    calls: int = 0
    texts: int = 0
    input_bytes: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    most_per_byte: float = 0.0
    most_output: int = 0
    seconds: float = 0.0

    def add(self, input_bytes: int, input_tokens: int, output_tokens: int, seconds: float) -> None:
        """Record a call without files."""
        self.calls += 1
        self.input_bytes += input_bytes
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
        self.most_per_byte = max(self.most_per_byte, input_tokens / input_bytes)
        self.most_output = max(self.most_output, output_tokens)
        self.seconds += seconds

    def most_input(self, input_bytes: int) -> int:
        """Return how many tokens to reserve for a prompt; at first one per byte, which is never exceeded."""
        worst = 500 + input_bytes
        if self.calls < ENOUGH:
            return worst
        return min(worst, 50 + round(_SPARE * self.most_per_byte * input_bytes))

    def most_written(self, limit: int) -> int:
        """Return how many output tokens to reserve for a call with a limit."""
        return limit if self.calls < ENOUGH else min(limit, _SPARE_OUTPUT * self.most_output)

    def usual_input(self, input_bytes: float) -> int:
        """Return the expected number of tokens of a prompt."""
        per_byte = self.input_tokens / self.input_bytes if self.input_bytes else _TOKENS_PER_BYTE
        return round(per_byte * input_bytes)

    @property
    def usual_output(self) -> int:
        """Expected number of output tokens of a call."""
        return round(self.output_tokens / self.calls) if self.calls else _USUAL_OUTPUT

    @property
    def calls_per_text(self) -> float:
        """Number of calls per text, including repairs."""
        return max(1.0, self.calls / self.texts) if self.texts else 1.0

    @property
    def seconds_per_call(self) -> float | None:
        """Mean time of a call; None before the first."""
        return self.seconds / self.calls if self.calls else None

    def kept(self) -> dict[str, Any]:
        """Return the sizes as JSON values."""
        return asdict(self)


def sizes_from(kept: Mapping[str, Any] | None) -> Sizes:
    """Return sizes from JSON values; empty ones if these are missing or incomplete.

    Examples
    --------
    >>> sizes_from({"calls": "many"}) == Sizes()
    True
    """
    usual = Sizes()
    if kept is None or set(kept) != set(Sizes.__dataclass_fields__):
        return usual
    if any(type(kept[name]) not in (int, float) or kept[name] < 0 for name in kept):
        return usual
    return Sizes(**kept)
