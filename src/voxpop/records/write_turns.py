"""Fair turns at the one writer of an embedded database.

SQLite lets one transaction write at a time, and a plain lock gives no order: of 32 callers some waited 15
times as long as the median, and background work overtook all of them. Here a turn is handed over on release:

- callers come before background work, but every fifth turn goes to background work that waits;
- the organizations of the callers take turns, and the calls of one organization go first come, first served;
- a writer that has stood in another line before gets every second turn: it is one at a time.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from voxpop.errors import Unavailable

BACKGROUND: Hashable = object()
"""The writer of background work."""

SEATED: Hashable = object()
"""The writer of what has waited in a line of its own, from which one at a time comes here."""

PASSED = 4
"""How many turns of callers go past background work that waits."""

_writer: ContextVar[Hashable] = ContextVar("voxpop_writer", default=None)


def write_as(writer: Hashable) -> None:
    """Name whose turns the writes of this thread or task are from now on.

    Parameters
    ----------
    writer
        The number of an organization, or :data:`BACKGROUND`. Writes that nobody named share one line.
    """
    _writer.set(writer)


@contextmanager
def writing_as(writer: Hashable) -> Iterator[None]:
    """Write as somebody for as long as the block takes; see :func:`write_as`."""
    token = _writer.set(writer)
    try:
        yield
    finally:
        _writer.reset(token)


def in_background() -> bool:
    """Return whether this thread writes for background work."""
    return _writer.get() is BACKGROUND


class _Waiting:
    """One thread in line."""

    __slots__ = ("turn",)

    def __init__(self) -> None:
        self.turn = threading.Event()


class WriteTurns:
    """Lets one thread at a time write, in the order of this module's first lines.

    Parameters
    ----------
    waited
        Called before each turn with the seconds that were waited for it.

    Examples
    --------
    >>> turns = WriteTurns()
    >>> with turns.turn(timeout=1.0):
    ...     turns.busy
    True
    """

    def __init__(self, waited: Callable[[float], None] | None = None) -> None:
        self.waited = waited
        self._lock = threading.Lock()  # held wherever the next four are looked at
        self._busy = False
        self._lines: dict[Hashable, deque[_Waiting]] = {}  # of callers, in the order of their next turns
        self._background: deque[_Waiting] = deque()
        self._passed = 0
        self._seated_went = False

    @property
    def busy(self) -> bool:
        """Whether somebody has the turn now."""
        return self._busy

    @contextmanager
    def turn(self, timeout: float) -> Iterator[None]:
        """Hold the turn of the current writer for as long as the block takes.

        Raises
        ------
        Unavailable
            It did not come within ``timeout`` seconds.
        """
        writer = _writer.get()
        begun = time.monotonic()
        if not self._acquire(writer, timeout):
            raise Unavailable("The service is busy writing; try again.")
        try:
            if self.waited is not None:
                self.waited(time.monotonic() - begun)
            yield
        finally:
            self._release()

    def waiting(self) -> int:
        """Return how many threads are in line."""
        with self._lock:
            return len(self._background) + sum(map(len, self._lines.values()))

    def _acquire(self, writer: Hashable, timeout: float) -> bool:
        with self._lock:
            if not self._busy:
                self._busy = True
                return True
            mine = _Waiting()
            line = self._background if writer is BACKGROUND else self._lines.setdefault(writer, deque())
            line.append(mine)
        if mine.turn.wait(timeout):
            return True
        with self._lock:
            if mine.turn.is_set():  # it was handed over in the last moment
                return True
            line.remove(mine)
            if not line and writer is not BACKGROUND:
                del self._lines[writer]
        return False

    def _release(self) -> None:
        with self._lock:
            following = self._next()
            if following is None:
                self._busy = False
            else:
                following.turn.set()

    def _next(self) -> _Waiting | None:
        self._seated_went = SEATED in self._lines and not self._seated_went
        if self._background and (not self._lines or self._passed >= PASSED):
            self._passed = 0
            return self._background.popleft()
        if not self._lines:
            return None
        if self._background:
            self._passed += 1
        others = (each for each in self._lines if each is not SEATED)
        writer = SEATED if self._seated_went else next(others, SEATED)
        line = self._lines.pop(writer)
        following = line.popleft()
        if line:
            self._lines[writer] = line  # behind the others
        return following
