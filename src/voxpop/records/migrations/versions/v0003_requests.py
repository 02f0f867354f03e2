"""Recruitment requests."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

BigId: sa.BigInteger = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Time: sa.DateTime = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "research_group_requests",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("status", sa.String(length=32), nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("progress_message", sa.Text(), nullable=False),
        sa.Column("request_text", sa.Text(), nullable=False),
        sa.Column("group_size", sa.Integer(), nullable=False),
        sa.Column("filters", sa.JSON(), nullable=True),
        sa.Column("screening", sa.JSON(), nullable=False),
        sa.Column("clarification", sa.JSON(), nullable=True),
        sa.Column("review", sa.JSON(), nullable=True),
        sa.Column("refusal", sa.JSON(), nullable=True),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=True),
        sa.Column("screened", sa.Integer(), nullable=True),
        sa.Column("kept", sa.JSON(), nullable=False),
        sa.Column("group_id", BigId, nullable=True),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("updated_at", Time, nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_research_group_requests_group_id"),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_research_group_requests_organization_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_research_group_requests"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("research_group_requests")
