"""Members of a group: append by filter, add and remove by id."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import sqlalchemy as sa
from fastapi import APIRouter, Response

from voxpop.errors import InvalidRequest, NotFound
from voxpop.jobs import group_draws
from voxpop.records import groups
from voxpop.service.answering import encoded
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.filtering import from_body, unknown_in
from voxpop.service.groups import group_shape, known_agents, member_shapes
from voxpop.service.writing import numbered
from voxpop.wire.groups import (
    AddMembersResponse,
    AppendIn,
    AppendResponse,
    MembersIn,
    RemoveMembersResponse,
    ReplaceIn,
    ReplaceResponse,
)

router: APIRouter = APIRouter(prefix="/v1/research-groups", tags=["groups"], route_class=KeyedRoute)


@router.post(
    "/{group_uuid}/append",
    summary="Draw more agents into a group",
    response_model=AppendResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="group.append")],
    responses=documented(400, 401, 403, 404, 409, 422),
)
def append(call: CallDep, group_uuid: str, body: AppendIn) -> Response:
    """Append a sample of the agents that match a filter and are not in the group yet.

    Existing studies of the group keep their agents.
    """
    state = call.state
    reference = _uuid_of(call, group_uuid)
    audience = from_body(state, body.filters)
    design = group_draws.design_of(body.quotas, body.boosts, body.group_size)
    with state.database.begin() as connection:
        group = groups.hold(connection, call.organization, reference)
        seed = body.seed
        if seed is None:
            seed = groups.next_seed(connection, state.population.seed, group.id)
        excluded, without = group_draws.excluded(connection, call.organization, body.exclude_group_ids)
        before = groups.members(connection, call.organization, group.id)
        drawn = state.population.draw(
            audience,
            body.group_size,
            seed=seed,
            method=body.sample_method,
            exclude=[*without, *(member.agent_id for member in before)],
            design=design,
        )
        added = groups.add_members(connection, call.organization, group.id, drawn.ids)
        alike = group.sample_method == body.sample_method == "random" and not design
        alike = alike and group_draws.same_audience(group, audience)
        group_draws.reweigh(connection, group, before, drawn, alike=alike, excluded=excluded)
        members = groups.members(connection, call.organization, group.id)
        group = groups.get(connection, call.organization, group.id)
    call.writing.about("group", group.id, len(added))
    answer = {
        "group": group_shape(group, call.root_url),
        "added_agent_ids": added,
        "recruited_agents": numbered(added),
        "members": member_shapes(members),
        "seed": seed,
        "shortfall": body.group_size + sum(boost.size for boost in design.boosts) - len(added),
        **unknown_in(state.population, audience),
    }
    return encoded(answer)


@router.post(
    "/{group_id}/agents/add",
    summary="Add named agents to a group",
    response_model=AddMembersResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="group.add_agents")],
    responses=documented(400, 401, 403, 404, 409),
)
def add_agents(call: CallDep, group_id: str, body: MembersIn) -> Response:
    """Add agents by id; report a reason for each one rejected."""
    population = call.state.population
    asked = list(dict.fromkeys(body.agent_ids))
    with call.state.database.begin() as connection:
        group = groups.hold(connection, call.organization, group_id)
        usable = known_agents(connection, population, call.organization, asked)
        known = [number for number in asked if number in usable]
        added = groups.add_members(connection, call.organization, group.id, known)
        if added:
            group_draws.note(connection, group, group_draws.BY_HAND)
        members = set(known)
        reasons = {
            number: "already_in_group" if number in members else "unknown_agent"
            for number in _without(asked, added)
        }
        return _changed(call, connection, group.id, "added", added, reasons)


@router.post(
    "/{group_id}/agents/remove",
    summary="Remove named agents from a group",
    response_model=RemoveMembersResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="group.remove_agents")],
    responses=documented(400, 401, 403, 404, 409),
)
def remove_agents(call: CallDep, group_id: str, body: MembersIn) -> Response:
    """Remove agents by id and report unknown ones; existing studies keep their agents."""
    asked = list(dict.fromkeys(body.agent_ids))
    with call.state.database.begin() as connection:
        group = groups.hold(connection, call.organization, group_id)
        removed = groups.remove_members(connection, call.organization, group.id, asked)
        if removed:
            group_draws.note(connection, group, group_draws.REMOVED)
        reasons = dict.fromkeys(_without(asked, removed), "not_in_group")
        return _changed(call, connection, group.id, "removed", removed, reasons)


@router.post(
    "/{group_id}/agents/replace",
    summary="Replace agents by others from the same cell of the sample",
    response_model=ReplaceResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="group.replace_agents")],
    responses=documented(400, 401, 403, 404, 409),
)
def replace_agents(call: CallDep, group_id: str, body: ReplaceIn) -> Response:
    """Draw a replacement for each agent, who leaves the group; existing studies keep their agents."""
    state, asked = call.state, list(dict.fromkeys(body.agent_ids))
    with state.database.begin() as connection:
        group = groups.hold(connection, call.organization, group_id)
        seed = body.seed
        if seed is None:
            seed = groups.next_seed(connection, state.population.seed, group.id)
        made, reasons = group_draws.replacements(
            connection, state.population, call.organization, group, asked, seed
        )
        replaced = [one.replaces for one in made if one.replaces is not None]
        groups.remove_members(connection, call.organization, group.id, replaced)
        groups.add_members(connection, call.organization, group.id, made)
        if made:
            group_draws.note(connection, group, group_draws.REPLACED)
        group = groups.get(connection, call.organization, group.id)
    call.writing.about("group", group.id, len(made))
    answer = {
        "replaced": [{"agent_id": one.replaces, "replacement_id": one.agent_id} for one in made],
        "rejected": [{"agent_id": number, "reason": reason} for number, reason in reasons.items()],
        "members": member_shapes(made),
        "group": group_shape(group, call.root_url),
    }
    return encoded(answer)


def _changed(
    call: Call,
    connection: sa.Connection,
    group_id: int,
    done: str,
    agent_ids: Sequence[int],
    reasons: dict[int, str],
) -> Response:
    group = groups.get(connection, call.organization, group_id)
    rejected = [{"agent_id": number, "reason": reason} for number, reason in reasons.items()]
    shape = group_shape(group, call.root_url)
    call.writing.about("group", group.id, len(agent_ids))
    return encoded({done: agent_ids, "rejected": rejected, "group": shape})


def _without(asked: Sequence[int], done: Sequence[int]) -> list[int]:
    gone = set(done)
    return [number for number in asked if number not in gone]


def _uuid_of(call: Call, text: str) -> str:
    """Return the UUID of the path; refuse an id, naming its UUID if the group exists."""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        problem = f"must be the group's UUID, as in group.uuid of the recruit answer, not {text[:80]!r}"
    try:
        with call.state.database.read() as connection:
            group = groups.get(connection, call.organization, text)
        problem = f"{problem}; the UUID of group {group.id} is {group.uuid}"
    except NotFound:
        pass  # unknown group: no UUID to name
    raise InvalidRequest(f"group_uuid {problem}.", details={"fields": {"group_uuid": [problem]}})
