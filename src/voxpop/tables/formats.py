"""Registry of export formats, with one row per format other than Parquet."""

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
from voxpop.tables import ddi, delimited, excel, labelled, spss, triple_s
from voxpop.tables.people import RESPONDENTS

Write = Callable[[DuckDBPyConnection, Mapping[str, Any], Path, datetime | None], None]
"""Writes the files of a format from a store, the row of a study, the folder of the export (which already has
the Parquet files), and the time of the study.
"""


@dataclass(frozen=True, slots=True)
class Format:
    """One export format: its name, its files and how to check them.

    Attributes
    ----------
    name : str
        The name in ``formats`` of an export, and of its folder inside the export.
    files : tuple of str
        Names of all its files in that folder.
    content : str
        Content of the files, for the README of an export and the help of the command line.
    write : callable
        Writes the files. Raises UsageError if a library is missing or the study does not fit.
    extra : str or None
        The extra of voxpop to install for this format.
    same : callable or None
        Compares the bytes of a file with those of the regenerated file during verification: equal bytes,
        unless a library cannot write reproducible files. None if the files cannot be compared; they are then
        checked only against the hashes of the manifest.
    """

    name: str
    files: tuple[str, ...]
    content: str
    write: Write
    extra: str | None = None
    same: Callable[[bytes, bytes], bool] | None = eq

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of the files inside an export."""
        return tuple(f"{self.name}/{file}" for file in self.files)


_ROWS = (
    Format(
        "csv",
        delimited.FILES,
        "the same tables, and one row per agent, as CSV with sidecars (CSV on the Web); lists as JSON",
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
    Format(
        "parquet",
        labelled.FILES,
        "one row per agent with labels, wording and source in the metadata, as Parquet",
        labelled.write,
    ),
    Format(
        "triple-s",
        triple_s.FILES,
        "one row per agent as Triple-S XML 2.0 and CSV, for survey packages",
        triple_s.write,
    ),
    Format(
        "ddi",
        ddi.FILES,
        "one row per agent as codes in CSV, described as DDI Codebook 2.5 XML, for archives",
        ddi.write,
    ),
)
_formats = {row.name: row for row in _ROWS}

FORMATS: Mapping[str, Format] = MappingProxyType(_formats)
"""Every format by name, in the order in which they are written."""


def add(row: Format) -> None:
    """Register a format for the rest of the process.

    Raises
    ------
    UsageError
        The name is taken by another format or folder of exports.
    """
    if row.name in _formats or row.name in _FOLDERS:
        raise UsageError(f"{row.name!r} is already a folder of exports; choose another name for the format.")
    _formats[row.name] = row


def remove(name: str) -> None:
    """Unregister a format."""
    del _formats[name]


_FOLDERS = frozenset({"attachments", "checks", "data", "provenance", "spec", "tables"})


def chosen(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return formats in the order in which they are written; raise :class:`UsageError` for an unknown one."""
    wanted = (names,) if isinstance(names, str) else tuple(names)
    for name in wanted:
        if name not in FORMATS:
            raise UsageError(f"formats: {name!r} is unknown; available: {', '.join(FORMATS)}.")
    return tuple(name for name in FORMATS if name in wanted)


def write_formats(
    cursor: DuckDBPyConnection,
    study: Mapping[str, Any],
    folder: Path,
    wanted: Iterable[str],
    created: datetime | None,
) -> Iterator[str]:
    """Write a study in the given formats and yield the path of each file; the Parquet files must exist.

    Raises
    ------
    UsageError
        The extra of a format is not installed, or a format cannot hold the study.
    """
    for name in wanted:
        (folder / name).mkdir()
        FORMATS[name].write(cursor, study, folder, created)
        yield from FORMATS[name].paths
