"""Tables: figures with their bases, captions and notes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from voxpop.analysis.cautions import AnalysisWarning
from voxpop.analysis.cell import TOTAL, Cell, Origin, find_label
from voxpop.analysis.charts import ChartKind, chart_of
from voxpop.analysis.layout import Grid, html_of, text_of
from voxpop.analysis.picture import Picture
from voxpop.analysis.printing import grid_of
from voxpop.analysis.relations import ASSOCIATION, RESIDUALS, association_of, residuals_of
from voxpop.analysis.significance import PAIRS, pair_rows
from voxpop.analysis.table_data import TableData
from voxpop.analysis.workbook import write_tables
from voxpop.errors import UsageError


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Table(TableData):
    """The result of :func:`voxpop.analysis.crosstab`.

    Text, HTML and frames have the same figures. Displayed figures are rounded half up, to one decimal.
    """

    origin: Origin | None = None

    def at(self, row: str, column: str | None = None, group: str | None = None) -> Cell:
        """Return one cell, whose respondents can be listed and quoted.

        Parameters
        ----------
        row : str
            A level, net or box, or the label of the missing answers.
        column : str, optional
            A column; by default Total.
        group : str, optional
            The attribute of the column; needed only if several attributes have a column of this name.

        Raises
        ------
        UsageError
            If the table has no such row or column (with the nearest ones), or several.

        Examples
        --------
        ::

            cell = vp.crosstab(people, "switch", by="gender").at("yes", "female")
            cell.people()                   # the respondents behind the figure
            vp.quotes(cell, "why")          # what they said
        """
        labels = [*(label for _, label in self.rows), self.missing_label]
        found = find_label(row, labels, "row")
        place = self._place_of(column, group)
        if self.origin is None:
            raise UsageError("The table was made without its data, so its respondents are not known.")
        f, at = self.figures, labels.index(found)
        missing = at == len(self.rows)
        if missing:
            count, levels, percent = f.missing[0, place], None, float("nan")
        else:
            count, percent = f.cells[0, at, place], float(f.percent[at, place])
            levels = self.parts.get(found, (found,)) if self.rows[at][0] != "code" else (found,)
        base = f.bases[0, place] if missing else f.below[0, at, place]
        held = self.columns[place]
        return Cell(
            *(self.name, found, held.group, held.label, int(count), int(base), percent, levels, self.origin)
        )

    def _place_of(self, column: str | None, group: str | None) -> int:
        if column is None or (column == TOTAL and group in (None, TOTAL)):
            return 0
        groups = list(dict.fromkeys(one.group for one in self.columns))
        wanted = groups if group is None else [find_label(group, groups, "group of columns")]
        own = [place for place, one in enumerate(self.columns) if one.group in wanted]
        label = find_label(column, list(dict.fromkeys(self.columns[place].label for place in own)), "column")
        found = [place for place in own if self.columns[place].label == label]
        if len(found) > 1:
            named = ", ".join(repr(self.columns[place].group) for place in found)
            raise UsageError(f"Several columns are named {label!r}; choose one with group={named}.")
        return found[0]

    def pairs(self) -> pd.DataFrame:
        """Return all pairs of columns per group and row: difference (of shares, 0 to 1), test, p-values.

        A table without ``sig`` uses the default test.
        """
        rows: list[tuple[Any, ...]] = []
        for group, compared in self.compared():
            rows += pair_rows(
                group.name, compared, [column.label for column in self.columns[group.places]], self.asked.sig
            )
        return pd.DataFrame(rows, columns=list(PAIRS))

    def association(self) -> pd.DataFrame:
        """Return the association of the question with each group of columns.

        ``chi2``, ``df``, ``p``, ``g2``, ``cramers_v`` and ``cramers_v_corrected`` refer to the unweighted
        counts. Weighted tables add the second- and first-order tests of Rao and Scott, and Cramér's V of the
        weighted shares. All are missing, with a reason, if agents belong to several rows or columns.
        """
        made = pd.DataFrame([association_of(self, group) for group in self.groups], columns=list(ASSOCIATION))
        for _, row in made[made.n_expected_below_5 > 0].iterrows():
            warnings.warn(
                f"{row.column_group}: {row.n_expected_below_5:,} of {row.n_expected:,} expected counts are "
                "below 5; its chi-square is rough.",
                AnalysisWarning,
                stacklevel=2,
            )
        return made

    def residuals(self) -> pd.DataFrame:
        """Return, per cell, the observed and expected counts and the adjusted standardized residual."""
        rows = [row for group in self.groups for row in residuals_of(self, group)]
        return pd.DataFrame(rows, columns=list(RESIDUALS))

    def caption(self) -> str:
        """Return the caption: question, base, percentages, weight, filter and test."""
        grid = self._grid()
        return "\n".join((grid.title, grid.terms))

    def notes(self) -> list[str]:
        """Return the notes: marks, excluded respondents, and the provenance of the answers."""
        return list(self._grid().notes)

    def to_html(self) -> str:
        """Return an HTML ``<table>`` with caption and scopes, in the colours of the page."""
        return html_of(self._grid())

    def to_excel(self, path: str | Path) -> Path:
        """Write an Excel file with the table as displayed, its caption and notes, and its long form.

        Needs the extra ``excel``.
        """
        return write_tables([self], Path(path))

    def plot(self, kind: ChartKind | None = None, *, against: str | None = None) -> Picture:
        """Draw the table. Needs the extra ``charts``.

        Parameters
        ----------
        kind : {"bars", "intervals", "differences"}, optional
            Stacked bars, shares with intervals, or differences from a reference level of each attribute.
            Default: bars if the shares add up to 100.
        against : str, optional
            Reference level of ``kind="differences"``; by default the first level of the attribute.

        Returns
        -------
        Picture
            Displays in notebooks. ``.save("chart.png")`` (or svg, pdf, html) works offline. ``.chart`` is the
            Altair chart.
        """
        return chart_of(self, kind, against)

    def __repr__(self) -> str:
        return text_of(self._grid())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _grid(self) -> Grid:
        return grid_of(self)
