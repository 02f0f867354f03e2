"""The columns of a table, read as levels from a DataFrame, an Arrow table or a DuckDB relation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.analysis.cautions import grounds_told
from voxpop.analysis.columns import Bools as Bools
from voxpop.analysis.columns import (
    Columns,
    arrow_columns,
    design_told,
    is_steps,
    label_of,
    open_data,
    rows_of,
    take_columns,
)
from voxpop.analysis.counting import Cells, Weight, count_rows, is_number, take_rows
from voxpop.analysis.design_moments import in_two_rows, moments_of
from voxpop.analysis.levels import MOST_LEVELS, Codes, check_size, code_levels
from voxpop.analysis.levels import is_number as holds_numbers
from voxpop.errors import UsageError
from voxpop.survey.bands import Bands, Within
from voxpop.survey.declaring import provenance_of
from voxpop.survey.store_view import mark_unasked
from voxpop.tables.schema import PROVENANCE_FIELDS
from voxpop.vocabulary.fields import FIELDS, find_field
from voxpop.vocabulary.nearest import did_you_mean, nearest
from voxpop.vocabulary.question_types import is_open, shape_of
from voxpop.vocabulary.shapes import RANKING

PROVENANCE = tuple(f"health_{name}" for name in PROVENANCE_FIELDS)
"""Columns that identify the version of an agent's health data, if present."""

_VERSIONS = "versions of health data"
_PERSON = "agent of the row"

NOT_ASSIGNED = "not assigned"
NO_ANSWER = "no answer"

Floats = npt.NDArray[np.float64]
Key = str | Bands | Within

_MOST = 1e120
"""Maximum absolute value whose square can be represented."""

_FEW_ROWS = 20_000
_FEW_VALUES = 1_000
"""A numeric column with more rows and more distinct values is not grouped, as each row would be a group."""


def _key(given: Any) -> Key:
    """Refuse values that cannot name a column."""
    if not isinstance(given, str | Bands | Within):
        number = isinstance(given, int) and not isinstance(given, bool)
        hint = f'; the column {given} is named "{given}"' if number else ""
        raise UsageError(f"A column name must be text or vp.bands, not {given!r}{hint}.")
    return given


