"""Reading ahead: a thread of its own waits for the network and decodes while the caller works."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final, TypeVar

T = TypeVar("T")

_END: Final = object()
_PATIENCE_S = 1.0
"""How long an end waits for what is being read; after that, it ends by itself with its own timeout."""


def ahead(items: Generator[T], *, depth: int = 2) -> Generator[T]:
    """Give the items of a generator, which runs in a thread of its own up to ``depth`` items ahead.

    Its errors are raised where the item would have come. Who stops early closes the generator, in its thread.

    Examples
    --------
    >>> list(ahead(letter for letter in "abc"))
    ['a', 'b', 'c']
    """
    reader = ThreadPoolExecutor(1, thread_name_prefix="voxpop-ahead")
    coming: deque[Future[T | object]] = deque()
    try:
        coming.extend(reader.submit(next, items, _END) for _ in range(depth))
        while (item := coming.popleft().result()) is not _END:
            coming.append(reader.submit(next, items, _END))
            yield item  # type: ignore[misc]  # it is not the end
    finally:
        for unread in coming:
            unread.cancel()
        wait([reader.submit(items.close)], _PATIENCE_S)
        reader.shutdown(wait=False)
