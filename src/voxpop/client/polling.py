"""Polling: delay before the first poll, interval between polls, and deadline."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from typing import TypeVar

from voxpop.errors import RateLimited, Unavailable, UsageError

T = TypeVar("T")
Sleep = Callable[[float], None]
"""A function that waits a number of seconds."""

Clock = Callable[[], datetime]
"""A function that returns the time as an aware UTC datetime."""

SHORTEST = 0.02
"""Minimum number of seconds between two polls, whatever the service suggests."""

pause: Sleep = time.sleep
"""Wait a number of seconds; the default :data:`Sleep`, and the only sleep in the package."""


def utc_now() -> datetime:
    """Return the time as an aware UTC datetime; the default :data:`Clock`."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Polling:
    """The times at which a job is polled: the documented pattern, unless the service suggests others.

    Parameters
    ----------
    first_wait : float
        Seconds before the first poll of a job, 0 or more.
    step : float
        Seconds between later polls, above 0.
    deadline : float
        Seconds after which waiting ends with :class:`~voxpop.errors.JobTimeout`; the job continues.

    Raises
    ------
    UsageError
        A number is out of range.

    Examples
    --------
    >>> Polling()
    Polling(first_wait=45.0, step=20.0, deadline=3600.0)
    """

    first_wait: float = 45.0
    step: float = 20.0
    deadline: float = 3600.0

    def __post_init__(self) -> None:
        for name, low in (("first_wait", 0), ("step", 0), ("deadline", 0)):
            value = getattr(self, name)
            good = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
            if not good or value < low or (name != "first_wait" and value == 0):
                allowed = "0 seconds or more" if name == "first_wait" else "above 0 seconds"
                raise UsageError(f"{name} must be {allowed}, not {value!r}.")


@dataclass(frozen=True, slots=True)
class Timekeeper:
    """The pattern, sleep and clock used for waiting."""

    polling: Polling = Polling()
    sleep: Sleep = pause
    clock: Clock = utc_now

    def until(
        self,
        look: Callable[[], T],
        ended: Callable[[T], bool],
        *,
        hint: Callable[[T], float | None] = lambda _: None,
        first_wait: float | None = None,
        on_look: Callable[[T], object] | None = None,
        too_late: Callable[[], Exception],
    ) -> T:
        """Poll until ``ended`` returns true, and return the last result.

        Parameters
        ----------
        look : callable
            Polls the service. After a :class:`~voxpop.errors.RateLimited`, or an
            :class:`~voxpop.errors.Unavailable` with ``retry_after``, it waits and polls again.
        ended : callable
            Returns whether a result is final.
        hint : callable
            Returns the seconds that the service asks to wait after a result; None follows the pattern.
        first_wait : float, optional
            Seconds before the first poll, overriding the pattern.
        on_look : callable, optional
            Called with each result.
        too_late : callable
            Returns the error to raise after the deadline.
        """
        start, slept = self.clock(), 0.0
        wait = self.polling.first_wait if first_wait is None else max(0.0, first_wait)
        while True:
            left = self.polling.deadline - max(slept, (self.clock() - start).total_seconds())
            if wait > 0:
                self.sleep(min(wait, max(left, 0.0)))
                slept += wait
            try:
                seen = look()
                if on_look is not None:
                    on_look(seen)
            except RateLimited as limit:
                wait = max(limit.retry_after, 1.0)
            except Unavailable as busy:
                if busy.status != 503 or busy.retry_after is None or "database" in busy.details:
                    raise
                wait = max(busy.retry_after, 1.0)
            else:
                if ended(seen):
                    return seen
                asked = hint(seen)
                wait = self.polling.step if asked is None else max(asked, SHORTEST)
            if max(slept, (self.clock() - start).total_seconds()) >= self.polling.deadline:
                raise too_late()
