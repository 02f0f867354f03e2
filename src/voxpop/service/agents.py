"""Searching and finding agents."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request, Response

from voxpop.errors import NotFound
from voxpop.service.answering import encoded
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.filtering import from_body, from_query, unknown_in
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.unknown_fields import unknown_in_words
from voxpop.wire.agents import AgentPage, AgentResponse

router: APIRouter = APIRouter(prefix="/v1", tags=["agents"], route_class=KeyedRoute)


def _shorthand() -> dict[str, Any]:
    """Describe the filter parameters of the URL, which are parsed together."""
    names = [(name, f"{known.meaning} May be repeated.") for name, known in FIELDS.items()]
    names += [
        ("age_min", "The lowest age."),
        ("age_max", "The highest age."),
        ("match", "all or any."),
        ("filters", "A whole filter as JSON text."),
    ]
    parameters = [
        {"name": name, "in": "query", "required": False, "description": text, "schema": {"type": "string"}}
        for name, text in names
    ]
    return {"parameters": parameters}


@router.get(
    "/agents/search",
    summary="Agents that match a filter, in pages",
    response_model=AgentPage,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403, 422),
    openapi_extra=_shorthand(),
)
def search(
    call: CallDep,
    request: Request,
    page: Annotated[int, Query(ge=1, le=10_000_000, description="The page, from 1.")] = 1,
    per_page: Annotated[int, Query(ge=1, le=500, description="Agents on a page.")] = 25,
) -> Response:
    """Return one page of matching agents, ordered by id."""
    items = [item for item in request.query_params.multi_items() if item[0] not in ("page", "per_page")]
    audience = from_query(call.state, items)
    total, agents = call.state.population.search(audience, offset=(page - 1) * per_page, limit=per_page)
    pages = -(-total // per_page)
    answer = {"agents": agents, "total": total, "page": page, "per_page": per_page, "pages": pages}
    return encoded(answer | unknown_in(call.state.population, audience))


@router.get(
    "/agents/find",
    summary="One agent that matches a filter in the URL",
    response_model=AgentResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403, 404, 422),
    openapi_extra=_shorthand(),
)
def find(call: CallDep, request: Request) -> Response:
    """Return the first matching agent."""
    return _first(call, from_query(call.state, request.query_params.multi_items()))


@router.post(
    "/agents/find",
    summary="One agent that matches a filter in the body",
    response_model=AgentResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403, 404, 422),
)
def find_by_body(
    call: CallDep,
    body: Annotated[dict[str, Any], Body(description="A filter, nested or flat; age_min and age_max too.")],
) -> Response:
    """Return the first matching agent."""
    return _first(call, from_body(call.state, body))


def _first(call: Call, audience: Filter) -> Response:
    agent = call.state.population.find(audience)
    unknown = unknown_in(call.state.population, audience)
    if agent is None:
        messages = [one["message"] for one in unknown.get("unknown_values", [])[:3]]
        lacking = unknown_in_words(unknown.get("unknown", []), audience)
        nobody = f"No agent matches: {audience.sentence()}"
        if lacking:
            nobody = f"Nobody is known to be among {audience.sentence()}"
        told = "; ".join([nobody, *messages, *lacking])
        raise NotFound(told if told.endswith(("?", ".")) else f"{told}.", details=unknown)
    return encoded({"agent": agent, **unknown})
