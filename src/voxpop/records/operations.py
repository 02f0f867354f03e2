"""Operations: calls carried out once per idempotency key, however often they are sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from voxpop.errors import NotFound
from voxpop.records import idempotency, jobs
from voxpop.records.database import now
from voxpop.records.inserting import insert_new
from voxpop.records.jobs import Job
from voxpop.records.references import missing, new_uuid
from voxpop.records.schema import jobs as jobs_table
from voxpop.records.schema import operations


@dataclass(frozen=True, slots=True)
class Operation:
    """An accepted call.

    Attributes
    ----------
    job_id : str
        The job created at acceptance; later jobs of the same operation carry its id as well.
    answer : dict
        Response beside job and operation: recorded usage and the endpoint's own fields.
    """

    id: str
    kind: str
    job_id: str
    resource_url: str | None
    answer: dict[str, Any]
    created_at: datetime


_COLUMNS = [operations.c[name] for name in Operation.__dataclass_fields__]
_IS = operations.c.id == sa.bindparam("operation")
_BY_ID, _ACCEPT = sa.select(*_COLUMNS).where(_IS), operations.update().where(_IS)
_OF_KEY = sa.select(operations.c.digest, *_COLUMNS).where(
    operations.c.organization_id == sa.bindparam("organization"),
    operations.c.idempotency_key == sa.bindparam("key"),
)


def begin(
    c: sa.Connection, organization_id: int, *, key: str, kind: str, digest: str
) -> tuple[str, Operation | None]:
    """Claim an idempotency key, or return the operation that has it.

    Of two concurrent calls one claims the key and the other waits until the first is stored.

    Parameters
    ----------
    c, organization_id
        A write connection, and the organization.
    key, kind, digest
        The caller's key, the kind of operation, and the digest of address and body.

    Returns
    -------
    operation_id : str
    operation : Operation or None
        None if the key is new: the caller then does the work and calls :func:`accept` in this transaction.

    Raises
    ------
    Conflict
        ``idempotency_key_conflict``: the key was used with another body or at another place.
    """
    number = new_uuid()
    row = {
        "id": number,
        "organization_id": organization_id,
        "kind": kind,
        "idempotency_key": key,
        "digest": digest,
        "created_at": now(c),
    }
    insert_new(c, operations, [row], key=("organization_id", "idempotency_key"))
    stored = c.execute(_OF_KEY, {"organization": organization_id, "key": key}).one()
    if stored.id == number:
        idempotency.claim(c, organization_id, key, digest)  # another kind of call must not have it either
        return number, None
    if stored.digest != digest:
        raise idempotency.conflict()
    return stored.id, Operation(*stored[1:])


def accept(
    c: sa.Connection, operation_id: str, *, job_id: str, resource_url: str | None, answer: Mapping[str, Any]
) -> Operation:
    """Store the accepted work: its job, the resource it affects, and the response."""
    changes = {"job_id": job_id, "resource_url": resource_url, "answer": dict(answer)}
    c.execute(_ACCEPT, {"operation": operation_id, **changes})
    return Operation(*c.execute(_BY_ID, {"operation": operation_id}).one())


def get(c: sa.Connection, organization_id: int, operation_id: str) -> Operation:
    """Return one operation; :class:`NotFound` when this organization has none of this id."""
    row = c.execute(
        sa.select(*_COLUMNS).where(
            operations.c.organization_id == organization_id, operations.c.id == operation_id
        )
    ).first()
    if row is None:
        raise missing("operation", operation_id)
    return Operation(*row)


def last_job(c: sa.Connection, organization_id: int, operation_id: str) -> Job:
    """Return the job that represents an operation: an unfinished one, or else the last one."""
    mine = sa.and_(jobs_table.c.operation_id == operation_id, jobs_table.c.organization_id == organization_id)
    # A question has one job per agent; a finished job takes precedence over failed ones.
    answered = sa.and_(jobs_table.c.agent_id.is_not(None), jobs_table.c.status == "finished")
    open_first = sa.case((jobs_table.c.status == "started", 0), (answered, 1), else_=2)
    found = c.execute(
        sa.select(jobs_table.c.id).where(mine).order_by(open_first, jobs_table.c.id.desc()).limit(1)
    ).scalar()
    if found is None:
        raise NotFound(f"There is no job of operation {operation_id!r}.")
    return jobs.get(c, organization_id, found)
