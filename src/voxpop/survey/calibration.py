"""Calibration: known totals of the population that the weights have to meet."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from voxpop.errors import UsageError
from voxpop.vocabulary.nearest import did_you_mean, nearest

CalibrationMethod = Literal["poststratify", "rake", "linear", "raking", "logit"]
CALIBRATION_METHODS: tuple[str, ...] = get_args(CalibrationMethod)

Margin = str | tuple[str, ...]
"""A column, or several columns whose combinations are the cells."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Known totals of the population, and the method by which the weights meet them.

    Attributes
    ----------
    margins : dict
        Per column (or tuple of columns) the total of each level (or tuple of levels).
    numbers : dict of str to float
        Per numeric column its total over the population; for the methods ``linear``, ``raking``, ``logit``.
    method : {"poststratify", "rake", "linear", "raking", "logit"}
        ``poststratify``: one margin, met by a factor per cell. ``rake``: several margins, met in turn.
        ``linear``: the generalized regression estimator. ``raking``: a factor that is the exponential of a
        linear one; meets numbers as well. ``logit``: factors within bounds.
    bounds : (float, float), optional
        Smallest and largest factor of a weight; ``logit`` needs them, ``linear`` and ``raking`` take them.
    size : float, optional
        Size of the population; needed only if there are numbers and no margins.

    Examples
    --------
    >>> Calibration({"stype": {"E": 4421, "H": 755, "M": 1018}}).total
    6194.0
    """

    margins: Mapping[Margin, Mapping[Any, float]] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)
    method: CalibrationMethod = "poststratify"
    bounds: tuple[float, float] | None = None
    size: float | None = None

    def __post_init__(self) -> None:
        if self.method not in CALIBRATION_METHODS:
            hint = did_you_mean(nearest(str(self.method), CALIBRATION_METHODS))
            allowed = ", ".join(CALIBRATION_METHODS)
            raise UsageError(f"The method of calibration must be one of {allowed}, not {self.method!r}{hint}")
        if not self.margins and not self.numbers:
            raise UsageError(
                "A calibration needs margins= or numbers=: totals that the weights have to meet."
            )
        if self.method in ("poststratify", "rake") and self.numbers:
            raise UsageError(f"The method {self.method!r} takes margins only; use 'linear' for numbers.")
        if self.method == "poststratify" and len(self.margins) != 1:
            raise UsageError(
                "Post-stratification takes one margin; name several columns in a tuple for their "
                "combinations, or use method='rake'."
            )
        self._check_bounds()
        self._check_totals()

    def _check_bounds(self) -> None:
        if self.method == "logit" and self.bounds is None:
            raise UsageError("The method 'logit' needs bounds=, for example (0.5, 2).")
        if self.bounds is None:
            return
        if self.method in ("poststratify", "rake"):
            raise UsageError(
                f"The method {self.method!r} takes no bounds; use 'linear', 'raking' or 'logit'."
            )
        low, high = self.bounds
        if not low < 1 < high:
            raise UsageError(f"The bounds are {self.bounds!r}; the first must be below 1, the second above.")

    def _check_totals(self) -> None:
        totals = []
        for margin, levels in self.margins.items():
            for level, total in levels.items():
                if not (math.isfinite(total) and total >= 0):
                    raise UsageError(
                        f"The total of {level!r} in {margin!r} is {total!r}; it must be 0 or more."
                    )
            totals.append((margin, math.fsum(levels.values())))
        for margin, total in totals[1:]:
            if not math.isclose(total, totals[0][1], rel_tol=1e-9):
                raise UsageError(
                    f"The totals of {margin!r} add up to {total:g}, those of {totals[0][0]!r} to "
                    f"{totals[0][1]:g}; all margins must have the same sum."
                )
        for name, total in self.numbers.items():
            if not math.isfinite(total):
                raise UsageError(f"The total of {name!r} is {total!r}; it must be a number.")
        if not self.margins and self.size is None:
            raise UsageError("A calibration of numbers alone needs size=, the size of the population.")

    @property
    def total(self) -> float:
        """Return the size of the population."""
        if self.size is not None:
            return float(self.size)
        return math.fsum(next(iter(self.margins.values())).values())

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns that the calibration needs."""
        held = [name for key in self.margins for name in ((key,) if isinstance(key, str) else key)]
        return tuple(dict.fromkeys([*held, *self.numbers]))

    def to_json(self) -> dict[str, Any]:
        """Return the calibration as data."""
        margins = [
            {
                "columns": [key] if isinstance(key, str) else list(key),
                "totals": [
                    [list(level) if isinstance(level, tuple) else [level], total]
                    for level, total in levels.items()
                ],
            }
            for key, levels in self.margins.items()
        ]
        made: dict[str, Any] = {"method": self.method, "margins": margins, "numbers": dict(self.numbers)}
        if self.bounds is not None:
            made["bounds"] = list(self.bounds)
        if self.size is not None:
            made["size"] = self.size
        return made
