"""Reference implementation of filter matching on one agent record, which every engine must agree with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voxpop.vocabulary.conditions import AllOf, Between, Condition, HowMany
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter, Group
from voxpop.vocabulary.values import levels_of


def value_of(record: Mapping[str, Any], name: str) -> Any:
    """Return the value of a field in an agent record, or None if it is missing.

    Examples
    --------
    >>> value_of({"age": 41, "health_profile": {"conditions": ["gout"]}}, "health_conditions")
    ['gout']
    """
    field = FIELDS[name]
    if not field.in_health_profile:
        return record.get(field.record_key)
    profile = record.get("health_profile")
    return None if profile is None else profile.get(field.record_key)


def matches(filter: Filter, record: Mapping[str, Any]) -> bool:
    """Return whether an agent record matches a filter.

    Parameters
    ----------
    filter : Filter
        The filter. Occupations are compared literally; resolve synonyms beforehand.
    record : mapping
        An agent in its wire form, with its ``health_profile`` (an object or None).

    Returns
    -------
    bool
        A missing value meets no condition, so that it matches a group ``not``; a filter without conditions
        matches every agent.

    Examples
    --------
    >>> from voxpop.vocabulary.filters import where
    >>> matches(where(age=30, gender="f"), {"age": 30, "gender": "female"})
    True
    """
    return _matches(filter.check(), record)


def _matches(filter: Filter, record: Mapping[str, Any]) -> bool:
    if filter.matches_everyone:
        return True
    met = [_meets(name, condition, value_of(record, name)) for name, condition in filter.conditions]
    met += [_meets_group(group, record) for group in filter.groups]
    return all(met) if filter.match == "all" else any(met)


def _meets_group(group: Group, record: Mapping[str, Any]) -> bool:
    met = [_matches(one, record) for one in group.filters]
    return all(met) if group.kind == "all" else any(met) is (group.kind == "any")


def _meets(name: str, condition: Condition, value: Any) -> bool:
    if value is None:
        return False
    if isinstance(condition, Between):
        low_enough = condition.max is None or value <= condition.max
        return low_enough and (condition.min is None or value >= condition.min)
    if isinstance(condition, HowMany):
        number = len(set(value))
        return (condition.min is None or number >= condition.min) and (
            condition.max is None or number <= condition.max
        )
    held = {_plain(item) for item in value} if isinstance(value, (list, tuple)) else {_plain(value)}
    wanted = [_wanted(name, item) for item in condition.values]
    if isinstance(condition, AllOf):
        return all(held & levels for levels in wanted)
    return any(held & levels for levels in wanted)


def _wanted(name: str, value: str | bool) -> set[str | bool]:
    if isinstance(value, bool):
        return {value}
    return {level.casefold() for level in levels_of(FIELDS[name], value)}


def _plain(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value
