"""What a table is made from: a DataFrame, an Arrow table or a DuckDB relation, read as columns of levels."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.errors import UsageError
from voxpop.vocabulary.fields import FIELDS, find_field
from voxpop.vocabulary.nearest import did_you_mean, nearest

MOST_LEVELS = 200
"""A column with more distinct values is no attribute to tabulate by."""

NOT_ASSIGNED = "not assigned"
NO_ANSWER = "no answer"

Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Variable:
    """One column as levels.

    Attributes
    ----------
    name, text : str
        The column, and its question's words (the name where they are not known).
    levels : tuple of str
        In order, with declared ones that nobody chose.
    agents, codes : arrays of int
        One entry per agent and level it has: the row of the agent, the place of the level. Several entries
        per agent in a multi-response column.
    answered : array of bool
        Per agent, whether it was asked and answered; one that ticked nothing has answered.
    """

    name: str
    text: str
    levels: tuple[str, ...]
    agents: Codes
    codes: Codes
    answered: Bools
    multiple: bool

    @property
    def missing_label(self) -> str:
        """Return what it means to have no value here."""
        return NOT_ASSIGNED if _is_health(self.name) else NO_ANSWER

    def with_not_assigned(self) -> Variable:
        """Make agents without assigned health data a level of their own; other variables stay as they are."""
        without = np.flatnonzero(~self.answered)
        if not _is_health(self.name) or not without.size:
            return self
        return Variable(
            self.name,
            self.text,
            (*self.levels, NOT_ASSIGNED),
            np.concatenate((self.agents, without)),
            np.concatenate((self.codes, np.full(without.size, len(self.levels), dtype=np.intp))),
            np.ones_like(self.answered),
            self.multiple,
        )


def _is_health(name: str) -> bool:
    return name in FIELDS and FIELDS[name].group == "health"


class Frame:
    """The columns that a table needs, taken out of its data once."""

    def __init__(self, data: Any, names: Iterable[str]) -> None:
        self._columns, self._about, self.note = _open(data)
        wanted = list(dict.fromkeys(names))
        for name in wanted:
            self._check(name)
        self._table = _take(data, wanted)
        self.rows = self._table.num_rows

    def _check(self, name: Any) -> None:
        if not isinstance(name, str):
            raise UsageError(f"A column is named by text, not {type(name).__name__}.")
        if name in self._columns:
            return
        field = find_field(name)
        if field is not None and field.name in self._columns:
            hint = did_you_mean([field.name])
        else:
            near = nearest(name, self._columns)
            hint = did_you_mean(near) or f"; the columns are {', '.join(list(self._columns)[:40])}"
        raise UsageError(f"The data have no column {name!r}{hint}")

    def variable(self, name: str, most: int | None = MOST_LEVELS) -> Variable:
        """Read a column as levels; raise :class:`UsageError` for an open question or too many levels."""
        about = self._about.get(name, {})
        if about.get("type") == "open":
            raise UsageError(f"{name!r} is an open question; code its answers into categories first.")
        column = self._table[name]
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        answered = np.asarray(column.is_valid())
        multiple = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
        agents = np.flatnonzero(answered)
        flat = column.drop_null()
        if multiple:
            agents = agents[np.asarray(pc.list_parent_indices(flat), dtype=np.intp)]
            flat = pc.list_flatten(flat)
            agents, flat = agents[np.asarray(flat.is_valid())], flat.drop_null()
        levels, codes = _code(name, flat, self._columns[name], about)
        if most is not None and len(levels) > most:
            cure = "Code its answers into categories" if _is_text(flat) else "Cut it into bands"
            raise UsageError(
                f"{name!r} has {len(levels):,} different values; a table takes up to {most}. {cure} first."
            )
        if multiple:
            agents, codes = _once(agents, codes, len(levels))
        text = about.get("text") or (FIELDS[name].label if name in FIELDS else name)
        return Variable(name, text, levels, agents, codes, answered, multiple)

    def numbers(self, name: str) -> npt.NDArray[np.float64]:
        """Read a column as numbers, NaN where there is none."""
        column = self._table[name]
        if not (
            pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or _decimal(column.type)
        ):
            raise UsageError(f"{name!r} must hold numbers; it holds {column.type}.")
        return np.asarray(column.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)

    def weights(self, name: str) -> npt.NDArray[np.float64]:
        """Read a column as weights; :class:`UsageError` when they are missing, negative or all zero."""
        found = self.numbers(name)
        bad = int((~np.isfinite(found)).sum())
        if bad:
            raise UsageError(f"{bad} of {found.size} weights in {name!r} are missing or not finite.")
        if (found < 0).any():
            raise UsageError(
                f"{int((found < 0).sum())} weights in {name!r} are negative; weights are 0 or more."
            )
        if found.size and not found.any():
            raise UsageError(f"All weights in {name!r} are zero.")
        return found


def _decimal(kind: pa.DataType) -> bool:
    return bool(pa.types.is_decimal(kind))


def _open(data: Any) -> tuple[dict[str, Sequence[str]], Mapping[str, Any], str]:
    """Return the columns with declared levels, what is known about them, and where the data come from."""
    if isinstance(data, pd.DataFrame):
        told = data.attrs.get("voxpop") or {}
        repeated = sorted({str(name) for name in data.columns[data.columns.duplicated()]})
        if repeated:
            raise UsageError(f"The data have several columns named {', '.join(repeated)}.")
        return {name: () for name in data.columns}, told.get("columns", {}), told.get("source", "")
    if isinstance(data, pa.Table):
        told = json.loads((data.schema.metadata or {}).get(b"voxpop", b"{}"))
        return {name: () for name in data.column_names}, told.get("columns", {}), told.get("source", "")
    if isinstance(data, duckdb.DuckDBPyRelation):
        about, note = _comments(data)
        return {name: _enum(kind) for name, kind in zip(data.columns, data.types, strict=True)}, about, note
    raise UsageError(
        f"data must be a pandas DataFrame, an Arrow table or a DuckDB relation, not {type(data).__name__}."
    )


def _enum(kind: Any) -> Sequence[str]:
    """Return the levels of an ENUM, or of a LIST of one."""
    if kind.id == "list":
        return _enum(kind.children[0][1])
    return tuple(kind.children[0][1]) if kind.id == "enum" else ()


def _comments(data: duckdb.DuckDBPyRelation) -> tuple[dict[str, Any], str]:
    """Read the comments that a store writes on its views; another relation has none."""
    view = "'" + data.alias.replace("'", "''") + "'"
    nothing = data.limit(0)
    columns = _ask(
        nothing,
        f"SELECT column_name, comment FROM duckdb_columns() WHERE table_name = {view} AND comment LIKE '{{%'",
    )
    notes = _ask(
        nothing, f"SELECT comment FROM duckdb_views() WHERE view_name = {view} AND comment IS NOT NULL"
    )
    return {name: json.loads(comment) for name, comment in columns}, notes[0][0] if notes else ""


def _ask(relation: duckdb.DuckDBPyRelation, query: str) -> list[Any]:
    """Ask the database that a relation belongs to."""
    answer = relation.query("voxpop_nothing", query)
    return [] if answer is None else answer.fetchall()


def _take(data: Any, names: Sequence[str]) -> pa.Table:
    if isinstance(data, pd.DataFrame):
        made = {}
        for name in names:
            try:
                made[name] = pa.Array.from_pandas(data[name])
            except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
                raise UsageError(f"Column {name!r} mixes kinds of values: {error}") from error
        return pa.table(made)
    if isinstance(data, pa.Table):
        return data.select(list(names))
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    return data.project(", ".join(quoted)).to_arrow_table()


def _code(
    name: str, values: pa.Array, declared: Sequence[str], about: Mapping[str, Any]
) -> tuple[tuple[str, ...], Codes]:
    """Give each value its place among the levels, in the order they are declared, known or sorted."""
    if pa.types.is_dictionary(values.type):
        declared = declared or [_label(value) for value in values.dictionary.to_pylist()]
    encoded = values if pa.types.is_dictionary(values.type) else pc.dictionary_encode(values)
    raw = encoded.dictionary.to_pylist()
    labels = [_label(value) for value in raw]
    places = np.asarray(encoded.indices, dtype=np.intp)
    seen = [labels[place] for place in np.unique(places)]
    if declared:
        order = [*declared, *sorted(set(seen) - set(declared))]
    else:
        order = _order(name, dict(zip(labels, raw, strict=True)), seen, about)
    position = {level: place for place, level in enumerate(order)}
    mapped = np.array([position.get(label, -1) for label in labels], dtype=np.intp)
    return tuple(order), mapped[places] if places.size else places


def _order(name: str, values: Mapping[str, Any], seen: Sequence[str], about: Mapping[str, Any]) -> list[str]:
    if (
        about.get("min") is not None
        and about.get("max") is not None
        and about["max"] - about["min"] <= MOST_LEVELS
    ):
        known = [str(point) for point in range(about["min"], about["max"] + 1)]
        return [*known, *sorted(set(seen) - set(known), key=lambda label: values[label])]
    if name in FIELDS:
        field = FIELDS[name]
        known = ["yes", "no"] if field.kind == "boolean" else list(field.levels)
        if not seen or set(seen) & set(known):
            return [*known, *sorted(set(seen) - set(known))]
    if seen and all(isinstance(values[label], bool) for label in seen):
        return ["yes", "no"]
    return sorted(dict.fromkeys(seen), key=lambda label: values[label])


def _is_text(values: pa.Array) -> bool:
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _label(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    return value if isinstance(value, str) else str(value)


def _once(agents: Codes, codes: Codes, levels: int) -> tuple[Codes, Codes]:
    """Count an agent once under a level, however often it names it."""
    pairs = np.unique(agents * max(levels, 1) + codes)
    return pairs // max(levels, 1), pairs % max(levels, 1)
