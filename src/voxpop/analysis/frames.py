"""What a table is made from: a DataFrame, an Arrow table or a DuckDB relation, read as columns of levels."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.analysis.bands import Bands, Within
from voxpop.analysis.counting import NUMBERS, count_rows
from voxpop.analysis.provenance import provenance_of
from voxpop.analysis.store_view import comments, mark_unasked
from voxpop.errors import UsageError
from voxpop.tables.schema import PROVENANCE_FIELDS, quote
from voxpop.vocabulary.fields import FIELDS, find_field
from voxpop.vocabulary.nearest import did_you_mean, nearest

MOST_LEVELS = 200
"""A column with more distinct values is no attribute to tabulate by."""

MOST_NUMBERS = 20
"""The same for numbers that are no points of a scale: they are cut into bands first."""

PROVENANCE = tuple(f"health_{name}" for name in PROVENANCE_FIELDS)
"""The columns that say which figures an agent's health data come from, where the data have them."""

_VERSIONS = "versions of health data"

NOT_ASSIGNED = "not assigned"
NO_ANSWER = "no answer"

Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.intp]
Key = str | Bands | Within


def _key(given: Any) -> Key:
    """Refuse what names no column."""
    if not isinstance(given, str | Bands | Within):
        raise UsageError(f"A column is named by text or vp.bands, not {given!r}.")
    return given


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
    ordered : bool
        Whether the levels are steps of a scale.
    unasked : array of bool, optional
        Per agent, whether it was not asked; nothing where all were, or nobody knows.
    """

    name: str
    text: str
    levels: tuple[str, ...]
    agents: Codes
    codes: Codes
    answered: Bools
    multiple: bool
    ordered: bool = False
    unasked: Bools | None = None

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
            self.ordered,
        )


def _is_health(name: str) -> bool:
    return name in FIELDS and FIELDS[name].group == "health"


class Frame:
    """The columns that a table needs, taken out of its data once: like rows as one row with its counts.

    DuckDB does the counting, in one pass over the data. Weights are added up as whole numbers, so that the
    sums do not depend on the order of the rows or the number of threads.

    Parameters
    ----------
    data : pandas.DataFrame, pyarrow.Table or DuckDB relation
        One row per agent.
    keys : iterable of str, Bands or Within
        The columns that the table needs, besides the weight, as they are or cut.
    weight : str, optional
        The column of weights.
    mask : array of bool, optional
        Which rows to take.

    Attributes
    ----------
    rows : int
        How many different rows there are.
    counts, positive, sums, squares : arrays of float
        Per different row: agents, those that weigh something, and the sums of their weights and of the
        squares of these.
    """

    def __init__(
        self, data: Any, keys: Iterable[Key], weight: str | None = None, mask: Bools | None = None
    ) -> None:
        self._columns, self._about, self.note = open_data(data)
        self.provenance = provenance_of(data)
        wanted = list(dict.fromkeys(map(_key, keys)))
        names = list(dict.fromkeys(key if isinstance(key, str) else key.column for key in wanted))
        for name in [*names, *([] if weight is None else [weight])]:
            self._check(name)
        for name in names:
            if self._about.get(name, {}).get("type") == "open":
                raise UsageError(
                    f"{name!r} is an open question; code its answers into categories first (vp.codeframe)."
                )
        data, marked = mark_unasked(data, names)
        versions = [name for name in PROVENANCE if name in self._columns and _is_any_health(names)]
        declared, rows = _relation(data, [*names, *versions, *marked.values()], weight, mask)
        self._declared = {
            name: self._columns[name] or declared.get(name) or self.about(name).get("options", ())
            for name in names
        }
        self._steps = {name for name in names if _is_steps(data, name)}
        _check_numbers(rows, [key.column for key in wanted if not isinstance(key, str)])
        columns = {key: quote(key) for key in wanted if isinstance(key, str)}
        columns |= {key.key: key.sql for key in wanted if not isinstance(key, str)}
        if versions:
            columns[_VERSIONS] = f"concat_ws(' ', {', '.join(map(quote, versions))})"
        columns |= {column: quote(column) for column in marked.values()}
        cells = count_rows(rows, columns, weight)
        self._marked = marked
        told = pc.unique(cells.values[_VERSIONS]).to_pylist() if versions else []
        self.versions = tuple(sorted(version for version in told if version))
        self._table, self.rows = cells.values, cells.values.num_rows
        self.counts, self.positive = cells.counts, cells.positive
        self.sums, self.squares = cells.sums, cells.squares

    def _check(self, name: Any) -> None:
        _key(name)
        if name in self._columns:
            return
        field = find_field(name)
        if field is not None and field.name in self._columns:
            hint = did_you_mean([field.name])
        else:
            near = nearest(name, self._columns)
            hint = did_you_mean(near) or f"; the columns are {', '.join(list(self._columns)[:40])}"
        raise UsageError(f"The data have no column {name!r}{hint}")

    def about(self, name: str) -> Mapping[str, Any]:
        """Return what is known about a column: its question's text, type and scale."""
        known: Mapping[str, Any] = self._about.get(name, {})
        return known

    def declared(self, name: str) -> Sequence[str]:
        """Return the levels that a column declares, in order; none for one that just holds values."""
        return self._declared[name]

    def is_number(self, name: str) -> bool:
        """Tell whether a column holds numbers."""
        return _is_number(self._table[name].type)

    def attribute(self, key: str | Bands) -> Variable:
        """Read a column, or its bands, as the levels of an attribute."""
        if isinstance(key, str):
            return self.variable(key)
        column = self._table[key.key].combine_chunks()
        answered = np.asarray(column.is_valid())
        held = column.drop_null().to_pylist()
        levels = (key.below, *key.levels) if key.below in held else key.levels
        codes = np.array([levels.index(label) for label in held], dtype=np.intp)
        text = FIELDS[key.column].label if key.column in FIELDS else key.column
        return Variable(key.column, text, levels, np.flatnonzero(answered), codes, answered, False)

    def meets(self, key: Within) -> Bools:
        """Return per row whether its number lies within the bounds."""
        return np.asarray(self._table[key.key].to_numpy(zero_copy_only=False), dtype=np.bool_)

    def variable(self, name: str, most: int | None = MOST_LEVELS) -> Variable:
        """Read a column as levels; raise :class:`UsageError` for an open question or too many levels."""
        about = self._about.get(name, {})
        column = self._table[name]
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
        multiple = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
        ranked = multiple and about.get("type") == "ranking"
        if ranked:  # who ranks names every option: what tells agents apart is which one is first
            column, multiple = _first(column), False
        answered = np.asarray(column.is_valid())
        agents = np.flatnonzero(answered)
        flat = column.drop_null()
        if multiple:
            agents = agents[np.asarray(pc.list_parent_indices(flat), dtype=np.intp)]
            flat = pc.list_flatten(flat)
            agents, flat = agents[np.asarray(flat.is_valid())], flat.drop_null()
        levels, codes = _code(name, flat, self._declared[name], about)
        if most is not None:
            _check_size(name, flat, levels, about, most)
        if multiple:
            agents, codes = _once(agents, codes, len(levels))
        text = about.get("text") or (FIELDS[name].label if name in FIELDS else name)
        if ranked:
            text = f"{text} (ranked first)"
        steps = (
            name in self._steps or about.get("type") == "scale" or (name in FIELDS and FIELDS[name].ordered)
        )
        return Variable(name, text, levels, agents, codes, answered, multiple, steps, self._unasked(name))

    def _unasked(self, name: str) -> Bools | None:
        """Return who was not asked a question; nothing where all were, or nobody knows."""
        if name not in self._marked:
            return None
        return np.asarray(self._table[self._marked[name]].to_numpy(zero_copy_only=False), dtype=np.bool_)

    def measure(self, name: str) -> Variable:
        """Read a column of numbers as a question without levels, whatever number of values it has."""
        nobody = np.zeros(0, dtype=np.intp)
        text = self.about(name).get("text") or (FIELDS[name].label if name in FIELDS else name)
        answered = ~np.isnan(self.numbers(name))
        return Variable(name, text, (), nobody, nobody, answered, False, unasked=self._unasked(name))

    def numbers(self, name: str) -> npt.NDArray[np.float64]:
        """Read a column as numbers, NaN where there is none."""
        column = self._table[name]
        if not _is_number(column.type):
            raise UsageError(f"{name!r} must hold numbers; it holds {column.type}.")
        return np.asarray(column.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)


