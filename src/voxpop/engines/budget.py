"""A budget for language-model calls; a call starts only if its maximum cost fits the remaining budget."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million input and output tokens."""

    read: float
    written: float

    def microdollars(self, input_tokens: int, output_tokens: int) -> int:
        """Return the cost of tokens in millionths of a dollar, rounded up.

        Examples
        --------
        >>> Price(0.15, 0.60).microdollars(1_000, 200)
        270
        """
        return -int(-(input_tokens * self.read + output_tokens * self.written) // 1)


class BudgetSpent(Exception):
    """The budget does not cover another call."""


class Budget:
    """Tracks the consumption of calls and refuses a call that could exceed the limit.

    The maximum of each running call is reserved until the call ends. A call that fits only if running calls
    consume less than their maximum waits for them.

    Parameters
    ----------
    limit
        Maximum consumption in millionths of a dollar or in tokens; None means no limit.
    taken
        Earlier consumption.

    Examples
    --------
    >>> async def twice(budget):
    ...     await budget.hold(60)
    ...     budget.settle(60, 25)
    ...     await budget.hold(60)
    ...     budget.settle(60, 50)
    ...     return budget.taken
    >>> asyncio.run(twice(Budget(100)))
    75
    """

    def __init__(self, limit: int | None = None, *, taken: int = 0) -> None:
        self.limit = limit
        self.taken: int = taken
        self._held = 0
        self._changed: asyncio.Event | None = None

    async def hold(self, most: int) -> None:
        """Reserve the maximum consumption of a call.

        Raises
        ------
        BudgetSpent
            The call would not fit even if no other call were running.
        """
        if self.limit is not None:
            while self.taken + self._held + most > self.limit:
                if self.taken + most > self.limit:
                    raise BudgetSpent
                self._changed = self._changed or asyncio.Event()
                await self._changed.wait()
        self._held += most

    def settle(self, most: int, taken: int) -> None:
        """Release the reservation of a call and record its actual consumption, 0 if the call was not made."""
        self._held -= most
        self.taken += taken
        if self._changed is not None:
            self._changed.set()
            self._changed = None
