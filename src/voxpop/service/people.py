"""People of one's own: bring profiles from a table as a group, and delete them."""

from __future__ import annotations

import sqlalchemy as sa
from fastapi import APIRouter, Response

from voxpop.errors import Conflict, InvalidRequest
from voxpop.jobs.people import Brought, records_of
from voxpop.records import groups, people
from voxpop.service.answering import encoded
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.groups import group_shape
from voxpop.service.writing import numbered
from voxpop.vocabulary.filters import Filter
from voxpop.wire.people import BringIn, BringResponse, DeletePeopleResponse, MorePeopleIn

router: APIRouter = APIRouter(prefix="/v1/research-groups", tags=["people"], route_class=KeyedRoute)


@router.post(
    "/bring",
    summary="Make a group of profiles of your own",
    response_model=BringResponse,
    status_code=201,
    dependencies=[needs("studies:write", logs="group.bring")],
    responses=documented(400, 401, 403, 413),
)
def bring(call: CallDep, body: BringIn) -> Response:
    """Store profiles as agents of the organization, and create their group.

    They have ids of their own, are seen by this organization only, and are never found or drawn by a filter.
    """
    made = _records(call, body, 1)  # before the transaction, which others wait for
    with call.state.database.begin() as connection:
        group = groups.create(
            connection,
            call.organization,
            name=body.name,
            description=body.description or None,
            filters=Filter().to_json(),
            sample_method=people.BROUGHT,
            seed=body.seed if body.fill is not None else None,
            shortfall=0,
            agent_ids=(),
        )
        return _added(call, connection, group, made, 201)


@router.post(
    "/{group_id}/people",
    summary="Add profiles of your own to a brought group",
    response_model=BringResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="group.add_people")],
    responses=documented(400, 401, 403, 404, 409, 413),
)
def add(call: CallDep, group_id: str, body: MorePeopleIn) -> Response:
    """Store more profiles in a group that was brought; existing studies keep their agents."""
    with call.state.database.read() as connection:
        before = groups.get(connection, call.organization, group_id)
    _check_brought(before)
    made = _records(call, body, before.agent_count + 1)
    with call.state.database.begin() as connection:
        group = groups.hold(connection, call.organization, group_id)
        if group.agent_count != before.agent_count:
            raise Conflict(f"Group {group.id} has changed meanwhile; send the people again.")
        return _added(call, connection, group, made, 200)


def _records(call: Call, body: MorePeopleIn, first: int) -> Brought:
    population = call.state.population
    return records_of(population, body.columns, fill=body.fill is not None, seed=body.seed, first=first)


def _added(
    call: Call, connection: sa.Connection, group: groups.Group, made: Brought, status: int
) -> Response:
    first = group.agent_count + 1
    agent_ids = people.save(connection, call.organization, group.id, made.records, first)
    groups.add_members(connection, call.organization, group.id, agent_ids)
    group = groups.get(connection, call.organization, group.id)
    call.writing.about("group", group.id, len(agent_ids))
    answer = {
        "group": group_shape(group, call.root_url),
        "recruited_agents": numbered(agent_ids),
        "filled": made.filled,
        "unread": [{"field": field, "value": value, "people": many} for field, value, many in made.unread],
    }
    return encoded(answer, status)


def _check_brought(group: groups.Group) -> None:
    if group.sample_method != people.BROUGHT:
        told = f"group {group.id} was not brought; its agents are those of the population"
        raise InvalidRequest(f"group_id: {told}.", details={"fields": {"group_id": [told]}})


@router.delete(
    "/{group_id}/people",
    summary="Delete the profiles that were brought as a group",
    response_model=DeletePeopleResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="group.delete_people")],
    responses=documented(400, 401, 403, 404),
)
def delete(call: CallDep, group_id: str) -> Response:
    """Delete the profiles of a brought group and archive it.

    The agents leave all groups and studies. Their answers stay, without a profile.
    """
    with call.state.database.begin() as connection:
        group = groups.get(connection, call.organization, group_id)
        _check_brought(group)
        deleted = people.delete(connection, call.organization, group.id)
        group = groups.archive(connection, call.organization, group.id)
    call.writing.about("group", group.id, len(deleted))
    return encoded({"group": group_shape(group, call.root_url), "deleted_agent_ids": deleted})
