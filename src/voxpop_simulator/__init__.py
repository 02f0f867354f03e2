"""The default engine of voxpop: an offline, deterministic simulator of survey answers.

It depends only on the contract of :mod:`voxpop.engines` and on the vocabulary and statistics of voxpop.
voxpop loads it like any other engine, through the entry point ``simulator``.
"""

from __future__ import annotations

from voxpop_simulator.embedded import EmbeddedRespondent

__all__ = ["EmbeddedRespondent", "engine"]


def engine() -> EmbeddedRespondent:
    """Return the engine; the target of the entry point."""
    return EmbeddedRespondent()
