"""Pages into one stream: one iterator for ``limit``/``offset``, one for numbered pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import TypeVar

T = TypeVar("T")

LIMIT = 200
"""How many items are asked for at once; the service allows 1 to 500."""


def by_offset(
    fetch: Callable[[int, int], tuple[Sequence[T], int | None]], *, limit: int = LIMIT
) -> Iterator[T]:
    """Give every item of a list that is paged by ``limit`` and ``offset``.

    Parameters
    ----------
    fetch : callable
        Takes limit and offset; gives the items of that page and the total over all pages, None when
        the service does not tell it.
    limit : int
        Items a page.

    Examples
    --------
    >>> letters = "abcde"
    >>> "".join(by_offset(lambda limit, offset: (letters[offset : offset + limit], 5), limit=2))
    'abcde'
    """
    offset = 0
    while True:
        items, total = fetch(limit, offset)
        yield from items
        offset += len(items)
        if not items or (len(items) < limit if total is None else offset >= total):
            return


def by_page(
    fetch: Callable[[int, int], tuple[Sequence[T], int | None]], *, per_page: int = LIMIT
) -> Iterator[T]:
    """Give every item of a list with numbered pages, from page 1.

    Parameters
    ----------
    fetch : callable
        Takes page and per_page; gives the items of that page and the number of pages, None when the
        service does not tell it.
    per_page : int
        Items a page.

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
