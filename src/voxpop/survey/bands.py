"""Bands: numeric ranges, such as age groups, to use as an attribute of a table."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from voxpop.errors import UsageError

AGES = (18, 25, 35, 45, 55, 65)


@dataclass(frozen=True, slots=True)
class Bands:
    """The bands of a numeric column, made by :func:`bands`; accepted wherever an attribute is named.

    Attributes
    ----------
    column : str
        The numeric column.
    starts : tuple of float
        Lower bound of each band; the last band is open. Smaller numbers form a band of their own.
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
        """Return a key that no column name can equal."""
        return f"{self.column} in bands {self.starts!r}"

    @property
    def levels(self) -> tuple[str, ...]:
        """Return the labels of the bands in order, for whole numbers."""
        return self.labels()[1:]

    @property
    def below(self) -> str:
        """Return the label of the numbers below the first band."""
        return self.labels()[0]

    def labels(self, *, fractions: bool = False) -> tuple[str, ...]:
        """Return the labels of all positions: below the first band, then the bands in order.

        Parameters
        ----------
        fractions : bool, default False
            Whether the column has fractions. 29.5 does not belong to a band labelled "18-29", so the label is
            "18 to below 30" in this case.
        """
        whole = not fractions and all(float(start).is_integer() for start in self.starts)
        between = (
            _span(low, high) if whole else f"{_text(low)} to below {_text(high)}"
            for low, high in pairwise(self.starts)
        )
        last = f"{_text(self.starts[-1])}+"
        return (f"below {_text(self.starts[0])}", *between, last)

    def sql(self, column: str) -> str:
        """Return the SQL position of a row: twice the number of starts it reaches, plus 1 for a fraction."""
        number = f"{column}::DOUBLE"
        reached = " + ".join(f"({number} >= {float(start)!r})::INTEGER" for start in self.starts)
        fraction = f"({number} <> floor({number}))::INTEGER"
        return f"CASE WHEN isnan({number}) THEN NULL ELSE 2 * ({reached}) + {fraction} END"


def _span(low: float, high: float) -> str:
    return f"{_text(low)}-{_text(high - 1)}" if high - low > 1 else _text(low)


def _text(number: float) -> str:
    """Format a number with the fewest digits that identify it."""
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(float(number))


def bands(column: str, starts: Iterable[float] | None = None) -> Bands:
    """Cut a number into bands, for use as an attribute.

    Parameters
    ----------
    column : str
        The numeric column, for example ``"age"``.
    starts : iterable of float, optional
        Lower bounds in ascending order; the last band is open. Age has default bands.

    Raises
    ------
    UsageError
        If the starts are missing, not finite or not ascending.

    Examples
    --------
    >>> bands("age", [18, 30, 45, 65]).levels
    ('18-29', '30-44', '45-64', '65+')
    """
    if starts is None:
        if column != "age":
            raise UsageError(f"bands of {column!r} need starts, such as bands({column!r}, [0, 10, 20]).")
        starts = AGES
    given = tuple(starts)
    if not given or not all(math.isfinite(start) for start in given):
        raise UsageError(f"bands of {column!r} need finite starts, not {list(given)}.")
    if any(high <= low for low, high in pairwise(given)):
        raise UsageError(f"bands of {column!r} must begin in ascending order, not {list(given)}.")
    return Bands(column, given)


@dataclass(frozen=True, slots=True)
class Within:
    """A range condition on a number, as used by filters."""

    column: str
    low: float | None
    high: float | None

    @property
    def key(self) -> str:
        """Return a key that no column name can equal."""
        return f"{self.column} between {self.low!r} and {self.high!r}"

    def sql(self, column: str) -> str:
        """Return the condition in SQL; it is false for a row without a number."""
        number = f"{column}::DOUBLE"
        bounds = [f"NOT isnan({number})"]
        bounds += [] if self.low is None else [f"{number} >= {float(self.low)!r}"]
        bounds += [] if self.high is None else [f"{number} <= {float(self.high)!r}"]
        return f"coalesce({' AND '.join(bounds)}, false)"
