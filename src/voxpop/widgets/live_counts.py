"""Live counts: agents per value under the current filter, read in the background."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from voxpop.errors import ServiceError
from voxpop.vocabulary import FIELDS, Filter
from voxpop.vocabulary.unknown_fields import unknown_in_words
from voxpop.widgets.labels import known_values, stands_for

if TYPE_CHECKING:
    from voxpop.client import Client


_ONE = ("gender",)
"""A field with few values, counted where none is shown."""


@dataclass(frozen=True, slots=True)
class Band:
    """Number of agents with an integer from ``low`` to ``high`` inclusive; None means no upper bound."""

    low: int
    high: int | None
    count: int


@dataclass(frozen=True, slots=True)
class LiveCounts:
    """The counts of a filter.

    Attributes
    ----------
    filters : Filter or None
        The counted filter; None before the first result.
    total : int or None
        Number of matching agents.
    values : dict
        Number of agents per value of each requested field, given the conditions on the other fields.
    ranges : dict
        Minimum and maximum of each range field, given the conditions on the other fields.
    bands : dict
        Number of agents per band of integer range fields, where available.
    by_value : bool
        Whether the service counts by value.
    unknown : tuple of mapping
        Fields that are unknown in a country, each with ``field``, ``country`` and ``reason``.
    """

    filters: Filter | None = None
    total: int | None = None
    values: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    by_value: bool = True
    bands: Mapping[str, tuple[Band, ...]] = field(default_factory=dict)
    unknown: tuple[Mapping[str, str], ...] = ()

    def of(self, name: str, value: str | bool) -> int | None:
        """Return the number of agents with a value; None if unknown."""
        counted = self.values.get(name)
        if counted is None:
            return None
        levels = stands_for(name, value) if isinstance(value, str) else ()
        return sum(counted.get(level, 0) for level in levels or [_key(value)])

    def lacking(self, filters: Filter) -> list[str]:
        """Return a sentence for each field of a filter that is unknown where it is asked for."""
        return unknown_in_words(self.unknown, filters, labels=True)

    def unknown_in(self, name: str) -> list[str]:
        """Return the countries in which a field is unknown, in whole or for some values."""
        return list(dict.fromkeys(one["country"] for one in self.unknown if one["field"] == name))

    def options(self, name: str, chosen: Iterable[str | bool] = ()) -> list[str | bool]:
        """Return the values of a field in display order: by level if the levels are ordered."""
        known = FIELDS[name]
        if known.kind == "boolean":
            return [True, False]
        counted = self.values.get(name, {})
        levels = known_values(name)
        if not levels or (not known.ordered and len(levels) > 8):
            levels = sorted({*levels, *counted}, key=lambda value: (-counted.get(value, 0), value))
        return [*levels, *(value for value in chosen if value not in levels)]


def read_counts(client: Client, filters: Filter, fields: Iterable[str]) -> LiveCounts:
    """Count a filter, and the values of fields given the conditions on all other fields.

    If agents need to meet only one of several conditions, values are counted over all agents.
    """
    alike: dict[Filter, list[str]] = {filters: []}
    for name in fields:
        others = filters.replace(name, None) if filters.match == "all" else Filter()
        alike.setdefault(others, []).append(name)
    total: int | None = None
    values: dict[str, dict[str, int]] = {}
    ranges: dict[str, tuple[float | None, float | None]] = {}
    unknown: dict[tuple[str, str], Mapping[str, str]] = {}
    by_value = True
    for under, names in alike.items():
        try:
            found = client.filters.counts(under, *(names or _ONE))
        except ServiceError as error:
            if error.status not in (404, 405):
                raise
            by_value = False
            continue
        total = found.recruitable_agent_count if under == filters else total
        unknown |= {(one.field, one.country): one.model_dump() for one in found.unknown}
        if not names:
            continue
        values |= {
            name: {_key(one.value): one.count for one in counted} for name, counted in found.filters.items()
        }
        ranges |= {name: (one.min, one.max) for name, one in found.ranges.items()}
    if total is None:
        total = client.filters.count(filters)
    return LiveCounts(filters, total, values, ranges, by_value, unknown=tuple(unknown.values()))


def _key(value: str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else value
