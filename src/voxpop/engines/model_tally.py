"""The state of a text in progress: its cost, its last error and its deadline."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from voxpop.engines.model_prompts import Said
from voxpop.engines.model_trouble import Trouble
from voxpop.engines.spent import Spent


class NotMade(Exception):
    """Raised when the model produced no usable text; ``spent`` is the cost of the attempts."""

    def __init__(self, code: str, message: str, spent: Spent) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.spent = spent


@dataclass(slots=True)
class Tally:
    """State of a text in progress: the round in which it started, its cost, and its last error."""

    came_in: int
    spent: Spent
    trouble: Trouble | None = None
    limit: asyncio.Timeout | None = None
    patience_s: float = 0.0

    def start(self) -> None:
        """Count the patience from the first call, since waiting for a turn is no fault of the text."""
        if self.limit is not None:
            self.limit.reschedule(asyncio.get_running_loop().time() + self.patience_s)
            self.limit = None

    def add(self, said: Said, temperature: float | None, seed: int | None) -> None:
        """Add the cost of a call, and note its settings."""
        before = self.spent
        known = said.cost_microdollars is not None
        self.spent = replace(
            before,
            calls=before.calls + 1,
            input_tokens=before.input_tokens + said.input_tokens,
            output_tokens=before.output_tokens + said.output_tokens,
            cost_microdollars=(before.cost_microdollars or 0) + (said.cost_microdollars or 0)
            if known
            else None,
            temperature=temperature,
            seed=seed,
        )
