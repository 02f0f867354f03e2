"""Research groups: recruit, interview, create, read, update and archive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Header, Query, Response

from voxpop.engines.question import Question
from voxpop.errors import InvalidRequest
from voxpop.jobs import group_draws
from voxpop.population.designs import Drawn
from voxpop.population.file import Population
from voxpop.population.guests import is_guest
from voxpop.records import groups, people
from voxpop.records.write_turns import SEATED, writing_as
from voxpop.service.answering import encoded, paged
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.filtering import from_body, unknown_in
from voxpop.service.state import ServiceState
from voxpop.service.writing import numbered
from voxpop.vocabulary.filters import Filter
from voxpop.wire.groups import (
    CreateIn,
    CreateResponse,
    DrawIn,
    GroupChangeResponse,
    GroupList,
    GroupResponse,
    InterviewIn,
    InterviewResponse,
    RecruitIn,
    RecruitResponse,
    UpdateIn,
)

router: APIRouter = APIRouter(prefix="/v1", tags=["groups"], route_class=KeyedRoute)

LONGEST_NAME = 300

_SHOWN_IDS = 20
"""Maximum number of unknown agents in a message; its details list all."""


@router.post(
    "/research-groups/recruit",
    summary="Recruit a group by explicit filters",
    response_model=RecruitResponse,
    status_code=201,
    dependencies=[needs("studies:write", logs="group.recruit")],
    responses=documented(400, 401, 403, 422),
)
def recruit(
    call: CallDep,
    body: RecruitIn,
    x_filter_raw_dsl: Annotated[
        str | None, Header(description="true from callers that mean to send raw filters.")
    ] = None,
) -> Response:
    """Recruit agents that match a filter as a new group."""
    audience = from_body(call.state, body.filters)
    name = body.name or audience.sentence()[:LONGEST_NAME]
    group, members = _drawn(call, audience, body, name, body.description, near=body.description)
    opted_in = (x_filter_raw_dsl or "").strip().lower() in ("true", "1")
    answer = {
        "group": group_shape(group, call.root_url),
        "recruited_agents": numbered([member.agent_id for member in members]),
        "members": member_shapes(members),
        "raw_dsl_mode": "explicit_opt_in" if opted_in else "legacy_grandfathered",
        **unknown_in(call.state.population, audience),
    }
    return encoded(answer, 201)


@router.post(
    "/research-groups/interview",
    summary="Recruit a group for interviews, with a guide",
    response_model=InterviewResponse,
    status_code=201,
    dependencies=[needs("studies:write", logs="group.interview")],
    responses=documented(400, 401, 403, 422),
)
def interview(call: CallDep, body: InterviewIn) -> Response:
    """Recruit agents that match a filter, and propose interview questions."""
    audience = from_body(call.state, body.filters)
    name = body.name or f"Interviews: {audience.sentence()}"[:LONGEST_NAME]
    group, members = _drawn(call, audience, body, name, body.objective)
    guide = call.state.engine.guide.interview_guide(body.objective, audience)
    answer = {
        "group": group_shape(group, call.root_url),
        "recruited_agents": numbered([member.agent_id for member in members]),
        "members": member_shapes(members),
        "interview_guide": [guide_shape(one) for one in guide],
        **unknown_in(call.state.population, audience),
    }
    return encoded(answer, 201)


@router.post(
    "/research-groups/create",
    summary="Make a group of named agents",
    response_model=CreateResponse,
    status_code=201,
    dependencies=[needs("studies:write", logs="group.create")],
    responses=documented(400, 401, 403),
)
def create(call: CallDep, body: CreateIn) -> Response:
    """Create a group of agents given by id, in the order given."""
    population = call.state.population
    agent_ids = list(dict.fromkeys(body.agent_ids))
    with call.state.database.begin() as connection:
        known = known_agents(connection, population, call.organization, agent_ids)
        unknown = [number for number in agent_ids if number not in known]
        if unknown:
            raise _unknown_agents(unknown, population)
        group = groups.create(
            connection,
            call.organization,
            name=body.name,
            description=body.description or None,
            filters=Filter().to_json(),
            sample_method="named",
            seed=None,
            shortfall=0,
            agent_ids=agent_ids,
        )
    call.writing.about("group", group.id, len(agent_ids))
    shape = group_shape(group, call.root_url)
    members = member_shapes([groups.Member(agent) for agent in agent_ids])
    answer = {"group": shape, "recruited_agents": numbered(agent_ids), "members": members}
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
    """Return one page of the organization's groups."""
    with call.state.database.read() as connection:
        total, found = groups.list_(
            connection, call.organization, limit=limit, offset=offset, archived=archived
        )
    shapes = [group_shape(group, call.root_url) for group in found]
    return paged("groups", shapes, total=total, limit=limit, offset=offset)


