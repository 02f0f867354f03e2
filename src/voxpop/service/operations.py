"""Operations: the state of calls accepted under the one-call contract."""

from __future__ import annotations

from fastapi import APIRouter, Response

from voxpop.records import operations, usage
from voxpop.service.accepting import usage_shape
from voxpop.service.answering import encoded
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.domain import ENDED, operation_status
from voxpop.service.errors import documented
from voxpop.wire.operations import OperationResponse

router: APIRouter = APIRouter(
    prefix="/v1/organization/operations", tags=["operations"], route_class=KeyedRoute
)


@router.get(
    "/{operation_id}",
    summary="One operation",
    response_model=OperationResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def read(call: CallDep, operation_id: str) -> Response:
    """Return an operation with its current usage events."""
    with call.state.database.read() as connection:
        found = operations.get(connection, call.organization, operation_id)
        job = operations.last_job(connection, call.organization, found.id)
        events = usage.of_operation(connection, found.id)
    status = operation_status(job)
    shape = {
        "id": found.id,
        "kind": found.kind,
        "status": status,
        "resource_url": found.resource_url,
        "job_id": job.id,
        "usage_recorded": [usage_shape(event) for event in events],
        "created_at": found.created_at,
        "finished_at": job.finished_at if status in ENDED else None,
    }
    return encoded({"operation": shape})
