"""Filter selection from lists: the filter, its counts, and browser actions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import traitlets

from voxpop.client.checks import checked_filter
from voxpop.errors import FilterError, UsageError
from voxpop.vocabulary import FIELDS, AllOf, AnyOf, Between, Filter
from voxpop.vocabulary.fields import field as field_of
from voxpop.widgets.labels import search
from voxpop.widgets.live_counts import LiveCounts
from voxpop.widgets.panel import Panel
from voxpop.widgets.picks import pick, with_bound

DEBOUNCE = 0.3
"""Delay before agents are counted again, in seconds without a change."""


@dataclass(slots=True)
class Look:
    """Transient view state: open parts, typed text and work in progress; it does not affect the filter."""

    open_groups: set[str] = field(default_factory=lambda: {"demographic"})
    open_fields: set[str] = field(default_factory=set)
    typed: dict[str, str] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    notes: dict[str, str] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)
    agents: tuple[Any, ...] = ()
    answer: str = ""
    busy: str = ""
    more: bool = False
    code: bool = False


class Picking(Panel):
    """A widget for selecting a filter from lists.

    A subclass implements the counting (:meth:`_read`) and provides the fields (:attr:`_fields`).

    Attributes
    ----------
    filters : Filter
        The current filter; can be set and observed.
    """

    filters: traitlets.Any = traitlets.Any(Filter())

    def __init__(self, name: str) -> None:
        self._look = Look()
        self._counts = LiveCounts()
        self._fields = tuple(FIELDS.values())
        super().__init__(name)

    @property
    def available(self) -> int | None:
        """Number of matching agents; None before the first count."""
        counted = self._counts
        return counted.total if counted.filters == self.filters else None

    def _read(self, filters: Filter, fields: list[str]) -> LiveCounts:
        """Count the agents of a filter, and the values of some fields."""
        raise NotImplementedError

    @traitlets.validate("filters")
    def _check_filters(self, proposal: Any) -> Filter:
        return checked_filter(proposal["value"])

    @traitlets.observe("filters")
    def _refiltered(self, change: Any) -> None:
        with self._changing():
            self._count_soon()

    # Counting

    def _count_soon(self, seconds: float = DEBOUNCE) -> None:
        self._worker.later("counts", seconds, self._work(self._count, "counts"))

    def _count(self) -> None:
        with self._lock:
            filters = self.filters
            wanted = [name for name in FIELDS if name in self._look.open_fields]
        counted = self._read(filters, wanted)
        with self._changing():
            if filters != self.filters:
                return  # the selection has changed; a newer count is pending
            self._counts = counted
            self._succeeded("counts")

    # Browser actions

    def _do_match(self, value: str, at: Any) -> None:
        held = self.filters
        self.filters = Filter("any" if value == "any" else "all", held.conditions, groups=held.groups)

    def _do_group(self, value: bool, at: str) -> None:
        (self._look.open_groups.add if value else self._look.open_groups.discard)(at)

    def _do_field(self, value: bool, at: str) -> None:
        name = field_of(at).name
        (self._look.open_fields.add if value else self._look.open_fields.discard)(name)
        if value and name not in self._counts.values and name not in self._counts.ranges:
            self._count_soon(0.0)

    def _do_search(self, value: str, at: str) -> None:
        self._look.typed[at] = value
        self._succeeded(at)

    def _do_all_values(self, value: Any, at: str) -> None:
        self._look.whole ^= {at}

    def _do_pick(self, value: bool, at: list[Any]) -> None:
        name, chosen = at
        self._set(name, pick(self.filters.get(name), chosen, value))

    def _do_want(self, value: str, at: str) -> None:
        held = self.filters.get(at)
        if isinstance(held, AnyOf | AllOf):
            self._set(at, (AllOf if value == "all" else AnyOf)(held.values))

    def _do_add(self, value: str, at: str) -> None:
        """Accept the typed text: the only matching value, or the text itself if the service resolves it."""
        typed = (self._look.typed.get(at) if value is None else value) or ""
        found = list(search(at, typed, map(str, self._counts.options(at)))) if typed.strip() else []
        if len(found) == 1 or (found and found[0].value.casefold() == typed.strip().casefold()):
            typed = found[0].value
        elif FIELDS[at].finite or not typed.strip():
            many = "more than one value; tick it in the list" if found else "no value that agents have"
            told = f"{typed.strip()!r} fits {many}." if typed.strip() else "Type a value first."
            self._wrong(FilterError({at: [told]}), at)
            return
        self._look.typed[at] = ""
        self._set(at, pick(self.filters.get(at), typed.strip(), True))

    def _do_low(self, value: str, at: str) -> None:
        self._bound(at, "min", value)

    def _do_high(self, value: str, at: str) -> None:
        self._bound(at, "max", value)

    def _bound(self, name: str, side: str, typed: str) -> None:
        held = self.filters.get(name)
        now = held if isinstance(held, Between) else None
        try:
            condition, note = with_bound(FIELDS[name], now, side, typed)
        except UsageError as error:
            self._failed(error, f"{name}-{side}")
            return
        self._succeeded(f"{name}-{side}")
        self._look.notes[name] = note
        self._set(name, condition)

    def _do_drop(self, value: Any, at: str) -> None:
        self._set(at, None)
        self._look.notes.pop(at, None)
        self._move_focus("audience")

    def _do_drop_group(self, value: Any, at: str) -> None:
        held = self.filters
        kept = tuple(group for group in held.groups if group.kind != at)
        self.filters = Filter(held.match, held.conditions, groups=kept)
        self._move_focus("audience")

    def _do_clear(self, value: Any, at: Any) -> None:
        self.filters = Filter(self.filters.match)
        self._look.notes.clear()
        self._succeeded()
        self._move_focus("audience")

    def _set(self, name: str, condition: Any) -> None:
        try:
            self.filters = self.filters.replace(name, condition)
        except FilterError as error:
            self._wrong(error, name)
        else:
            self._succeeded(name)

    def _wrong(self, error: FilterError, name: str) -> None:
        """Store the error of one field, and show it there without the field's name."""
        self._failed(error, name)
        self._trouble[name] = " ".join(error.problems.get(name, [str(error)]))
