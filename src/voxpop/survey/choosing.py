"""Filters resolved against the columns of data: the column of each condition, and the levels it means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.errors import UsageError
from voxpop.vocabulary.conditions import Condition
from voxpop.vocabulary.fields import FIELDS, Field, find_field
from voxpop.vocabulary.filter_reading import AGE_BOUNDS, Problems, read_condition
from voxpop.vocabulary.filters import Filter, GroupKind
from voxpop.vocabulary.nearest import did_you_mean, nearest
from voxpop.vocabulary.sentence import sentence_of
from voxpop.vocabulary.values import canonical, is_known, levels_of, suggestions

_SHOWN = 20


class WhereData(dict[str, Any]):
    """A filter as data, with its wording as resolved against the columns of a table."""

    words: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One condition of a filter, on a column of the data.

    Attributes
    ----------
    column : str
        The column name.
    condition : AnyOf, AllOf, Between or HowMany
        The condition as given.
    field : Field, optional
        The field of agents that the column holds, if any; aliases of its values are accepted.
    """

    column: str
    condition: Condition
    field: Field | None


@dataclass(frozen=True, slots=True)
class Chooser:
    """A filter resolved against the columns of the data.

    Attributes
    ----------
    match : {"all", "any"}
        Whether a row must meet all rules or at least one.
    rules : tuple of Rule
        The rules; without rules and groups every row is chosen.
    data : WhereData
        The filter as given, sufficient to read it again.
    groups : tuple of (kind, tuple of Chooser)
        Nested filters, each group acting as one rule. ``not`` chooses all rows that its filters do not,
        including rows without a value.
    """

    match: str
    rules: tuple[Rule, ...]
    data: WhereData
    groups: tuple[tuple[GroupKind, tuple[Chooser, ...]], ...] = ()

    def every_rule(self) -> Iterator[Rule]:
        """Yield the rules, nested ones included."""
        yield from self.rules
        for _, inner in self.groups:
            for one in inner:
                yield from one.every_rule()


def resolved(asked: Filter, names: Sequence[str]) -> Chooser:
    """Find the column of each condition of a filter.

    Raises
    ------
    UsageError
        If the data have no such column; the message has the nearest names.

    Examples
    --------
    >>> from voxpop.vocabulary.parse import parse
    >>> resolved(parse({"drug_class": "Ozempic"}), ["health_drug_classes"]).rules[0].column
    'health_drug_classes'
    >>> resolved(parse({"q": "yes"}, columns=True), ["Q", "gender"])
    Traceback (most recent call last):
    voxpop.errors.UsageError: The data have no column 'q'; did you mean Q?
    """
    rules = tuple(_rules(asked, names))
    data = WhereData(asked.to_given())
    own = [(rule.column, rule.condition) for rule in rules if rule.field is None]
    known = [(rule.column, _canonical(rule, rule.field)) for rule in rules if rule.field is not None]
    order = list(FIELDS)
    known.sort(key=lambda pair: order.index(pair[0]))
    groups = tuple(
        (group.kind, tuple(resolved(one, names) for one in group.filters)) for group in asked.groups
    )
    nested = [
        (kind, [(one.data.words, len(one.rules) + len(one.groups) > 1) for one in inner])
        for kind, inner in groups
    ]
    data.words = sentence_of(asked.match, known, own, nested)
    return Chooser(asked.match, rules, data, groups)


def _rules(asked: Filter, names: Sequence[str]) -> Iterator[Rule]:
    bounded = False
    for name, condition in asked.given:
        if name in names:
            yield Rule(name, condition, _field_of(name, condition))
            continue
        if name.strip().casefold() in AGE_BOUNDS and "age" in names:
            if not bounded:  # both bounds are already merged into one condition on age
                yield Rule("age", _age(asked), FIELDS["age"])
            bounded = True
            continue
        field = find_field(name)
        if field is None or field.name not in names:
            raise UsageError(f"The data have no column {name!r}{_near(name, names)}")
        yield Rule(field.name, condition, _field_of(field.name, condition))


def _age(asked: Filter) -> Condition:
    found = dict(asked.conditions).get("age")
    if found is None:
        asked.check()
        raise UsageError("age_min and age_max are the bounds of age; use age=vp.between(...) instead.")
    return found


def _field_of(name: str, condition: Condition) -> Field | None:
    """Return the field of agents held by a column, if the condition is valid for that field."""
    field = FIELDS.get(name)
    if field is None or read_condition(field, condition.to_json(), Problems()) is None:
        return None
    return field


def _canonical(rule: Rule, field: Field) -> Condition:
    read = read_condition(field, rule.condition.to_json(), Problems())
    return rule.condition if read is None else read


def _near(name: str, names: Sequence[str]) -> str:
    """Return a hint with the nearest columns, or with the field of agents that is missing."""
    plain = [str(held) for held in names]
    if near := nearest(name, plain):
        return did_you_mean(near)
    field = find_field(name)
    told = [field.name] if field is not None else nearest(name, FIELDS)[:1]
    missing = f", nor the field {told[0]!r} of agents" if told and told[0] != name else ""
    return f"{missing}; the columns are {', '.join(plain[:40])}"


def check_value(rule: Rule, value: Any, levels: Sequence[str], *, is_number: bool) -> None:
    """Refuse a value that no row has and that the field does not define.

    Raises
    ------
    UsageError
        The message has the nearest values of the column.
    """
    if places_of(rule, value, levels, is_number=is_number).any() or _could_be(rule.field, value):
        return
    hint = did_you_mean(_nearest_values(rule, value, levels))
    held = f"it has {', '.join(levels[:_SHOWN])}" if levels else "it has none at all"
    raise UsageError(f"{rule.column!r} has no value {value!r}{hint or f'; {held}'}")


def _could_be(field: Field | None, value: Any) -> bool:
    """Return whether a field defines the value, even if no row has it."""
    if field is None:
        return False
    if field.kind in ("range", "boolean"):
        return True
    return isinstance(value, str) and is_known(field, canonical(field, value))


def _nearest_values(rule: Rule, value: Any, levels: Sequence[str]) -> list[str]:
    if isinstance(value, str):
        near = nearest(value, levels)
        return near or ([] if rule.field is None else suggestions(rule.field, value, levels))
    numbers = [level for level in levels if _number(level) is not None]
    return sorted(numbers, key=lambda level: abs(float(level) - float(value)))[:3]


def places_of(rule: Rule, value: Any, levels: Sequence[str], *, is_number: bool) -> npt.NDArray[np.bool_]:
    """Return which levels of a column match a value.

    Numbers are compared as numbers. A text matches the level with the same spelling if there is one,
    otherwise levels that differ only in case.
    """
    number = None if isinstance(value, bool) else _number(value)
    if number is not None and is_number:
        return np.array([_number(level) == number for level in levels], dtype=np.bool_)
    label = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    if rule.field is None and label in levels:
        return np.array([level == label for level in levels], dtype=np.bool_)
    wanted = {label.casefold()}
    if rule.field is not None and isinstance(value, str):
        wanted |= {level.casefold() for level in levels_of(rule.field, canonical(rule.field, value))}
    return np.array([level.casefold() in wanted for level in levels], dtype=np.bool_)


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return None if math.isnan(number) else number
