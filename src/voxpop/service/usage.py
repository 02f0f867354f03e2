"""Usage: calls of this minute and answers of this month."""

from __future__ import annotations

from fastapi import APIRouter, Response

from voxpop.records import model_calls, usage
from voxpop.records.keys import SCOPES
from voxpop.service.answering import encoded
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.wire.usage import NO_LIMIT, UsageSnapshot

router: APIRouter = APIRouter(tags=["billing"], route_class=KeyedRoute)


@router.get(
    "/v1/billing/usage",
    summary="Calls of this minute and answers of this month",
    response_model=UsageSnapshot,
    status_code=200,
    dependencies=[needs(*SCOPES)],
    responses=documented(401),
)
@router.get("/billing/usage", include_in_schema=False, dependencies=[needs(*SCOPES)])
def snapshot(call: CallDep) -> Response:
    """Return usage and limits, for any key."""
    state, meter = call.state, call.meter
    with state.database.read() as connection:
        month = usage.this_month(connection, meter)
        took = model_calls.total(connection, call.organization, since=month.cycle_start)
    minute = state.rates.minute(call.caller.key_id)
    per_minute = {
        "limit": state.settings.rate(call.caller.kind) or NO_LIMIT,
        "used": minute.used,
        "reset_in_s": minute.reset_in_s,
    }
    pending = {"organization_id": meter.organization_id, "pending_event_count": month.pending_event_count}
    quota = {
        "limit": meter.limit or NO_LIMIT,
        "used": month.used,
        "cycle_start": month.cycle_start,
        "cycle_end": month.cycle_end,
    }
    models = {
        "calls": took.calls,
        "input_tokens": took.input_tokens,
        "output_tokens": took.output_tokens,
        "cost_microdollars": took.cost_microdollars,
        "unpriced_calls": took.unpriced,
    }
    return encoded({"usage": pending, "rate": {"per_minute": per_minute}, "quota": quota, "models": models})
