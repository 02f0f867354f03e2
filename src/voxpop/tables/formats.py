"""The table of export formats: one row per format in which an export can hold its data beside Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import eq
from pathlib import Path
from types import MappingProxyType
from typing import Any

from duckdb import DuckDBPyConnection

from voxpop.errors import UsageError
from voxpop.tables import delimited, excel, spss
from voxpop.tables.people import RESPONDENTS

Write = Callable[[DuckDBPyConnection, Mapping[str, Any], Path, datetime | None], None]
"""Writes the files of a format from a store, the row of a study, the folder of the export, which has the
Parquet files already, and the time of the study."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format: what it is called, what it writes, and how its files are checked.

    Attributes
    ----------
    name : str
        What ``formats`` of an export takes; also the folder of its files inside the export.
    files : tuple of str
        Every file that it writes, by its name in that folder.
    content : str
        What the files hold, for the README of an export and the help of the command line.
    write : callable
        Writes the files. It raises UsageError when a library is missing or the study does not fit.
    extra : str or None
        The extra of voxpop that must be installed for it.
    same : callable or None
        Compares the bytes of a file with those of the file made again from the data, when an export is
        verified: equal bytes, unless a library cannot write the same bytes twice. None where files cannot be
        compared; they are then checked against the hashes of the manifest alone.
    """

    name: str
    files: tuple[str, ...]
    content: str
    write: Write
    extra: str | None = None
    same: Callable[[bytes, bytes], bool] | None = eq

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of its files inside an export."""
        return tuple(f"{self.name}/{file}" for file in self.files)


_ROWS = (
    Format(
        "csv",
        delimited.FILES,
        "the same tables, and one row per agent, as CSV; lists as JSON",
        delimited.write,
    ),
    Format(
        "spss",
        (f"{RESPONDENTS}.sav",),
        "one row per agent with labels, as SPSS `.sav`",
        spss.write,
        extra="spss",
    ),
    Format(
        "excel",
        ("study.xlsx",),
        "one row per agent, answers, questions and codebook, as Excel",
        excel.write,
        extra="excel",
    ),
)
_formats = {row.name: row for row in _ROWS}

FORMATS: Mapping[str, Format] = MappingProxyType(_formats)
"""Every format by its name, in the order in which they are written."""


def add(row: Format) -> None:
    """Add a format for the rest of the process, as a row above does for every process.

    Raises
    ------
    UsageError
        The name is taken, by a format or by another folder of exports.
    """
    if row.name in _formats or row.name in _FOLDERS:
        raise UsageError(f"{row.name!r} is a folder of exports already; a format needs a name of its own.")
    _formats[row.name] = row


def remove(name: str) -> None:
    """Take back a format that was added."""
    del _formats[name]


_FOLDERS = frozenset({"attachments", "checks", "data", "provenance", "spec", "tables"})


def chosen(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return formats in the order in which they are written; :class:`UsageError` names an unknown one."""
    wanted = (names,) if isinstance(names, str) else tuple(names)
    for name in wanted:
        if name not in FORMATS:
            raise UsageError(f"formats: {name!r} is not known; there are {', '.join(FORMATS)}.")
    return tuple(name for name in FORMATS if name in wanted)


def write_formats(
    cursor: DuckDBPyConnection,
    study: Mapping[str, Any],
    folder: Path,
    wanted: Iterable[str],
    created: datetime | None,
) -> Iterator[str]:
    """Write a study in the formats wanted and give the path of each file; the Parquet files are there.

    Raises
    ------
    UsageError
        The extra that a format needs is not installed, or a format cannot hold so much.
    """
    for name in wanted:
        (folder / name).mkdir()
        FORMATS[name].write(cursor, study, folder, created)
        yield from FORMATS[name].paths
