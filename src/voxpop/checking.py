"""Full verification of an export: its files, and every table recomputed from its data."""

from __future__ import annotations

import csv
import inspect
import io
import json
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from voxpop import analysis
from voxpop.errors import StoreError, UsageError, VoxpopError
from voxpop.tables import Report, manifest, open_export
from voxpop.tables import verify as verify_files
from voxpop.tables.results import DERIVED, FOLDER, SPEC, Result, page_of, read_results, read_spec

CALLS: Mapping[str, Callable[..., Any]] = {
    name: getattr(analysis, name)
    for name in ("crosstab", "means", "nps", "box", "proportions", "multi", "cohorts")
}
"""Table functions whose results can be recomputed from their specification."""

CLOSE = 1e-9
"""Relative tolerance for equal numbers, because other versions may round the last digits differently."""


def verify(directory: str | Path, *, key: str | Path | None = None) -> Report:
    """Check every file and the signature of an export, and recompute every table in it.

    Parameters
    ----------
    directory : str or Path
        Folder of an export.
    key : str or Path, optional
        The only key whose signature is accepted: its fingerprint, or a file with the public key, as returned
        by ``GET /v1/signing-key``. By default the keys of services that this machine has talked to are
        accepted.

    Returns
    -------
    Report
        ``ok``, and the differences: by file, row and column with both values, or by table and figure.
        ``signature`` describes the signature.

    Raises
    ------
    StoreError
        The folder is not an export, or its manifest cannot be read.
    """
    report = verify_files(directory, key=key)
    found: list[str] = []
    notes: list[str] = []
    folder = Path(directory)
    older = manifest.read(folder)["format_version"] < 2
    try:
        told = list(read_results(folder)) if (folder / SPEC).is_file() else []
        data = people(folder) if told else []
        for result in told:
            where = f"{FOLDER}/{result.id}.json"
            if result.spec.get("table") not in CALLS:
                notes.append(f"{where}: not recomputed; {result.spec.get('table')} is not supported")
            elif difference := check(result, data):
                found.append(f"{where}: computed again it differs: {difference}")
            elif not older:
                found.extend(_forms(folder, result, data))
    except VoxpopError as error:
        found.append(f"{FOLDER}: the tables cannot be computed again: {error}")
    return replace(report, differences=(*report.differences, *found), notes=(*report.notes, *notes))


def people(directory: str | Path) -> list[Any]:
    """Return the possible sources of an export's tables, one row per agent, as relation or frame.

    A frame may or may not know the order of options and the ends of scales; columns added in analysis are
    only in frames.
    """
    folder = Path(directory)
    store = open_export(folder)
    path = folder / DERIVED
    if not path.is_file():
        return [store.respondents(), store.frame(), store.respondents().relation.df()]
    try:
        added = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise StoreError(f"{path} cannot be read: {error}.") from error
    for column in read_spec(folder)["derived"]:
        if column["levels"]:
            place = added.column_names.index(column["name"])
            codes = pc.index_in(added[place], value_set=pa.array(column["levels"], pa.string()))
            levels = pa.DictionaryArray.from_arrays(codes.combine_chunks(), pa.array(column["levels"]))
            added = added.set_column(place, column["name"], levels)
    new = added.to_pandas()
    everybody = store.frame()  # its notes count the answers of those who stayed
    if not new["agent_id"].isin(everybody["agent_id"]).all():
        everybody = store.frame(removed=True)
    told = everybody.merge(new, on="agent_id", how="right")
    plain = told.copy()
    told.attrs, plain.attrs = _with_labels(everybody.attrs, read_spec(folder)["derived"]), {}
    return [told, plain, store.respondents()]


def _with_labels(attrs: Mapping[Any, Any], derived: Sequence[Mapping[str, Any]]) -> dict[Any, Any]:
    """Add the labels of columns added in analysis to the metadata of a frame."""
    held = dict(attrs["voxpop"])
    labels = {one["name"]: {"text": one["meaning"]} for one in derived if "meaning" in one}
    return {"voxpop": held | {"columns": {**held["columns"], **labels}}}


def results(directory: str | Path) -> Iterator[Result]:
    """Return the tables of an export."""
    yield from read_results(Path(directory))


