"""Facts about the whole service, such as the population its groups were recruited from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "service_facts",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_service_facts"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("service_facts")