@dataclass(frozen=True, slots=True)
class Variable:
    """A column read as levels.

    Attributes
    ----------
    name, text : str
        The column, and the wording of its question (the column name if unknown).
    levels : tuple of str
        Levels in order, including declared levels without answers.
    agents, codes : arrays of int
        One entry per agent and level: row of the agent, position of the level. A multi-response column has
        several entries per agent.
    answered : array of bool
        Whether each agent was asked and answered; ticking nothing is an answer.
    ordered : bool
        Whether the levels form a scale.
    unasked : array of bool, optional
        Whether each agent was not asked; None if all were asked or it is unknown.
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

    def members(self) -> Iterator[Bools]:
        """Yield, for each level, a mask of the agents that have it."""
        if not self.multiple:
            held = np.full(self.answered.size, -1, dtype=np.intp)
            held[self.agents] = self.codes
            yield from (held == place for place in range(len(self.levels)))
            return
        for place in range(len(self.levels)):
            inside = np.zeros_like(self.answered)
            inside[self.agents[self.codes == place]] = True
            yield inside

    @property
    def missing_label(self) -> str:
        """Return the label of a missing value."""
        return NOT_ASSIGNED if _is_health(self.name) else NO_ANSWER

    def with_not_assigned(self) -> Variable:
        """Add a level for agents without assigned health data; return other variables unchanged."""
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


@dataclass(frozen=True, slots=True)
class Ranked:
    """The rows with a number in ascending order: positions, numbers, counts and sums of weights."""

    rows: Codes
    numbers: Floats
    counts: Floats
    sums: Floats
    squares: Floats


def _is_health(name: str) -> bool:
    return name in FIELDS and FIELDS[name].group == "health"


class Frame:
    """The columns needed by a table, with equal rows grouped and counted.

    DuckDB counts in one pass over the data. Weights are summed as integers, so that sums do not depend on the
    order of the rows or the number of threads.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per agent.
    keys : iterable of str, Bands or Within
        The columns needed by the table besides the weight, plain or cut into ranges.
    weight : str, optional
        The column of weights.
    mask : array or Series of bool, optional
        The rows to include.
    measured : str or sequence of str, optional
        Keys that are used as numbers; if one has very many values, rows are not grouped.
    person : str, optional
        The column that identifies agents; rows of different agents are then not grouped.
    rowwise : bool, default False
        Whether rows stay ungrouped, in the order of the data.
    moments : bool, default False
        Whether ``measured``, if it has very many values, is told by two rows per cell with its moments.

    Attributes
    ----------
    rows : int
        Number of distinct rows.
    apart : bool
        Whether rows are ungrouped, one per agent.
    grounds : tuple of str
        Notices on what the answers of the columns rest on.
    remarks : tuple of str
        A note on what of a survey's design is left out.
    counts, positive, sums, squares : arrays of float
        Per distinct row: agents, agents with a positive weight, sums of weights and of squared weights.
    """

    note: str
    rows: int
    counts: Floats
    positive: Floats
    sums: Floats
    squares: Floats

    def __init__(
        self,
        data: Any,
        keys: Iterable[Key],
        weight: str | None = None,
        mask: Any = None,
        measured: str | Sequence[str] | None = None,
        person: str | None = None,
        *,
        rowwise: bool = False,
        moments: bool = False,
    ) -> None:
        self._columns, self._about, self.note = open_data(data)
        wanted = list(dict.fromkeys(map(_key, keys)))
        names = list(dict.fromkeys(key if isinstance(key, str) else key.column for key in wanted))
        for name in [*names, *([] if weight is None else [weight])]:
            self._check(name)
        for name in names:
            if is_open(self._about.get(name, {}).get("type")):
                raise UsageError(
                    f"{name!r} is an open question; code its answers into categories first (vp.codeframe)."
                )
        self.provenance = provenance_of(data, names)
        self.grounds = grounds_told(self._about, names)
        self.remarks = design_told(data)
        given = data
        data, self._marked = mark_unasked(rows_of(data), names)
        versions = [name for name in PROVENANCE if name in self._columns and _is_any_health(names)]
        every = [*names, *versions, *self._marked.values()]
        every += [name for name in (weight, person) if name is not None]
        held = take_columns(data, every, mask)
        self._declared = {
            name: self._columns[name] or held.declared.get(name) or self.about(name).get("options", ())
            for name in names
        }
        self._steps = {name for name in names if is_steps(given, name)}
        _check_numbers(held, [key.column for key in wanted if not isinstance(key, str)])
        columns = {key if isinstance(key, str) else key.key: _sql(key, held) for key in wanted}
        if versions:
            columns[_VERSIONS] = f"concat_ws(' ', {', '.join(held.sql[name] for name in versions)})"
        columns |= {column: held.sql[column] for column in self._marked.values()}
        if person is not None:
            columns[_PERSON] = held.sql[person]
        weights = None if weight is None else Weight(weight, held.sql[weight])
        numbers = [measured] if isinstance(measured, str) else list(measured or ())
        self.apart = rowwise or any(_is_apart(held, name) for name in numbers)
        cells = None
        if self.apart and moments and not rowwise and len(numbers) == 1:
            cells = _moments(held, columns, numbers[0], weights)
        if cells is None:
            cells = (take_rows if self.apart else count_rows)(held.rows, columns, weights)
        told = pc.unique(cells.values[_VERSIONS]).to_pylist() if versions else []
        self.versions: tuple[str, ...] = tuple(sorted(version for version in told if version))
        self._table, self.rows = cells.values, cells.values.num_rows
        self.counts, self.positive = cells.counts, cells.positive
        self.sums, self.squares = cells.sums, cells.squares
        self._numbers: dict[str, Floats] = {}
        self._ranked: dict[str, Ranked] = {}

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
        """Return what is known about a column: the wording, type and scale of its question."""
        known: Mapping[str, Any] = self._about.get(name, {})
        return known

    def declared(self, name: str) -> Sequence[str]:
        """Return the declared levels of a column, in order; empty if it declares none."""
        return self._declared[name]

    def is_number(self, name: str) -> bool:
        """Return whether a column is numeric."""
        return holds_numbers(self._table[name].type)

    def persons(self) -> Codes | None:
        """Return the agent of each row as a number, by the order of their ids; None if not asked for."""
        if _PERSON not in self._table.column_names:
            return None
        encoded = pc.dictionary_encode(self._table[_PERSON].combine_chunks())
        if encoded.null_count:
            raise UsageError("Some rows do not tell their agent, so waves cannot be compared.")
        rank = np.empty(len(encoded.dictionary), dtype=np.intp)
        rank[np.asarray(pc.sort_indices(encoded.dictionary), dtype=np.intp)] = np.arange(rank.size)
        return np.asarray(rank[np.asarray(encoded.indices, dtype=np.intp)])

    def places(self, name: str) -> tuple[Codes, int]:
        """Return the place of each row's value among the sorted values, -1 if missing, and how many are."""
        encoded = pc.dictionary_encode(self._decoded(name))
        rank = np.empty(len(encoded.dictionary) + 1, dtype=np.intp)
        rank[np.asarray(pc.sort_indices(encoded.dictionary), dtype=np.intp)] = np.arange(rank.size - 1)
        rank[-1] = -1
        codes = rank[np.asarray(pc.fill_null(encoded.indices, rank.size - 1), dtype=np.intp)]
        return codes, int(self.counts[codes < 0].sum()) if encoded.null_count else 0

    def labels_of(self, name: str) -> list[str | None]:
        """Return the label of each row's value, None if missing."""
        encoded = pc.dictionary_encode(self._decoded(name))
        held = [label_of(value) for value in encoded.dictionary.to_pylist()]
        return [None if place is None else held[place] for place in encoded.indices.to_pylist()]

    def label_at(self, name: str, row: int) -> str:
        """Return the label of a value."""
        return label_of(self._decoded(name)[row].as_py())

    def _decoded(self, name: str) -> Any:
        """Return a column as plain values, null where missing."""
        column = self._table[name]
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
        return column

    def is_ordered(self, name: str) -> bool:
        """Return whether the order of a column's levels is meaningful, by question, field or declaration."""
        known = name in FIELDS and FIELDS[name].ordered
        about = self.about(name)
        return name in self._steps or known or bool(about.get("ordered", about))

    def attribute(self, key: str | Bands) -> Variable:
        """Read a column, or its bands, as the levels of an attribute."""
        if isinstance(key, str):
            return self.variable(key)
        column = self._table[key.key].combine_chunks()
        answered = np.asarray(column.is_valid())
        places, fractions = np.divmod(np.asarray(column.drop_null(), dtype=np.intp), 2)
        labels = key.labels(fractions=bool(fractions.any()))
        first = 0 if (places == 0).any() else 1
        text = FIELDS[key.column].label if key.column in FIELDS else key.column
        codes = places - first
        return Variable(key.column, text, labels[first:], np.flatnonzero(answered), codes, answered, False)

    def meets(self, key: Within) -> Bools:
        """Return whether the number of each row lies within the bounds."""
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
        shape = shape_of(about.get("type"))
        ranked = multiple and shape is RANKING
        if ranked:  # a ranking names every option, so only the first choice distinguishes agents
            column, multiple = _first(column), False
        answered = np.asarray(column.is_valid())
        agents = np.flatnonzero(answered)
        flat = column.drop_null()
        if multiple:
            agents = agents[np.asarray(pc.list_parent_indices(flat), dtype=np.intp)]
            flat = pc.list_flatten(flat)
            agents, flat = agents[np.asarray(flat.is_valid())], flat.drop_null()
        levels, codes = code_levels(name, flat, self._declared[name], about)
        if most is not None:
            check_size(name, flat, levels, about, most)
        if multiple:
            agents, codes = _once(agents, codes, len(levels))
        text = about.get("text") or (FIELDS[name].label if name in FIELDS else name)
        if ranked:
            text = f"{text} (ranked first)"
        steps = (
            name in self._steps
            or (shape is not None and shape.ordered)
            or (name in FIELDS and FIELDS[name].ordered)
        )
        return Variable(name, text, levels, agents, codes, answered, multiple, steps, self._unasked(name))

    def _unasked(self, name: str) -> Bools | None:
        """Return a mask of agents that were not asked a question; None if all were asked or it is unknown."""
        if name not in self._marked:
            return None
        return np.asarray(self._table[self._marked[name]].to_numpy(zero_copy_only=False), dtype=np.bool_)

    def measure(self, name: str) -> Variable:
        """Read a numeric column as a question without levels, however many values it has."""
        nobody = np.zeros(0, dtype=np.intp)
        text = self.about(name).get("text") or (FIELDS[name].label if name in FIELDS else name)
        answered = ~np.isnan(self.numbers(name))
        return Variable(name, text, (), nobody, nobody, answered, False, unasked=self._unasked(name))

    def numbers(self, name: str) -> Floats:
        """Read a column as numbers, with NaN for missing values, 1 for yes and 0 for no."""
        if name not in self._numbers:
            self._numbers[name] = self._read_numbers(name)
        return self._numbers[name]

    def ranked(self, name: str) -> Ranked:
        """Return the rows that have a number, in ascending order."""
        if name not in self._ranked:
            numbers = self.numbers(name)
            order = np.argsort(numbers)[: int(np.count_nonzero(~np.isnan(numbers)))]  # NaN sorts last
            counts = self.counts[order]
            plain = self.sums is self.counts
            sums, squares = (counts, counts) if plain else (self.sums[order], self.squares[order])
            self._ranked[name] = Ranked(order, numbers[order], counts, sums, squares)
        return self._ranked[name]

    def _read_numbers(self, name: str) -> Floats:
        column = self._table[name]
        if codes := self.about(name).get("codes"):  # labels of a file, whose codes are numbers
            return _numbers_of(column, codes)
        if not (holds_numbers(column.type) or pa.types.is_boolean(column.type)):
            hint = ""
            if self._declared[name]:
                hint = "; first map its levels to numbers in a new column"
            raise UsageError(f"{name!r} must hold numbers; it holds {column.type}{hint}.")
        numbers = np.asarray(column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), np.float64)
        if beyond := int(self.counts[np.abs(numbers) > _MOST].sum()):
            raise UsageError(
                f"{beyond:,} numbers in {name!r} are infinite or beyond {_MOST:g}; exclude them, or set "
                "them to missing."
            )
        return numbers


