"""Research groups: recruiting by explicit filters, reading and listing."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response

from voxpop.records import groups
from voxpop.service.answering import encoded, paged
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.filtering import from_body
from voxpop.wire.groups import GroupAnswer, GroupList, RecruitAnswer, RecruitIn

router = APIRouter(prefix="/v1", tags=["groups"], route_class=KeyedRoute)


@router.post(
    "/research-groups/recruit",
    summary="Recruit a group by explicit filters",
    response_model=RecruitAnswer,
    status_code=201,
    dependencies=[needs("studies:write")],
    responses=documented(400, 401, 403, 422),
)
def recruit(
    call: CallDep,
    body: RecruitIn,
    x_filter_raw_dsl: Annotated[
        str | None, Header(description="true from callers that mean to send raw filters.")
    ] = None,
) -> Response:
    """Draw agents that match the filter and keep them as a group."""
    state = call.state
    audience = from_body(state, body.filters)
    with state.database.begin() as connection:
        # The seed follows from the groups before it, so nobody else may add one until this one is there.
        seed = groups.next_seed(connection, state.population.seed) if body.seed is None else body.seed
        agent_ids = state.population.sample(
            audience,
            body.group_size,
            seed=seed,
            method=body.sample_method,
            dedupe=body.dedupe,
            description=body.description,
        )
        group = groups.create(
            connection,
            call.organization,
            name=body.name or audience.sentence()[:300],
            description=body.description,
            filters=audience.to_json(),
            sample_method=body.sample_method,
            seed=seed,
            shortfall=body.group_size - len(agent_ids),
            agent_ids=agent_ids,
        )
    agents = state.population.agents(agent_ids)
    opted_in = (x_filter_raw_dsl or "").strip().lower() in ("true", "1")
    answer = {
        "group": group_shape(group, call.root_url),
        "recruited_agents": agents,
        "raw_dsl_mode": "explicit_opt_in" if opted_in else "legacy_grandfathered",
    }
    return encoded(answer, 201)


@router.get(
    "/research-groups",
    summary="Groups, newest first",
    response_model=GroupList,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403),
)
def list_groups(
    call: CallDep,
    limit: Annotated[int, Query(ge=1, le=500, description="Groups in one answer.")] = 50,
    offset: Annotated[int, Query(ge=0, lt=2**63, description="Groups to skip.")] = 0,
    archived: Annotated[bool, Query(description="Whether archived groups are given too.")] = False,
) -> Response:
    """Give one page of the organization's groups."""
    with call.state.database.read() as connection:
        total, found = groups.list_(
            connection, call.organization, limit=limit, offset=offset, archived=archived
        )
    shapes = [group_shape(group, call.root_url) for group in found]
    return paged("groups", shapes, total=total, limit=limit, offset=offset)


@router.get(
    "/research-groups/{group_id}",
    summary="One group with its agents",
    response_model=GroupAnswer,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def read_group(call: CallDep, group_id: str) -> Response:
    """Give a group by number or UUID, with full agent records in the order drawn."""
    with call.state.database.read() as connection:
        group = groups.get(connection, call.organization, group_id)
        agent_ids = groups.member_ids(connection, call.organization, group.id)
    agents = call.state.population.agents(agent_ids)
    return encoded({"group": group_shape(group, call.root_url), "agents": agents})


def group_shape(group: groups.Group, root_url: str) -> dict[str, Any]:
    """Return a group as it travels."""
    return {
        "id": group.id,
        "uuid": group.uuid,
        "name": group.name,
        "description": group.description,
        "agent_count": group.agent_count,
        "url": f"{root_url}/v1/research-groups/{group.id}",
        "filters": group.filters,
        "sample_method": group.sample_method,
        "seed": group.seed,
        "shortfall": group.shortfall,
        "created_at": group.created_at,
        "archived": group.archived,
    }
