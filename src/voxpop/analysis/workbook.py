"""Excel export of tables: one sheet per table, with caption and notes, and one with all figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from voxpop.analysis.extras import load
from voxpop.analysis.model_data import ModelData
from voxpop.analysis.printing import laid_out
from voxpop.analysis.summary_data import SummaryData
from voxpop.analysis.table_data import TableData
from voxpop.files import whole_file
from voxpop.vocabulary.markup import sheet_text


def write_tables(tables: Sequence[TableData | SummaryData | ModelData], path: Path) -> Path:
    """Write tables to an Excel file.

    Raises
    ------
    UsageError
        If the extra ``excel`` is not installed.
    """
    openpyxl = load("openpyxl", "excel", "Excel files need")
    book = openpyxl.Workbook()
    book.remove(book.active)
    used: set[str] = set()
    for table in tables:
        _write(book.create_sheet(_name(table.name, used)), table, openpyxl.styles)
    every = book.create_sheet(_name("every figure", used))
    _rows(every, pd.concat([table.long() for table in tables], ignore_index=True))
    _head(every, 1, openpyxl.styles)
    every.freeze_panes = "A2"
    with whole_file(path) as draft:
        book.save(draft)
    return path


def _write(sheet: Any, table: TableData | SummaryData | ModelData, styles: Any) -> None:
    """Write one table: caption, headings, numeric figures with letters in their format, notes."""
    grid = laid_out(table)
    for line in f"{grid.title}\n{grid.terms}".splitlines():
        _append(sheet, [line])
    sheet["A1"].font = styles.Font(bold=True, size=13)
    _append(sheet, [])
    wide = table.wide()
    first = sheet.max_row + 2
    if isinstance(table, TableData):
        groups, labels = (wide.columns.get_level_values(level) for level in (0, 1))
        starts = [
            group if place == 0 or group != groups[place - 1] else None for place, group in enumerate(groups)
        ]
        _append(sheet, [None, *[None if group == "Total" else group for group in starts]])
        _append(sheet, [None, *map(str, labels)])
        first = sheet.max_row + 1
        for label, row in zip(wide.index, wide.to_numpy(), strict=True):
            _append(sheet, [str(label), *[_cell(value) for value in row]])
        _show(sheet, table, first)
        _head(sheet, first - 2, styles)
        _letters(sheet, table)
    else:
        _rows(sheet, wide.reset_index())
    _head(sheet, first - 1, styles)
    _append(sheet, [])
    for note in grid.notes:
        _append(sheet, [str(note)])
    sheet.column_dimensions["A"].width = 32
    for place in range(2, len(wide.columns) + 2):
        sheet.column_dimensions[sheet.cell(1, place).column_letter].width = 14
    sheet.freeze_panes = sheet.cell(first, 2)


def _head(sheet: Any, row: int, styles: Any) -> None:
    """Write a row of headings in bold, aligned with the figures."""
    for cell in sheet[row]:
        cell.font = styles.Font(bold=True)
        cell.alignment = styles.Alignment(horizontal="right", wrap_text=True, vertical="bottom")


def _show(sheet: Any, table: TableData, first: int) -> None:
    """Format figures with decimals and letters, while cells hold numbers at full precision."""
    bases, stats = len(table.base_rows()), len(table.stat_labels) if table.figures.means is not None else 0
    shapes = ["#,##0"] * bases + ["0.0"] * len(table.rows) + ["0.00"] * stats
    shapes += ["#,##0"] * len(table.missing_rows())
    letters = [[""] * len(table.columns)] * bases + table.letters()
    for row, shape in enumerate(shapes):
        own = letters[row] if row < len(letters) else [""] * len(table.columns)
        for place, letter in enumerate(own):
            sheet.cell(first + row, place + 2).number_format = f'{shape}" {letter}"' if letter else shape


def _letters(sheet: Any, table: TableData) -> None:
    """Repeat the letters below the figures as text, in the same columns."""
    if table.asked.sig is None:
        return
    _append(sheet, [])
    _append(sheet, ["Letter of the column", *[column.letter for column in table.columns]])
    labels = [label for _, label in table.rows]
    labels += [table.stat_labels[0]] if table.figures.means is not None else []
    for label, letters in zip(labels, table.letters(), strict=False):
        _append(sheet, [str(f"{label} is higher than"), *letters])


def _rows(sheet: Any, frame: pd.DataFrame) -> None:
    _append(sheet, [str(name) for name in frame.columns])
    for row in frame.itertuples(index=False):
        _append(sheet, [_cell(value) for value in row])


def _append(sheet: Any, values: Sequence[Any]) -> None:
    """Append a row; text stays text, even if it looks like a formula."""
    sheet.append([_text(sheet, value) if isinstance(value, str) else value for value in values])


def _text(sheet: Any, text: str) -> Any:
    shown, marked = sheet_text(text)
    made = load("openpyxl.cell", "excel", "Excel files need").Cell(sheet, 1, 1, shown)
    made.data_type = "s"
    if marked:
        made.quotePrefix = True
    return made


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return value
    return None if pd.isna(value) else getattr(value, "item", lambda: value)()


def _name(wanted: str, used: set[str]) -> str:
    """Return a valid sheet name that is not in use."""
    plain = re.sub(r"[\[\]:*?/\\']", " ", wanted).strip()[:28] or "table"
    name, number = plain, 2
    while name.casefold() in used:
        name, number = f"{plain} {number}", number + 1
    used.add(name.casefold())
    return name
