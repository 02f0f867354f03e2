"""A table: the figures with their bases, and the words that belong to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from voxpop.analysis.layout import Grid, Head, Line, html_of, text_of
from voxpop.analysis.rounding import one_decimal, whole
from voxpop.vocabulary.parse import parse

PERCENTS = ("column", "row", "total")
LEVEL = 0.95
SIMULATED = (
    "Agents are simulated and chosen by filters: this is not evidence about people. "
    "Intervals (95 %, Wilson) tell only the noise of drawing agents."
)

_LONG = (
    *("question", "row_kind", "row", "column_group", "column", "letter"),
    *("count", "weighted_count", "base", "weighted_base", "effective_base"),
    *("percent", "ci_low", "ci_high", "higher_than", "flag", "footnote"),
)
_BASES = ("Base (unweighted)", "Base (weighted)", "Effective base")

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its group (the attribute, or Total), its level and its letter within the group."""

    group: str
    label: str
    letter: str


@dataclass(frozen=True, eq=False, slots=True)
class Figures:
    """The numbers of a table. The first axis of a triple is unweighted, weighted, effective.

    Attributes
    ----------
    cells, below : arrays (3, levels, columns)
        Counts, and the bases that the percentages are of.
    bases, missing : arrays (3, columns)
        Those who answered, and those who did not.
    percent, low, high : arrays (levels, columns)
        0 to 100; NaN where the base is zero.
    """

    cells: Floats
    below: Floats
    bases: Floats
    missing: Floats
    percent: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Table:
    """The result of :func:`voxpop.analysis.crosstab`.

    Text, HTML and frames are made from the same numbers. Printed ones are rounded, one decimal, half up.
    """

    name: str
    text: str
    levels: tuple[str, ...]
    columns: tuple[Column, ...]
    figures: Figures
    missing_label: str
    headings: tuple[tuple[str, str], ...]
    outside: tuple[tuple[str, int], ...]
    multiple: bool
    weight: str | None
    where: Mapping[str, Any] | str | None
    percent: str
    min_base: int
    small_base: int
    source: str
    respondents: int

    def long(self) -> pd.DataFrame:
        """Return one row per cell, then one per column for its base and for its missing answers.

        Percentages and intervals are 0 to 100, at full precision; missing (NaN) where a base is zero.
        """
        f, rows = self.figures, []
        for j, column in enumerate(self.columns):
            for i, level in enumerate(self.levels):
                flag = self._flag(f.below[2, i, j])
                rows.append(
                    self._row("code", level, column)
                    | {"count": f.cells[0, i, j], "weighted_count": f.cells[1, i, j]}
                    | dict(zip(("base", "weighted_base", "effective_base"), f.below[:, i, j], strict=True))
                    | {"percent": f.percent[i, j], "ci_low": f.low[i, j], "ci_high": f.high[i, j]}
                    | {"flag": flag, "footnote": self._footnote(flag)}
                )
        for j, column in enumerate(self.columns):
            for kind, label, held in (("base", "Base", f.bases), ("missing", self.missing_label, f.missing)):
                flag = self._flag(f.bases[2, j]) if kind == "base" else ""
                rows.append(
                    self._row(kind, label, column)
                    | {"count": held[0, j], "weighted_count": held[1, j]}
                    | dict(zip(("base", "weighted_base", "effective_base"), f.bases[:, j], strict=True))
                    | {"flag": flag, "footnote": self._footnote(flag)}
                )
        made = pd.DataFrame(rows, columns=list(_LONG))
        return made.astype({"count": "int64", "base": "int64"})

    def wide(self) -> pd.DataFrame:
        """Return the table as printed, numbers as numbers: bases, percentages, missing answers."""
        f = self.figures
        blocks = [
            *self._base_rows(),
            *zip(self.levels, f.percent, strict=True),
            (self.missing_label, f.missing[0]),
        ]
        columns = pd.MultiIndex.from_tuples([(column.group, column.label) for column in self.columns])
        return pd.DataFrame(
            [held for _, held in blocks], index=[label for label, _ in blocks], columns=columns
        )

    def spec(self) -> dict[str, Any]:
        """Return everything asked for, as data: enough to compute the table again."""
        return {
            "table": "crosstab",
            "rows": self.name,
            "by": [name for name, _ in self.headings],
            "weight": self.weight,
            "where": self.where,
            "percent": self.percent,
            "min_base": self.min_base,
            "small_base": self.small_base,
            "interval": {"method": "wilson", "level": LEVEL},
            "respondents": self.respondents,
            "source": self.source,
        }

    def caption(self) -> str:
        """Return what stands above the table: the question, base, percentages, weight and filter in words."""
        return "\n".join((self.text, self._terms()))

    def notes(self) -> list[str]:
        """Return what stands below the table: marks, what is left out, where the answers come from."""
        flags = {self._flag(base) for base in self.figures.below[2].ravel()}
        lines = [f"{flag} {self._footnote(flag)}" for flag in ("**", "*") if flag in flags]
        if self.multiple:
            lines.append("Several answers possible: percentages may add up to more than 100.")
        for name, count in self.outside:
            if count:
                lines.append(f"{count:,} who answered have no {name}; they are in none of its columns.")
        if self.source:
            lines.append(f"Source: {self.source}.")
        return [*lines, SIMULATED]

    def to_html(self) -> str:
        """Return a real HTML ``<table>`` with caption and scopes, in the colours of its page."""
        return html_of(self._grid())

    def __repr__(self) -> str:
        return text_of(self._grid())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _row(self, kind: str, row: str, column: Column) -> dict[str, Any]:
        return {
            "question": self.name,
            "row_kind": kind,
            "row": row,
            "column_group": column.group,
            "column": column.label,
            "letter": column.letter,
            "higher_than": "",
        }

    def _flag(self, effective: float) -> str:
        if effective < self.min_base:
            return "**"
        return "*" if effective < self.small_base else ""

    def _footnote(self, flag: str) -> str:
        base = "effective base" if self.weight else "base"
        return {
            "**": f"{base} below {self.min_base}: too small to read",
            "*": f"{base} below {self.small_base}",
        }.get(flag, "")

    def _base_rows(self) -> list[tuple[str, Floats]]:
        bases = list(zip(_BASES, self.figures.bases, strict=True))
        return bases if self.weight else bases[:1]

    def _terms(self) -> str:
        total = int(self.figures.bases[0, 0])
        base = f"Base: all who answered {self.name} (n={total:,})"
        within = {"column": "column %", "row": "row % within each group", "total": "% of each group"}[
            self.percent
        ]
        weighted = f"weighted by {self.weight}" if self.weight else "unweighted"
        return " · ".join([base, within, weighted, *self._filter_words()])

    def _filter_words(self) -> list[str]:
        if self.where is None:
            return []
        if isinstance(self.where, str):
            return [self.where]
        return [f"filter: {parse(self.where).sentence()}"]

    def _grid(self) -> Grid:
        """Lay the table out for print: rounded figures, marks beside the heads whose bases are small."""
        f = self.figures
        by_row = self.percent == "row"
        heads = [
            Head(column.group, column.label, "" if by_row else self._flag(base))
            for column, base in zip(self.columns, f.below[2].T.max(axis=1, initial=0), strict=True)
        ]
        lines = [Line(label, [whole(base) for base in held], "base") for label, held in self._base_rows()]
        for i, level in enumerate(self.levels):
            marks = [self._flag(base) if by_row else "" for base in f.below[2, i]]
            cells = [f"{self._cell(i, j)} {mark}".strip() for j, mark in enumerate(marks)]
            lines.append(Line(level, cells, "code"))
        if f.missing[0].any():
            lines.append(Line(self.missing_label, [whole(count) for count in f.missing[0]], "missing"))
        groups = {"Total": "", **dict(self.headings)}
        return Grid(self.text, self._terms(), heads, groups, lines, self.notes())

    def _cell(self, i: int, j: int) -> str:
        if np.isnan(self.figures.percent[i, j]):
            return ""
        return "-" if self.figures.cells[0, i, j] == 0 else one_decimal(self.figures.percent[i, j])
