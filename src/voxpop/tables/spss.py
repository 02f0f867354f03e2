"""SPSS ``.sav`` file of a study: one row per agent, labels, and a code per kind of missing value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
from duckdb import DuckDBPyConnection

from voxpop.tables.coding import Coded, Respondents, respondents_coded
from voxpop.tables.optional import load
from voxpop.tables.origin import Origin
from voxpop.tables.people import RESPONDENTS
from voxpop.tables.response_sets import add_response_sets

_LONGEST = 32_767
_FILE_LABEL = 64
_NOTE = 80  # bytes of a line of the file's notes
_CLOCK = slice(92, 109)  # date and time in the header of a system file


def write(
    cursor: DuckDBPyConnection, study: Mapping[str, Any], folder: Path, created: datetime | None
) -> None:
    """Write ``respondents.sav``: choices as labelled numbers, multiple choices as one column per option.

    The label and the notes of the file state the source of the answers. The options of a multiple choice
    form a multiple response set.
    """
    pyreadstat = load("pyreadstat", "spss", "SPSS files need")
    made, origin = respondents_coded(cursor, study["study_uuid"]), Origin.of_study(cursor, study)
    path = folder / "spss" / f"{RESPONDENTS}.sav"
    pyreadstat.write_sav(
        pd.DataFrame({column.name: _cells(column) for column in made.columns}),
        str(path),
        file_label=_cut(f"Simulated: {origin.title}", _FILE_LABEL),
        column_labels={column.name: column.label[:255] for column in made.columns},
        variable_value_labels={
            column.name: {code: text[:120] for code, text in (column.values | column.missing).items()}
            for column in made.columns
            if column.values or column.missing
        },
        missing_ranges={
            column.name: [{"lo": min(column.missing), "hi": max(column.missing)}]
            for column in made.columns
            if column.missing
        },
        row_compress=True,
        variable_measure={column.name: column.measure for column in made.columns},
        note=list(_notes(origin, made)),
    )
    sets = (family for family in made.families() if family[0].kind == "option")
    add_response_sets(
        path, [(family[0].of, family[0].of_label, [one.name for one in family]) for family in sets]
    )
    _set_clock(path, created)


def _notes(origin: Origin, made: Respondents) -> Iterator[str]:
    """Yield the notes of the file in lines of so many bytes."""
    for name, text in origin.facts().items():
        yield from _lines(f"{name.replace('_', ' ')}: {' '.join(text.split())}")
    for remark in made.remarks:
        yield from _lines(remark)


def _lines(text: str) -> Iterator[str]:
    """Yield a note in lines of so many bytes, broken at spaces where there are any."""
    while len(text.encode()) > _NOTE:
        line = _cut(text, _NOTE + 1)
        cut = line.rfind(" ")
        cut = cut if cut > 0 else len(_cut(line, _NOTE))
        yield text[:cut]
        text = text[cut:].lstrip()
    yield text


def _cut(text: str, most: int) -> str:
    return text.encode()[:most].decode(errors="ignore")


def _cells(column: Coded) -> Any:
    """Return cells for SPSS: missing texts are empty, and long texts are cut with an ellipsis."""
    if not column.texts:
        return column.cells
    return pd.array([_short(text) for text in column.cells], dtype=object)


def _short(text: str) -> str:
    plain = text.replace("\0", "\ufffd")
    return plain if len(plain.encode()) <= _LONGEST else f"{_cut(plain, _LONGEST - 3)}…"


def _set_clock(path: Path, created: datetime | None) -> None:
    """Write the study's time into the header instead of the current time."""
    time = created or datetime(1980, 1, 1)
    month = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")[
        time.month - 1
    ]
    with path.open("r+b") as file:
        file.seek(_CLOCK.start)
        file.write(f"{time.day:02d} {month} {time.year % 100:02d}{time:%H:%M:%S}".encode())
