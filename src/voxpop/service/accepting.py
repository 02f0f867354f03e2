"""The one-call contract: idempotent acceptance, usage recorded at acceptance, optional wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import Header, Response

from voxpop.jobs.logs import note
from voxpop.records import operations, work_items
from voxpop.records.jobs import Job
from voxpop.records.operations import Operation
from voxpop.records.usage import UsageEvent
from voxpop.service.admission import run_in_threadpool
from voxpop.service.answering import encoded
from voxpop.service.auth import Call
from voxpop.service.domain import operation_status
from voxpop.service.holding import held
from voxpop.service.writing import REPLAYED

IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        pattern="^[ -~]+$",
        description="Your own key, 1 to 255 printable characters; with the same body it is the same call.",
    ),
]


@dataclass(frozen=True, slots=True)
class Started:
    """Work that an endpoint started for an accepted call.

    Attributes
    ----------
    job_id : str
        The job to poll; it carries the operation's id.
    resource_url : str or None
        Path of the resource that it works on.
    usage : sequence of UsageEvent
        Usage recorded for it.
    fields : mapping
        The endpoint's own fields of the response.
    item_ids : sequence of int
        Work items to queue; default: that of ``job_id``.
    """

    job_id: str
    resource_url: str | None
    usage: Sequence[UsageEvent] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    item_ids: Sequence[int] = ()


Start = Callable[[sa.Connection, str], Started]


async def accepted(
    call: Call,
    kind: str,
    key: str,
    start: Start,
    *,
    wait_seconds: float | None = None,
    now: Callable[[Operation], Mapping[str, Any]] | None = None,
) -> Response:
    """Answer a call of the one-call contract: start its work, or replay the operation of its key.

    Parameters
    ----------
    call
        The call; a replay must have the same path and body, except for ``wait_seconds``.
    kind
        The kind of operation.
    key
        The caller's idempotency key.
    start
        Stores the work in the given transaction, under the operation's id.
    wait_seconds
        Maximum wait for the job to end.
    now
        Reads the current values of the endpoint's own fields; default: those at acceptance.

    Raises
    ------
    Conflict
        ``idempotency_key_conflict``: the key was used for something else.
    """
    operation, replayed = await run_in_threadpool(_begin, call, kind, key, start)

    def look() -> Job:
        with call.state.database.read() as c:
            return operations.last_job(c, call.organization, operation.id)

    first = await call.state.read(look)
    note(job_id=first.id, operation=operation.id)
    job = await held(
        call, first, look, working=lambda seen: seen.status == "started", seconds=wait_seconds or 0.0
    )
    fields = dict(operation.answer)
    if now is not None:
        fields |= await run_in_threadpool(now, operation)
    left = job.total - job.done
    shape = {
        "job": {"id": job.id, "poll_url": f"/v1/jobs/{job.id}", "status": job.status},
        "operation": {"id": operation.id, "status": operation_status(job)},
        "poll_after_s": call.state.poll_after(left) if job.status == "started" else None,
    }
    answer = encoded(shape | fields, 202)
    if replayed:
        answer.headers[REPLAYED] = "true"
    return answer


def usage_shape(event: UsageEvent) -> dict[str, Any]:
    """Return a usage event in its wire form."""
    return {"event_id": event.id, "kind": event.kind, "quantity": event.quantity, "status": event.status}


def _begin(call: Call, kind: str, key: str, start: Start) -> tuple[Operation, bool]:
    items: list[int] = []
    with call.state.database.begin() as c:
        digest = call.writing.digest
        number, found = operations.begin(c, call.organization, key=key, kind=kind, digest=digest)
        if found is not None:
            return found, True
        started = start(c, number)
        answer = {"usage_recorded": [usage_shape(event) for event in started.usage], **started.fields}
        operation = operations.accept(
            c, number, job_id=started.job_id, resource_url=started.resource_url, answer=answer
        )
        if call.writing.object_id is None:
            call.writing.about("operation", number, sum(event.quantity for event in started.usage) or None)
        call.writing.log(c)
        items += started.item_ids or work_items.of_job(c, started.job_id)
    call.state.queue.put(items)
    return operation, False