def _moments(held: Columns, columns: Mapping[str, str], name: str, weight: Weight | None) -> Cells | None:
    """Return cells with the moments of a number; None if they cannot be added up."""
    number = columns[name]
    keys = {**columns, name: f"coalesce(isfinite(({number})::DOUBLE), false)"}
    found = moments_of(held.rows, list(keys.values()), number, None if weight is None else weight.sql)
    return None if found is None else in_two_rows(count_rows(held.rows, keys, weight), name, found)


def _numbers_of(column: Any, codes: Mapping[str, float]) -> Floats:
    """Return the code of each label, NaN for a missing one."""
    encoded = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if not pa.types.is_dictionary(encoded.type):
        encoded = pc.dictionary_encode(encoded)
    held = [codes.get(label, math.nan) for label in encoded.dictionary.to_pylist()]
    places = np.asarray(pc.fill_null(encoded.indices, len(held)), dtype=np.intp)
    return np.array([*held, math.nan], dtype=np.float64)[places]


def _sql(key: Key, held: Columns) -> str:
    return held.sql[key] if isinstance(key, str) else key.sql(held.sql[key.column])


def _is_apart(held: Columns, name: str) -> bool:
    """Return whether a number has too many values to group its rows, whatever their order."""
    if not is_number(held.kind(name)):
        return False
    rows, values = held.rows.aggregate(f"count(*), approx_count_distinct({held.sql[name]})").fetchall()[0]
    return bool(rows > _FEW_ROWS and values > _FEW_VALUES)


