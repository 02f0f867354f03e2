"""The error report of a population: each reference figure compared with the agents."""

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
"""Tolerance of a verified share, 0.5 percentage points."""

LARGEST_FACTOR = 1.25
"""Tolerance of an odds ratio, as a factor."""

LIMITS: dict[Kind, float] = {"share": LARGEST_ERROR, "odds ratio": LARGEST_FACTOR}

_UNLIKELY = 0.001
_ODDS_ERROR = 1.5
"""Approximate standard error of a log odds ratio, times the root of the number with both conditions."""

_ERRORS = 4
"""Standard errors that chance alone exceeds once in every few reports of some thousand figures."""


@dataclass(frozen=True, slots=True)
class Line:
    """Summary of the cells of one measure.

    Attributes
    ----------
    table, measure, kind, verified, superseded_by
        As in the cells.
    cells : int
        Number of figures compared.
    base : int
        Smallest number of agents behind a figure.
    largest, mean : float
        Absolute errors: for shares from 0 to 1, for odds ratios as factors from 1.
    worst : str
        The cell with the largest error.
    chi_square : float or None
        Sum of squared errors in standard errors of a random sample of this size, per cell.
    flag : str
        "ok"; "sample" if the errors together exceed chance but stay within the tolerance; "few" if an error
        is beyond the tolerance, but not beyond chance for so few agents; "off" if an error is beyond both;
        "superseded" if another table takes precedence.
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
    """Compare all reference figures behind the agents."""
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
    """Summarize cells, one line per table, measure, and whether verified and superseded."""
    grouped: dict[tuple[str, str, bool, str], list[Cell]] = {}
    for cell in found:
        key = cell.table, cell.measure, cell.verified, cell.superseded_by
        grouped.setdefault(key, []).append(cell)
    return [_line(group) for group in grouped.values()]


def error(cell: Cell) -> float:
    """Return the error of a cell: a difference of shares, or a factor of odds ratios.

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
    """Return the error that chance allows for a number of agents: four standard errors."""
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
    """Return a line or a cell as JSON values; NaN becomes null."""
    values = {name: getattr(found, name) for name in type(found).__slots__}
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }
