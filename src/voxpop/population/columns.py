"""Columns of a population file: their SQL types and the conversion from arrays.

A category is an ENUM. A list of slugs is a LIST of an ENUM, with an additional bit-mask column that has one
bit per slug. Filters use the bit mask, which is ten times faster to search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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

    def only_used(self) -> Category:
        """Return the same values with only the labels in use, in the same order."""
        used = np.bincount(self.codes[self.codes >= 0], minlength=len(self.labels)) > 0
        short = np.append(np.cumsum(used) - 1, -1)
        labels = tuple(label for label, kept in zip(self.labels, used, strict=True) if kept)
        return Category(short[self.codes], labels)

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


def joined(first: Column, second: Column | None, size: int) -> Column:
    """Return two columns concatenated; without the second, ``size`` missing values are appended.

    Examples
    --------
    >>> codes = np.array([0, 1])
    >>> joined(Category(codes, ("a", "b")), Category(codes, ("b", "c")), 2).codes.tolist()
    [0, 1, 1, 2]
    """
    if isinstance(first, Category):
        if not isinstance(second, Category):
            second = Category(np.full(size, -1, dtype=first.codes.dtype), ())
        labels = {label: at for at, label in enumerate(dict.fromkeys((*first.labels, *second.labels)))}
        moved = np.array([*(labels[label] for label in second.labels), -1], dtype=np.int32)
        return Category(np.concatenate([first.codes.astype(np.int32), moved[second.codes]]), tuple(labels))
    if isinstance(first, Numbers):
        one = np.ones(first.values.size, dtype=bool) if first.known is None else first.known
        if not isinstance(second, Numbers):
            nothing = np.zeros(size, dtype=first.values.dtype)
            second = Numbers(nothing, first.sql_type, np.zeros(size, dtype=bool))
        two = np.ones(second.values.size, dtype=bool) if second.known is None else second.known
        values = np.concatenate([first.values, second.values.astype(first.values.dtype)])
        return Numbers(values, first.sql_type, np.concatenate([one, two]))
    if not isinstance(second, Members):
        none = np.zeros((size, len(first.labels)), dtype=bool)
        second = Members(none, np.zeros(size, dtype=bool), first.labels)
    flags = np.concatenate([first.flags, second.flags])
    return Members(flags, np.concatenate([first.known, second.known]), first.labels)
