"""Planning: how many people a margin of error takes, with agents of a known quality and without."""

from __future__ import annotations

import math

from voxpop.stats.predictions import Spread

_MOST = 10_000_000


def needed(spread: Spread, people: int, margin: float, level: float) -> dict[str, float]:
    """Return the people needed with agents and without, and the difference; NaN if it cannot be told.

    Parameters
    ----------
    spread : Spread
        Parts of the variance with the people at hand.
    people : int
        Number of people at hand.
    margin : float
        Half the width of the interval.
    level : float
        Confidence.
    """
    from scipy.special import ndtri  # imported where used

    limit = (margin / float(ndtri(0.5 + level / 2))) ** 2
    if math.isnan(spread.people) or not spread.people > 0:
        return {"with_agents": math.nan, "without_agents": math.nan, "saved": math.nan}
    alone = math.ceil(spread.people / limit * people * (1 - 1e-12))
    low, high = 1, min(alone, _MOST)
    while low < high:
        middle = (low + high) // 2
        if spread.variance(middle / people) <= limit:
            high = middle
        else:
            low = middle + 1
    return {"with_agents": low, "without_agents": alone, "saved": alone - low}
