"""Conditions on the columns of the user's own data: the filter grammar without the vocabulary."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

from voxpop.vocabulary.conditions import AllOf, AnyOf, Between, Condition, HowMany
from voxpop.vocabulary.filter_reading import (
    COUNT,
    MATCHES,
    MOST_VALUES,
    Pairs,
    Problems,
    name_of,
    read_fields,
    read_how_many,
    shown,
)

Named = tuple[tuple[str, Condition], ...]

_FREE = " (agents are chosen by their fields only; where= of a table takes any column of its data)"


def read_columns(pairs: Pairs, problems: Problems) -> Named:
    """Return the conditions by name as given, whether or not the names are fields.

    Examples
    --------
    >>> read_columns([("q", ["yes", 3]), ("score", {"min": 1})], Problems())
    (('q', vp.any_of("yes", 3)), ('score', vp.between(1)))
    """
    read = []
    for key, value in pairs:
        name = name_of(key)
        if not isinstance(key, str) or not key:
            problems.add(name, "a column is named by text")
            continue
        condition = _read(key, value, problems)
        if condition is not None:
            read.append((key, condition))
    return tuple(read)


def divide(given: Named) -> tuple[Named, Named]:
    """Split conditions into those on fields, normalized by the vocabulary, and the others unchanged."""
    conditions, problems = _strict(given)
    if not problems.found:
        return conditions, ()
    fitting = tuple(pair for pair in given if not _strict((pair,))[1].found)
    conditions, problems = _strict(fitting)
    if problems.found:  # contradictory as fields, but they may be valid as columns
        return (), given
    return conditions, tuple(pair for pair in given if pair not in fitting)


def problems_of(given: Named) -> Problems:
    """Return the problems of conditions as a filter on fields, noting where other names are allowed."""
    _, problems = _strict(given)
    for texts in problems.found.values():
        texts[:] = [
            f"{text.rstrip('?')}{_FREE}" if text.startswith("unknown field") else text for text in texts
        ]
    return problems


def _strict(given: Named) -> tuple[Named, Problems]:
    problems = Problems()
    return read_fields([(name, condition.to_json()) for name, condition in given], problems), problems


def _read(name: str, value: Any, problems: Problems) -> Condition | None:
    if isinstance(value, Between):
        return _bounds(name, {"min": value.min, "max": value.max}, problems)
    if isinstance(value, AnyOf | AllOf):
        return _values(name, type(value), list(value.values), problems)
    if isinstance(value, HowMany) or (isinstance(value, Mapping) and set(value) == {COUNT}):
        return read_how_many(name, value, problems)
    if isinstance(value, Mapping):
        if set(value) <= {"min", "max"}:
            return _bounds(name, value, problems)
        return _operator(name, value, problems)
    return _values(name, AnyOf, list(value) if isinstance(value, list | tuple) else [value], problems)


def _operator(name: str, value: Mapping[Any, Any], problems: Problems) -> Condition | None:
    found = [MATCHES.get(key.casefold()) if isinstance(key, str) else None for key in value]
    [values] = value.values() if len(value) == 1 else [None]
    if len(found) != 1 or found[0] is None or not isinstance(values, list | tuple):
        problems.add(
            name, 'takes one of {"any": [...]}, {"all": [...]}, {"min": ..., "max": ...} and {"count": ...}'
        )
        return None
    return _values(name, AllOf if found[0] == "all" else AnyOf, list(values), problems)


def _values(
    name: str, made: type[AnyOf] | type[AllOf], values: list[Any], problems: Problems
) -> Condition | None:
    if not values:
        problems.add(name, "the list of values is empty")
        return None
    if len(values) > MOST_VALUES:
        problems.add(name, f"at most {MOST_VALUES:,} values can be listed, not {len(values):,}")
        return None
    plain = [_plain(value) for value in values]
    for value, read in zip(values, plain, strict=True):
        if read is None:
            problems.add(name, f"takes texts, finite numbers, True or False, not {shown(value)}")
            return None
    different = {(type(value), value): value for value in plain if value is not None}
    return made(tuple(different.values()))


def _plain(value: Any) -> str | bool | float | None:
    """Return a string, boolean or finite number as a plain Python value, or None for anything else."""
    if hasattr(value, "item") and not isinstance(value, str | bool | Real):
        value = value.item()  # a NumPy boolean
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real) and math.isfinite(value):
        number = float(value)
        return int(number) if number.is_integer() else number
    return None


def _bounds(name: str, value: Mapping[Any, Any], problems: Problems) -> Condition | None:
    given = {side: bound for side, bound in value.items() if bound is not None}
    if not given:
        problems.add(name, "needs a min, a max or both")
        return None
    found: dict[str, float] = {}
    for side, bound in given.items():
        number = _plain(bound)
        if isinstance(number, bool) or not isinstance(number, int | float):
            problems.add(name, f"must be a number, not {shown(bound)}")
            return None
        found[side] = number
    low, high = found.get("min"), found.get("max")
    if low is not None and high is not None and low > high:
        problems.add(name, f"min {low} is greater than max {high}")
        return None
    return Between(low, high)
