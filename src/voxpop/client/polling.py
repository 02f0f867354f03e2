"""Waiting: how long before a job is asked for, how often after that, and for how long at most."""

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
"""Something that waits a number of seconds."""

Clock = Callable[[], datetime]
"""Something that tells the time as an aware UTC datetime."""

SHORTEST = 0.02
"""The shortest wait between two looks, in seconds, whatever the service hints."""

pause: Sleep = time.sleep
"""The default :data:`Sleep`; the only sleep in the package."""


def utc_now() -> datetime:
    """Return the time as an aware UTC datetime; the default :data:`Clock`."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Polling:
    """When a job is asked for: the service's documented pattern, unless its answers give a hint.

    Parameters
    ----------
    first_wait : float
        Seconds before the first look at a job, 0 or more.
    step : float
        Seconds between later looks, above 0.
    deadline : float
        Seconds after which waiting ends with :class:`~voxpop.errors.JobTimeout`; the job goes on.

    Raises
    ------
    UsageError
        A number is out of its range.

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
    """What waiting needs: the pattern, the sleep and the clock."""

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
        too_late: Callable[[], Exception],
    ) -> T:
        """Look again and again until ``ended`` says so, and return what was seen last.

        Parameters
        ----------
        look : callable
            Asks the service. A :class:`~voxpop.errors.RateLimited` is waited out and asked again, and so is
            an :class:`~voxpop.errors.Unavailable` of a busy service that says when.
        ended : callable
            Whether what was seen is final.
        hint : callable
            How many seconds the service asks to wait after what was seen; None follows the pattern.
        first_wait : float, optional
            Seconds before the first look, instead of the pattern's.
        too_late : callable
            Makes the error that is raised when the deadline has passed.
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
