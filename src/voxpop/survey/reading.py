"""Sources of a survey: files, frames, Arrow and Polars tables and DuckDB relations."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from voxpop.errors import UsageError
from voxpop.survey.frame_columns import (
    arrow_table,
    column_names,
    enum_levels,
    is_frame,
    plain_data,
    refuse_repeats,
    series,
)
from voxpop.survey.labelled_files import read_spss, read_stata
from voxpop.survey.raw import Raw
from voxpop.survey.sql import enum, quote
from voxpop.survey.store_view import comments
from voxpop.survey.survey import Survey

NO_VALUE = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "<NA>", "#N/A", "#NA")
"""Cells of a CSV file that hold no value."""

_MARKS = {b"$FL2": ".sav", b"$FL3": ".zsav", b"PAR1": ".parquet", b"<sta": ".dta", b"PK\x03\x04": ".xlsx"}
_NAMES = {
    ".sav": "an SPSS file",
    ".zsav": "a compressed SPSS file",
    ".parquet": "a Parquet file",
    ".dta": "a Stata file",
    ".xlsx": "an Excel file or another archive",
}


def read_raw(data: Any, name: str | None) -> Raw:
    """Read a survey from a path, an earlier survey, a pandas, Polars or Arrow table, or a DuckDB relation.

    Raises
    ------
    UsageError
        The file is missing, damaged or of another kind, the data are no table, or columns have one name.
    """
    if isinstance(data, Survey):
        raw = Raw(name or data.name, data.relation, known=data.variables, source=data.source)
        raw.provenance, raw.notes = data.provenance, list(data.notes)
    elif isinstance(data, str | Path):
        raw = read_file(Path(data).expanduser(), name)
    elif isinstance(data, duckdb.DuckDBPyRelation):
        raw = _of_relation(data, name or "survey")
    else:
        given = plain_data(data)
        if not (isinstance(given, pa.Table) or is_frame(given)):
            raise UsageError(
                "vp.data takes a file, a DataFrame, a Polars or Arrow table, a DuckDB relation, a store or "
                f"the folder of an export, not {type(data).__name__}."
            )
        raw = _of_table(given, name or "survey")
    _refuse_same(raw.rows.columns)
    return raw


def read_file(path: Path, name: str | None) -> Raw:
    """Read a file by its kind.

    Raises
    ------
    UsageError
        The file is missing, damaged, or of another kind than its name says.
    """
    kind = path.suffix.lower()
    if kind not in READERS:
        raise UsageError(f"A survey is read from {', '.join(READERS)}, not {path.name}.")
    if not path.is_file():
        raise UsageError(f"There is no file {path}.")
    _check_kind(path, kind)
    try:
        return READERS[kind](path, name or path.stem)
    except (ValueError, OSError, duckdb.Error, pa.ArrowException) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{path.name} cannot be read: {str(error).splitlines()[0]}") from error


def _check_kind(path: Path, kind: str) -> None:
    """Refuse a file whose first bytes are those of another kind."""
    with path.open("rb") as file:
        head = file.read(4096)
    if not head:
        raise UsageError(f"{path.name} is empty.")
    found = next((held for mark, held in _MARKS.items() if head.startswith(mark)), None)
    if found is None and kind == ".csv" and b"\0" in head:
        raise UsageError(f"{path.name} is no text; a CSV file is. Save it as CSV in UTF-8 first.")
    same = found == kind or {found, kind} == {".sav", ".zsav"}
    if (found is None and kind in (".csv", ".dta")) or same:  # early versions of Stata have no mark
        return
    told = _NAMES[found] if found else f"no {kind} file"
    cure = f"; name it {path.stem}{found}" if found in READERS else ""
    raise UsageError(f"{path.name} is not what its name says: it is {told}{cure}.")


def _of_csv(path: Path, name: str) -> Raw:
    database = duckdb.connect()
    read = database.read_csv(str(path), na_values=list(NO_VALUE), sample_size=-1)
    read.create("survey")
    return Raw(name, database.table("survey"))


def _of_parquet(path: Path, name: str) -> Raw:
    """Read a Parquet file, which stays on the disk."""
    rows = duckdb.connect().read_parquet(str(path))
    file = pq.ParquetFile(path)
    schema = file.schema_arrow
    raw = _told(Raw(name, rows), (schema.metadata or {}).get(b"voxpop"))
    categories = [one.name for one in schema if pa.types.is_dictionary(one.type)]
    if categories and file.num_row_groups:
        first = file.read_row_group(0, columns=categories)
        for column in categories:
            _declare(raw, column, first[column], schema.field(column).type)
        if len(schema) and file.num_row_groups > 1:
            _add_levels(raw)
    return _cast(raw)


def _add_levels(raw: Raw) -> None:
    """Add levels that only later parts of a file have."""
    for column, levels in raw.levels.items():
        seen = [one for (one,) in raw.rows.project(quote(column)).distinct().fetchall() if one is not None]
        raw.levels[column] = (*levels, *sorted(set(seen) - set(levels)))


def _declare(raw: Raw, column: str, held: pa.ChunkedArray, kind: Any) -> None:
    values = held.unify_dictionaries().chunk(0).dictionary if held.num_chunks else None
    if values is not None and (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        raw.levels[column] = tuple(values.to_pylist())
        if kind.ordered:
            raw.ordered.add(column)


def _cast(raw: Raw) -> Raw:
    """Store declared levels in the types of the rows."""
    parts = [f"{quote(one)}::{enum(levels)} AS {quote(one)}" for one, levels in raw.levels.items() if levels]
    if parts:
        raw.rows = raw.rows.project(f"* REPLACE ({', '.join(parts)})")
    return raw


def _of_relation(data: duckdb.DuckDBPyRelation, name: str) -> Raw:
    refuse_repeats(data.columns)
    about, source = comments(data)
    levels = {one: tuple(enum_levels(kind)) for one, kind in zip(data.columns, data.types, strict=True)}
    return Raw(name, data, about=about, source=source, levels={k: v for k, v in levels.items() if v})


def _of_table(data: Any, name: str) -> Raw:
    """Read a DataFrame or an Arrow table, whose columns stay where they are."""
    names = column_names(data)
    _refuse_same(names)
    table, declared = arrow_table(data, names)
    raw = Raw(name, duckdb.connect().from_arrow(table))
    texts = {one.name for one in table.schema if pa.types.is_dictionary(one.type)}
    raw.levels = {one: tuple(declared[one]) for one in names if declared[one] and one in texts}
    raw.ordered = {one for one in names if is_ordered(data, one)}
    if isinstance(data, pa.Table):
        return _cast(_told(raw, (data.schema.metadata or {}).get(b"voxpop")))
    return _cast(_told(raw, data.attrs.get("voxpop")))


def is_ordered(data: Any, name: str) -> bool:
    """Return whether a column of a DataFrame or an Arrow table declares its levels as ordered."""
    if isinstance(data, pa.Table):
        kind = data.schema.field(name).type
        return bool(pa.types.is_dictionary(kind) and kind.ordered)
    return is_frame(data) and bool(getattr(series(data, name).dtype, "ordered", False))


def _told(raw: Raw, told: Any) -> Raw:
    """Add what voxpop wrote beside the rows."""
    held = json.loads(told) if isinstance(told, bytes) else told
    if isinstance(held, Mapping):
        raw.about, raw.source = held.get("columns", {}), held.get("source", "")
        raw.provenance = held.get("provenance")
    return raw


def _refuse_same(names: list[str]) -> None:
    """Refuse names that differ in upper and lower case alone, which a database takes as one."""
    refuse_repeats(names)
    seen: dict[str, str] = {}
    for name in names:
        if (other := seen.setdefault(name.casefold(), name)) != name:
            raise UsageError(
                f"The columns {other!r} and {name!r} differ in upper and lower case alone; rename one."
            )


READERS: dict[str, Callable[[Path, str], Raw]] = {
    ".sav": read_spss,
    ".zsav": read_spss,
    ".dta": read_stata,
    ".csv": _of_csv,
    ".parquet": _of_parquet,
}
"""Reader of each kind of file."""
