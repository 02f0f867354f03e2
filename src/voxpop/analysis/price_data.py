"""The data of price analyses: figures and curves per cohort, and their layout."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from voxpop.analysis.cautions import standing_note
from voxpop.analysis.figures import Column
from voxpop.analysis.layout import Grid, Head, Line, html_of, text_of
from voxpop.analysis.rounding import number_text, one_decimal, whole
from voxpop.analysis.table_spec import TableSpec
from voxpop.analysis.terms import filter_words
from voxpop.stats.prices import POINTS, PriceCurves
from voxpop.survey.provenance import Provenance

OPINIONS = ("too_cheap", "cheap", "expensive", "too_expensive")
_POINT_WORDS = {
    "lowest": "lowest acceptable",
    "optimal": "fewest reject it",
    "indifferent": "as many cheap as dear",
    "highest": "highest acceptable",
}


@dataclass(frozen=True, eq=False, slots=True)
class PriceCohort:
    """A cohort: bases, figures, and optional curves."""

    column: Column
    base: int
    effective: float
    lines: tuple[dict[str, Any], ...]
    curves: PriceCurves | None = None


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class PriceData:
    """The price figures of cohorts, with bases and texts."""

    text: str
    cohorts: tuple[PriceCohort, ...]
    asked: TableSpec
    source: str
    remarks: tuple[str, ...]
    told: tuple[str, ...]
    provenance: Provenance = "unknown"
    grounds: tuple[str, ...] = ()

    def long(self) -> pd.DataFrame:
        """Return one row per cohort and price.

        Returns
        -------
        pandas.DataFrame
            ``column_group``, ``column``, ``base``, ``effective_base``, ``flag``. A range has ``point``
            (lowest, optimal, indifferent, highest) with ``price``, ``ci_low``, ``ci_high``. A ladder has
            ``price``, ``asked`` (respondents with an answer at this price), ``buy`` with ``ci_low`` and
            ``ci_high`` (0 to 100) and ``revenue`` (price times share, per respondent).
        """
        return pd.DataFrame(
            [
                {
                    "column_group": held.column.group,
                    "column": held.column.label,
                    "base": held.base,
                    "effective_base": held.effective,
                    "flag": self.flag(held),
                    **line,
                }
                for held in self.cohorts
                for line in held.lines
            ]
        )

    def curves(self) -> pd.DataFrame:
        """Return the four curves of a price range: shares (0 to 1) per cohort at every named price."""
        rows = [
            (held.column.group, held.column.label, *told)
            for held in self.cohorts
            if (own := held.curves) is not None
            for told in zip(
                own.prices, own.too_cheap, own.cheap, own.expensive, own.too_expensive, strict=True
            )
        ]
        return pd.DataFrame(rows, columns=["column_group", "column", "price", *OPINIONS])

    def wide(self) -> pd.DataFrame:
        """Return one row per cohort: the four prices of a range, or the best price of a ladder."""
        rows = [
            {
                "column_group": held.column.group,
                "column": held.column.label,
                "base": held.base,
                **_summed(held.lines),
            }
            for held in self.cohorts
        ]
        return pd.DataFrame(rows)

    def spec(self) -> dict[str, Any]:
        """Return the specification as data, sufficient to compute the prices again."""
        asked = self.asked
        return {
            "table": asked.call,
            "by": [by if isinstance(by, str) else by.to_json() for by in asked.by],
            "weight": asked.weight,
            "where": asked.where,
            "min_base": asked.min_base,
            "small_base": asked.small_base,
            **(asked.more or {}),
            "source": self.source,
        }

    def flag(self, held: PriceCohort) -> str:
        """Return the mark of a cohort's base: ``**`` too small to read, ``*`` small."""
        if held.effective < self.asked.min_base:
            return "**"
        return "*" if held.effective < self.asked.small_base else ""

    def terms(self) -> str:
        """Return the second line of the caption: what the answers rest on, base, weight and filter."""
        asked = self.asked
        base = f"Base: {self.cohorts[0].base:,} with an answer"
        weighted = f"weighted by {asked.weight}" if asked.weight else "unweighted"
        return " · ".join([*self.grounds, base, weighted, *filter_words(asked.where)])

    def notes(self) -> list[str]:
        """Return the notes: marks, excluded respondents, method and source."""
        flags = {self.flag(held) for held in self.cohorts}
        base = "effective base" if self.asked.weight else "base"
        marks = {
            "**": f"** {base} below {self.asked.min_base:g}: too small to read",
            "*": f"* {base} below {self.asked.small_base:g}",
        }
        how = "bootstrap" if self.asked.call == "price_range" else "Wilson"
        return [
            *(text for mark, text in marks.items() if mark in flags),
            *self.told,
            *self.remarks,
            *([f"Source: {self.source}."] if self.source else []),
            standing_note(self.provenance, tested=False, how=how),
        ]

    def to_html(self) -> str:
        """Return an HTML ``<table>`` with caption and scopes, in the colours of the page."""
        return html_of(self._grid())

    def __repr__(self) -> str:
        return text_of(self._grid())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _grid(self) -> Grid:
        heads = [Head(held.column.group, held.column.label, self.flag(held)) for held in self.cohorts]
        lines = [Line("Base (unweighted)", [whole(held.base) for held in self.cohorts], "base")]
        if self.asked.call == "price_range":
            lines += [
                Line(_POINT_WORDS[point], [_price(held.lines, point) for held in self.cohorts], "code")
                for point in POINTS
            ]
        else:
            first = self.cohorts[0].lines
            for place, line in enumerate(first):
                cells = [_percent(held.lines[place]["buy"]) for held in self.cohorts]
                lines.append(Line(f"buy at {number_text(line['price'])}, %", cells, "code"))
            best = [number_text(_summed(held.lines)["best_price"]) for held in self.cohorts]
            lines.append(
                Line("price of most revenue", ["" if text == "nan" else text for text in best], "stat")
            )
        groups = {"Total": "", **{column.column.group: column.column.group for column in self.cohorts}}
        return Grid(self.text, self.terms(), heads, groups, lines, self.notes())


def _price(lines: Sequence[dict[str, Any]], point: str) -> str:
    found = next((line["price"] for line in lines if line["point"] == point), math.nan)
    return "" if math.isnan(found) else number_text(found)


def _percent(value: float) -> str:
    return "" if math.isnan(value) else one_decimal(value)


def _summed(lines: Sequence[dict[str, Any]]) -> dict[str, float]:
    if lines and "point" in lines[0]:
        return {line["point"]: line["price"] for line in lines}
    known = [line for line in lines if not math.isnan(line["revenue"])]
    if not known:
        return {"best_price": math.nan, "buy": math.nan, "revenue": math.nan}
    best = max(known, key=lambda line: (line["revenue"], -line["price"]))
    return {"best_price": best["price"], "buy": best["buy"], "revenue": best["revenue"]}
