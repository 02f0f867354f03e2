"""Background thread of a widget, which ends when it has no work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

Task = Callable[[], None]

LINGER = 5.0
"""Idle time before the thread ends, in seconds; the next task starts another."""


class Stopped(BaseException):
    """Raised in the thread when the widget is closed.

    Not an ``Exception``, so that error handlers do not catch it.
    """


@dataclass(order=True, slots=True)
class _Due:
    moment: float
    number: int
    task: Task = field(compare=False)
    key: str | None = field(compare=False, default=None)


class Worker:
    """Runs tasks one after the other in its own thread.

    Parameters
    ----------
    name : str
        Name of the thread.
    linger : float
        Idle time before the thread ends, in seconds.

    Examples
    --------
    >>> said = []
    >>> worker = Worker("example")
    >>> worker.do(lambda: said.append("done"))
    >>> worker.idle(5), said
    (True, ['done'])
    >>> worker.close()
    """

    def __init__(self, name: str, linger: float = LINGER) -> None:
        self.name = name
        self._linger = linger
        self._state = threading.Condition()
        self._due: list[_Due] = []
        self._numbers = count()
        self._thread: threading.Thread | None = None
        self._busy = False
        self._interrupted = threading.Event()
        self.closed: bool = False

    def do(self, task: Task) -> None:
        """Run a task as soon as possible, after earlier ones."""
        self._put(_Due(0.0, next(self._numbers), task))

    def later(self, key: str, seconds: float, task: Task) -> None:
        """Debounce: run a task after ``seconds`` without another request for the same ``key``."""
        self._put(_Due(time.monotonic() + seconds, next(self._numbers), task, key))

    def hurry(self) -> None:
        """Run delayed tasks immediately."""
        with self._state:
            for one in self._due:
                one.moment = 0.0
            self._state.notify_all()

    def pause(self, seconds: float) -> None:
        """Sleep inside a task; raise :class:`Stopped` if the widget is closed meanwhile."""
        if self._interrupted.wait(max(0.0, seconds)):
            raise Stopped

    def idle(self, timeout: float | None = None) -> bool:
        """Wait until no task is left; return whether that is the case."""
        with self._state:
            return self._state.wait_for(lambda: not self._due and not self._busy, timeout)

    @property
    def alive(self) -> bool:
        """Whether the thread is running."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    def close(self, timeout: float = 5.0) -> None:
        """Discard pending tasks, interrupt waits, and wait for the thread to end."""
        with self._state:
            self.closed = True
            self._due.clear()
            self._interrupted.set()
            self._state.notify_all()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)

    def _put(self, due: _Due) -> None:
        with self._state:
            if self.closed:
                return
            if due.key is not None:
                self._due = [one for one in self._due if one.key != due.key]
            self._due.append(due)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=f"voxpop {self.name}", daemon=True)
                self._thread.start()
            self._state.notify_all()

    def _next(self) -> Task | None:
        """Wait for the next task and take it; None if the thread should end."""
        with self._state:
            self._busy = False
            self._state.notify_all()
            until = time.monotonic() + self._linger
            while not self.closed:
                now = time.monotonic()
                first = min(self._due, default=None)
                if first is not None and first.moment <= now:
                    self._due.remove(first)
                    self._busy = True
                    return first.task
                if first is None and now >= until:
                    break
                self._state.wait((first.moment if first is not None else until) - now)
            self._thread = None
            return None

    def _run(self) -> None:
        try:
            while (task := self._next()) is not None:
                try:
                    task()
                except Stopped:
                    continue
        finally:  # also after an internal error, so that nobody waits for a dead thread
            with self._state:
                if self._thread is threading.current_thread():
                    self._thread, self._busy = None, False
                self._state.notify_all()
