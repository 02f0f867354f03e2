"""Work items count the processes that have ended with them in hand, apart from failures."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; nothing is known of earlier processes."""
    op.add_column("work_items", sa.Column("deaths", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("work_items", "deaths")
