"""The data of a summary: one line of figures per cohort, such as means or scores, and its layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from voxpop.analysis.cautions import standing_note
from voxpop.analysis.figures import LEVEL, Column, Group
from voxpop.analysis.layout import Grid, Head, Line, html_of, text_of
from voxpop.analysis.rounding import number_text, one_decimal, whole
from voxpop.analysis.sig_test import mark_of
from voxpop.analysis.significance import PAIRS, Compared, pair_rows
from voxpop.analysis.table_spec import TableSpec
from voxpop.analysis.terms import filter_words
from voxpop.survey.provenance import Provenance


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class SummaryData:
    """The figures of a summary, with captions and notes."""

    name: str
    text: str
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    lines: tuple[dict[str, Any], ...]
    tests: tuple[tuple[Group, Compared], ...]
    asked: TableSpec
    source: str
    remarks: tuple[str, ...]
    printed: tuple[tuple[str, str], ...]
    test_words: str
    how: str
    missing: int
    unasked: int = 0
    provenance: Provenance = "unknown"
    grounds: tuple[str, ...] = ()

    def long(self) -> pd.DataFrame:
        """Return one row per cohort with all its figures, at full precision."""
        if not self.lines:  # a question without levels
            names = ("column_group", "group", "level", *(name for name, _ in self.printed))
            return pd.DataFrame(columns=[*names, "higher_than", "flag"])
        return pd.DataFrame(list(self.lines))

    def wide(self) -> pd.DataFrame:
        """Return the printed figures as numbers, one row per cohort."""
        made = self.long()
        keys = ["column_group", "group", *(["level"] if "level" in made else [])]
        return made.set_index(keys)[[name for name, _ in self.printed]]

    def pairs(self) -> pd.DataFrame:
        """Return all pairs of cohorts of each attribute: difference, test statistic, p-values."""
        rows: list[tuple[Any, ...]] = []
        for group, compared in self.tests:
            rows += pair_rows(
                group.name, compared, [column.label for column in self.columns[group.places]], self.asked.sig
            )
        return pd.DataFrame(rows, columns=list(PAIRS))

    def spec(self) -> dict[str, Any]:
        """Return the specification as data, sufficient to compute the figures again."""
        asked = self.asked
        return {
            "table": asked.call,
            "question": self.name,
            "by": [by if isinstance(by, str) else by.to_json() for by in asked.by],
            "weight": asked.weight,
            "where": asked.where,
            "sig": None if asked.sig is None else asked.sig.to_json(),
            "min_base": asked.min_base,
            "small_base": asked.small_base,
            **(asked.more or {}),
            "interval": {"method": self.how, "level": LEVEL},
            "source": self.source,
        }

    def caption(self) -> str:
        """Return the caption: question, what the answers rest on, base, weight, filter and test."""
        return "\n".join((self.text, self._terms()))

    def notes(self) -> list[str]:
        """Return the notes below the figures."""
        flags = {line["flag"] for line in self.lines}
        base = "effective base" if self.asked.weight else "base"
        marks = {
            "**": f"** {base} below {self.asked.min_base:g}: too small to read",
            "*": f"* {base} below {self.asked.small_base:g}",
        }
        lines = [text for mark, text in marks.items() if mark in flags]
        if self.missing:
            lines.append(f"{self.missing:,} without an answer are in no figure.")
        if self.unasked:
            lines.append(f"{self.unasked:,} were not asked.")
        if self.asked.sig is not None and self.groups:
            lines.append(f"{self.asked.sig.legend('cohort')}.")
        lines += self.remarks
        if self.source:
            lines.append(f"Source: {self.source}.")
        return [*lines, standing_note(self.provenance, tested=self.asked.sig is not None, how=self.how)]

    def to_html(self) -> str:
        """Return an HTML ``<table>`` with caption and scopes, in the colours of the page."""
        return html_of(self._grid())

    def grid(self) -> Grid:
        """Lay out the figures for display."""
        return self._grid()

    def __repr__(self) -> str:
        return text_of(self._grid())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _terms(self) -> str:
        asked = self.asked
        base = f"Base: all who answered {self.name} (n={self.lines[0]['n'] if self.lines else 0:,})"
        weighted = f"weighted by {asked.weight}" if asked.weight else "unweighted"
        tests = [self.test_words] if asked.sig is not None and self.groups else []
        told = [*self.grounds, base, weighted]
        return " · ".join([*told, *filter_words(asked.where), *tests])

    def _grid(self) -> Grid:
        sig = self.asked.sig
        lettered = sig is not None and sig.lettered
        heads = [Head("Total", title, "") for _, title in self.printed]
        if sig is not None:
            heads.append(Head("Total", "higher than" if sig.lettered else f"against {sig.against}", ""))
        lines, group = [], None
        for line in self.lines:
            column = next(
                c for c in self.columns if (c.group, c.label) == (line["column_group"], line["group"])
            )
            if column.group != group and column.group != "Total":
                words = next(held.text for held in self.groups if held.name == column.group)
                lines.append(Line(words, [""] * len(heads), "heading"))
            group = column.group
            label = column.label if group == "Total" else f"  {column.label}"
            if lettered and column.letter:
                label += f" ({column.letter})"
            label = " ".join(part for part in (label, line.get("level", ""), line["flag"]) if part)
            cells = [self._figure(name, line[name]) for name, _ in self.printed]
            lines.append(Line(label, [*cells, *([] if sig is None else [mark_of(line, sig)])], "code"))
        return Grid(self.text, self._terms(), heads, {"Total": ""}, lines, self.notes())

    def _figure(self, name: str, value: Any) -> str:
        """Format a figure."""
        if np.isnan(value):
            return ""
        if name in ("n", "n_eff"):
            return whole(value)
        return number_text(value) if self.asked.call == "means" or name == "mean" else one_decimal(value)