def _check_numbers(rows: duckdb.DuckDBPyRelation, names: Sequence[str]) -> None:
    """Refuse to compare with numbers what holds none."""
    kinds = dict(zip(rows.columns, rows.types, strict=True))
    for name in names:
        if not str(kinds[name]).removeprefix("U").startswith(NUMBERS):
            raise UsageError(f"{name!r} must hold numbers; it holds {kinds[name]}.")


def _is_any_health(names: Iterable[str]) -> bool:
    return any(_is_health(name) for name in names)


def _check_size(
    name: str, values: pa.Array, levels: Sequence[str], about: Mapping[str, Any], most: int
) -> None:
    """Refuse a column with too many values to be an attribute, and say what to do instead."""
    scaled = about.get("min") is not None or (name in FIELDS and FIELDS[name].kind != "range")
    if _is_number(values.type) and not scaled and len(levels) > MOST_NUMBERS:
        raise UsageError(
            f"{name!r} has {len(levels):,} different numbers; a table takes {MOST_NUMBERS}. Cut it into "
            f"bands first: vp.bands({name!r}, [...]), or a column of its own by pd.cut(people[{name!r}], 5)."
        )
    if len(levels) > most:
        cure = "Code its answers into categories" if _is_text(values) else "Cut it into bands"
        raise UsageError(
            f"{name!r} has {len(levels):,} different values; a table takes up to {most}. {cure} first."
        )


