"""Survey formulas on plain arrays, each with its source: no frames, no SQL."""

from __future__ import annotations

from voxpop.stats.bases import effective_base, group_sums, shares
from voxpop.stats.intervals import wilson
from voxpop.stats.proportions import benjamini_hochberg, two_proportions

__all__ = [
    "benjamini_hochberg",
    "effective_base",
    "group_sums",
    "shares",
    "two_proportions",
    "wilson",
]
