"""Ranges of schedules, and what is told of one that fails."""

from __future__ import annotations

from checker import check
from world import SimulatedDatabase, simulate


def first_failure(seeds: range, database: SimulatedDatabase) -> str | None:
    """Return what went wrong in the first schedule that fails, with the command that runs it again."""
    for seed in seeds:
        try:
            check(simulate(seed, database))
        except Exception as error:  # of the code under test, too
            return f"{type(error).__name__}: {error}\nAgain: python tests/simulation/replay.py {seed}"
    return None
