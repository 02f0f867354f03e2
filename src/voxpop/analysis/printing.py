"""Display of tables: rounded figures with letters and marks, texts above, notes below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from voxpop.analysis.cautions import standing_note
from voxpop.analysis.layout import Grid, Head, Line
from voxpop.analysis.model_data import ModelData
from voxpop.analysis.relations import chi_square_of, why_not
from voxpop.analysis.rounding import number_text, one_decimal, whole
from voxpop.analysis.significance import CERTAIN, untested
from voxpop.analysis.summary_data import SummaryData
from voxpop.analysis.table_data import TableData
from voxpop.analysis.terms import filter_words

_WITHIN = {
    "column": "column %",
    "row": "row % within each group",
    "total": "% of each group",
    "responses": "% of responses",
}


def laid_out(made: TableData | SummaryData | ModelData) -> Grid:
    """Lay out a table, a summary or a model."""
    return grid_of(made) if isinstance(made, TableData) else made.grid()


def grid_of(table: TableData) -> Grid:
    """Lay out a table, with marks in the headings of small bases and letters after the figures."""
    f, by_row = table.figures, table.asked.percent == "row"
    lettered = table.asked.sig is not None and table.asked.sig.lettered
    heads = [
        Head(
            column.group,
            f"{column.label} ({column.letter})" if lettered and column.letter else column.label,
            "" if by_row else table.flag(base),
        )
        for column, base in zip(table.columns, f.bases[2] if by_row else _below(table), strict=True)
    ]
    lines = [Line(label, [whole(base) for base in held], "base") for label, held in table.base_rows()]
    letters = table.letters()
    widths = [max(len(line[j]) for line in letters) for j in range(len(table.columns))]
    for i, (kind, label) in enumerate(table.rows):
        marks = [table.flag(base) if by_row else "" for base in f.below[2, i]]
        cells = [f"{_cell(table, i, j)} {mark}".strip() for j, mark in enumerate(marks)]
        lines.append(Line(label, _lettered(cells, letters[i], widths), "code" if kind == "code" else "part"))
    lines += _stat_lines(table, letters[-1], widths)
    for label, held in table.missing_rows():
        if held[0].any():
            lines.append(Line(label, [whole(count) for count in held[0]], "missing"))
    groups = {"Total": "", **{group.name: group.text for group in table.groups}}
    return Grid(table.text, terms_of(table), heads, groups, lines, notes_of(table))


def _below(table: TableData) -> list[float]:
    return [float(base) for base in table.figures.below[2].T.max(axis=1, initial=0)]


def _cell(table: TableData, i: int, j: int) -> str:
    if np.isnan(table.figures.percent[i, j]):
        return ""
    return "-" if table.figures.cells[0, i, j] == 0 else one_decimal(table.figures.percent[i, j])


def _lettered(cells: Sequence[str], letters: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Append the letters to the figures, aligned in columns."""
    return [
        f"{cell} {letter:<{width}}" if width else cell
        for cell, letter, width in zip(cells, letters, widths, strict=True)
    ]


def _stat_lines(table: TableData, letters: Sequence[str], widths: Sequence[int]) -> list[Line]:
    lines = []
    for place, label in enumerate(table.stat_labels if table.figures.means is not None else ()):
        cells = ["" if np.isnan(values[place]) else number_text(values[place]) for values in table.stats()]
        own = letters if place == 0 else [""] * len(cells)
        lines.append(Line(label, _lettered(cells, own, widths), "stat"))
    return lines


def terms_of(table: TableData) -> str:
    """Return the second line of the caption: grounds, base, percentages, weight, filter and test."""
    asked, total = table.asked, int(table.figures.bases[0, 0])
    base = f"Base: all who answered {table.name} (n={total:,})"
    weighted = f"weighted by {asked.weight}" if asked.weight else "unweighted"
    told = [*table.grounds, base]
    return " · ".join([*told, _WITHIN[asked.percent], weighted, *filter_words(asked.where), *_tests(table)])


def _tests(table: TableData) -> list[str]:
    sig, weighted = table.asked.sig, table.asked.weight is not None
    if sig is None or not table.groups:
        return []
    told = [f"{sig.compared()} by {sig.words(weighted=weighted)}"]
    if table.figures.means is not None:
        told.append(f"means by {'Welch' if sig.means == 'welch' else 'pooled'} t test")
    return told


def notes_of(table: TableData) -> list[str]:
    """Return the notes below the table."""
    flags = {table.flag(base) for base in table.figures.below[2].ravel()}
    lines = [f"{flag} {table.footnote(flag)}" for flag in ("**", "*") if flag in flags]
    if table.multiple and table.asked.percent == "column":
        lines.append("Several answers possible: percentages may add up to more than 100.")
    lines += [f"{label}: {', '.join(levels)}." for label, levels in table.parts.items()]
    for group in table.groups:
        if group.outside:
            lines.append(
                f"{group.outside:,} who answered have no {group.name}; they are in none of its columns."
            )
    lines += _test_notes(table)
    lines += table.remarks
    if table.source:
        lines.append(f"Source: {table.source}.")
    return [*lines, standing_note(table.provenance, tested=table.asked.sig is not None)]


def _test_notes(table: TableData) -> list[str]:
    if table.asked.sig is None or not table.groups:
        return []
    lines = [f"{table.asked.sig.legend()}; column shares are compared."]
    shares = False
    for group, compared in table.compared():
        names = [column.label for column in table.columns[group.places]]
        for reason, columns in untested(compared, names).items():
            lines.append(f"Not tested in {group.name}: {', '.join(columns)} ({reason}).")
        shares = shares or bool((compared.reasons == CERTAIN).any())
        if not why_not(table, group) and (sparse := chi_square_of(table, group)).sparse:
            lines.append(
                f"{group.name}: {sparse.sparse:,} of {sparse.expected.size:,} expected counts are below 5; "
                "its chi-square is rough."
            )
    if shares:
        lines.append("Shares of 0 or 100 % are not tested.")
    return lines
