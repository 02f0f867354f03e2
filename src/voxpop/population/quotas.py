"""Quotas by cells and by margins, and boosts: their forms, and the checks of their values."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from voxpop.errors import FilterError, UsageError
from voxpop.vocabulary.conditions import Between
from voxpop.vocabulary.fields import FIELDS, find_field, unknown_field
from voxpop.vocabulary.filter_reading import Problems, read_condition, shown
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.parse import parse
from voxpop.vocabulary.unknown import unknown_values

MOST_CELLS = 200
MOST_MARGINS = 6
MOST_BOOSTS = 20
_BAND = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:-|–|to)\s*(\d+(?:\.\d+)?)\s*")
_ABOVE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:\+|and (?:over|older|more|above)|or (?:older|more))\s*")
_BELOW = re.compile(r"\s*(?:under|below)\s*(\d+(?:\.\d+)?)\s*")
_ROUNDED = 0.005


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an audience and the number of agents wanted from it."""

    filters: Filter
    size: int

    def to_json(self) -> dict[str, Any]:
        """Return the part as in a request."""
        return {"filters": self.filters.to_json(), "size": self.size}


@dataclass(frozen=True, slots=True)
class Margin:
    """The wanted shares of a field: label, filter and share of each level."""

    field: str
    levels: tuple[tuple[str, Filter, float], ...]


@dataclass(frozen=True, slots=True)
class Design:
    """Quotas and boosts of a sample; without both it is an ordinary sample.

    Attributes
    ----------
    cells : tuple of Part
        Exclusive parts of the audience, whose sizes have the sample size as sum.
    margins : tuple of Margin
        Shares of the levels of fields.
    boosts : tuple of Part
        Parts of the audience from which agents are drawn in addition to the sample.
    """

    cells: tuple[Part, ...] = ()
    margins: tuple[Margin, ...] = ()
    boosts: tuple[Part, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.cells or self.margins or self.boosts)

    def quotas_json(self) -> Any:
        """Return the quotas as in a request, or None."""
        if self.cells:
            return [cell.to_json() for cell in self.cells]
        if self.margins:
            return {
                "margins": {
                    margin.field: {label: share for label, _, share in margin.levels}
                    for margin in self.margins
                }
            }
        return None


def read_design(quotas: Any, boosts: Any, size: int) -> Design:
    """Read quotas and boosts as a request gives them.

    Parameters
    ----------
    quotas : list, dict or None
        ``[{"filters": ..., "size": n}, ...]`` with the sample size as sum, or
        ``{"margins": {field: {level: share}}}`` with the sum 1 for each field.
    boosts : list or None
        ``[{"filters": ..., "size": n}, ...]``.
    size : int
        Sample size without the boosts.

    Raises
    ------
    UsageError
        The form or a sum is wrong.
    FilterError
        A filter, a field or a level is unknown.

    Examples
    --------
    >>> design = read_design({"margins": {"age": {"18-34": 0.4, "35+": 0.6}}}, None, 10)
    >>> [level[1] for level in design.margins[0].levels]
    [vp.where(age=vp.between(18, 34)), vp.where(age=vp.between(35))]
    """
    extra = _parts("boosts", boosts, MOST_BOOSTS) if boosts is not None else ()
    if quotas is None:
        return Design(boosts=extra)
    if isinstance(quotas, Mapping):
        if set(quotas) != {"margins"} or not isinstance(quotas["margins"], Mapping):
            raise UsageError('quotas must be a list of cells or {"margins": {field: {level: share}}}.')
        return Design(margins=_margins(quotas["margins"]), boosts=extra)
    cells = _parts("quotas", quotas, MOST_CELLS)
    total = sum(cell.size for cell in cells)
    if total != size:
        raise UsageError(f"The sizes of the quotas have the sum {total:,}, but {size:,} agents are wanted.")
    return Design(cells=cells, boosts=extra)


