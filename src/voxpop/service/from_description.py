"""Group from a description, under the one-call contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter, Response

from voxpop.records import groups, requests
from voxpop.records.operations import Operation
from voxpop.service.accepting import IdempotencyKey, Started, accepted
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.groups import group_shape
from voxpop.service.requests import request_shape
from voxpop.wire.requests import DescribedGroupAccepted, DescriptionIn

router: APIRouter = APIRouter(tags=["requests"], route_class=KeyedRoute)


@router.post(
    "/v1/research-groups:from-description",
    summary="A group from a description, in one call",
    response_model=DescribedGroupAccepted,
    status_code=202,
    dependencies=[needs("studies:write", logs="request.create")],
    responses=documented(400, 401, 403, 409),
)
async def from_description(call: CallDep, body: DescriptionIn, key: IdempotencyKey) -> Response:
    """Create a recruitment request; the ``domain_status`` of its job tells how it ended."""

    def start(c: sa.Connection, operation_id: str) -> Started:
        made = requests.create(
            c,
            call.organization,
            text=body.description,
            group_size=body.group_size,
            progress_message="Waiting to be processed.",
            operation_id=operation_id,
        )
        call.writing.about("request", made.id, body.group_size)
        place = f"/v1/research-group-requests/{made.id}"
        return Started(made.job_id, place, fields={"request": request_shape(made, call.state.population)})

    def now(operation: Operation) -> Mapping[str, Any]:
        with call.state.database.read() as c:
            found = requests.get(c, call.organization, operation.answer["request"]["id"])
            fields: dict[str, Any] = {"request": request_shape(found, call.state.population)}
            if found.group_id is not None:
                group = groups.get(c, call.organization, found.group_id)
                fields["group"] = group_shape(group, call.root_url)
        return fields

    return await accepted(call, "from_description", key, start, wait_seconds=body.wait_seconds, now=now)
