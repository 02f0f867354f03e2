"""Bands: a number cut into a few levels, such as ages, so that it can stand across a table."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from voxpop.errors import UsageError
from voxpop.tables.schema import literal, quote

AGES = (18, 25, 35, 45, 55, 65)


@dataclass(frozen=True, slots=True)
class Bands:
    """A number's bands, made by :func:`bands`; stands for an attribute wherever one is named.

    Attributes
    ----------
    column : str
        The column of numbers.
    starts : tuple of float
        Where each band begins; the last one is open. Smaller numbers are a band of their own.
    """

    column: str
    starts: tuple[float, ...]

    def __repr__(self) -> str:
        return f"vp.bands({self.column!r}, {list(self.starts)!r})"

    def to_json(self) -> dict[str, Any]:
        """Return the bands as data."""
        return {"bands": self.column, "starts": list(self.starts)}

    @property
    def key(self) -> str:
        """Return a name that no column has."""
        return f"{self.column} in bands {self.starts!r}"

    @property
    def levels(self) -> tuple[str, ...]:
        """Return the bands' labels in order."""
        whole = all(float(start).is_integer() for start in self.starts)
        between = [
            (f"{low:g}-{high - 1:g}" if high - low > 1 else f"{low:g}")
            if whole
            else f"{low:g} to below {high:g}"
            for low, high in pairwise(self.starts)
        ]
        return (*between, f"{self.starts[-1]:g}+")

    @property
    def below(self) -> str:
        """Return the label of numbers before the first band."""
        return f"below {self.starts[0]:g}"

    @property
    def sql(self) -> str:
        """Return the band of a row in SQL."""
        number = f"{quote(self.column)}::DOUBLE"
        labels = (self.below, *self.levels[:-1])
        cases = (
            f"WHEN {number} < {float(start)!r} THEN {literal(label)}"
            for start, label in zip(self.starts, labels, strict=True)
        )
        nothing = f"WHEN {number} IS NULL OR isnan({number}) THEN NULL"
        return f"CASE {nothing} {' '.join(cases)} ELSE {literal(self.levels[-1])} END"


def bands(column: str, starts: Iterable[float] | None = None) -> Bands:
    """Cut a number into bands, to tabulate by it.

    Parameters
    ----------
    column : str
        The column of numbers, for example ``"age"``.
    starts : iterable of float, optional
        Where each band begins, ascending; the last band is open. Ages have usual ones.

    Raises
    ------
    UsageError
        When the starts are missing, not finite or not ascending.

    Examples
    --------
    >>> bands("age", [18, 30, 45, 65]).levels
    ('18-29', '30-44', '45-64', '65+')
    """
    if starts is None:
        if column != "age":
            raise UsageError(
                f"bands of {column!r} need their starts, such as bands({column!r}, [0, 10, 20])."
            )
        starts = AGES
    given = tuple(starts)
    if not given or not all(math.isfinite(start) for start in given):
        raise UsageError(f"bands of {column!r} need finite starts, not {list(given)}.")
    if any(high <= low for low, high in pairwise(given)):
        raise UsageError(f"bands of {column!r} must begin in ascending order, not {list(given)}.")
    return Bands(column, given)


@dataclass(frozen=True, slots=True)
class Within:
    """Whether a number lies between two bounds: what a filter's range asks of a row."""

    column: str
    low: float | None
    high: float | None

    @property
    def key(self) -> str:
        """Return a name that no column has."""
        return f"{self.column} between {self.low!r} and {self.high!r}"

    @property
    def sql(self) -> str:
        """Return the condition in SQL; a row without a number does not meet it."""
        number = f"{quote(self.column)}::DOUBLE"
        bounds = [f"NOT isnan({number})"]
        bounds += [] if self.low is None else [f"{number} >= {float(self.low)!r}"]
        bounds += [] if self.high is None else [f"{number} <= {float(self.high)!r}"]
        return f"coalesce({' AND '.join(bounds)}, false)"
