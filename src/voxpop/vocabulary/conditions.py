"""Conditions on one field: any or all of several values, a number in a range, or a number of values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


def code_of(value: str | bool | float) -> str:
    """Return a value as Python code, with strings in double quotes."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


@dataclass(frozen=True, repr=False)
class AnyOf:
    """Condition that the agent has at least one of the values."""

    values: tuple[Any, ...]  # strings or booleans; numbers too on a column of own data

    def __repr__(self) -> str:
        return f"vp.any_of({', '.join(map(code_of, self.values))})"

    def to_json(self) -> object:
        """Return a single value as it is, or ``{"any": [...]}`` for several."""
        return self.values[0] if len(self.values) == 1 else {"any": list(self.values)}


@dataclass(frozen=True, repr=False)
class AllOf:
    """Condition that the agent has all of the values."""

    values: tuple[Any, ...]  # strings or booleans; numbers too on a column of own data

    def __repr__(self) -> str:
        return f"vp.all_of({', '.join(map(code_of, self.values))})"

    def to_json(self) -> object:
        """Return ``{"all": [...]}``."""
        return {"all": list(self.values)}


@dataclass(frozen=True, repr=False)
class Between:
    """Condition that a number is between two inclusive bounds; None means no bound."""

    min: float | None
    max: float | None

    def __repr__(self) -> str:
        if self.min is None:
            return f"vp.between(max={self.max!r})"
        return f"vp.between({self.min!r})" if self.max is None else f"vp.between({self.min!r}, {self.max!r})"

    def to_json(self) -> object:
        """Return ``{"min": ..., "max": ...}`` with the bounds that are set."""
        bounds = {"min": self.min, "max": self.max}
        return {name: bound for name, bound in bounds.items() if bound is not None}


@dataclass(frozen=True, repr=False)
class HowMany:
    """Condition on the number of different values in a list, between two inclusive bounds."""

    min: int | None
    max: int | None

    def __repr__(self) -> str:
        if self.min is None:
            return f"vp.at_most({self.max!r})"
        return f"vp.at_least({self.min!r}" + (")" if self.max is None else f", at_most={self.max!r})")

    def to_json(self) -> object:
        """Return ``{"count": {"min": ..., "max": ...}}`` with the bounds that are set."""
        return {"count": Between(self.min, self.max).to_json()}


Condition = AnyOf | AllOf | Between | HowMany


def any_of(*values: str | bool | float) -> AnyOf:
    """Return the condition that an agent has at least one of the values.

    Examples
    --------
    >>> any_of("CA", "TX")
    vp.any_of("CA", "TX")
    """
    return AnyOf(values)


def all_of(*values: str | bool | float) -> AllOf:
    """Return the condition that an agent has all of the values.

    Examples
    --------
    >>> all_of("diabetes_t2", "hypertension")
    vp.all_of("diabetes_t2", "hypertension")
    """
    return AllOf(values)


def between(min: float | None = None, max: float | None = None) -> Between:
    """Return the condition that a number is between two inclusive bounds.

    Parameters
    ----------
    min, max : int, float or None
        Bounds in the unit of the field; at least one is required.

    Examples
    --------
    >>> between(25, 64), between(18), between(max=30)
    (vp.between(25, 64), vp.between(18), vp.between(max=30))
    """
    return Between(min, max)


def at_least(number: int, *, at_most: int | None = None) -> HowMany:
    """Return the condition that a list has at least a number of different values.

    Parameters
    ----------
    number : int
        Smallest number of values, 0 or more. An agent without data on the list never matches.
    at_most : int, optional
        Largest number of values.

    Examples
    --------
    >>> at_least(2), at_least(1, at_most=3)
    (vp.at_least(2), vp.at_least(1, at_most=3))
    """
    return HowMany(number, at_most)


def at_most(number: int) -> HowMany:
    """Return the condition that a list has at most a number of different values.

    An agent without data on the list never matches.

    Examples
    --------
    >>> at_most(1)
    vp.at_most(1)
    """
    return HowMany(None, number)
