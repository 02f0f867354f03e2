"""Sums of a number within cells of equal values, for samples whose clusters hold many rows.

Within a cluster the variance needs sums alone, so DuckDB adds up weights, weighted numbers and weighted
squares per cell, as integers and in one pass (see ``counting``). A cell is then told by two rows with half of
its weight each, one standard deviation below and above its mean: their sums are those of the cell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from voxpop.analysis.counting import Cells

Floats = npt.NDArray[np.float64]

_BITS = 61
"""Bits of an integer that holds one weighted number."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Two numbers per cell, in the order of its keys, whose mean and spread are those of the cell.

    Attributes
    ----------
    low, high : array of float
        One standard deviation below and above the mean of each cell; NaN where the number is missing.
    """

    low: Floats
    high: Floats


def moments_of(
    data: duckdb.DuckDBPyRelation, keys: Sequence[str], number: str, weight: str | None
) -> Moments | None:
    """Return the moments of a number per cell, in the order of the cells' sorted keys.

    Parameters
    ----------
    data : DuckDB relation
        One row per respondent.
    keys : sequence of str
        SQL expressions of the cells; the last one tells whether the number is known.
    number, weight : str
        SQL expressions of the number and of the weight.

    Returns
    -------
    Moments or None
        None if nothing is known or the numbers are too large or too far apart.

    Examples
    --------
    >>> rows = duckdb.sql("SELECT * FROM (VALUES (1, 2.0, 1.0), (1, 4.0, 1.0), (2, 5.0, 3.0)) t(psu, y, w)")
    >>> found = moments_of(rows, ["psu"], "y", "w")
    >>> found.low.tolist(), found.high.tolist()
    ([2.0, 5.0], [4.0, 5.0])
    """
    y, w = f"({number})::DOUBLE", "1.0::DOUBLE" if weight is None else f"({weight})::DOUBLE"
    known = f"FILTER (isfinite({y}))"
    wanted = f"min({y}) {known}, max({y}) {known}, max({w}), count_if(isinf({y}))"
    ends = data.aggregate(wanted).fetchall()[0]
    if None in ends or not ends[2] > 0 or not math.isfinite(ends[0] + ends[1]) or ends[3]:
        return None
    centre = (ends[0] + ends[1]) / 2
    width = max((ends[1] - ends[0]) / 2, math.ulp(1.0) * abs(centre), 1e-150)
    tops = {"a": ends[2], "b": ends[2] * width, "c": ends[2] * width * width}
    if max(tops.values()) > 1e150 or min(tops.values()) < 1e-150:
        return None
    apart = f"({y} - {centre!r}::DOUBLE)"
    values = {"a": w, "b": f"{w} * {apart}", "c": f"{w} * {apart} * {apart}"}
    powers = {name: _BITS - math.frexp(top)[1] for name, top in tops.items()}
    named = [f"{sql} AS k{place}" for place, sql in enumerate(keys)]
    named += [
        f"CASE WHEN isfinite({y}) THEN ({value}) * {math.ldexp(1.0, powers[name])!r}::DOUBLE END AS {name}"
        for name, value in values.items()
    ]
    rows = data.project(", ".join(named))
    names = ", ".join(f"k{place}" for place in range(len(keys)))
    sums = ", ".join(f"sum({name}::BIGINT)::VARCHAR AS {name}" for name in values)
    found = rows.aggregate(f"{names}, {sums}", names).order(names).to_arrow_table()
    a, b, c = (_scaled(found[name].to_pylist(), powers[name]) for name in values)
    return _placed(a, b, c, centre)


def _scaled(sums: Sequence[str | None], power: int) -> Floats:
    """Return integer sums as floats, rounded once."""
    one = 1 << abs(power)
    return np.array(
        [
            math.nan if text is None else int(text) / one if power >= 0 else float(int(text) * one)
            for text in sums
        ],
        dtype=np.float64,
    )


def _placed(a: Floats, b: Floats, c: Floats, centre: float) -> Moments:
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(a > 0, b / a, 0.0)
        spread = np.sqrt(np.maximum(np.where(a > 0, c / a, 0.0) - mean * mean, 0.0))
    missing = np.isnan(a)
    low, high = centre + mean - spread, centre + mean + spread
    return Moments(np.where(missing, math.nan, low), np.where(missing, math.nan, high))


def in_two_rows(cells: Cells, name: str, found: Moments) -> Cells:
    """Return cells as two rows each, with a number and half of the counts and weights."""
    both = pa.concat_tables([cells.values, cells.values])
    numbers = pa.array(np.concatenate((found.low, found.high)), pa.float64(), from_pandas=True)
    values = both.set_column(both.column_names.index(name), name, numbers)
    halves = (cells.counts, cells.positive, cells.sums, cells.squares)
    return Cells(values, *(np.concatenate((half, half)) / 2 for half in halves))