def _parts(name: str, given: Any, most: int) -> tuple[Part, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str) or not given:
        raise UsageError(
            f'{name} must be a list such as [{{"filters": ..., "size": 50}}], not {shown(given)}.'
        )
    if len(given) > most:
        raise UsageError(f"{name} has at most {most} entries, not {len(given):,}.")
    found = []
    for place, one in enumerate(given, 1):
        if not isinstance(one, Mapping) or set(one) != {"filters", "size"}:
            raise UsageError(f"Entry {place} of {name} must have filters and size, and nothing else.")
        size = one["size"]
        if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= 10_000:
            raise UsageError(
                f"size in entry {place} of {name} must be a whole number from 1 to 10,000, not {shown(size)}."
            )
        found.append(Part(parse(one["filters"]), size))
    return tuple(found)


def _margins(given: Mapping[Any, Any]) -> tuple[Margin, ...]:
    if not 1 <= len(given) <= MOST_MARGINS:
        raise UsageError(f"margins names 1 to {MOST_MARGINS} fields, not {len(given)}.")
    found: dict[str, Margin] = {}
    for name, shares in given.items():
        known = find_field(name) if isinstance(name, str) else None
        if known is None:
            raise FilterError({str(name): [unknown_field(str(name))]})
        if known.kind == "list":
            raise FilterError(
                {known.name: ["an agent can have several values, so that shares do not sum to 1; use cells"]}
            )
        if known.name in found:
            raise FilterError({known.name: ["given more than once"]})
        if not isinstance(shares, Mapping) or not shares:
            raise UsageError(f"The margin of {known.name} must map levels to shares, not {shown(shares)}.")
        found[known.name] = Margin(known.name, _levels(known.name, shares))
    return tuple(found.values())


def _levels(name: str, shares: Mapping[Any, Any]) -> tuple[tuple[str, Filter, float], ...]:
    total = 0.0
    for label, share in shares.items():
        good = isinstance(share, int | float) and share is not True and share is not False
        if not good or not 0 <= share <= 1:
            raise UsageError(
                f"The share of {label!r} in the margin of {name} must be from 0 to 1, not {shown(share)}."
            )
        total += float(share)
    if abs(total - 1) > _ROUNDED:
        raise UsageError(f"The shares of {name} must have the sum 1, not {total:g}.")
    problems = Problems()
    found: list[tuple[str, Filter, float]] = []
    for label, share in shares.items():
        condition = read_condition(FIELDS[name], _value(name, label), problems)
        if condition is not None:
            found.append((str(label), Filter("all", ((name, condition),)), float(share) / total))
    for _, filter, _ in found:
        for unknown in unknown_values(filter):
            problems.add(name, str(unknown["message"]))
    problems.check()
    _check_bands(name, found)
    return tuple(found)


def _value(name: str, label: Any) -> Any:
    """Return a level as the value of a filter: a band of numbers, yes or no, or the label itself."""
    if FIELDS[name].kind == "boolean" and isinstance(label, str):
        return {"yes": True, "true": True, "no": False, "false": False}.get(label.strip().casefold(), label)
    if FIELDS[name].kind != "range" or not isinstance(label, str):
        return label
    step = 1 if FIELDS[name].integer else 0
    if band := _BAND.fullmatch(label):
        return {"min": _number(band[1]), "max": _number(band[2])}
    if above := _ABOVE.fullmatch(label):
        return {"min": _number(above[1])}
    if below := _BELOW.fullmatch(label):
        return {"max": _number(below[1]) - step}
    raise FilterError({name: [f'{shown(label)} is no band of numbers; write "18-34", "65+" or "under 18"']})


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)


def _check_bands(name: str, levels: Sequence[tuple[str, Filter, float]]) -> None:
    bands = []
    for label, filter, _ in levels:
        condition = filter.get(name)
        if isinstance(condition, Between):
            low = -math.inf if condition.min is None else condition.min
            bands.append((low, math.inf if condition.max is None else condition.max, label))
    bands.sort()
    for (_, end, label), (start, _, other) in pairwise(bands):
        if start <= end:
            raise FilterError({name: [f"the bands {label!r} and {other!r} overlap"]})
