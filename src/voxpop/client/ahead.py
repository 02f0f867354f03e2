"""Prefetching: a background thread reads and decodes while the caller works."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Final, TypeVar

T = TypeVar("T")

_END: Final = object()
_PATIENCE_S = 1.0
"""Seconds to wait for a pending read at the end; it then ends by its own timeout."""


@contextmanager
def ahead(items: Generator[T], *, depth: int) -> Iterator[Iterator[T]]:
    """Run a generator in a background thread, up to ``depth`` items ahead of its consumer.

    Its errors are raised in place of the next item. At the end of the block the generator is closed in its
    thread.

    Examples
    --------
    >>> with ahead((letter for letter in "abc"), depth=2) as letters:
    ...     list(letters)
    ['a', 'b', 'c']
    """
    reader = ThreadPoolExecutor(1, thread_name_prefix="voxpop-ahead")
    coming: deque[Future[T | object]] = deque(reader.submit(next, items, _END) for _ in range(depth))

    def come() -> Iterator[T]:
        while (item := coming.popleft().result()) is not _END:
            coming.append(reader.submit(next, items, _END))
            yield item  # type: ignore[misc]  # it is not the end

    try:
        yield come()
    finally:
        for unread in coming:
            unread.cancel()
        wait([reader.submit(items.close)], _PATIENCE_S)
        reader.shutdown(wait=False)
