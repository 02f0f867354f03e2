"""Convert tool arguments to the body, filter and timeout of HTTP calls."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from voxpop.errors import InvalidRequest
from voxpop.mcp.schemas import LONGEST_WAIT_S
from voxpop.vocabulary.fields import find_field
from voxpop.vocabulary.filter_reading import MATCHES, shown
from voxpop.vocabulary.nearest import did_you_mean, nearest

Arguments = Mapping[str, Any]

KEY = "idempotency_key"
"""Argument of every tool that changes something; sent as a header."""

_REFERENCE = re.compile(r"[A-Za-z0-9_-]{1,100}")
_BOUND = re.compile(r"(.+)_(min|max)")


def checked(arguments: Arguments, known: Iterable[str], *, filters: bool) -> dict[str, Any]:
    """Return the arguments that have a value; refuse arguments that the tool does not take.

    Parameters
    ----------
    arguments
        Arguments of the call; null counts as not given.
    known
        The arguments of the tool, without those for single fields of a filter.
    filters
        Whether the tool takes a filter. Names unlike any of ``known`` are then passed to the service,
        which validates the filter fields.
    """
    names = list(known)
    given = {name: value for name, value in arguments.items() if value is not None}
    problems = {}
    for name in given:
        if name in names or (filters and _field_of(name)):
            continue
        word = name.casefold()
        near = [one for one in names if word in one.split("_")] or nearest(word, names)
        if near or not filters:
            hint = did_you_mean(near[:3]) or f"; allowed: {', '.join(names)}"
            problems[name] = [f"unknown field{hint}"]
    if problems:
        raise refusal("fields", problems)
    return given


def refusal(part: str, problems: Mapping[str, list[str]]) -> InvalidRequest:
    """Return an error for unusable arguments, worded like the service's own."""
    told = "; ".join(f"{name}: {text}" for name, texts in problems.items() for text in texts)
    start = "The filter" if part == "filters" else "The call"
    return InvalidRequest(f"{start} cannot be used: {told}", details={part: dict(problems)})


def key_of(arguments: Arguments) -> str | None:
    """Return the idempotency key if one is given; the service validates it.

    Examples
    --------
    >>> key_of({"idempotency_key": "snacks-1"}), key_of({})
    ('snacks-1', None)
    """
    given = arguments.get(KEY)
    if given is not None and (not isinstance(given, str) or not re.fullmatch(r"[ -~]{1,255}", given)):
        raise refusal("fields", {KEY: [f"must be 1 to 255 printable characters, not {shown(given)}"]})
    return given


def body_of(arguments: Arguments, names: Iterable[str]) -> dict[str, Any]:
    """Return the arguments with the given names."""
    return {name: arguments[name] for name in names if name in arguments}


def filter_of(arguments: Arguments, others: Iterable[str]) -> dict[str, Any]:
    """Combine ``match``, ``filters`` and single-field arguments into one filter.

    Parameters
    ----------
    arguments
        All the arguments of the call.
    others
        Names of arguments that are not part of the filter.

    Raises
    ------
    InvalidRequest
        A field is given twice. The service checks everything else.

    Examples
    --------
    >>> filter_of({"country": "USA", "bmi_min": 30, "filters": {"state": "CA"}, "page": 2}, ["page"])
    {'match': 'all', 'filters': {'state': 'CA', 'country': 'USA', 'bmi': {'min': 30}}}
    """
    outside = {"match", "filters", *others}
    problems: dict[str, list[str]] = {}
    single = _with_bounds({k: v for k, v in arguments.items() if k not in outside}, problems)
    whole = _whole(arguments.get("filters", {}), problems)
    inner = whole.get("filters", {k: v for k, v in whole.items() if k != "match"})
    outer = {k: v for k, v in whole.items() if k != "match"} if "filters" in whole else {}
    if not isinstance(inner, Mapping):
        return whole  # the service reports what is wrong with it
    taken = {_canonical(name) for name in inner}
    for name in single:
        if _canonical(name) in taken:
            problems.setdefault(name, []).append("given twice, as an argument and inside filters")
    match = _match(arguments, whole, problems)
    if problems:
        raise refusal("filters", problems)
    return {"match": match, **outer, "filters": {**inner, **single}}


def reference_of(arguments: Arguments, name: str) -> str:
    """Return an id or UUID as a path segment."""
    if name not in arguments:
        raise refusal("fields", {name: ["is required"]})
    value = arguments[name]
    if isinstance(value, bool) or not isinstance(value, int | str) or not _REFERENCE.fullmatch(str(value)):
        raise refusal("fields", {name: [f"must be an id, not {shown(value)}"]})
    return str(value)


def whole_number_of(arguments: Arguments, name: str, default: int, most: int) -> int:
    """Return an integer from 0 to ``most``."""
    value = arguments.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise refusal("fields", {name: [f"must be a whole number from 0 to {most:,}, not {shown(value)}"]})
    return value


def wait_of(arguments: Arguments) -> float:
    """Return the maximum wait of the call in seconds."""
    name = "poll_timeout_seconds"
    value = arguments.get(name, 0)
    good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not good or value < 0:
        raise refusal("fields", {name: [f"must be 0 seconds or more, not {shown(value)}"]})
    return min(float(value), LONGEST_WAIT_S)


def _field_of(name: str) -> str | None:
    """Return the filter field of an argument that is a value or one end of a range."""
    bound = _BOUND.fullmatch(name.strip().casefold())
    ranged = find_field(bound[1]) if bound else None
    found = ranged if ranged is not None and ranged.kind == "range" else find_field(name)
    return found.name if found is not None else None


def _canonical(name: Any) -> Any:
    return (_field_of(name) or name) if isinstance(name, str) else name


def _with_bounds(single: Arguments, problems: dict[str, list[str]]) -> dict[str, Any]:
    """Combine ``bmi_min`` and ``bmi_max`` into ``bmi``."""
    found: dict[str, Any] = {}
    ends: dict[str, dict[str, Any]] = {}
    for name, value in single.items():
        field, bound = _field_of(name), _BOUND.fullmatch(name.strip().casefold())
        if field is None or find_field(name) is not None or bound is None:
            found[name] = value
        elif bound[2] in ends.setdefault(field, {}):
            problems.setdefault(name, []).append("given twice")
        else:
            ends[field][bound[2]] = value
    for field, given in ends.items():
        same = next((name for name in found if _canonical(name) == field), field)
        beside = found.pop(same, {})
        if isinstance(beside, Mapping) and not set(beside) & set(given):
            found[field] = {**beside, **given}
        else:
            told = " and ".join(f"{field}_{end}" for end in given)
            problems.setdefault(field, []).append(f"given twice, as {same} and as {told}")
    return found


def _whole(given: Any, problems: dict[str, list[str]]) -> dict[str, Any]:
    """Return ``filters`` as an object, parsing it if a model sent JSON text."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            problems["filters"] = ["must be an object, not text"]
            return {}
    if not isinstance(given, Mapping):
        problems["filters"] = [f"must be an object, not {shown(given)}"]
        return {}
    return dict(given)


def _match(arguments: Arguments, whole: Mapping[str, Any], problems: dict[str, list[str]]) -> Any:
    """Return the ``match`` given beside or inside ``filters``; the service validates its value."""
    given = [place["match"] for place in (arguments, whole) if "match" in place]
    read = {MATCHES.get(one.strip().casefold(), one) if isinstance(one, str) else str(one) for one in given}
    if len(read) > 1:
        problems.setdefault("match", []).append("given twice, as all and as any")
    return given[0] if given else "all"