def _check_numbers(held: Columns, names: Sequence[str]) -> None:
    """Refuse a numeric condition on a column that is not numeric."""
    for name in names:
        if not is_number(held.kind(name)):
            raise UsageError(f"{name!r} must hold numbers; it holds {held.kind(name)}.")


def _is_any_health(names: Iterable[str]) -> bool:
    return any(_is_health(name) for name in names)


def _first(column: Any) -> Any:
    """Return the first element of each list, null for an empty or missing list."""
    filled = pc.fill_null(pc.greater(pc.list_value_length(column), 0), False)
    return pc.list_element(pc.if_else(filled, column, pa.scalar([None], column.type)), 0)


def _once(agents: Codes, codes: Codes, levels: int) -> tuple[Codes, Codes]:
    """Count an agent only once per level."""
    pairs = np.unique(agents * max(levels, 1) + codes)
    return pairs // max(levels, 1), pairs % max(levels, 1)


class Rowwise:
    """The columns of data row by row, for results per agent: labels and starting weights.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per agent.
    names : sequence of str
        The columns to read as levels.
    weight : str, optional
        The column of weights; 1 each by default.
    """

    def __init__(self, data: Any, names: Sequence[str | Bands], weight: str | None) -> None:
        self._frame = Frame(data, names, weight)
        plain = [name if isinstance(name, str) else name.column for name in names]
        self._table = arrow_columns(data, [*plain, *([] if weight is None else [weight])])
        self.weights: Floats = np.ones(self._table.num_rows) if weight is None else self._floats(weight)

    def labels(self, name: str | Bands) -> list[str | None]:
        """Return the level of each agent, None if missing."""
        if isinstance(name, Bands):
            numbers = self._floats(name.column)
            places = np.searchsorted(np.array(name.starts), numbers, side="right")
            words = name.labels()
            return [None if math.isnan(n) else words[p] for n, p in zip(numbers, places, strict=True)]
        if self._frame.variable(name).multiple:
            raise UsageError(f"{name!r} is a multi-response question; a margin needs one answer per agent.")
        column = self._table[name].combine_chunks()
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
        encoded = pc.dictionary_encode(column)
        held = [label_of(value) for value in encoded.dictionary.to_pylist()]
        return [None if place is None else held[place] for place in encoded.indices.to_pylist()]

    def _floats(self, name: str) -> Floats:
        return np.asarray(self._table[name].cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
