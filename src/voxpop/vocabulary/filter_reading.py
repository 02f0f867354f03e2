"""Parsing of filter fields, with all problems collected on the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any, Literal

from voxpop.errors import FilterError
from voxpop.vocabulary.conditions import AllOf, AnyOf, Between, Condition, HowMany
from voxpop.vocabulary.fields import FIELDS, Field, find_field, unknown_field
from voxpop.vocabulary.values import canonical

Match = Literal["all", "any"]
Pairs = Iterable[tuple[Any, Any]]

MATCHES: Mapping[str, Match] = {"all": "all", "and": "all", "any": "any", "or": "any"}
COUNT = "count"
MOST_VALUES = 1_000
_LONGEST_VALUE = 500
_MOST_UNKNOWN = 50
_LARGEST = 1e12
AGE_BOUNDS = {"age_min": "min", "age_max": "max"}


class Problems:
    """Problems of a filter: messages by field name."""

    def __init__(self) -> None:
        self.found: dict[str, list[str]] = {}

    def add(self, name: str, message: str) -> None:
        """Add a problem, unless the same message is already there."""
        messages = self.found.setdefault(name, [])
        if message not in messages:
            messages.append(message)

    def check(self) -> None:
        """Raise FilterError if there is any problem."""
        if self.found:
            raise FilterError(self.found)


def shown(value: Any) -> str:
    """Return a short representation of any value for an error message.

    Examples
    --------
    >>> shown("Texas"), shown(None), shown([[[]]]), shown({})
    ("'Texas'", 'null', 'a list', 'an object')
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"'{_clean(value)}'"
    if isinstance(value, Real):
        return str(value) if _is_ordinary(value) else "a number that is too large or not finite"
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, (list, tuple)) else f"a value of type {type(value).__name__}"


def name_of(key: Any) -> str:
    """Return a mapping key as printable text."""
    return _clean(key) if isinstance(key, str) else shown(key)


def _clean(text: str) -> str:
    short = text if len(text) <= 60 else text[:57] + "..."
    return "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in short)


def read_match(value: Any, problems: Problems) -> Match:
    """Return ``all`` or ``any`` for one of the four accepted words."""
    found = MATCHES.get(value.strip().casefold()) if isinstance(value, str) else None
    if found is None:
        problems.add("match", f'match must be "all" or "any" (or "and", "or"), not {shown(value)}')
    return found or "all"


def read_fields(pairs: Pairs, problems: Problems) -> tuple[tuple[str, Condition], ...]:
    """Return the conditions for pairs of a field name and its value."""
    conditions: dict[str, Condition] = {}
    names: dict[str, str] = {}
    bounds: list[tuple[str, Any]] = []
    unknown = 0
    for key, value in pairs:
        name = name_of(key)
        known = find_field(key) if isinstance(key, str) else None
        if name.strip().casefold() in AGE_BOUNDS:
            bounds.append((name.strip().casefold(), value))
        elif known is None:
            unknown += 1
            if unknown <= _MOST_UNKNOWN:
                problems.add(name, unknown_field(name))
        elif known.name in names:
            problems.add(known.name, _given_twice(names[known.name], name))
        else:
            names[known.name] = name
            condition = read_condition(known, value, problems)
            if condition is not None:
                conditions[known.name] = condition
    if bounds:
        _add_age_bounds(
            bounds, conditions, age_was_read="age" not in names or "age" in conditions, problems=problems
        )
    return tuple(conditions.items())


def _given_twice(one: str, other: str) -> str:
    if one == other:
        return "given more than once"
    return f"given more than once, as {one} and as {other}; these are names of the same field"


def _add_age_bounds(
    bounds: list[tuple[str, Any]], conditions: dict[str, Condition], *, age_was_read: bool, problems: Problems
) -> None:
    given: dict[str, float | None] = {"min": None, "max": None}
    age = conditions.pop("age", None)
    if isinstance(age, Between):
        given = {"min": age.min, "max": age.max}
    sound = age_was_read
    for name, value in bounds:
        side = AGE_BOUNDS[name]
        number = read_number(name, value, problems)
        if number is None:
            sound = False
        elif given[side] is not None:
            problems.add("age", f"the {side} is given more than once, in {name} too")
            sound = False
        else:
            given[side] = number
    if sound:
        condition = _between(FIELDS["age"], given["min"], given["max"], problems)
        if condition is not None:
            conditions["age"] = condition


def read_condition(field: Field, value: Any, problems: Problems) -> Condition | None:
    """Return the condition on one field, or None after recording a problem."""
    if isinstance(value, HowMany) or (isinstance(value, Mapping) and set(value) == {COUNT}):
        if field.kind != "list":
            problems.add(field.name, f"has one value per agent; only {_lists()} can be counted")
            return None
        return read_how_many(field.name, value, problems)
    if field.kind == "range":
        return _read_range(field, value, problems)
    if isinstance(value, AnyOf):
        return _read_values(field, AnyOf, list(value.values), problems)
    if isinstance(value, AllOf):
        return _read_values(field, AllOf, list(value.values), problems)
    if isinstance(value, Mapping):
        return _read_operator(field, value, problems)
    if isinstance(value, (list, tuple)):
        return _read_values(field, AnyOf, list(value), problems)
    return _read_values(field, AnyOf, [value], problems)


def _lists() -> str:
    return " and ".join(name for name, field in FIELDS.items() if field.kind == "list")