@router.get(
    "/research-groups/{group_id}",
    summary="One group with its agents",
    response_model=GroupResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def read_group(
    call: CallDep,
    group_id: str,
    agents: Annotated[bool, Query(description="false gives the agents' numbers alone.")] = True,
) -> Response:
    """Return a group by id or UUID, with full agent records in the order drawn."""
    with call.state.database.read() as connection:
        group = groups.get(connection, call.organization, group_id)
        members = groups.members(connection, call.organization, group.id)
    agent_ids = [member.agent_id for member in members]
    shape = {"group": group_shape(group, call.root_url), "members": member_shapes(members)}
    if not agents:
        return encoded(shape | {"agent_ids": agent_ids})
    return encoded(shape | {"agents": call.state.population.agents(agent_ids)})


@router.post(
    "/research-groups/{group_id}/update",
    summary="Rename or describe a group",
    response_model=GroupChangeResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="group.update")],
    responses=documented(400, 401, 403, 404),
)
def update(call: CallDep, group_id: str, body: UpdateIn) -> Response:
    """Change name or description of a group, archived or not."""
    given = body.model_fields_set
    with call.state.database.begin() as connection:
        group = groups.get(connection, call.organization, group_id)
        group = groups.update(
            connection,
            call.organization,
            group.id,
            name=body.name if "name" in given else group.name,
            description=(body.description or None) if "description" in given else group.description,
        )
    call.writing.about("group", group.id)
    return encoded({"group": group_shape(group, call.root_url)})


@router.delete(
    "/research-groups/{group_id}",
    summary="Archive a group",
    response_model=GroupChangeResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="group.archive")],
    responses=documented(401, 403, 404),
)
def archive(call: CallDep, group_id: str) -> Response:
    """Archive a group: it leaves the lists but stays readable, as do its studies; idempotent."""
    with call.state.database.begin() as connection:
        group = groups.get(connection, call.organization, group_id)
        group = groups.archive(connection, call.organization, group.id)
    call.writing.about("group", group.id)
    return encoded({"group": group_shape(group, call.root_url)})


def known_agents(
    connection: sa.Connection, population: Population, organization: int, agent_ids: Iterable[int]
) -> set[int]:
    """Return those of some ids that an organization can use: of the population, or brought by it."""
    asked = list(agent_ids)
    residents = {number for number in asked if not is_guest(number) and 1 <= number <= population.size}
    return residents | people.known(connection, organization, asked)


def guide_shape(question: Question) -> dict[str, Any]:
    """Return a guide question as the body that asks it."""
    return {
        "key": question.key,
        "question": question.text,
        "type": question.type,
        "options": list(question.options) or None,
        "scale": question.scale,
    }


def group_shape(group: groups.Group, root_url: str) -> dict[str, Any]:
    """Return a group in its wire form."""
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
        "sampling": group.sampling,
    }


def member_shapes(members: Sequence[groups.Member]) -> list[dict[str, Any]]:
    """Return the members of a group with their weights in wire form."""
    return [member.row() for member in members]


def _drawn(
    call: Call,
    audience: Filter,
    body: DrawIn,
    name: str,
    description: str | None,
    *,
    near: str | None = None,
) -> tuple[groups.Group, Sequence[groups.Member]]:
    """Draw agents, store them as a group, and return both."""
    state = call.state
    design = group_draws.design_of(body.quotas, body.boosts, body.group_size)
    wanted = body.group_size + sum(boost.size for boost in design.boosts)
    excluded, without = _excluded(call, body)

    def seed_of(number: int) -> int:
        return groups.seed_of(state.population.seed, number) if body.seed is None else body.seed

    def sample(seed: int) -> Drawn:
        return state.population.draw(
            audience,
            body.group_size,
            seed=seed,
            method=body.sample_method,
            exclude=without,
            description=near,
            design=design,
        )

    with state.draws.place(lambda: _count(state)) as draw:
        expected = seed_of(draw.number)
        drawn = sample(expected)
        state.draws.await_turn(draw)
        with writing_as(SEATED), state.database.begin() as connection:
            # No other group may be added before this one, because its seed depends on their number.
            count = groups.count_in_turn(connection)
            if count != draw.number:
                state.draws.correct(draw, count)
            seed = seed_of(count)
            if seed != expected:
                drawn = sample(seed)
            members = group_draws.members_of(drawn)
            group = groups.create(
                connection,
                call.organization,
                name=name,
                description=description,
                filters=audience.to_json(),
                sample_method=body.sample_method,
                seed=seed,
                shortfall=wanted - len(members),
                agent_ids=members,
                sampling=group_draws.sampling_of(drawn, design, excluded, near=near),
            )
    call.writing.about("group", group.id, len(members))
    return group, members


def _excluded(call: Call, body: DrawIn) -> tuple[list[int], list[int]]:
    """Return the groups that a body excludes, and their members."""
    if not body.exclude_group_ids:
        return [], []
    with call.state.database.read() as connection:
        return group_draws.excluded(connection, call.organization, body.exclude_group_ids)


def _count(state: ServiceState) -> int:
    with state.database.read() as connection:
        return groups.count_all(connection)


def _unknown_agents(unknown: Sequence[int], population: Population) -> InvalidRequest:
    shown = ", ".join(map(str, unknown[:_SHOWN_IDS]))
    more = f" and {len(unknown) - _SHOWN_IDS:,} more" if len(unknown) > _SHOWN_IDS else ""
    there = f"this population has agents 1 to {population.size:,}"
    told = f"there is no agent {', '.join(map(str, unknown))}; {there}"
    return InvalidRequest(
        f"agent_ids: there is no agent {shown}{more}; {there}.", details={"fields": {"agent_ids": [told]}}
    )
