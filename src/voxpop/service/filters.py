"""Filter discovery and counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from voxpop.errors import FilterError
from voxpop.service.answering import encoded
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.filtering import chosen_fields, counts, from_body, unknown_in
from voxpop.vocabulary.conditions import AnyOf
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.nearest import did_you_mean, nearest
from voxpop.vocabulary.parse import parse
from voxpop.wire.filters import CountIn, CountResponse, Discovery

router: APIRouter = APIRouter(prefix="/v1", tags=["filters"], route_class=KeyedRoute)


@router.get(
    "/filters",
    summary="Values of every filter field in a country, with counts",
    response_model=Discovery,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403),
)
def discover(
    call: CallDep,
    country: Annotated[str, Query(max_length=100, description="Country name or ISO 3166 code.")],
    fields: Annotated[
        list[str] | None, Query(description="Fields to give, by name or alias; commas or repeated.")
    ] = None,
) -> Response:
    """Count the agents of a country per value of each field."""
    audience, name = _of_country(country)
    chosen = chosen_fields(fields)
    found = counts(call.state.population, audience, chosen)
    total = call.state.population.count(audience)
    told = {"country": name, "recruitable_agent_count": total, **found}
    return encoded(told | unknown_in(call.state.population, audience, _shown(found)))


@router.post(
    "/filters/count",
    summary="How many agents a filter matches",
    response_model=CountResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403, 422),
)
def count(call: CallDep, body: CountIn) -> Response:
    """Count the agents that match a filter, in total and per value."""
    audience = from_body(call.state, body.filters)
    chosen = None if body.fields is None else chosen_fields(body.fields) or []
    found = counts(call.state.population, audience, chosen)
    told = {"count": call.state.population.count(audience), **found}
    return encoded(told | unknown_in(call.state.population, audience, _shown(found)))


def _shown(found: Mapping[str, Any]) -> list[str]:
    return [*found["filters"], *found["ranges"]]


def _of_country(word: str) -> tuple[Filter, str]:
    """Return the filter for a country and its canonical name."""
    audience = parse({"country": word})
    levels = FIELDS["country"].levels
    (_, condition) = audience.conditions[0]
    if isinstance(condition, AnyOf) and condition.values[0] in levels:
        return audience, str(condition.values[0])
    hint = did_you_mean(nearest(word, levels)) or f"; allowed: {', '.join(levels)}"
    raise FilterError({"country": [f"unknown country {word!r}{hint}"]})