def _is_steps(data: Any, name: str) -> bool:
    """Tell whether a column says that its levels are steps of a scale."""
    if isinstance(data, pa.Table):
        kind = data.schema.field(name).type
        return bool(pa.types.is_dictionary(kind) and kind.ordered)
    return _is_frame(data) and bool(getattr(data[name].dtype, "ordered", False))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def open_data(data: Any) -> tuple[dict[str, Sequence[str]], Mapping[str, Any], str]:
    """Return the columns with declared levels, what is known about them, and where the data come from."""
    told: Mapping[str, Any]
    if isinstance(data, duckdb.DuckDBPyRelation):
        try:
            _refuse_repeats(data.columns)
            about, note = comments(data)
            levels = {name: _enum(kind) for name, kind in zip(data.columns, data.types, strict=True)}
        except duckdb.Error as error:
            if "closed" not in str(error):
                raise
            raise UsageError("The store or database of these data is closed; open it again.") from None
        return levels, about, note
    if isinstance(data, pa.Table):
        names, told = data.column_names, json.loads((data.schema.metadata or {}).get(b"voxpop", b"{}"))
    elif _is_frame(data):
        names, told = list(data.columns), data.attrs.get("voxpop") or {}
    else:
        raise UsageError(
            "data must be a pandas DataFrame, an Arrow table or a DuckDB relation, "
            f"not {type(data).__name__}."
        )
    _refuse_repeats(names)
    return {name: () for name in names}, told.get("columns", {}), told.get("source", "")


