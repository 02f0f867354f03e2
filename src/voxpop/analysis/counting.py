"""Counting in DuckDB: like rows become one row with its number of agents and the sums of their weights.

A threaded sum of floating-point numbers differs in its last digits from run to run, unless every addition is
exact. So each weight is split into a coarse and a fine part, both multiples of a power of two that is large
enough for their sums to need no rounding: adding and subtracting ``1.5 * 2**bits`` rounds a number to a
multiple of ``2**(bits - 52)`` (T. J. Dekker, *Numerische Mathematik* 18, 1971).
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
from voxpop.tables.schema import quote

Floats = npt.NDArray[np.float64]

_BITS = 30
"""Sums below 2**30 are added up without rounding at the first try; larger or tiny ones in a second pass."""

_ROWS = 25
"""The same for up to 2**25 agents in one cell."""

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True, slots=True)
class Cells:
    """The different rows, and for each its agents and their weights."""

    values: pa.Table
    counts: Floats
    positive: Floats
    sums: Floats
    squares: Floats


def count_rows(data: duckdb.DuckDBPyRelation, columns: Mapping[str, str], weight: str | None) -> Cells:
    """Count the different rows of some columns: agents, those that weigh something, sums, sums of squares.

    Parameters
    ----------
    data : DuckDB relation
        One row per agent.
    columns : mapping of str to str
        The columns to tell rows apart by: their names in the result, and what they are in SQL.
    weight : str, optional
        The column of weights.

    Raises
    ------
    UsageError
        Weights are no numbers, missing, negative, not finite or all zero.

    Examples
    --------
    >>> rows = duckdb.sql("SELECT * FROM (VALUES ('a', 0.1), ('a', 0.2), ('b', 5)) t(arm, w)")
    >>> cells = count_rows(rows, {"arm": "arm"}, "w")
    >>> sorted(zip(cells.values["arm"].to_pylist(), cells.counts.tolist(), cells.sums.round(9).tolist()))
    [('a', 2.0, 0.3), ('b', 1.0, 5.0)]
    """
    if weight is None:
        found = _grouped(data, columns, ["count(*) AS n"])
        counts = _floats(found, "n")
        return Cells(_values(found, columns), counts, counts, counts, counts)
    _check_type(data, weight)
    bits, rows = (_BITS, _BITS), _ROWS
    found = _weighed(data, columns, weight, bits, rows)
    _check_weights(data, found, weight)
    counts = _floats(found, "n")
    wanted = tuple(_fitting(data, weight, _sum(found, name), name) for name in ("w", "v"))
    most = int(counts.max(initial=0))
    if wanted != bits or most >= 1 << rows:
        found = _weighed(data, columns, weight, wanted, max(rows, most.bit_length()))
    sums, squares = _sum(found, "w"), _sum(found, "v")
    return Cells(_values(found, columns), counts, _floats(found, "positive"), sums, squares)


def _values(found: pa.Table, columns: Mapping[str, str]) -> pa.Table:
    return found.select(_keys(columns)).rename_columns(list(columns))


def _keys(columns: Mapping[str, str]) -> list[str]:
    return [f"k{place}" for place in range(len(columns))]


def _grouped(data: duckdb.DuckDBPyRelation, columns: Mapping[str, str], sums: Sequence[str]) -> pa.Table:
    named = [f"{sql} AS {key}" for sql, key in zip(columns.values(), _keys(columns), strict=True)]
    return data.aggregate(", ".join([*named, *sums]), ", ".join(columns.values())).to_arrow_table()


def _weighed(
    data: duckdb.DuckDBPyRelation, columns: Mapping[str, str], weight: str, bits: tuple[int, ...], rows: int
) -> pa.Table:
    """Add up weights and their squares, each in a coarse and a fine part."""
    w = f"{quote(weight)}::DOUBLE"
    sums = ["count(*) AS n", f"count_if({w} > 0)::BIGINT AS positive"]
    for name, value, size in zip(("w", "v"), (w, f"({w} * {w})"), bits, strict=True):
        coarse = _rounded(value, size)
        sums.append(f"sum({coarse}) AS {name}_coarse")
        sums.append(f"sum({_rounded(f'({value} - {coarse})', size - 53 + rows)}) AS {name}_fine")
    return _grouped(data, columns, sums)


def _rounded(value: str, bits: int) -> str:
    far = f"{math.ldexp(1.5, bits)!r}::DOUBLE"
    return f"(({value} + {far}) - {far})"


def _fitting(data: duckdb.DuckDBPyRelation, weight: str, sums: Floats, name: str) -> int:
    """Return how many bits the largest sum needs; the usual number where that serves."""
    largest = float(sums.max(initial=0))
    if largest < 2.0 ** (_BITS - 45):  # too little is left of such small numbers to go by
        w = f"{quote(weight)}::DOUBLE"
        rough = data.aggregate(f"sum({w if name == 'w' else f'{w} * {w}'})").fetchall()[0][0]
        return math.frexp(rough)[1] if rough else _BITS
    needed = math.frexp(largest)[1]
    return needed if needed > _BITS else _BITS


def _sum(found: pa.Table, name: str) -> Floats:
    return _floats(found, f"{name}_coarse") + _floats(found, f"{name}_fine")


def _check_type(data: duckdb.DuckDBPyRelation, weight: str) -> None:
    kind = str(dict(zip(data.columns, data.types, strict=True))[weight])
    if not kind.removeprefix("U").startswith(NUMBERS):
        raise UsageError(f"{weight!r} must hold numbers to be a weight; it holds {kind}.")


def _check_weights(data: duckdb.DuckDBPyRelation, found: pa.Table, weight: str) -> None:
    """Refuse weights that are none; a second look at the data only where some are not above 0."""
    rows = int(_floats(found, "n").sum())
    finite = bool(np.isfinite(_sum(found, "w")).all())
    if finite and _floats(found, "positive").sum() == rows:
        return
    w = f"{quote(weight)}::DOUBLE"
    if bad := rows - _count(data, f"isfinite({w})"):
        raise UsageError(f"{bad:,} of {rows:,} weights in {weight!r} are missing or not finite.")
    if negative := _count(data, f"{w} < 0"):
        raise UsageError(f"{negative:,} weights in {weight!r} are negative; weights are 0 or more.")
    if rows and not _count(data, f"{w} > 0"):
        raise UsageError(f"All weights in {weight!r} are zero.")


def _count(data: duckdb.DuckDBPyRelation, condition: str) -> int:
    return int(data.aggregate(f"count(*) FILTER ({condition})").fetchall()[0][0])


def _floats(table: pa.Table, name: str) -> Floats:
    return np.asarray(table[name].to_numpy(), dtype=np.float64)
