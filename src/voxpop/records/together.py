"""One transaction for a whole call: all that it writes is committed together, or none of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import sqlalchemy as sa

Start = Callable[[], AbstractContextManager[sa.Connection]]


class Together:
    """The write transaction that the parts of one call share; it begins with the first part.

    Parameters
    ----------
    start
        Begins a transaction; leaving it commits.
    first
        Called with the connection as soon as the transaction has begun. What it raises undoes the call.
    """

    def __init__(self, start: Start, first: Callable[[sa.Connection], None]) -> None:
        self._start = start
        self._first = first
        self._held = ExitStack()
        self._open: sa.Connection | None = None
        self._failed = False
        self._afterwards: list[Callable[[], None]] = []

    @property
    def open(self) -> sa.Connection | None:
        """The connection of the transaction; None before it has begun."""
        return self._open

    def connection(self) -> sa.Connection:
        """Return the connection of the transaction, and begin it if nobody has."""
        if self._open is None:
            self._open = self._held.enter_context(self._start())
            self._first(self._open)
        return self._open

    @contextmanager
    def part(self) -> Iterator[sa.Connection]:
        """Give the connection to one part of the call. A part that fails undoes the whole."""
        try:
            yield self.connection()
        except BaseException:
            self._failed = True
            raise

    def afterwards(self, call: Callable[[], None]) -> None:
        """Have this called once the transaction is committed; never if it is undone."""
        self._afterwards.append(call)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Commit at the end of the block; undo it all on an error."""
        with self._held:
            yield
            if self._failed:
                raise RuntimeError("A part of this transaction failed, and the call went on all the same.")

    def go_on(self) -> None:
        """Make the calls that waited for the commit."""
        for call in self._afterwards:
            call()
