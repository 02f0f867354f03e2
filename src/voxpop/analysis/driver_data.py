"""The data of driver analyses: one line per driver, and their layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from voxpop.analysis.layout import Grid, Head, Line
from voxpop.analysis.model_data import ModelData
from voxpop.analysis.rounding import one_decimal

MEASURE_WORDS = {"r2": "R²", "mcfadden": "McFadden's R²", "nagelkerke": "Nagelkerke's R²"}


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class DriverData(ModelData):
    """The importance of drivers, with caption and notes.

    Attributes
    ----------
    outcome : str
        The outcome in words, such as "switch = yes".
    measure : {"r2", "mcfadden", "nagelkerke"}
        What is divided among the drivers.
    explained : tuple of float
        The part explained by all drivers together, with its interval (0 to 1).
    lines : tuple of dict
        One line per driver, the most important first.
    """

    outcome: str
    measure: str
    explained: tuple[float, float, float]
    lines: tuple[dict[str, Any], ...]

    def long(self) -> pd.DataFrame:
        """Return one row per driver at full precision, the most important first.

        The columns are driver, text, importance with ci_low and ci_high (in points of 100 % of the variance),
        share with share_low and share_high (of what all drivers explain), and error (Monte Carlo, in points).
        """
        return pd.DataFrame(list(self.lines))

    def wide(self) -> pd.DataFrame:
        """Return the printed figures as numbers, one row per driver."""
        return self.long().set_index("driver")[["importance", "ci_low", "ci_high", "share"]]

    def kind_words(self) -> str:
        """Return the model in words."""
        value, low, high = (one_decimal(100 * one) for one in self.explained)
        name = MEASURE_WORDS[self.measure]
        return f"drivers of {self.outcome}, together {name} {value} % ({low} to {high})"

    def grid(self) -> Grid:
        """Lay out the drivers for display."""
        heads = [Head("Total", title, "") for title in ("importance", "low", "high", "share, %")]
        names = ("importance", "ci_low", "ci_high", "share")
        lines = [
            Line(line["text"], [one_decimal(line[name]) for name in names], "code") for line in self.lines
        ]
        value, low, high = (one_decimal(100 * one) for one in self.explained)
        lines.append(Line("all drivers", [value, low, high, "100.0"], "stat"))
        return Grid(self.text, self.terms(), heads, {"Total": ""}, lines, self.notes())
