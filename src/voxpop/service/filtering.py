"""One reading of filters for every family: malformed is a 400, strict unknown values a 422."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from voxpop.errors import FilterError, InvalidRequest
from voxpop.population.file import Population
from voxpop.service.state import ServiceState
from voxpop.vocabulary.fields import FIELDS, Field, field
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.parse import parse, parse_query
from voxpop.wire.base import refuse_nul

MOST_UNKNOWN = 20
"""How many unknown values of a filter an answer names; those that have suggestions."""


def from_body(state: ServiceState, data: Any) -> Filter:
    """Read a filter that was sent as JSON, nested or flat."""
    _check_text(data)
    return _checked(state, parse(data))


def from_query(state: ServiceState, items: Iterable[tuple[str, str]]) -> Filter:
    """Read a filter that was sent as names and values of a URL."""
    pairs = list(items)
    _check_text(pairs)
    return _checked(state, parse_query(pairs))


def chosen_fields(names: Sequence[str] | None) -> list[Field] | None:
    """Return the fields of names and aliases, commas allowed inside a name; None when nothing was named.

    Examples
    --------
    >>> [field.name for field in chosen_fields(["drug_class, age"])]
    ['health_drug_classes', 'age']
    """
    words = [word.strip() for text in names or () for word in text.split(",") if word.strip()]
    if not words:
        return None
    problems: dict[str, list[str]] = {}
    found: dict[str, Field] = {}
    for word in words:
        try:
            known = field(word)
        except FilterError as error:
            problems |= error.problems
        else:
            found[known.name] = known
    if problems:
        raise FilterError(problems)
    return list(found.values())


def counts(population: Population, audience: Filter, fields: Sequence[Field] | None) -> dict[str, Any]:
    """Count the agents of a filter per value, and say where the numbers of its range fields lie.

    Returns
    -------
    dict
        ``filters`` and ``ranges``, as discovery and count answer them.
    """
    wanted = list(FIELDS.values()) if fields is None else fields
    valued = [known.name for known in wanted if known.kind != "range"]
    ranged = [known.name for known in wanted if known.kind == "range"]
    facets = population.facets(audience, valued) if valued else {}
    return {
        "filters": {
            name: [{"value": value, "count": count} for value, count in facets[name]] for name in valued
        },
        "ranges": population.ranges(audience, ranged) if ranged else {},
    }


def unknown_in(population: Population, audience: Filter) -> dict[str, Any]:
    """Return ``unknown_values`` for an answer; nothing where agents can have every value of the filter."""
    found = population.unknown_values(audience)[:MOST_UNKNOWN]
    return {"unknown_values": found} if found else {}


def _checked(state: ServiceState, audience: Filter) -> Filter:
    if state.settings.strict_filters:
        unknown = state.population.unknown_values(audience, finite=True)
        if unknown:
            told = "; ".join(entry["message"] for entry in unknown[:3])
            raise InvalidRequest(
                f"The filter has unknown values: {told}", status=422, details={"filters": unknown}
            )
    return audience


def _check_text(data: Any) -> None:
    """Refuse text that no database takes."""
    try:
        msgspec.json.encode(data)
        refuse_nul(data)
    except (UnicodeEncodeError, msgspec.MsgspecError, RecursionError) as error:
        raise FilterError({"filters": ["must be valid Unicode text, not nested too deep"]}) from error
    except ValueError as error:
        raise FilterError({"filters": [str(error)]}) from error
