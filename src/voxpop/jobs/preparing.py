"""What the first recruitment request needs, loaded before anybody waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable

AFTER_S = 1.0
"""Seconds from the start of a process to the loading, so that it does not delay the first calls."""


def prepare_later(prepare: Callable[[], None], *, after_s: float = AFTER_S) -> Callable[[], None]:
    """Call a function once on a background thread, and return a function that ends this.

    Parameters
    ----------
    prepare
        Loads what is needed later; must not fail.
    after_s
        Seconds to wait before.

    Returns
    -------
    callable
        Prevents the call, or waits until it has ended.

    Examples
    --------
    >>> loaded = threading.Event()
    >>> end = prepare_later(loaded.set, after_s=0)
    >>> loaded.wait(10)
    True
    >>> end()
    """
    timer = threading.Timer(after_s, prepare)
    timer.name, timer.daemon = "voxpop-prepare", True
    timer.start()

    def end() -> None:
        timer.cancel()
        timer.join()

    return end
