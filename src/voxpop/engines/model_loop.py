"""A shared event loop that runs model calls concurrently while worker threads wait for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

from voxpop.engines.respondent import EngineClosed

T = TypeVar("T")

_LET_GO_S = 5.0


class CallLoop:
    """Runs coroutines concurrently on its own thread and yields their results in order.

    Safe to use from several threads. Connections live as long as the loop, so the loop is kept between work
    items.

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
        self._loop: asyncio.AbstractEventLoop | None = None  # created with its thread, for the first work
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._under_way: set[Future[Any]] = set()
        self._closing = False

    def each(self, works: Iterable[Coroutine[Any, Any, T]]) -> Iterator[T]:
        """Start all coroutines and yield their results in order, each as soon as it is available.

        Closing the iterator cancels the remaining ones.

        Raises
        ------
        EngineClosed
            The loop is being closed. Results completed by then are yielded first.
        """
        futures = self._started(list(works))
        try:
            for place, future in enumerate(futures):
                try:
                    result = future.result()
                except CancelledError:
                    if not self._closing:
                        raise
                    yield from _done(futures[place:])
                    raise _closed() from None
                yield result
        finally:
            for future in futures:
                future.cancel()
            with self._lock:
                self._under_way.difference_update(futures)

    def close(self, last: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        """Cancel running coroutines, from any thread; their callers get :class:`EngineClosed`.

        Parameters
        ----------
        last
            Coroutine to run before the loop stops, for example to close connections.
        """
        with self._lock:
            if self._closing:
                return
            self._closing = True
            under_way, loop, thread = list(self._under_way), self._loop, self._thread
        for future in under_way:
            future.cancel()
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(_end(loop, last), loop)
            thread.join(_LET_GO_S)  # a daemon thread: if it hangs, it ends with the process

    def _started(self, works: Sequence[Coroutine[Any, Any, T]]) -> list[Future[T]]:
        with self._lock:
            if self._closing:
                for work in works:
                    work.close()
                raise _closed()
            loop = self._loop = self._loop or asyncio.new_event_loop()
            if self._thread is None:
                name = "voxpop-model-calls"
                self._thread = threading.Thread(target=_run, args=(loop,), name=name, daemon=True)
                self._thread.start()
            futures = [asyncio.run_coroutine_threadsafe(work, loop) for work in works]
            self._under_way.update(futures)
            return futures


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


async def _end(loop: asyncio.AbstractEventLoop, last: Callable[[], Coroutine[Any, Any, None]] | None) -> None:
    this = asyncio.current_task()
    others = [task for task in asyncio.all_tasks() if task is not this]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    try:
        if last is not None:
            await last()
        await loop.shutdown_asyncgens()
    finally:
        loop.stop()


def _done(futures: Iterable[Future[T]]) -> Iterator[T]:
    for future in futures:
        if future.done() and not future.cancelled() and future.exception() is None:
            yield future.result()


def _closed() -> EngineClosed:
    return EngineClosed("The service is stopping. The work resumes at the next start.")
