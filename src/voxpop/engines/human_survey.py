"""A survey of people held in memory: profiles, weights, and what the people answered."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int16]

UNKNOWN, OUTSIDE = -1, -2
"""Places of a value that is not known, and of one that no level of the survey stands for."""

CATEGORY, NUMBER, SEVERAL = "category", "number", "several"
"""Kinds of answers: one of the options, a number, and any of the options."""


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """One field of the agents as the survey records it.

    Attributes
    ----------
    field, column : str
        Field of the agents, and column of the survey.
    levels : tuple of str
        The levels that respondents and agents are placed on.
    places : array of int
        Level of each respondent; :data:`UNKNOWN` if it is not known.
    ordered : bool
        Whether neighbouring levels are alike.
    held : mapping of str to int
        Agents' value -> level, for a field that is not a number.
    starts : tuple of float
        Lower ends of the levels of a number.
    parents : tuple of int
        For each level the coarser one that it is part of; empty without any.
    nearness : float
        Weight of a respondent one level away from the agent; 1 if the field tells nothing about the answers.
    """

    field: str
    column: str
    levels: tuple[str, ...]
    places: Places = attribute(repr=False)
    ordered: bool = False
    held: Mapping[str, int] = attribute(default_factory=dict)
    starts: tuple[float, ...] = ()
    parents: tuple[int, ...] = ()
    nearness: float = 0.5

    def place(self, value: Any) -> int:
        """Return the level of an agent's value.

        Examples
        --------
        >>> nobody = np.zeros(0, np.int16)
        >>> age = Axis("age", "q1", ("18-34", "35+"), nobody, ordered=True, starts=(18, 35))
        >>> age.place(40), age.place(None), age.place(12)
        (1, -1, -2)
        """
        if value is None or value != value:
            return UNKNOWN
        if self.starts:
            return bisect_right(self.starts, value) - 1 if value >= self.starts[0] else OUTSIDE
        return self.held.get(str(value).lower() if isinstance(value, bool | np.bool_) else value, OUTSIDE)

    def steps(self, one: int, other: int) -> int:
        """Return the distance between two levels: levels apart, or 1 for another and 2 for another parent."""
        if self.ordered:
            return abs(one - other)
        if one == other:
            return 0
        return 2 if self.parents and self.parents[one] != self.parents[other] else 1

    def described(self) -> dict[str, Any]:
        """Return all but the respondents, as JSON."""
        return {
            "field": self.field,
            "column": self.column,
            "levels": list(self.levels),
            "ordered": self.ordered,
            "held": dict(self.held),
            "starts": list(self.starts),
            "parents": list(self.parents),
            "nearness": self.nearness,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question that people were asked, with their answers.

    Attributes
    ----------
    name, wording : str
        Column and wording.
    kind : str
        :data:`CATEGORY`, :data:`NUMBER` or :data:`SEVERAL`.
    options : tuple of str
        The answers, in the survey's order; the labels of the ends of a scale, or empty, for a number.
    values : array of float
        Per respondent the place of the option, or the number; NaN without an answer. For :data:`SEVERAL` one
        column per option with 1 and 0.
    """

    name: str
    wording: str
    kind: str
    options: tuple[str, ...]
    values: Floats = attribute(repr=False)

    @property
    def answered(self) -> npt.NDArray[np.bool_]:
        """Whether each respondent answered."""
        missing = np.isnan(self.values)
        return np.logical_not(missing.any(axis=1) if missing.ndim == 2 else missing)

    def described(self) -> dict[str, Any]:
        """Return all but the answers, as JSON."""
        return {
            "name": self.name,
            "wording": self.wording,
            "kind": self.kind,
            "options": list(self.options),
        }


@dataclass(frozen=True, eq=False)
class HumanSurvey:
    """Respondents of a survey with weights, profiles and answers; it holds no names, texts or dates.

    Attributes
    ----------
    name : str
        Name of the survey in the notes of answers.
    country : str
        Country of the respondents.
    weights : array of float
        One weight per respondent, 1 on average.
    axes : tuple of Axis
        Fields that respondents and agents share.
    asked : tuple of Asked
        What the respondents were asked.
    fielded : str or None
        When they were asked, in words.
    """

    name: str
    country: str
    weights: Floats = attribute(repr=False)
    axes: tuple[Axis, ...]
    asked: tuple[Asked, ...]
    fielded: str | None = None

    @property
    def people(self) -> int:
        """Number of respondents."""
        return int(self.weights.size)

    @cached_property
    def digest(self) -> str:
        """SHA-256 digest of all that the survey holds, in hexadecimal digits."""
        made = sha256(json.dumps(self.described(), sort_keys=True).encode())
        for column in (self.weights, *(one.values for one in self.asked)):
            made.update(np.ascontiguousarray(column, "<f8").tobytes())
        for axis in self.axes:
            made.update(np.ascontiguousarray(axis.places, "<i2").tobytes())
        return made.hexdigest()

    def described(self) -> dict[str, Any]:
        """Return all but the respondents, as JSON."""
        return {
            "name": self.name,
            "country": self.country,
            "fielded": self.fielded,
            "axes": [axis.described() for axis in self.axes],
            "asked": [one.described() for one in self.asked],
        }

    def cited(self, name: str) -> str:
        """Return the source of the answers to one question, for the notes of answers."""
        answered = next(one for one in self.asked if one.name == name).answered
        size = effective(self.weights[answered])
        when = f"; {self.fielded}" if self.fielded else ""
        return (
            f"{self.name} (n = {int(answered.sum()):,}, effective {size:,.0f}{when}; {self.digest[:8]}), "
            f"column {name}"
        )


def effective(weights: Floats) -> float:
    """Return the effective number of respondents, (sum of weights)² / sum of squared weights (L. Kish).

    Examples
    --------
    >>> effective(np.array([1.0, 1.0, 2.0, 0.0]))
    2.6666666666666665
    """
    total = float((weights * weights).sum())
    return float(weights.sum()) ** 2 / total if total > 0 else 0.0
