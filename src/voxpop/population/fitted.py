"""The fitted table of the health of US agents, made by ``data/fit_health.py`` from the reference tables."""

from __future__ import annotations

from functools import cache

import numpy as np

from voxpop.population.reference import Floats, rows


@cache
def fitted(kind: str) -> dict[tuple[str, str], float]:
    """Return the values of one kind by (outcome, place), where a place is a state, status, cell or level."""
    return {
        (row["outcome"], row["place"]): float(row["value"])
        for row in rows("us_health_fitted")
        if row["kind"] == kind
    }


def by_cell(kind: str, outcome: str, cells: int) -> Floats:
    """Return the values of an outcome as an array (cells,)."""
    found = fitted(kind)
    return np.array([found[outcome, str(cell)] for cell in range(cells)])


def by_cell_and_level(kind: str, outcome: str, cells: int, levels: int) -> Floats:
    """Return the values of an outcome as an array (cells, levels)."""
    found = fitted(kind)
    return np.array([[found[outcome, f"{cell}:{level}"] for level in range(levels)] for cell in range(cells)])
