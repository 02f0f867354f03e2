"""The default engine of voxpop: an offline, deterministic simulator of survey answers.

It uses the contract of :mod:`voxpop.engines`, the vocabulary and the statistics of voxpop, and nothing else.
voxpop finds it as any other engine, through the entry point ``simulator``.
"""

from __future__ import annotations

from voxpop_simulator.embedded import EmbeddedRespondent

__all__ = ["EmbeddedRespondent", "engine"]


def engine() -> EmbeddedRespondent:
    """Return the engine; the entry point names this function."""
    return EmbeddedRespondent()
