"""Filter parsing for all families: malformed filters are a 400, strict unknown values a 422."""

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
"""Maximum number of unknown filter values reported with suggestions."""


def from_body(state: ServiceState, data: Any) -> Filter:
    """Parse a JSON filter, nested or flat."""
    _check_text(data)
    return _checked(state, parse(data))


def from_query(state: ServiceState, items: Iterable[tuple[str, str]]) -> Filter:
    """Parse a filter from URL parameters."""
    pairs = list(items)
    _check_text(pairs)
    return _checked(state, parse_query(pairs))


def chosen_fields(names: Sequence[str] | None) -> list[Field] | None:
    """Return the fields for names, aliases and comma-separated lists of them; None if none are given.

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
    """Count matching agents per value, and summarize the range fields.

    Returns
    -------
    dict
        ``filters`` and ``ranges``, as in discovery and count responses.
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


def unknown_in(population: Population, audience: Filter, shown: Iterable[str] = ()) -> dict[str, Any]:
    """Return ``unknown_values`` and ``unknown`` for a response, each only if there are any.

    Parameters
    ----------
    population : Population
    audience : Filter
    shown : iterable of str
        Fields that the response counts.
    """
    told: dict[str, Any] = {}
    if values := population.unknown_values(audience)[:MOST_UNKNOWN]:
        told["unknown_values"] = values
    if fields := population.unknown_fields(audience, shown):
        told["unknown"] = fields
    return told


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
    """Refuse text that databases cannot store."""
    try:
        msgspec.json.encode(data)
        refuse_nul(data)
    except (UnicodeEncodeError, msgspec.MsgspecError, RecursionError) as error:
        raise FilterError({"filters": ["must be valid Unicode text, not nested too deep"]}) from error
    except ValueError as error:
        raise FilterError({"filters": [str(error)]}) from error