def _is_frame(data: Any) -> bool:
    """Tell whether data are a DataFrame, without loading pandas where nobody has."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def _refuse_repeats(names: Sequence[Any]) -> None:
    repeated = sorted({str(name) for name in names if list(names).count(name) > 1})
    if repeated:
        raise UsageError(f"The data have several columns named {', '.join(repeated)}.")


def _enum(kind: Any) -> Sequence[str]:
    """Return the levels of an ENUM, or of a LIST of one."""
    if kind.id == "list":
        return _enum(kind.children[0][1])
    return tuple(kind.children[0][1]) if kind.id == "enum" else ()


def _relation(
    data: Any, names: Sequence[str], weight: str | None, mask: Bools | None
) -> tuple[dict[str, Sequence[str]], duckdb.DuckDBPyRelation]:
    """Return the levels that categories declare, and the columns as a relation."""
    every = [*dict.fromkeys([*names, *([] if weight is None else [weight])])]
    if isinstance(data, duckdb.DuckDBPyRelation):
        if mask is None:
            return {}, data
        data = data.project(", ".join(map(quote, every))).to_arrow_table()
    table = _arrow(data, every)
    if mask is not None:
        if mask.size != table.num_rows:
            raise UsageError(f"where has {mask.size:,} values; the data have {table.num_rows:,} rows.")
        table = table.filter(pa.array(mask))
    declared = {name: _declared(table[name]) for name in dict.fromkeys(names)}
    return declared, duckdb.connect().from_arrow(table.replace_schema_metadata(None))


def _declared(column: pa.ChunkedArray) -> Sequence[str]:
    """Return the levels of a dictionary, or of lists of one."""
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        column = pa.chunked_array([pc.list_flatten(part) for part in column.chunks], column.type.value_type)
    if not pa.types.is_dictionary(column.type) or not column.num_chunks:
        return ()
    return [_label(value) for value in column.unify_dictionaries().chunk(0).dictionary.to_pylist()]


def _arrow(data: Any, names: Sequence[str]) -> pa.Table:
    if isinstance(data, pa.Table):
        return data.select(list(names))
    made = {}
    for name in names:
        try:
            made[name] = pa.Array.from_pandas(data[name])
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise UsageError(f"Column {name!r} mixes kinds of values: {error}") from error
    return pa.table(made)


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


def _first(column: Any) -> Any:
    """Return the first element of each list, null for one that is empty or missing."""
    filled = pc.fill_null(pc.greater(pc.list_value_length(column), 0), False)
    return pc.list_element(pc.if_else(filled, column, pa.scalar([None], column.type)), 0)


def _once(agents: Codes, codes: Codes, levels: int) -> tuple[Codes, Codes]:
    """Count an agent once under a level, however often it names it."""
    pairs = np.unique(agents * max(levels, 1) + codes)
    return pairs // max(levels, 1), pairs % max(levels, 1)


class Rowwise:
    """Columns of data row by row, for what must give each agent something: labels, and weights to start from.

    Parameters
    ----------
    data : pandas.DataFrame, pyarrow.Table or DuckDB relation
        One row per agent.
    names : sequence of str
        The columns of levels.
    weight : str, optional
        The column of weights; 1 each without it.
    """

    def __init__(self, data: Any, names: Sequence[str | Bands], weight: str | None) -> None:
        self._frame = Frame(data, names, weight)
        plain = [name if isinstance(name, str) else name.column for name in names]
        every = list(dict.fromkeys([*plain, *([] if weight is None else [weight])]))
        if isinstance(data, duckdb.DuckDBPyRelation):
            data = data.project(", ".join(map(quote, every))).to_arrow_table()
        table = _arrow(data, every)
        self._table = table
        self.weights = (
            np.ones(table.num_rows)
            if weight is None
            else np.asarray(table[weight].cast(pa.float64()).to_numpy(), dtype=np.float64)
        )

    def labels(self, name: str | Bands) -> list[str | None]:
        """Return the level of each agent, None where it has none."""
        if isinstance(name, Bands):
            numbers = self._table[name.column].cast(pa.float64()).to_numpy()
            places = np.searchsorted(np.array(name.starts), numbers, side="right")
            words = (name.below, *name.levels)
            return [None if math.isnan(n) else words[p] for n, p in zip(numbers, places, strict=True)]
        if self._frame.variable(name).multiple:
            raise UsageError(f"{name!r} takes several answers; a margin needs one per agent.")
        column = self._table[name].combine_chunks()
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
        encoded = pc.dictionary_encode(column)
        held = [_label(value) for value in encoded.dictionary.to_pylist()]
        return [None if place is None else held[place] for place in encoded.indices.to_pylist()]
