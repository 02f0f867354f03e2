"""Counting in DuckDB: rows with equal values are grouped into one with its count and sums of weights.

A multi-threaded sum of floating-point numbers differs in its last digits between runs. Weights are therefore
summed as integers: each is multiplied by a power of two and rounded, and DuckDB sums the results in 128 bits,
independently of order and number of threads. One grouping yields all figures of a result. If its integers
would be too large, or too coarse for the smallest weights, the grouping is repeated with several integers per
weight, as many as an exact sum needs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.errors import UsageError

Floats = npt.NDArray[np.float64]

_USUAL = (52, 48)
"""Default binary exponents for weights and for their squares, suitable for weights up to a few hundred."""

_LOST = 2.0**-49
"""Maximum relative error of a sum of weights due to rounding; for sums of squares, 64 times as much."""

_PART = 62
"""Bits per integer when several integers represent one weight."""

_LEAST, _MOST = 1e-120, 1e120
"""Range of nonzero weights whose squares can be represented."""

_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True, slots=True)
class Cells:
    """The distinct rows, with the agents and weights of each."""

    values: pa.Table
    counts: Floats
    positive: Floats
    sums: Floats
    squares: Floats


@dataclass(frozen=True, slots=True)
class Weight:
    """A column of weights: its name in the data and in SQL."""

    name: str
    column: str

    @property
    def sql(self) -> str:
        """Return the SQL expression of the weight."""
        return f"{self.column}::DOUBLE"

    @property
    def square(self) -> str:
        """Return the SQL expression of the squared weight."""
        return f"({self.sql} * {self.sql})"


def count_rows(data: duckdb.DuckDBPyRelation, columns: Mapping[str, str], weight: Weight | None) -> Cells:
    """Count the distinct rows of some columns: agents, positive weights, sums, sums of squares.

    Parameters
    ----------
    data : DuckDB relation
        One row per agent.
    columns : mapping of str to str
        SQL expressions of the grouping columns, by their name in the result.
    weight : Weight, optional
        The column of weights.

    Raises
    ------
    UsageError
        If weights are not numeric, missing, negative, infinite, all zero, or too large or small to square.

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
    """Return every row separately, in the form of :func:`count_rows`."""
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
    """Return whether a DuckDB type is numeric."""
    return kind.removeprefix("U").startswith(_NUMBERS)


def _values(found: pa.Table, columns: Mapping[str, str]) -> pa.Table:
    return found.select(_keys(columns)).rename_columns(list(columns))


def _keys(columns: Mapping[str, str]) -> list[str]:
    return [f"k{place}" for place in range(len(columns))]


def _grouped(data: duckdb.DuckDBPyRelation, columns: Mapping[str, str], sums: Sequence[str]) -> pa.Table:
    named = [f"{sql} AS {key}" for sql, key in zip(columns.values(), _keys(columns), strict=True)]
    found = data.aggregate(", ".join([*named, *sums]), ", ".join(columns.values()))
    return found.order(", ".join(_keys(columns))).to_arrow_table()  # threads return groups in any order


def _weighed(
    data: duckdb.DuckDBPyRelation, columns: Mapping[str, str], weight: Weight, layout: Sequence[Sequence[int]]
) -> pa.Table:
    """Sum weights and their squares as integers, one sum per power of two, coarse to fine."""
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
    """Combine the integer sums into floats, rounding once."""
    finest = powers[-1]
    if len(powers) == 1:
        return np.ldexp(_rounded(found[f"{name}0"]), -finest)
    parts = [
        [int(part or 0) << (finest - power) for part in found[f"{name}{place}"].to_pylist()]
        for place, power in enumerate(powers)
    ]
    return np.array([_scaled(sum(own), finest) for own in zip(*parts, strict=True)], dtype=np.float64)


def _rounded(column: pa.ChunkedArray) -> Floats:
    """Return sums of 128 bits as the nearest floats, 0 where missing.

    Three parts of a number are exact as floats. The error of adding the first two is exact as well (D. E.
    Knuth, *The Art of Computer Programming* 2, section 4.2.2), so that the last sum rounds only once, unless
    the error and the third part need more than 53 bits together; such numbers are converted one by one.
    """
    held = pc.fill_null(column.combine_chunks().cast(pa.decimal128(38, 0)), Decimal(0))
    halves = np.frombuffer(held.buffers()[1], dtype=np.int64).reshape(-1, 2)
    low, high = halves[held.offset : held.offset + len(held)].T
    top = high.astype(np.float64) * 2.0**64
    middle = (low.view(np.uint64) >> np.uint64(32)).astype(np.float64) * 2.0**32
    last = (low.view(np.uint64) & np.uint64(0xFFFFFFFF)).astype(np.float64)
    first, error = _two_sum(top, middle)
    rest, lost = _two_sum(error, last)
    made = first + rest
    for place in np.flatnonzero((lost != 0) | (np.abs(high) >= 2**53)):
        made[place] = float((int(high[place]) << 64) + int(low.view(np.uint64)[place]))
    return made


def _two_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return the rounded sums of two arrays and their exact errors."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _scaled(number: int, power: int) -> float:
    return number / (1 << power) if power >= 0 else float(number << -power)


def _is_fine(made: Cells) -> bool:
    """Return whether the default powers of two are precise enough for every sum."""
    return all(
        bool((made.positive * math.ldexp(0.5, -power) <= lost * held).all())
        for held, power, lost in zip((made.sums, made.squares), _USUAL, (_LOST, 64 * _LOST), strict=True)
    )


def _powers(data: duckdb.DuckDBPyRelation, value: str) -> list[int]:
    """Return the powers of two that make the sums exact, from the first binary digit to the last."""
    most, least = data.aggregate(f"max({value}), min({value}) FILTER ({value} > 0)").fetchall()[0]
    top, bottom = math.frexp(most)[1], math.frexp(least)[1] - 53
    return [_PART * (place + 1) - top for place in range(math.ceil((top - bottom) / _PART))]


def _check_type(data: duckdb.DuckDBPyRelation, weight: Weight) -> None:
    kind = str(dict(zip(data.columns, data.types, strict=True))[weight.column])
    if not is_number(kind):
        raise UsageError(f"{weight.name!r} must hold numbers to be a weight; it holds {kind}.")


def _check_weights(data: duckdb.DuckDBPyRelation, rows: int, weight: Weight) -> None:
    """Refuse invalid weights."""
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
