"""Columns of a population file: their SQL types and the conversion from arrays.

A category is an ENUM. A list of slugs is a LIST of an ENUM, with an additional bit-mask column that has one
bit per slug. Filters use the bit mask, which is ten times faster to search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from voxpop.vocabulary.fields import FIELDS

if TYPE_CHECKING:
    import pyarrow as pa

LISTS = tuple(name for name, field in FIELDS.items() if field.kind == "list")


def bits_of(field: str) -> str:
    """Return the name of the bit-mask column of a list field."""
    return f"{field}_bits"


@dataclass(frozen=True, slots=True)
class Category:
    """Codes that index labels; -1 means missing."""

    codes: npt.NDArray[np.integer]
    labels: tuple[str, ...]

    def spread(self, positions: npt.NDArray[np.integer], size: int) -> Category:
        """Return a longer column with these values at the given positions and missing values elsewhere."""
        return Category(spread(self.codes, positions, size, -1), self.labels)


@dataclass(frozen=True, slots=True)
class Members:
    """Sets of labels per agent, as flags (agent, label); ``known`` marks the agents with data."""

    flags: npt.NDArray[np.bool_]
    known: npt.NDArray[np.bool_]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers; ``known`` marks the agents with a value."""

    values: npt.NDArray[Any]
    sql_type: str
    known: npt.NDArray[np.bool_] | None = None


Column = Category | Members | Numbers


def spread(
    values: npt.NDArray[Any], positions: npt.NDArray[np.integer], size: int, rest: int = 0
) -> npt.NDArray[Any]:
    """Return a longer array with these values at the given positions and ``rest`` elsewhere."""
    longer = np.full(size, rest, dtype=values.dtype)
    longer[positions] = values
    return longer


def quoted(labels: Sequence[str]) -> str:
    """Return labels as the body of an SQL ENUM."""
    return ", ".join("'" + label.replace("'", "''") + "'" for label in labels)


def arrow_arrays(name: str, column: Column) -> dict[str, pa.Array]:
    """Return a column as Arrow arrays by column name; a list also has its bit mask."""
    import pyarrow as pa  # slow import, needed only for a build

    if isinstance(column, Category):
        codes = column.codes.astype(np.int32)
        return {
            name: pa.DictionaryArray.from_arrays(
                pa.array(codes, mask=codes < 0), pa.array(column.labels, pa.string())
            )
        }
    if isinstance(column, Numbers):
        mask = None if column.known is None else ~column.known
        return {name: pa.array(column.values, mask=mask)}
    counts = column.flags.sum(axis=1)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    codes = np.nonzero(column.flags)[1].astype(np.int8)
    values = pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(column.labels, pa.string()))
    unknown = pa.array(~column.known)
    bits = np.zeros(column.known.size, dtype=np.uint64)
    for number in range(len(column.labels)):
        bits |= column.flags[:, number].astype(np.uint64) << np.uint64(number)
    return {
        name: pa.ListArray.from_arrays(pa.array(offsets), values, mask=unknown),
        bits_of(name): pa.array(bits, mask=~column.known),
    }


def sql_types(name: str, column: Column) -> dict[str, str]:
    """Return the SQL type of each column created by :func:`arrow_arrays`."""
    if isinstance(column, Category):
        return {name: f"{name}_label"}
    if isinstance(column, Members):
        return {name: f"{name}_label[]", bits_of(name): "UBIGINT"}
    return {name: column.sql_type}


@lru_cache(maxsize=256)
def _union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[tuple[str, ...], npt.NDArray[np.int32]]:
    """Return the labels of both tuples, and the place of each label of the second; the last place is -1."""
    labels = {label: at for at, label in enumerate(dict.fromkeys((*first, *second)))}
    return tuple(labels), np.array([*(labels[label] for label in second), -1], dtype=np.int32)


def placed(first: Column, second: Column | None, at: npt.NDArray[np.integer], size: int) -> Column:
    """Return one column of two: the second fills some positions, and the first the others in order.

    Parameters
    ----------
    first : Column
    second : Column or None
        None leaves the positions missing.
    at : array (agents of the second,)
        Positions of the second column in the result, in increasing order.
    size : int
        Number of agents of both.

    Examples
    --------
    >>> codes = np.array([0, 1])
    >>> one, two = Category(codes, ("a", "b")), Category(codes, ("b", "c"))
    >>> placed(one, two, np.array([0, 2]), 4).codes.tolist()
    [1, 0, 2, 1]
    """
    rest = np.ones(size, dtype=bool)
    rest[at] = False
    others = np.flatnonzero(rest)
    if isinstance(first, Category):
        labels, moved = _union(first.labels, second.labels if isinstance(second, Category) else ())
        codes = spread(first.codes.astype(np.int32), others, size, -1)
        if isinstance(second, Category):
            codes[at] = moved[second.codes]
        return Category(codes, labels)
    known = spread(np.ones(others.size, dtype=bool) if first.known is None else first.known, others, size)
    if isinstance(first, Numbers):
        values = spread(first.values, others, size)
        if isinstance(second, Numbers):
            values[at] = second.values
            known[at] = True if second.known is None else second.known
        return Numbers(values, first.sql_type, known)
    flags = np.zeros((size, len(first.labels)), dtype=bool)
    flags[others] = first.flags
    if isinstance(second, Members):
        flags[at] = second.flags
        known[at] = second.known
    return Members(flags, known, first.labels)
