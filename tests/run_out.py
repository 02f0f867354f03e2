"""Expired claims: work of a worker that has stopped renewing."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa

from voxpop.records.database import Database
from voxpop.records.schema import work_items

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def run_out(where: Database | sa.Connection) -> None:
    """Let every claim be one that ended long ago."""
    if isinstance(where, Database):
        with where.begin() as c:
            run_out(c)
        return
    where.execute(work_items.update().where(work_items.c.state == "claimed").values(lease_until=LONG_AGO))
