"""Runs the migrations in the transaction of the connection that :mod:`voxpop.records.database` hands over."""

from __future__ import annotations

from alembic import context

from voxpop.records.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
