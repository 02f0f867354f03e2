"""The audit log of an organization."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Response

from voxpop.records import audit
from voxpop.service.answering import encoded
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.wire.audit import MOST_ENTRIES, AuditLog

router: APIRouter = APIRouter(prefix="/v1/organization/audit-log", tags=["audit"], route_class=KeyedRoute)


@router.get(
    "",
    summary="Who did what in the organization, oldest first",
    response_model=AuditLog,
    status_code=200,
    dependencies=[needs("audit:read")],
    responses=documented(400, 401, 403),
)
def read(
    call: CallDep,
    after: Annotated[int, Query(ge=0, lt=2**63, description="Only entries with a higher id.")] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_ENTRIES, description="Entries in one answer.")] = 100,
) -> Response:
    """Return one page of the append-only audit log.

    Each entry was written in the transaction of its effect, so a failed call has none. Reading all answers
    or agents of a study, as an export does, is logged too. Continue with ``next_after``, or with the last id
    once it is null, to miss no entry.
    """
    with call.state.database.read() as connection:
        found = audit.list_(connection, call.organization, after=after, limit=limit)
    last = found[-1].id if len(found) == limit else None
    return encoded({"entries": [asdict(one) for one in found], "limit": limit, "next_after": last})
