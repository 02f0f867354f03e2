"""The engine that a question asks for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the column to the questions."""
    op.add_column("questions", sa.Column("engine", sa.String(64)))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("questions", "engine")
