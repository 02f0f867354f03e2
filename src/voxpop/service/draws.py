"""Draws of new groups: made side by side before the write, stored in the order in which they began.

The seed of a group follows from how many groups there are, so each draw has to know how many come before it.
Drawing within the write transaction would settle that, but every other writer waits meanwhile. Here a draw is
given its number when it begins; it samples beside the others and stores its group after them. Where a group
was made in another way meanwhile, the number is wrong and the draw is made again within the write.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from voxpop.errors import Unavailable

_WAIT_S = 30.0


@dataclass(slots=True, eq=False)
class Draw:
    """One draw in line.

    Attributes
    ----------
    number : int
        How many groups there will be before it.
    order : int
        Its place among the draws of this process.
    """

    number: int
    order: int
    before: Draw | None
    done: threading.Event = field(default_factory=threading.Event)


class Draws:
    """The line of draws of this process.

    Examples
    --------
    >>> draws = Draws()
    >>> with draws.place(lambda: 7) as first:
    ...     first.number
    7
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: Draw | None = None
        self._following = 0  # the number of the next draw
        self._order = 0

    @contextmanager
    def place(self, count: Callable[[], int]) -> Iterator[Draw]:
        """Hold a place in line for as long as the block takes.

        Parameters
        ----------
        count
            Reads how many groups there are; asked where nobody else draws.
        """
        with self._lock:
            before = self._last if any(not draw.done.is_set() for draw in _back_from(self._last)) else None
            if before is None:
                self._following = count()
            self._order += 1
            mine = self._last = Draw(self._following, self._order, before)
            self._following += 1
        try:
            yield mine
        finally:
            mine.done.set()

    def await_turn(self, draw: Draw) -> None:
        """Wait until the draws before this one are stored.

        Raises
        ------
        Unavailable
            They take too long.
        """
        for before in _back_from(draw.before):  # one that failed may have ended before those before it
            if not before.done.wait(_WAIT_S):
                raise Unavailable("The service is busy recruiting; try again.")
        draw.before = None

    def correct(self, draw: Draw, count: int) -> None:
        """Learn how many groups there are before a draw, for the numbers of those that begin later."""
        with self._lock:
            self._following = count + 1 + self._order - draw.order


def _back_from(draw: Draw | None) -> Iterator[Draw]:
    while draw is not None:
        yield draw
        draw = draw.before
