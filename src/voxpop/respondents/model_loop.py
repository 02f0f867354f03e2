"""One event loop for calls of a language model: they run together while one worker thread waits for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import Any, TypeVar

from voxpop.errors import Unavailable

T = TypeVar("T")

_LET_GO_S = 5.0


class CallLoop:
    """Runs coroutines side by side and gives their results in order; one worker at a time.

    Connections live as long as the loop, so it is kept from one piece of work to the next.

    Examples
    --------
    >>> async def double(number):
    ...     return 2 * number
    >>> loop = CallLoop()
    >>> list(loop.each(double(number) for number in (1, 2)))
    [2, 4]
    >>> loop.close()
    """

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop = self._runner.get_loop()
        self._worker = threading.Lock()
        self._tasks: list[asyncio.Task[Any]] = []
        self._closing = False

    def each(self, works: Iterable[Coroutine[Any, Any, T]]) -> Iterator[T]:
        """Start all of them and yield their results in order, each as soon as it is there.

        Whoever stops listening cancels the rest.

        Raises
        ------
        Unavailable
            The loop is being closed.
        """
        with self._worker:
            started = list(works)
            if self._closing:
                for work in started:
                    work.close()
                raise _closed()
            tasks: list[asyncio.Task[T]] = self._runner.run(_start(started))
            self._tasks = list(tasks)
            try:
                for task in tasks:
                    yield self._runner.run(self._result(task))
            finally:
                self._tasks = []
                self._runner.run(_cancel(tasks))

    def close(self, last: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        """Cancel what is under way, from any thread; its worker gets :class:`Unavailable`.

        Parameters
        ----------
        last
            What is to be run before the loop goes, such as closing connections.
        """
        self._closing = True
        if self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._cancel_all)
        if not self._worker.acquire(timeout=_LET_GO_S):
            return  # a daemon thread; it goes with the process
        try:
            if last is not None:
                self._runner.run(last())
            self._runner.close()
        finally:
            self._worker.release()

    async def _result(self, task: asyncio.Task[T]) -> T:
        try:
            return await task
        except asyncio.CancelledError:
            if self._closing:
                raise _closed() from None
            raise

    def _cancel_all(self) -> None:
        for task in self._tasks:
            task.cancel()


async def _start(works: Iterable[Coroutine[Any, Any, T]]) -> list[asyncio.Task[T]]:
    return [asyncio.ensure_future(work) for work in works]


async def _cancel(tasks: Iterable[asyncio.Task[Any]]) -> None:
    left = [task for task in tasks if not task.done()]
    for task in left:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _closed() -> Unavailable:
    return Unavailable("The service stops; the language model is not asked any more. The work goes on later.")
