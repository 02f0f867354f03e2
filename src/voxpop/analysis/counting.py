"""Counting in DuckDB: like rows become one row with its number of agents and the sums of their weights.

A threaded sum of floating-point numbers differs in its last digits from run to run. So weights are added up
as whole numbers: each is multiplied by a power of two and rounded, and DuckDB adds the results up in 128
bits, in any order and by any number of threads. One grouping gives every figure of the result. Where its
whole numbers would be too large, or too coarse for the smallest weights, it is made again, and used alone,
with as many whole numbers per weight as make the sums exact.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from voxpop.errors import UsageError

Floats = npt.NDArray[np.float64]

_USUAL = (52, 48)
"""Powers of two for weights up to some hundred: whole numbers per 1, of weights and of their squares."""

_LOST = 2.0**-49
"""How much of a sum of weights the rounding of each may take at most; 64 times as much of one of squares."""

_PART = 62
"""Bits of a whole number where several stand for one weight."""

_LEAST, _MOST = 1e-120, 1e120
"""Weights beyond these, other than 0, have no squares."""

_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True, slots=True)
class Cells:
    """The different rows, and for each its agents and their weights."""

    values: pa.Table
    counts: Floats
    positive: Floats
    sums: Floats
    squares: Floats


@dataclass(frozen=True, slots=True)
class Weight:
    """A column of weights: what the data call it, and what it is in SQL."""

    name: str
    column: str

    @property
    def sql(self) -> str:
        """Return the weight of a row in SQL."""
        return f"{self.column}::DOUBLE"

    @property
    def square(self) -> str:
        """Return the squared weight of a row in SQL."""
        return f"({self.sql} * {self.sql})"


def count_rows(data: duckdb.DuckDBPyRelation, columns: Mapping[str, str], weight: Weight | None) -> Cells:
    """Count the different rows of some columns: agents, those that weigh something, sums, sums of squares.

    Parameters
    ----------
    data : DuckDB relation
        One row per agent.
    columns : mapping of str to str
        The columns to tell rows apart by: their names in the result, and what they are in SQL.
    weight : Weight, optional
        The column of weights.

    Raises
    ------
    UsageError
        Weights are no numbers, missing, negative, not finite, all zero, or too large or small to be squared.

    Examples
    --------
    >>> rows = duckdb.sql("SELECT * FROM (VALUES ('a', 0.1), ('a', 0.2), ('b', 5)) t(arm, w)")
    >>> cells = count_rows(rows, {"arm": "arm"}, Weight("w", "w"))
    >>> sorted(zip(cells.values["arm"].to_pylist(), cells.counts.tolist(), cells.sums.round(9).tolist()))
    [('a', 2.0, 0.3), ('b', 1.0, 5.0)]
    """
    if weight is None:
        found = _grouped(data, columns, ["count(*) AS n"])
        counts = _floats(found, "n")
        return Cells(_values(found, columns), counts, counts, counts, counts)
    _check_type(data, weight)
    layout = [[power] for power in _USUAL]
    found = _weighed(data, columns, weight, layout)
    made = _cells(found, columns, layout)
    usual = _floats(found, "held").sum() == made.counts.sum() and _is_fine(made)
    if not (usual and (made.positive == made.counts).all()):
        _check_weights(data, int(made.counts.sum()), weight)
    if not usual:
        layout = [_powers(data, value) for value in (weight.sql, weight.square)]
        made = _cells(_weighed(data, columns, weight, layout), columns, layout)
    return made


def take_rows(data: duckdb.DuckDBPyRelation, columns: Mapping[str, str], weight: Weight | None) -> Cells:
    """Return every row by itself, as :func:`count_rows` returns the different ones."""
    named = [f"{sql} AS {key}" for sql, key in zip(columns.values(), _keys(columns), strict=True)]
    if weight is not None:
        _check_type(data, weight)
        named.append(f"{weight.sql} AS w")
    found = data.project(", ".join(named)).to_arrow_table()
    ones = np.ones(found.num_rows)
    if weight is None:
        return Cells(_values(found, columns), ones, ones, ones, ones)
    weights = np.asarray(found["w"].to_numpy(), dtype=np.float64)
    usable = np.isfinite(weights) & (weights > 0)
    if not usable.all() or (usable.any() and not _LEAST <= weights.min() <= weights.max() <= _MOST):
        _check_weights(data, found.num_rows, weight)
    return Cells(_values(found, columns), ones, (weights > 0).astype(np.float64), weights, weights * weights)


def is_number(kind: str) -> bool:
    """Tell whether a type of DuckDB holds numbers."""
    return kind.removeprefix("U").startswith(_NUMBERS)


def _values(found: pa.Table, columns: Mapping[str, str]) -> pa.Table:
    return found.select(_keys(columns)).rename_columns(list(columns))


def _keys(columns: Mapping[str, str]) -> list[str]:
    return [f"k{place}" for place in range(len(columns))]


def _grouped(data: duckdb.DuckDBPyRelation, columns: Mapping[str, str], sums: Sequence[str]) -> pa.Table:
    named = [f"{sql} AS {key}" for sql, key in zip(columns.values(), _keys(columns), strict=True)]
    found = data.aggregate(", ".join([*named, *sums]), ", ".join(columns.values()))
    return found.order(", ".join(_keys(columns))).to_arrow_table()  # groups come in the order of any thread


def _weighed(
    data: duckdb.DuckDBPyRelation, columns: Mapping[str, str], weight: Weight, layout: Sequence[Sequence[int]]
) -> pa.Table:
    """Add up weights and their squares as whole numbers, each by its powers of two, coarse to fine."""
    named = [f"{sql} AS {key}" for sql, key in zip(columns.values(), _keys(columns), strict=True)]
    rows = data.project(
        ", ".join([*named, f"{weight.sql} AS w", f"{weight.square} AS v", "w > 0 AS positive"])
    )
    sums = ["count(*) AS n", "count_if(positive)::BIGINT AS positive", "count(v0) AS held"]
    for name, powers in zip("wv", layout, strict=True):
        for place, power in enumerate(powers):
            part = f"{name}{place}"
            rows = rows.project(f"*, try_cast({name} * {_two(power)} AS BIGINT) AS {part}")
            if place + 1 < len(powers):
                rows = rows.project(f"* REPLACE ({name} - {part} * {_two(-power)} AS {name})")
            sums.append(f"sum({part}) AS {part}")
    return _grouped(rows, {key: key for key in _keys(columns)}, sums)


def _two(power: int) -> str:
    return f"{math.ldexp(1.0, power)!r}::DOUBLE"


def _cells(found: pa.Table, columns: Mapping[str, str], layout: Sequence[Sequence[int]]) -> Cells:
    sums, squares = (_sums(found, name, powers) for name, powers in zip("wv", layout, strict=True))
    return Cells(_values(found, columns), _floats(found, "n"), _floats(found, "positive"), sums, squares)


def _sums(found: pa.Table, name: str, powers: Sequence[int]) -> Floats:
    """Return the sums that sums of whole numbers stand for, rounded once."""
    finest = powers[-1]
    parts = [
        [int(part or 0) << (finest - power) for part in found[f"{name}{place}"].to_pylist()]
        for place, power in enumerate(powers)
    ]
    return np.array([_scaled(sum(own), finest) for own in zip(*parts, strict=True)], dtype=np.float64)


def _scaled(number: int, power: int) -> float:
    return number / (1 << power) if power >= 0 else float(number << -power)


def _is_fine(made: Cells) -> bool:
    """Tell whether the usual powers of two are fine enough for every sum."""
    return all(
        bool((made.positive * math.ldexp(0.5, -power) <= lost * held).all())
        for held, power, lost in zip((made.sums, made.squares), _USUAL, (_LOST, 64 * _LOST), strict=True)
    )


def _powers(data: duckdb.DuckDBPyRelation, value: str) -> list[int]:
    """Return the powers of two that make sums exact, from the first binary digit to the last."""
    most, least = data.aggregate(f"max({value}), min({value}) FILTER ({value} > 0)").fetchall()[0]
    top, bottom = math.frexp(most)[1], math.frexp(least)[1] - 53
    return [_PART * (place + 1) - top for place in range(math.ceil((top - bottom) / _PART))]


def _check_type(data: duckdb.DuckDBPyRelation, weight: Weight) -> None:
    kind = str(dict(zip(data.columns, data.types, strict=True))[weight.column])
    if not is_number(kind):
        raise UsageError(f"{weight.name!r} must hold numbers to be a weight; it holds {kind}.")


def _check_weights(data: duckdb.DuckDBPyRelation, rows: int, weight: Weight) -> None:
    """Refuse weights that are none."""
    w, name = weight.sql, weight.name
    conditions = (
        f"isfinite({w})",
        f"{w} < 0",
        f"{w} > 0",
        f"{w} > {_MOST!r}",
        f"{w} > 0 AND {w} < {_LEAST!r}",
    )
    counted = ", ".join(f"count(*) FILTER ({condition})" for condition in conditions)
    finite, negative, positive, large, small = data.aggregate(counted).fetchall()[0]
    if finite < rows:
        raise UsageError(f"{rows - finite:,} of {rows:,} weights in {name!r} are missing or not finite.")
    if negative:
        raise UsageError(f"{negative:,} weights in {name!r} are negative; weights are 0 or more.")
    if rows and not positive:
        raise UsageError(f"All weights in {name!r} are zero.")
    if large or small:
        raise UsageError(
            f"{large + small:,} weights in {name!r} are above {_MOST:g} or below {_LEAST:g}, so their "
            "squares cannot be added up; multiply all weights by one number."
        )


def _floats(table: pa.Table, name: str) -> Floats:
    return np.asarray(table[name].to_numpy(), dtype=np.float64)
