"""Summaries: one line of figures per cohort, such as means or scores, with captions and notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from voxpop.analysis.charts import ChartKind, chart_of
from voxpop.analysis.figures import Column, Group
from voxpop.analysis.picture import Picture
from voxpop.analysis.significance import Compared
from voxpop.analysis.summary_data import SummaryData
from voxpop.analysis.table_spec import TableSpec
from voxpop.analysis.workbook import write_tables


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Summary(SummaryData):
    """The result of :func:`means`, :func:`nps`, :func:`box` and :func:`proportions`.

    Attributes
    ----------
    name, text : str
        The question's column and wording.
    columns, groups : tuples
        The cohorts (Total first), and the attributes they belong to.
    lines : tuple of dict
        The figures, one line per cohort (for shares, per level and cohort).
    tests : tuple of (str, Compared)
        The comparisons within each attribute.
    """

    def to_excel(self, path: str | Path) -> Path:
        """Write an Excel file with the figures, caption and notes. Needs the extra ``excel``."""
        return write_tables([self], Path(path))

    def plot(self, kind: ChartKind | None = None, *, against: str | None = None) -> Picture:
        """Draw the figures with their intervals, by cohort. Needs the extra ``charts``.

        Parameters
        ----------
        kind : {"intervals", "differences", "bars"}, optional
            ``differences`` draws differences from a reference level of each attribute; ``bars`` applies to
            scores, for which it is the default.
        against : str, optional
            Reference level of ``kind="differences"``; by default the first level of the attribute.

        Returns
        -------
        Picture
            Displays in notebooks. ``.save("chart.png")`` (or svg, pdf, html) works offline. ``.chart`` is the
            Altair chart.
        """
        return chart_of(self, kind, against)


def lettered(
    columns: Sequence[Column], tests: Sequence[tuple[Group, Compared]], asked: TableSpec
) -> list[list[str]]:
    """Return, per compared row and column, the letters of the columns that are significantly lower."""
    height = max((len(compared.labels) for _, compared in tests), default=1)
    made = [["" for _ in columns] for _ in range(height)]
    if asked.sig is not None:
        for group, compared in tests:
            own = compared.letters(asked.sig, [column.letter for column in columns[group.places]])
            for line, found in zip(made, own, strict=True):
                line[group.places] = found
    return made
