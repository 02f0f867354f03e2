"""One transaction per call: all of its writes are committed together or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import sqlalchemy as sa

Start = Callable[[], AbstractContextManager[sa.Connection]]


class Together:
    """The write transaction shared by the parts of one call; it begins with the first write.

    Parameters
    ----------
    start
        Begins a transaction; leaving the block commits it.
    first
        Called with the connection when the transaction begins. An exception rolls back the call.
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
        """The connection of the transaction; None before it begins."""
        return self._open

    def connection(self) -> sa.Connection:
        """Return the connection of the transaction, beginning it if necessary."""
        if self._open is None:
            self._open = self._held.enter_context(self._start())
            self._first(self._open)
        return self._open

    @contextmanager
    def part(self) -> Iterator[sa.Connection]:
        """Yield the connection to one part of the call; a failed part rolls back the whole call."""
        try:
            yield self.connection()
        except BaseException:
            self._failed = True
            raise

    def afterwards(self, call: Callable[[], None]) -> None:
        """Register a function to call after the commit; it is not called after a rollback."""
        self._afterwards.append(call)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Commit at the end of the block; roll back on an error."""
        with self._held:
            yield
            if self._failed:
                raise RuntimeError("A part of this transaction failed, and the call went on all the same.")

    def go_on(self) -> None:
        """Call the registered functions."""
        for call in self._afterwards:
            call()
