"""A budget for calls of a language model: a call is begun only when the most it can take still fits in."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens, read and written."""

    read: float
    written: float

    def microdollars(self, input_tokens: int, output_tokens: int) -> int:
        """Return what tokens cost, in millionths of a dollar, rounded up.

        Examples
        --------
        >>> Price(0.15, 0.60).microdollars(1_000, 200)
        270
        """
        return -int(-(input_tokens * self.read + output_tokens * self.written) // 1)


class BudgetSpent(Exception):
    """The budget does not cover another call."""


class Budget:
    """Counts what calls take, in millionths of a dollar or in tokens, and refuses the one that may go over.

    What calls under way may take at most is held back until they end. A call that fits only if they take
    less waits for them.

    Parameters
    ----------
    limit
        The most that may be taken; None is no limit.
    taken
        What was taken before.

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
        """Hold back what a call may take at most.

        Raises
        ------
        BudgetSpent
            It does not fit, even if no other call were under way.
        """
        if self.limit is not None:
            while self.taken + self._held + most > self.limit:
                if self.taken + most > self.limit:
                    raise BudgetSpent
                self._changed = self._changed or asyncio.Event()
                await self._changed.wait()
        self._held += most

    def settle(self, most: int, taken: int) -> None:
        """Give back what was held for a call and count what it took; 0 when it was not made."""
        self._held -= most
        self.taken += taken
        if self._changed is not None:
            self._changed.set()
            self._changed = None
