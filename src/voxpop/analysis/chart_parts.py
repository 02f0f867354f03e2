"""Parts shared by the charts of tables: text above and below, and shares with cohort names."""

from __future__ import annotations

import pandas as pd

from voxpop.analysis.picture import cohort_name
from voxpop.analysis.printing import laid_out
from voxpop.analysis.summary_data import SummaryData
from voxpop.analysis.table_data import TableData


def marks_and_source(made: TableData | SummaryData) -> list[str]:
    """Return the notes below a picture: marks, mixed sources and the standing notes."""
    notes = laid_out(made).notes
    return [
        note
        for note in notes
        if note.startswith(("*", "Source")) or note in made.remarks or note == notes[-1]
    ]


def head_of(made: TableData | SummaryData) -> tuple[str, str]:
    """Return the title and terms of a picture: the question, its base and filter."""
    grid = laid_out(made)
    return grid.title, grid.terms


def cells_of(table: TableData) -> pd.DataFrame:
    """Return the shares of the levels with the names of their cohorts."""
    long = table.long()
    bases = long[long.row_kind == "base"].set_index(["column_group", "column"])
    cells = long[(long.row_kind == "code") & long.percent.notna()].copy()
    keys = list(zip(cells.column_group, cells.column, strict=True))
    by_row = table.asked.percent == "row"
    flags = ["" if by_row else bases.loc[key, "flag"] for key in keys]
    cells["cohort"] = [
        cohort_name(*key, bases.loc[key, "count"], flag) for key, flag in zip(keys, flags, strict=True)
    ]
    cells["place"] = [table.levels.index(row) for row in cells.row]
    return cells
