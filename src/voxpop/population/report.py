"""The error report of a population: every reference figure used, beside what the agents have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scipy.special import gammaincc

from voxpop.population import expectations, expected_abroad, expected_health
from voxpop.population.expectations import Cell, Kind
from voxpop.population.queries import Population

LARGEST_ERROR = 0.005
"""A verified share may be this far off, 0.5 percentage points."""

LARGEST_FACTOR = 1.25
"""An odds ratio may be this many times too large or too small."""

LIMITS: dict[Kind, float] = {"share": LARGEST_ERROR, "odds ratio": LARGEST_FACTOR}

_UNLIKELY = 0.001
_ODDS_ERROR = 1.5
"""About the standard error of the logarithm of an odds ratio, over one by the root of those with both."""

_ERRORS = 4
"""Among some thousands of figures chance moves one by so many standard errors in every few reports."""


@dataclass(frozen=True, slots=True)
class Line:
    """What the cells of one measure come to.

    Attributes
    ----------
    table, measure, kind, verified, superseded_by
        As in the cells.
    cells : int
        Figures compared.
    base : int
        The fewest agents that a figure counts.
    largest, mean : float
        Absolute errors: of shares from 0 to 1, of odds ratios as factors from 1.
    worst : str
        The cell with the largest error.
    chi_square : float or None
        Sum of squared errors in standard errors of a random sample of this size, per cell.
    flag : str
        "ok"; "sample" where the errors together are more than chance gives, but within the limit; "few"
        where one is beyond the limit, but no more than chance gives among so few agents; "off" where one
        is beyond both; "superseded" where another table holds.
    """

    table: str
    measure: str
    kind: Kind
    verified: bool
    superseded_by: str
    cells: int
    base: int
    largest: float
    mean: float
    worst: str
    chi_square: float | None
    flag: str


def cells(population: Population) -> list[Cell]:
    """Compare every reference figure that the agents are made from."""
    parts = (
        expectations.people,
        expectations.work,
        expected_health.body_and_mood,
        expected_health.habits,
        expected_health.illness,
        expected_health.medicines,
        expected_abroad.abroad,
    )
    return [cell for part in parts for cell in part(population) if cell.base]


def lines(found: Sequence[Cell]) -> list[Line]:
    """Sum cells up, one line per table, measure, and whether verified and superseded."""
    grouped: dict[tuple[str, str, bool, str], list[Cell]] = {}
    for cell in found:
        key = cell.table, cell.measure, cell.verified, cell.superseded_by
        grouped.setdefault(key, []).append(cell)
    return [_line(group) for group in grouped.values()]


def error(cell: Cell) -> float:
    """Return how far a cell is off: a difference of shares, or a factor of odds ratios.

    Examples
    --------
    >>> cell = Cell("t", "m", "g", "v", 2.0, 1.6, 100, verified=True, kind="odds ratio")
    >>> round(error(cell), 2)
    1.25
    """
    if cell.kind == "share":
        return abs(cell.achieved - cell.expected)
    if not cell.achieved > 0:
        return math.inf
    return max(cell.achieved / cell.expected, cell.expected / cell.achieved)


def chance(cell: Cell) -> float:
    """Return how far off a figure can be by chance among so many agents: four standard errors."""
    if cell.kind == "share":
        expected = min(max(cell.expected, 0.5 / cell.base), 1 - 0.5 / cell.base)
        return _ERRORS * math.sqrt(expected * (1 - expected) / cell.base)
    return math.exp(_ERRORS * _ODDS_ERROR / math.sqrt(cell.base))


def _line(group: Sequence[Cell]) -> Line:
    first = group[0]
    errors = [error(cell) for cell in group]
    largest = max(errors)
    worst = group[errors.index(largest)]
    chi = _chi_square(group) if first.kind == "share" else None
    beyond = [cell for cell, amount in zip(group, errors, strict=True) if amount > LIMITS[first.kind]]
    flag = "ok"
    if first.superseded_by:
        flag = "superseded"
    elif any(error(cell) > chance(cell) for cell in beyond):
        flag = "off"
    elif beyond:
        flag = "few"
    elif chi is not None and gammaincc(len(group) / 2, chi / 2) < _UNLIKELY:
        flag = "sample"
    return Line(
        first.table,
        first.measure,
        first.kind,
        first.verified,
        first.superseded_by,
        len(group),
        min(cell.base for cell in group),
        largest,
        sum(errors) / len(errors),
        f"{worst.group}: {worst.value}, {worst.achieved:.4g} for {worst.expected:.4g}",
        None if chi is None else chi / len(group),
        flag,
    )


def _chi_square(group: Sequence[Cell]) -> float:
    total = 0.0
    for cell in group:
        expected = min(max(cell.expected, 0.5 / cell.base), 1 - 0.5 / cell.base)
        total += cell.base * (cell.achieved - cell.expected) ** 2 / (expected * (1 - expected))
    return total


def as_record(found: Line | Cell) -> dict[str, Any]:
    """Return a line or a cell as JSON values; a number that is none is null."""
    values = {name: getattr(found, name) for name in type(found).__slots__}
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }
