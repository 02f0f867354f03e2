"""Long polling: calls held open until work ends, time is up, or the service stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from voxpop.service.auth import Call

T = TypeVar("T")

MOST_SECONDS = 60.0
"""Maximum wait of a held call in seconds."""

_STEPS = (0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.25)


async def held(
    call: Call, first: T, look: Callable[[], T], *, working: Callable[[T], bool], seconds: float
) -> T:
    """Poll unfinished work and return its last state.

    A call of an organization that holds its share already is answered at once, and the oldest one of it when
    other calls need the room, its own or those of others: how long to hold a call is a wish and no promise.

    Parameters
    ----------
    call
        The waiting call.
    first
        The present state.
    look
        Reads the state again.
    working
        Returns whether the work is unfinished.
    seconds
        Wait in seconds, capped at :data:`MOST_SECONDS`.
    """
    if seconds <= 0 or not working(first):
        return first
    with call.state.admission.holds.hold(call.organization) as hold:
        seen, left, step = first, min(seconds, MOST_SECONDS), 0
        while hold is not None and working(seen) and left > 0:
            pause = min(left, hold.pause(_STEPS[min(step, len(_STEPS) - 1)]))
            if await call.state.closing.wait(pause, hold.over):
                break
            left, step = left - pause, step + 1
            seen = await call.state.read(look)
    return seen