def _forms(folder: Path, told: Result, data: Sequence[Any]) -> Iterator[str]:
    """Report the CSV and HTML versions of a table that do not match its figures."""
    place = f"{FOLDER}/{told.id}"
    try:
        lines = list(csv.reader(io.StringIO((folder / f"{place}.csv").read_text(encoding="utf-8"))))
        page = (folder / f"{place}.html").read_text(encoding="utf-8")
    except (OSError, ValueError, csv.Error) as error:
        yield f"{place}: its CSV or HTML cannot be read: {error}"
        return
    rows = [(*row, *told.marks.values()) for row in told.rows]
    if lines[:1] != [[*told.columns, *told.marks]] or not _same_rows(rows, lines[1:]):
        yield f"{place}.csv: not the figures of {place}.json"
    made = []
    for one in data:
        try:
            table = computed(told.spec, one)
        except UsageError:
            continue
        if compare(told, Result.of("again", table)) is None:
            made.append(page_of(told.id, table))
    if page not in made:
        yield f"{place}.html: not what the table looks like when it is computed again"


def _same_rows(rows: Sequence[Sequence[Any]], lines: Sequence[Sequence[str]]) -> bool:
    if len(rows) != len(lines):
        return False
    return all(
        len(row) == len(line) and all(map(_same_cell, row, line))
        for row, line in zip(rows, lines, strict=True)
    )


def _same_cell(value: Any, text: str) -> bool:
    """Return whether a CSV cell matches a figure."""
    if value is None or isinstance(value, str | bool):
        return text == ("" if value is None else str(value))
    if isinstance(value, int | float):
        try:
            return _same(value, float(text))
        except ValueError:
            return False
    return text in (str(value), str(tuple(value)), json.dumps(value))


def rebuild(spec: Mapping[str, Any], data: Any) -> Result:
    """Recompute a table from its specification.

    Parameters
    ----------
    spec : mapping
        The result of ``.spec()`` of a table.
    data : DataFrame, Arrow table or DuckDB relation
        One row per agent.

    Raises
    ------
    UsageError
        The data lack something that the table needs.
    """
    return Result.of("again", computed(spec, data))


def computed(spec: Mapping[str, Any], data: Any) -> Any:
    """Return the table that a specification describes; raise :class:`UsageError` as :func:`rebuild` does."""
    call = CALLS[spec["table"]]
    named = dict(spec)
    named.setdefault("question", spec.get("rows"))
    named |= {"name": spec.get("rows"), "named": spec.get("cohorts")}
    wanted = [name for name in inspect.signature(call).parameters if name in named and name != "data"]
    with warnings.catch_warnings():  # the warnings were issued when the table was made
        warnings.simplefilter("ignore", analysis.AnalysisWarning)
        return call(data, **{name: named[name] for name in wanted})


def check(told: Result, data: Sequence[Any]) -> str | None:
    """Recompute a table from each possible source, and return the first difference."""
    found = []
    for one in data:
        try:
            difference = compare(told, rebuild(told.spec, one))
        except UsageError as error:
            difference = str(error)
        if difference is None:
            return None
        found.append(difference)
    return found[0]


def compare(told: Result, again: Result) -> str | None:
    """Return the first difference between the figures of two tables, with both values, or None."""
    if told.provenance not in ("", again.provenance):
        return f"answers are {again.provenance}, was {told.provenance}"
    if told.columns != again.columns:
        return f"columns {', '.join(again.columns)}, was {', '.join(told.columns)}"
    if len(told.rows) != len(again.rows):
        return f"{len(again.rows)} rows, was {len(told.rows)}"
    for number, (was, now) in enumerate(zip(told.rows, again.rows, strict=True), 1):
        for name, before, after in zip(told.columns, was, now, strict=True):
            if not _same(before, after):
                return f"row {number}, {name}: {after!r}, was {before!r}"
    return None


def _same(before: Any, after: Any) -> bool:
    numbers = (int, float)
    if isinstance(before, numbers) and isinstance(after, numbers):
        return math.isclose(before, after, rel_tol=CLOSE, abs_tol=CLOSE)
    return bool(before == after)
