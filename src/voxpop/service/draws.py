"""Concurrent draws of new groups, stored in the order in which they started.

The seed of a group depends on the number of groups before it. Drawing within the write transaction would fix
that number but block every other writer. Instead, a draw gets its number when it starts, samples
concurrently, and stores its group after its predecessors. If another group was created meanwhile, the number
is wrong and the draw is repeated within the write.
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
    """One pending draw.

    Attributes
    ----------
    number : int
        Expected number of groups before it.
    order : int
        Its position among the draws of this process.
    """

    number: int
    order: int
    before: Draw | None
    done: threading.Event = field(default_factory=threading.Event)


class Draws:
    """The pending draws of this process.

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
        self._following = 0  # number of the next draw
        self._order = 0

    @contextmanager
    def place(self, count: Callable[[], int]) -> Iterator[Draw]:
        """Register a draw within a block.

        Parameters
        ----------
        count
            Reads the number of groups; called if no draw is pending.
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
        """Wait until all earlier draws are stored.

        Raises
        ------
        Unavailable
            They take too long.
        """
        for before in _back_from(draw.before):  # a failed draw may end before its predecessors
            if not before.done.wait(_WAIT_S):
                raise Unavailable("The service is busy recruiting; try again.")
        draw.before = None

    def correct(self, draw: Draw, count: int) -> None:
        """Correct the number of groups before a draw, for later draws."""
        with self._lock:
            self._following = count + 1 + self._order - draw.order


def _back_from(draw: Draw | None) -> Iterator[Draw]:
    while draw is not None:
        yield draw
        draw = draw.before
