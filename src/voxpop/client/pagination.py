"""Iterators over paginated lists, by ``limit``/``offset`` or by page number.

The first pages are read one by one, because most callers want no more. Later pages are prefetched in
parallel, with a limit, and yielded in order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count, islice
from typing import TypeVar

T = TypeVar("T")

LIMIT = 200
"""Items per request; the service allows 1 to 500."""

AT_ONCE = 4
"""Maximum number of concurrent page requests."""

_ALONE = 2
"""Number of pages to read before prefetching starts."""


def by_offset(
    fetch: Callable[[int, int], tuple[Sequence[T], int | None]], *, limit: int = LIMIT
) -> Iterator[T]:
    """Yield every item of a list that is paged by ``limit`` and ``offset``.

    Parameters
    ----------
    fetch : callable
        Called with limit and offset, from several threads. Returns the items of that page, and the total over
        all pages or None if unknown.
    limit : int
        Items per page.

    Examples
    --------
    >>> letters = "abcde"
    >>> "".join(by_offset(lambda limit, offset: (letters[offset : offset + limit], 5), limit=2))
    'abcde'
    """
    offset, pages = 0, 0
    while True:
        items, total = fetch(limit, offset)
        yield from items
        offset, pages = offset + len(items), pages + 1
        if not items or (len(items) < limit if total is None else offset >= total):
            return
        if pages >= _ALONE and total is not None and len(items) == limit:
            break
    yield from _together(lambda start: _stretch(fetch, limit, start), iter(range(offset, total, limit)))


def by_page(
    fetch: Callable[[int, int], tuple[Sequence[T], int | None]], *, per_page: int = LIMIT
) -> Iterator[T]:
    """Yield every item of a list with numbered pages, from page 1.

    Parameters
    ----------
    fetch : callable
        Called with page and per_page, from several threads. Returns the items of that page, and the number of
        pages or None if unknown.
    per_page : int
        Items per page.

    Examples
    --------
    >>> letters = "abcde"
    >>> "".join(by_page(lambda page, per: (letters[(page - 1) * per : page * per], None), per_page=2))
    'abcde'
    """
    for page in count(1):
        items, pages = fetch(page, per_page)
        yield from items
        if not items or (len(items) < per_page if pages is None else page >= pages):
            return
        if page >= _ALONE and pages is not None:
            yield from _together(lambda number: fetch(number, per_page)[0], iter(range(page + 1, pages + 1)))
            return


def _stretch(
    fetch: Callable[[int, int], tuple[Sequence[T], int | None]], limit: int, start: int
) -> Sequence[T]:
    """Read up to ``limit`` items from an offset, even if the service returns fewer per request."""
    held, total = fetch(limit, start)
    held = list(held)
    while 0 < len(held) < limit and start + len(held) < (total or 0):
        more, _ = fetch(limit - len(held), start + len(held))
        if not more:
            break
        held.extend(more)
    return held


def _together(fetch: Callable[[int], Sequence[T]], places: Iterator[int]) -> Iterator[T]:
    """Yield the items of pages in order, reading a few at once, up to the first empty page."""
    readers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="voxpop-pages")
    coming: deque[Future[Sequence[T]]] = deque()
    try:
        coming.extend(readers.submit(fetch, place) for place in islice(places, AT_ONCE))
        while coming and (items := coming.popleft().result()):
            coming.extend(readers.submit(fetch, place) for place in islice(places, 1))
            yield from items
    finally:
        readers.shutdown(wait=True, cancel_futures=True)
