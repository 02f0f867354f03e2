"""What each span of a recruitment request was understood as."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the column to the requests."""
    op.add_column("research_group_requests", sa.Column("understood", sa.JSON()))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("research_group_requests", "understood")
