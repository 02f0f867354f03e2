"""State shared by several machines: calls of the current minute, and an index of waiting work."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

BigId: sa.BigInteger = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
UNFINISHED = sa.text("state IN ('queued', 'claimed')")


def upgrade() -> None:
    """Make the table and the index."""
    op.create_table(
        "key_minutes",
        sa.Column("key_id", BigId, nullable=False),
        sa.Column("minute", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["key_id"], ["api_keys.id"], name="fk_key_minutes_key_id"),
        sa.PrimaryKeyConstraint("key_id", name="pk_key_minutes"),
    )
    op.create_index(
        "ix_work_items_unfinished",
        "work_items",
        ["organization_id", "id"],
        postgresql_where=UNFINISHED,
        sqlite_where=UNFINISHED,
    )


def downgrade() -> None:
    """Drop both."""
    op.drop_index("ix_work_items_unfinished", "work_items")
    op.drop_table("key_minutes")
