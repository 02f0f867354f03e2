"""Parsing of filters from the JSON of the interface or from URL parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from voxpop.errors import FilterError
from voxpop.vocabulary.combining import MOST_DEPTH, MOST_PARTS
from voxpop.vocabulary.fields import Field, find_field, unknown_field
from voxpop.vocabulary.filter_reading import MATCHES, Match, Problems, name_of, read_fields, read_match, shown
from voxpop.vocabulary.filters import Filter, Group, GroupKind, read_any

_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{0,40})?([eE][+-]?[0-9]{1,4})?")


def parse(data: Any, *, columns: bool = False) -> Filter:
    """Return the filter for the nested or the flat JSON form.

    Parameters
    ----------
    data : Filter or dict
        ``{"match": ..., "filters": {...}}``, or the fields next to ``match``; anything else is an error.
        Beside the fields, ``"not"`` takes a filter that must not match (or a list of such filters),
        ``"any"`` a list of filters of which one must match, and ``"all"`` a list that must all match.
    columns : bool, default False
        Whether names may be columns of the user's own data, as in ``where=`` of a table. By default only
        agent fields are allowed.

    Raises
    ------
    FilterError
        The filter is invalid; all problems are listed by field name.

    Examples
    --------
    >>> parse({"match": "and", "filters": {"state": {"or": ["ca", "TX"]}}})
    vp.where(state=["CA", "TX"])
    >>> parse({"country": "US", "not": {"health_conditions": "gout"}})
    vp.where(country="USA") & ~vp.where(health_conditions="gout")
    >>> parse({"age": {"min": 64, "max": 25}, "gendr": "male"})
    Traceback (most recent call last):
    voxpop.errors.FilterError: age: min 64 is greater than max 25; gendr: unknown field; did you mean gender?
    """
    if isinstance(data, Filter):
        return data if columns else data.check()
    problems = Problems()
    made = _read(data, 0, problems, columns=columns)
    problems.check()
    return made


def _read(data: Any, depth: int, problems: Problems, *, columns: bool) -> Filter:
    """Return the filter; after a problem, any filter."""
    match, pairs = _parts(data, problems)
    read = "all" if match is None else read_match(match[0], problems)
    groups, pairs = _groups(pairs, depth, problems, columns=columns)
    return _made(read, pairs, groups, problems, columns=columns)


def _made(
    match: str, pairs: list[tuple[Any, Any]], groups: list[Group], problems: Problems, *, columns: bool
) -> Filter:
    read: Match = "any" if match == "any" else "all"
    try:
        if columns:
            return read_any(read, pairs, problems, groups)
        return Filter(read, read_fields(pairs, problems), groups=tuple(groups))
    except FilterError as error:
        return _noted(error, problems)


def _noted(error: FilterError, problems: Problems) -> Filter:
    for name, messages in error.problems.items():
        for message in messages:
            problems.add(name, message)
    return Filter()


def _groups(
    pairs: list[tuple[Any, Any]], depth: int, problems: Problems, *, columns: bool
) -> tuple[list[Group], list[tuple[Any, Any]]]:
    """Split the pairs of a filter into its groups and the pairs of its fields."""
    found: dict[GroupKind, Group | None] = {}
    rest = []
    for key, value in pairs:
        kind = _kind(key)
        if kind is None or (columns and not _is_group(kind, value)):
            rest.append((key, value))
        elif kind in found:
            problems.add(kind, "given more than once")
        else:
            found[kind] = _group(kind, value, depth, problems, columns=columns)
    return [group for group in found.values() if group is not None], rest


def _kind(key: Any) -> GroupKind | None:
    word = key.strip().casefold() if isinstance(key, str) else ""
    return "not" if word == "not" else MATCHES.get(word)


def _is_group(kind: GroupKind, value: Any) -> bool:
    """Return whether the value of ``any``, ``all`` or ``not`` is a filter, not that of a column so named."""
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(one, Mapping | Filter) for one in value)
    if kind != "not" or not isinstance(value, Mapping | Filter):
        return False
    return isinstance(value, Filter) or not (
        set(value) <= {"min", "max", "count"}
        or (len(value) == 1 and _kind(*value) is not None and not _is_group("any", *value.values()))
    )


def _group(kind: GroupKind, value: Any, depth: int, problems: Problems, *, columns: bool) -> Group | None:
    single = kind == "not" and isinstance(value, Mapping | Filter)
    inner = [value] if single else value
    if not isinstance(inner, list | tuple) or not inner:
        takes = "a filter or a list of filters" if kind == "not" else "a list of filters"
        told = "an empty list" if isinstance(inner, list | tuple) else shown(value)
        problems.add(kind, f"takes {takes}, not {told}")
        return None
    if depth >= MOST_DEPTH:
        problems.add("filters", f"filters can be nested {MOST_DEPTH} deep, not deeper")
        return None
    if len(inner) > MOST_PARTS:
        problems.add(
            "filters", f"a filter has at most {MOST_PARTS} conditions and groups, not {len(inner):,}"
        )
        return None
    filters = []
    for one in inner:
        if isinstance(one, Filter):
            try:
                filters.append(one if columns else one.check())
            except FilterError as error:
                _noted(error, problems)
        elif isinstance(one, Mapping):
            filters.append(_read(one, depth + 1, problems, columns=columns))
        else:
            problems.add(kind, f"takes filters, not {shown(one)}")
    return Group(kind, tuple(filters)) if filters else None


def parse_query(items: Iterable[tuple[str, str]]) -> Filter:
    """Return the filter for the names and values of a URL.

    Parameters
    ----------
    items : iterable of (str, str)
        A repeated name means any of its values; ``age_min`` and ``age_max`` are the bounds of ``age``;
        ``filters`` holds a filter as JSON text and may be combined with the others.

    Raises
    ------
    FilterError
        The filter is invalid; all problems are listed by field name.

    Examples
    --------
    >>> parse_query([("country", "US"), ("age_min", "25"), ("state", "CA"), ("state", "TX")])
    vp.where(country="USA", state=["CA", "TX"], age=vp.between(25))
    """
    problems = Problems()
    grouped: dict[str, list[str]] = {}
    for name, text in items:
        grouped.setdefault(name, []).append(text)
    matches: list[str] = []
    pairs: list[tuple[Any, Any]] = []
    if "filters" in grouped:
        inner, pairs = _parts(_json_text(grouped.pop("filters"), problems), problems)
        matches += [] if inner is None else [read_match(inner[0], problems)]
    matches += [read_match(text, problems) for text in grouped.pop("match", [])]
    if len(set(matches)) > 1:
        problems.add("match", "given more than once, as all and as any")
    groups, pairs = _groups(pairs, 0, problems, columns=False)
    pairs += [
        (name, value) for name, texts in grouped.items() for value in _query_value(name, texts, problems)
    ]
    made = _made("any" if "any" in matches else "all", pairs, groups, problems, columns=False)
    problems.check()
    return made


def _parts(data: Any, problems: Problems) -> tuple[tuple[Any] | None, list[tuple[Any, Any]]]:
    """Split a filter object into the given match, if any, and the pairs of its fields."""
    if not isinstance(data, Mapping):
        problems.add("filters", f"a filter must be an object, not {shown(data)}")
        return None, []
    match = (data["match"],) if "match" in data else None
    if "filters" not in data:
        return match, [(key, value) for key, value in data.items() if key != "match"]
    for key in data:
        if key not in ("match", "filters"):
            known = isinstance(key, str) and (find_field(key) is not None or _kind(key) is not None)
            problems.add(name_of(key), "must be inside filters" if known else unknown_field(name_of(key)))
    inner = data["filters"]
    if not isinstance(inner, Mapping):
        problems.add("filters", f"must be an object, not {shown(inner)}")
        return match, []
    for key in ("match", "filters"):
        if key in inner:
            problems.add(key, f"{key} cannot be inside filters")
    return match, [(key, value) for key, value in inner.items() if key not in ("match", "filters")]


def _json_text(texts: list[str], problems: Problems) -> Any:
    if len(texts) > 1:
        problems.add("filters", "given more than once")
        return {}
    try:
        return json.loads(texts[0])
    except (ValueError, RecursionError):
        problems.add("filters", "must be a filter as JSON text")
        return {}


def _query_value(name: str, texts: list[str], problems: Problems) -> list[Any]:
    """Return the JSON value for the strings of one name in a list, or an empty list after a problem."""
    field = find_field(name)
    if name.strip().casefold() in ("age_min", "age_max"):
        return _query_number(name, texts, problems)
    if field is None or field.kind in ("category", "list"):
        return [texts]
    if field.kind == "range":
        return _query_number(field.name, texts, problems)
    return _query_booleans(field, texts, problems)


def _query_number(name: str, texts: list[str], problems: Problems) -> list[Any]:
    if len(texts) > 1:
        problems.add(name, "given more than once")
        return []
    text = texts[0].strip()
    if not _NUMBER.fullmatch(text):
        help_ = "; use age_min and age_max for a range" if name == "age" else ""
        problems.add(name, f"must be a number, not {shown(text)}{help_}")
        return []
    return [float(text) if re.search(r"[.eE]", text) else int(text)]


def _query_booleans(field: Field, texts: list[str], problems: Problems) -> list[Any]:
    words = {"true": True, "false": False}
    wrong = [text for text in texts if text.strip().casefold() not in words]
    for text in wrong:
        problems.add(field.name, f"must be true or false, not {shown(text)}")
    return [] if wrong else [[words[text.strip().casefold()] for text in texts]]
