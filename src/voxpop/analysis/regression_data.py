"""The data of regressions: one line per coefficient, and their layout."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd

from voxpop.analysis.layout import Grid, Head, Line
from voxpop.analysis.model_data import ModelData
from voxpop.analysis.model_terms import Term

CONSTANT, THRESHOLD = "(constant)", "(threshold)"
KIND_WORDS = {
    "linear": "linear regression",
    "logistic": "logistic regression",
    "ordinal": "ordinal regression",
}
_COLUMNS = ("estimate", "se", "ci_low", "ci_high", "statistic", "p")
_ODDS = ("odds_ratio", "odds_low", "odds_high")


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class RegressionData(ModelData):
    """The coefficients of a regression, with caption and notes.

    Attributes
    ----------
    kind : {"linear", "logistic", "ordinal"}
        The model.
    outcome : str
        The outcome in words, such as "switch = yes".
    variables : tuple of Term
        The variables in order.
    lines : tuple of dict
        One line per coefficient.
    tests : tuple of dict
        One test per variable.
    explained : float
        R² of a linear model, McFadden's pseudo R² of the others.
    """

    kind: str
    outcome: str
    variables: tuple[Term, ...]
    lines: tuple[dict[str, Any], ...]
    tests: tuple[dict[str, Any], ...]
    explained: float

    def long(self) -> pd.DataFrame:
        """Return one row per coefficient at full precision.

        The columns are term, level, reference, n, estimate, se, ci_low, ci_high, statistic, df, p and, unless
        the model is linear, odds_ratio, odds_low, odds_high.
        """
        return pd.DataFrame(list(self.lines))

    def wide(self) -> pd.DataFrame:
        """Return the printed figures as numbers, one row per coefficient."""
        names = _COLUMNS if self.kind == "linear" else (*_ODDS, "estimate", "se", "p")
        return self.long().set_index(["term", "level"])[list(names)]

    def tests_of_terms(self) -> pd.DataFrame:
        """Return, per variable, the Wald test that all of its coefficients are 0: F, df, ddf, p."""
        return pd.DataFrame(list(self.tests))

    def kind_words(self) -> str:
        """Return the model in words."""
        name = "R²" if self.kind == "linear" else "McFadden's R²"
        return f"{KIND_WORDS[self.kind]} of {self.outcome}, {name} {self.explained:.3f}"

    def grid(self) -> Grid:
        """Lay out the coefficients for display, with a line for each reference level."""
        odds = self.kind != "linear"
        titles = ["odds ratio", "low", "high", "p"] if odds else ["estimate", "SE", "low", "high", "p"]
        names = [*_ODDS, "p"] if odds else ["estimate", "se", "ci_low", "ci_high", "p"]
        by_term: dict[str, list[dict[str, Any]]] = {}
        for line in self.lines:
            by_term.setdefault(line["term"], []).append(line)
        lines: list[Line] = []
        for term in self.variables:
            own = by_term[term.name]
            if not term.levels:
                lines.append(Line(f"{term.text}, per unit", _cells(own[0], names), "code"))
                continue
            lines.append(Line(term.text, [""] * len(titles), "heading"))
            lines += [Line(f"  {line['level']}", _cells(line, names), "code") for line in own]
            if term.reference:
                empty = ["1" if odds else "0", *[""] * (len(titles) - 1)]
                lines.append(Line(f"  {term.reference} (reference)", empty, "code"))
        if self.kind == "linear":
            lines.append(Line("constant", _cells(by_term[CONSTANT][0], names), "stat"))
        return Grid(
            self.text,
            self.terms(),
            [Head("Total", t, "") for t in titles],
            {"Total": ""},
            lines,
            self.notes(),
        )


def _cells(line: dict[str, Any], names: list[str]) -> list[str]:
    return [p_text(line[name]) if name == "p" else figure_text(line[name]) for name in names]


def figure_text(value: float) -> str:
    """Format a coefficient with about three significant digits.

    Examples
    --------
    >>> figure_text(0.012571), figure_text(-1.5), figure_text(1234.5), figure_text(-0.00001)
    ('0.0126', '-1.50', '1,234', '-1.0e-05')
    """
    if math.isnan(value):
        return ""
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    if size >= 1 or size == 0:
        return f"{value:.2f}"
    return f"{value:#.3g}" if size >= 1e-4 else f"{value:.1e}"


def p_text(value: float) -> str:
    """Format a p-value with three decimals.

    Examples
    --------
    >>> p_text(0.0412), p_text(0.00001)
    ('0.041', '<0.001')
    """
    if math.isnan(value):
        return ""
    return "<0.001" if value < 0.0005 else f"{value:.3f}"