def read_how_many(name: str, value: HowMany | Mapping[Any, Any], problems: Problems) -> HowMany | None:
    """Return the condition on a number of values, or None after recording a problem."""
    given: Any = {"min": value.min, "max": value.max} if isinstance(value, HowMany) else value[COUNT]
    if not isinstance(given, Mapping):
        given = {"min": given, "max": given}
    bounds = {side: bound for side, bound in given.items() if bound is not None}
    if not bounds or not set(bounds) <= {"min", "max"}:
        problems.add(name, 'count takes a whole number or {"min": ..., "max": ...}')
        return None
    numbers: dict[str, int] = {}
    for side, bound in bounds.items():
        number = read_number(name, bound, problems)
        if number is None:
            return None
        if not isinstance(number, int) or not 0 <= number <= MOST_VALUES:
            problems.add(name, f"count takes whole numbers from 0 to {MOST_VALUES:,}, not {shown(bound)}")
            return None
        numbers[side] = number
    low, high = numbers.get("min"), numbers.get("max")
    if low is not None and high is not None and low > high:
        problems.add(name, f"min {low} is greater than max {high}")
        return None
    return HowMany(low, high)


def _read_operator(field: Field, value: Mapping[Any, Any], problems: Problems) -> Condition | None:
    operators: dict[Match, str] = {}
    for key in value:
        found = MATCHES.get(key.casefold()) if isinstance(key, str) else None
        if found is None:
            problems.add(field.name, f'takes {{"any": [...]}} or {{"all": [...]}}, not {name_of(key)}')
            return None
        if found in operators:
            problems.add(field.name, f"{found} is given more than once, as {operators[found]} and as {key}")
            return None
        operators[found] = key
    if len(operators) != 1:
        message = (
            "takes any or all, not both" if operators else 'takes {"any": [...]} or {"all": [...]}, not {}'
        )
        problems.add(field.name, message)
        return None
    [(operator, key)] = operators.items()
    values = value[key]
    if not isinstance(values, (list, tuple)):
        problems.add(field.name, f"{key} takes a list of values, not {shown(values)}")
        return None
    return _read_values(field, AllOf if operator == "all" else AnyOf, list(values), problems)


def _read_values(
    field: Field, made: type[AnyOf] | type[AllOf], values: list[Any], problems: Problems
) -> Condition | None:
    if not values:
        problems.add(field.name, "the list of values is empty")
        return None
    if len(values) > MOST_VALUES:
        problems.add(field.name, f"at most {MOST_VALUES:,} values can be listed, not {len(values):,}")
        return None
    read_one = _read_boolean if field.kind == "boolean" else _read_text
    found = [read_one(field, value, problems) for value in values]
    if any(value is None for value in found):
        return None
    return made(tuple(dict.fromkeys(value for value in found if value is not None)))


def _read_boolean(field: Field, value: Any, problems: Problems) -> bool | None:
    if isinstance(value, bool):
        return value
    problems.add(field.name, f"must be true or false, not {shown(value)}")
    return None


def _read_text(field: Field, value: Any, problems: Problems) -> str | None:
    if not isinstance(value, str):
        problems.add(field.name, f"must be a text, not {shown(value)}")
        return None
    if not value.strip():
        problems.add(field.name, "the value is empty")
        return None
    if len(value) > _LONGEST_VALUE:
        problems.add(
            field.name, f"a value has at most {_LONGEST_VALUE} characters, not {len(value):,}: {shown(value)}"
        )
        return None
    if any(mark < " " or mark == "\x7f" or "\ud800" <= mark <= "\udfff" for mark in value):
        problems.add(field.name, f"{shown(value)} holds a character that is not text")
        return None
    return canonical(field, str(value))


def _read_range(field: Field, value: Any, problems: Problems) -> Condition | None:
    if isinstance(value, Between):
        value = {"min": value.min, "max": value.max}
    if isinstance(value, Mapping):
        return _read_bounds(field, value, problems)
    if isinstance(value, (list, tuple, AnyOf, AllOf)):
        problems.add(field.name, 'takes a number or {"min": ..., "max": ...}, not a list of values')
        return None
    number = read_number(field.name, value, problems)
    return None if number is None else Between(number, number)


def _read_bounds(field: Field, value: Mapping[Any, Any], problems: Problems) -> Condition | None:
    others = [name_of(key) for key in value if key not in ("min", "max")]
    if others:
        problems.add(field.name, f'takes a number or {{"min": ..., "max": ...}}, not {others[0]}')
        return None
    given = {side: bound for side, bound in value.items() if bound is not None}
    if not given:
        problems.add(field.name, "needs a min, a max or both")
        return None
    found = {side: read_number(field.name, bound, problems) for side, bound in given.items()}
    if any(number is None for number in found.values()):
        return None
    return _between(field, found.get("min"), found.get("max"), problems)


def _between(field: Field, low: float | None, high: float | None, problems: Problems) -> Between | None:
    if low is not None and high is not None and low > high:
        problems.add(field.name, f"min {low} is greater than max {high}")
        return None
    return Between(low, high)


def read_number(name: str, value: Any, problems: Problems) -> float | None:
    """Return a finite number, as int if whole, or None after recording a problem."""
    if isinstance(value, bool) or not isinstance(value, Real):
        problems.add(name, f"must be a number, not {shown(value)}")
        return None
    if not _is_ordinary(value):
        problems.add(name, f"must be a number of ordinary size, not {shown(value)}")
        return None
    number: float = int(value) if isinstance(value, Integral) else float(value)
    return int(number) if number == int(number) else number


def _is_ordinary(value: Any) -> bool:
    return bool(-_LARGEST <= value <= _LARGEST)
