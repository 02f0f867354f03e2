"""Result tables in an export: their specification and their figures."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.errors import StoreError, UsageError
from voxpop.survey.frame_columns import plain_data
from voxpop.survey.survey import Survey
from voxpop.tables.columns import ADDED, Column, Kind
from voxpop.tables.manifest import to_json

DERIVED = "data/derived.parquet"
SPEC = "spec/tables.json"
FOLDER = "tables"


@runtime_checkable
class Tabulated(Protocol):
    """A result of :func:`voxpop.crosstab` or a similar function."""

    def spec(self) -> Mapping[str, Any]:
        """Return the full specification as data."""
        ...

    def long(self) -> pd.DataFrame:
        """Return the figures, one per row."""
        ...

    def to_html(self) -> str:
        """Return the table as HTML."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """One table of an export: its name, specification, figures, and who gave the answers."""

    id: str
    spec: Mapping[str, Any]
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    provenance: str = ""

    @classmethod
    def of(cls, id: str, table: Tabulated) -> Result:
        """Convert a table; numbers keep full precision, and NaN becomes missing."""
        frame = table.long()
        rows = tuple(tuple(map(_plain, row)) for row in frame.itertuples(index=False, name=None))
        spec = json.loads(json.dumps(dict(table.spec()), default=_plain))
        return cls(id, spec, tuple(map(str, frame.columns)), rows, getattr(table, "provenance", ""))

    @property
    def text(self) -> str:
        """Return the JSON stored in an export."""
        named = ("id", "spec", "columns", "rows", "provenance")
        return to_json({name: getattr(self, name) for name in named})

    @property
    def marks(self) -> dict[str, str]:
        """Columns at the end of the CSV file: who gave the answers, and what made them; none if unknown."""
        source = str(self.spec.get("source") or "")
        return {"provenance": self.provenance, "source": source} if self.provenance else {}


@dataclass(frozen=True, slots=True)
class Results:
    """Tables for an export, and the columns added to the data to compute them."""

    tables: tuple[Tabulated, ...] = ()
    derived: pa.Table | None = None
    columns: tuple[Column, ...] = ()
    steps: tuple[str, ...] = ()

    @classmethod
    def of(cls, tables: Any, data: Any, known: Collection[str]) -> Results:
        """Collect tables, reports of several tables, and the data from which they were computed.

        Parameters
        ----------
        tables : table, report, or iterable of them
            Objects with ``spec``, ``long`` and ``to_html``.
        data : Survey, DataFrame, Arrow table or DuckDB relation, optional
            One row per agent with ``agent_id``; columns other than ``known`` are kept, and so are the steps
            of a survey.
        known : collection of str
            Columns that the study's data already have.
        """
        made = tuple(_flat(tables))
        if data is None:
            return cls(made)
        derived, columns = _derived(_arrow(data), known)
        if not isinstance(data, Survey):
            return cls(made, derived, columns)
        told = tuple(
            replace(one, meaning=data.variables[one.name].label or one.meaning) if place else one
            for place, one in enumerate(columns)
        )
        return cls(made, derived, told, data.steps)

    def files(self, inputs: str) -> Iterator[tuple[str, str]]:
        """Yield the path and text of each file; ``inputs`` is the hash of the source data."""
        listed = []
        for place, table in enumerate(self.tables, 1):
            told = Result.of(f"{place:02d}-{_slug(table.spec())}", table)
            listed.append({"id": told.id, "spec": told.spec})
            yield f"{FOLDER}/{told.id}.json", told.text
            marked = table.long().assign(**told.marks)
            yield f"{FOLDER}/{told.id}.csv", marked.to_csv(index=False, lineterminator="\n")
            yield f"{FOLDER}/{told.id}.html", page_of(told.id, table)
        spec = {"data_sha256": inputs, "derived": _told(self.columns), "tables": listed}
        yield SPEC, to_json({**spec, **({"steps": list(self.steps)} if self.steps else {})})


def read_results(folder: Path) -> Iterator[Result]:
    """Yield the tables stored in an export; raise :class:`StoreError` if one cannot be read."""
    for listed in read_spec(folder)["tables"]:
        path = folder / FOLDER / f"{listed['id']}.json"
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
            rows = tuple(map(tuple, held["rows"]))
            columns, provenance = tuple(held["columns"]), str(held.get("provenance", ""))
            yield Result(listed["id"], listed["spec"], columns, rows, provenance)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{path} cannot be read: {error}.") from error


def read_spec(folder: Path) -> dict[str, Any]:
    """Read the specification of tables."""
    path = folder / SPEC
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        for listed in told["tables"]:
            if not re.fullmatch(r"[0-9]+-[a-z0-9_-]+", listed["id"]):
                raise ValueError(f"{listed['id']!r} is not a valid table name")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path} cannot be read: {error}.") from error
    return dict(told)


def _flat(tables: Any) -> Iterator[Tabulated]:
    """Yield single tables, including each table of a report."""
    if hasattr(tables, "tables"):
        yield from tables.tables
    elif isinstance(tables, Tabulated):
        yield tables
    elif isinstance(tables, Iterable) and not isinstance(tables, str):
        for one in tables:
            yield from _flat(one)
    else:
        raise UsageError(f"tables must be results such as vp.crosstab(…), not {tables!r}.")


def _arrow(data: Any) -> pa.Table:
    """Convert a frame, a table or a relation."""
    if isinstance(data, Survey):
        return data.arrow()
    data = plain_data(data)
    if isinstance(data, pd.DataFrame):
        return pa.Table.from_pandas(data, preserve_index=False)
    if hasattr(data, "to_arrow_table"):
        return data.to_arrow_table()
    if isinstance(data, pa.Table):
        return data
    raise UsageError(f"data must be a DataFrame, an Arrow table or a relation, not {type(data).__name__}.")


def _derived(data: pa.Table, known: Collection[str]) -> tuple[pa.Table, tuple[Column, ...]]:
    if "agent_id" not in data.column_names:
        raise UsageError("data must have the column agent_id, one row per agent.")
    ids = data["agent_id"].cast(pa.int64())
    if ids.null_count or len(pc.unique(ids)) < len(ids):
        raise UsageError("data must have one row per agent; agent_id has missing or repeated values.")
    told = [Column("agent_id", "integer", "The agent's number.")]
    columns = {"agent_id": ids}
    for name in data.column_names:
        if name not in known:
            columns[name], column = _column(name, data[name])
            told.append(column)
    return pa.table(columns).sort_by("agent_id").replace_schema_metadata(None), tuple(told)


def _column(name: str, held: pa.ChunkedArray) -> tuple[pa.ChunkedArray, Column]:
    levels: tuple[str, ...] = ()
    kind: Kind | None = None
    if pa.types.is_dictionary(held.type):
        levels = tuple(map(str, held.unify_dictionaries().chunk(0).dictionary.to_pylist()))
        kind, held = "level", held.cast(pa.string())
    for test, plain, called in _KINDS:
        if kind is None and test(held.type):
            kind, held = called, held.cast(plain)
    if kind is None:
        raise UsageError(f"data: the column {name!r} is {held.type}; it has no place in an export.")
    return held, Column(name, kind, ADDED, levels)


_KINDS: tuple[tuple[Any, pa.DataType, Kind], ...] = (
    (pa.types.is_boolean, pa.bool_(), "boolean"),
    (pa.types.is_integer, pa.int64(), "integer"),
    (pa.types.is_floating, pa.float64(), "number"),
    (lambda kind: pa.types.is_string(kind) or pa.types.is_large_string(kind), pa.string(), "text"),
    (lambda kind: pa.types.is_list(kind) or pa.types.is_large_list(kind), pa.list_(pa.string()), "texts"),
)


def _told(columns: Iterable[Column]) -> list[dict[str, Any]]:
    return [
        {"name": one.name, "kind": one.kind, "levels": list(one.levels)}
        | ({"meaning": one.meaning} if place and one.meaning != ADDED else {})
        for place, one in enumerate(columns)
    ]


def _plain(value: Any) -> Any:
    """Convert a figure to a JSON value."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _slug(spec: Mapping[str, Any]) -> str:
    by = spec.get("by") or []
    named = [
        one if isinstance(one, str) else one.get("bands", "") for one in ([by] if isinstance(by, str) else by)
    ]
    words = [spec.get("table"), spec.get("rows") or spec.get("question"), *(["by", *named] if named else [])]
    return re.sub(r"[^a-z0-9_]+", "-", "-".join(map(str, words)).lower()).strip("-")[:80] or "table"


def page_of(title: str, table: Tabulated) -> str:
    """Return a table as a separate page."""
    head = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape(title)}</title>'
    return f"{head}\n{table.to_html()}\n</html>\n"
