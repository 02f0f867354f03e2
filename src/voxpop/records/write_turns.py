"""Fair turns at the one writer of an embedded database.

SQLite allows one write transaction at a time, and a plain lock is unordered: of 32 callers some waited 15
times as long as the median, and background work overtook all of them. Here each release hands over the turn:

- callers come before background work, but waiting background work gets every fifth turn;
- organizations take turns, and the calls of one organization are served in order of arrival;
- a writer that already waited in another queue gets every second turn; there is one at a time.
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
"""Writer id of background work."""

SEATED: Hashable = object()
"""Writer id of work that already waited in a queue of its own."""

PASSED = 4
"""Number of caller turns between two turns of waiting background work."""

_writer: ContextVar[Hashable] = ContextVar("voxpop_writer", default=None)


def write_as(writer: Hashable) -> None:
    """Set the writer of this thread or task from now on.

    Parameters
    ----------
    writer
        An organization id, or :data:`BACKGROUND`. Writes without a writer share one queue.
    """
    _writer.set(writer)


@contextmanager
def writing_as(writer: Hashable) -> Iterator[None]:
    """Set the writer within a block; see :func:`write_as`."""
    token = _writer.set(writer)
    try:
        yield
    finally:
        _writer.reset(token)


def in_background() -> bool:
    """Return whether this thread writes for background work."""
    return _writer.get() is BACKGROUND


class _Waiting:
    """One waiting thread."""

    __slots__ = ("turn",)

    def __init__(self) -> None:
        self.turn = threading.Event()


class WriteTurns:
    """A lock for one writing thread at a time, with the order described above.

    Parameters
    ----------
    waited
        Called before each turn with the seconds waited.

    Examples
    --------
    >>> turns = WriteTurns()
    >>> with turns.turn(timeout=1.0):
    ...     turns.busy
    True
    """

    def __init__(self, waited: Callable[[float], None] | None = None) -> None:
        self.waited = waited
        self._lock = threading.Lock()  # guards the next four
        self._busy = False
        self._lines: dict[Hashable, deque[_Waiting]] = {}  # of callers, in the order of their next turns
        self._background: deque[_Waiting] = deque()
        self._passed = 0
        self._seated_went = False

    @property
    def busy(self) -> bool:
        """Whether a thread holds the turn."""
        return self._busy

    @contextmanager
    def turn(self, timeout: float) -> Iterator[None]:
        """Hold the turn for the current writer within a block.

        Raises
        ------
        Unavailable
            No turn within ``timeout`` seconds.
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
        """Return the number of waiting threads."""
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
            if mine.turn.is_set():  # handed over at the last moment
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
            self._lines[writer] = line  # after the others
        return following
