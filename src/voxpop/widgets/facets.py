"""Integer-coded fields of agents, for conditions and counts within milliseconds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.vocabulary import FIELDS, AllOf, AnyOf, Between, Condition, Filter, HowMany
from voxpop.vocabulary.fields import Field
from voxpop.vocabulary.values import levels_of
from voxpop.widgets.live_counts import Band

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]

KEPT = 48
"""Maximum number of cached conditions, at one byte per agent each."""


@dataclass(frozen=True, slots=True)
class Coded:
    """An integer-coded field: values, codes and agents.

    Attributes
    ----------
    levels : tuple of str
        The values that occur, as text.
    codes : array of int
        Position of each value in ``levels``; ``len(levels)`` means a missing value.
    agents : array of int or None
        Agent of each value in a list field; None if each agent has one value.
    """

    levels: tuple[str, ...]
    codes: Ints
    agents: Ints | None

    def having(self, wanted: Iterable[str], size: int) -> Bools:
        """Return whether each agent has one of the levels, ignoring case."""
        folded = {level.casefold() for level in wanted}
        is_wanted = np.array([*(level.casefold() in folded for level in self.levels), False])
        hits: Bools = is_wanted[self.codes]
        if self.agents is None:
            return hits
        found = np.zeros(size, dtype=np.bool_)
        found[self.agents[hits]] = True
        return found

    def counts(self, inside: Bools | None) -> dict[str, int]:
        """Return the number of selected agents per level, in descending order."""
        codes = self.codes
        if inside is not None:
            codes = codes[inside if self.agents is None else inside[self.agents]]
        numbers = np.bincount(codes, minlength=len(self.levels) + 1)[: len(self.levels)]
        counted = {level: int(n) for level, n in zip(self.levels, numbers, strict=True) if n}
        return dict(sorted(counted.items(), key=lambda one: (-one[1], one[0])))


class Facets:
    """The fields of a table of agents, coded on first use.

    Parameters
    ----------
    table : Arrow table
        One row per agent.

    Examples
    --------
    >>> people = pa.table({"gender": ["male", "female", "female"], "age": [30, 40, 70]})
    >>> facets = Facets(people)
    >>> facets.meeting(Filter("all", (("age", Between(35, None)),))).tolist()
    [False, True, True]
    >>> facets.counts("gender", None)
    {'female': 2, 'male': 1}
    """

    def __init__(self, table: pa.Table) -> None:
        self._table = table
        self.size: int = table.num_rows
        self._coded: dict[str, Coded] = {}
        self._numbers: dict[str, Floats] = {}
        self._starts: dict[str, tuple[int, ...]] = {}
        self._met: dict[tuple[str, Condition], Bools] = {}

    def meeting(self, filters: Filter) -> Bools | None:
        """Return whether each agent meets a filter; None if all do."""
        if filters.matches_everyone:
            return None
        met = [self.meets(name, condition) for name, condition in filters.conditions]
        for group in filters.groups:
            inner = [self.meeting(one) for one in group.filters]
            masks = [np.ones(self.size, dtype=np.bool_) if mask is None else mask for mask in inner]
            joint: Bools = (np.logical_and if group.kind == "all" else np.logical_or).reduce(masks)
            met.append(~joint if group.kind == "not" else joint)
        joined: Bools = (np.logical_and if filters.match == "all" else np.logical_or).reduce(met)
        return joined

    def counts(self, name: str, inside: Bools | None) -> dict[str, int]:
        """Return the number of selected agents per value of a field, in descending order."""
        return self._values(name).counts(inside)

    def span(self, name: str, inside: Bools | None) -> tuple[float | None, float | None]:
        """Return the minimum and maximum of a field among selected agents."""
        numbers = self.numbers(name)
        held = numbers if inside is None else numbers[inside]
        held = held[~np.isnan(held)]
        return (float(held.min()), float(held.max())) if held.size else (None, None)

    def bands(self, name: str, inside: Bools | None) -> tuple[Band, ...]:
        """Return the number of selected agents per band of a field."""
        if name not in self._starts:
            low, high = self.span(name, None)
            self._starts[name] = () if low is None or high is None else band_starts(name, int(low), int(high))
        starts = self._starts[name]
        if not starts:
            return ()
        numbers = self.numbers(name)
        held = numbers if inside is None else numbers[inside]
        edges = np.array([*starts, np.inf])
        counted = np.histogram(held[~np.isnan(held)], edges)[0]
        ends = [*(start - 1 for start in starts[1:]), None]
        return tuple(Band(*one) for one in zip(starts, ends, map(int, counted), strict=True))

    def numbers(self, name: str) -> Floats:
        """Return a numeric field, with NaN for missing values."""
        if name not in self._numbers:
            column = self._table[name].cast(pa.float64())
            self._numbers[name] = np.asarray(column.to_numpy(), dtype=np.float64)
        return self._numbers[name]

    def one_met(self, name: str, condition: AnyOf | AllOf) -> str | None:
        """Return a level that meets a condition by itself; None if there is none."""
        levels = self._values(name).levels if name in self._table.column_names else ()
        wanted = [_wanted(FIELDS[name], value) for value in condition.values]
        meets = all if isinstance(condition, AllOf) else any
        return next((level for level in levels if meets(level.casefold() in one for one in wanted)), None)

    def meets(self, name: str, condition: Condition) -> Bools:
        """Return whether each agent meets a condition; false for a missing value."""
        kept = self._met.pop((name, condition), None)
        if kept is None:
            kept = self._look(name, condition)
        self._met[name, condition] = kept  # the most recent is last; the oldest is evicted first
        if len(self._met) > KEPT:
            del self._met[next(iter(self._met))]
        return kept

    def _look(self, name: str, condition: Condition) -> Bools:
        if name not in self._table.column_names:
            return np.zeros(self.size, dtype=np.bool_)
        if isinstance(condition, Between):
            numbers = self.numbers(name)
            low = -np.inf if condition.min is None else condition.min
            high = np.inf if condition.max is None else condition.max
            between: Bools = (numbers >= low) & (numbers <= high)
            return between
        if isinstance(condition, HowMany):
            lengths = self._lengths(name)
            most = np.inf if condition.max is None else condition.max
            counted: Bools = (lengths >= (condition.min or 0)) & (lengths <= most)
            return counted
        values, wanted = self._values(name), [_wanted(FIELDS[name], value) for value in condition.values]
        if isinstance(condition, AllOf):
            every: Bools = np.logical_and.reduce([values.having(one, self.size) for one in wanted])
            return every
        return values.having(set().union(*wanted), self.size)

    def _lengths(self, name: str) -> Floats:
        """Return the number of values in a list field, with NaN without data."""
        return np.asarray(
            pc.list_value_length(self._table[name].combine_chunks())
            .cast(pa.float64())
            .to_numpy(zero_copy_only=False)
        )

    def _values(self, name: str) -> Coded:
        if name not in self._coded:
            self._coded[name] = _code(self._table[name])
        return self._coded[name]


def band_starts(name: str, low: int, high: int) -> tuple[int, ...]:
    """Return the lower bounds of the bands of an integer field: survey conventions, or round numbers.

    Examples
    --------
    >>> band_starts("age", 18, 90), band_starts("phq9_score", 0, 27), band_starts("rx_medication_count", 0, 6)
    ((18, 25, 35, 45, 55, 65, 75), (0, 5, 10, 15, 20, 25), (0, 1, 2, 3, 4, 5, 6))
    """
    if name in FIELDS and FIELDS[name].starts:
        return tuple(start for start in FIELDS[name].starts if start <= high)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1_000, high - low + 1) if (high - low) / step < 8)
    return tuple(range(low - low % step, high + 1, step))


def _wanted(field: Field, value: str | bool) -> set[str]:
    """Return the case-folded levels that a value stands for."""
    if isinstance(value, bool):
        return {str(value).lower()}
    return {level.casefold() for level in levels_of(field, value)}


def _code(column: pa.ChunkedArray) -> Coded:
    """Encode a column as positions of its values."""
    held = column.combine_chunks()
    agents = None
    if pa.types.is_list(held.type) or pa.types.is_large_list(held.type):
        agents = np.asarray(pc.list_parent_indices(held), dtype=np.int32)
        held = pc.list_flatten(held)
    if pa.types.is_boolean(held.type):
        held = pc.if_else(held, "true", "false")
    if not pa.types.is_dictionary(held.type):
        held = pc.dictionary_encode(held)
    levels = tuple(map(str, held.dictionary.to_pylist()))
    small = np.int16 if len(levels) < np.iinfo(np.int16).max else np.int32
    places = pc.fill_null(held.indices.cast(pa.int32()), len(levels))
    return Coded(levels, np.asarray(places).astype(small), agents)
