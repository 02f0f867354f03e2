"""Excel file of a study: one row per agent, answers, questions, and a description of each column."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from voxpop.errors import UsageError
from voxpop.tables.labelled import label_of, people_described
from voxpop.tables.layout import ANSWERS, QUESTIONS, UNANSWERED
from voxpop.tables.optional import load
from voxpop.tables.origin import Origin
from voxpop.vocabulary.markup import sheet_text

MOST_ROWS = 1_048_575
_BORN = datetime(1980, 1, 1)


def write(
    cursor: DuckDBPyConnection, study: Mapping[str, Any], folder: Path, created: datetime | None
) -> None:
    """Write ``study.xlsx``; texts stay texts, whatever they start with, and lists are joined by ``; ``."""
    openpyxl = load("openpyxl", "excel", "Excel files need")
    book = openpyxl.Workbook(write_only=True)
    uuid = study["study_uuid"]
    facts = Origin.of_study(cursor, study).facts() | {"objective": study["objective"]}
    _sheet(book, "read me", [[name.replace("_", " "), text] for name, text in facts.items()])
    people, about = people_described(cursor, uuid)
    _table(book, "respondents", people)
    for table in (ANSWERS, UNANSWERED, QUESTIONS):
        _table(book, table.name, pq.read_table(folder / table.path))
    _sheet(book, "columns", [["column", "type", "question or meaning", "levels"], *_columns(about)])
    time = (created or _BORN).replace(microsecond=0)
    book.properties.creator, book.properties.created = "voxpop", time
    path = folder / "excel" / "study.xlsx"
    book.save(path)
    _set_clock(path, time)


def _columns(about: Mapping[str, Mapping[str, Any]]) -> Iterator[list[Any]]:
    """Yield each column with the wording of its question or its meaning, and its levels."""
    for name, told in about.items():
        ends = [
            f"{told[end]} {told.get(f'{end}_label', '')}".strip() for end in ("min", "max") if end in told
        ]
        levels = told.get("levels") or told.get("options") or ends
        yield [name, told.get("type", "profile"), label_of(told), levels]


def _table(book: Any, name: str, table: pa.Table) -> None:
    if table.num_rows > MOST_ROWS:
        raise UsageError(
            f"An Excel sheet holds {MOST_ROWS:,} rows and {name} has {table.num_rows:,}; export CSV instead."
        )
    rows = (row for batch in table.to_batches() for row in zip(*map(_values, batch.columns), strict=True))
    _sheet(book, name, [table.column_names, *rows])


def _values(column: pa.Array) -> list[Any]:
    return list(column.to_pylist())


def _sheet(book: Any, name: str, rows: Iterable[Iterable[Any]]) -> None:
    sheet = book.create_sheet(name)
    sheet.freeze_panes = "A2"

    def cell(value: Any) -> Any:
        value = "; ".join(map(str, value)) if isinstance(value, list) else value
        return _text(sheet, value) if isinstance(value, str) else value

    for row in rows:
        sheet.append([cell(value) for value in row])


def _text(sheet: Any, text: str) -> Any:
    """Return a cell that holds a text unchanged, even if it starts like a formula."""
    shown, marked = sheet_text(text)
    made = import_module("openpyxl.cell").WriteOnlyCell(sheet, shown)
    made.data_type = "s"
    if marked:
        made.quotePrefix = True
    return made


def _set_clock(path: Path, time: datetime) -> None:
    """Repack the file with the time of the study instead of the current time."""
    told = f"{time.isoformat()}Z".encode()
    with zipfile.ZipFile(path) as packed:
        held = {name: packed.read(name) for name in packed.namelist()}
    core = "docProps/core.xml"
    held[core] = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>" + told, held[core])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as again:
        for name, content in sorted(held.items(), key=lambda item: item[0] != "[Content_Types].xml"):
            again.writestr(zipfile.ZipInfo(name, _BORN.timetuple()[:6]), content, zipfile.ZIP_DEFLATED)
