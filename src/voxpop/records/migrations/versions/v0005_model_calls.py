"""Tokens and cost of language-model calls, per answer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

BigId: sa.BigInteger = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Time: sa.DateTime = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "model_calls",
        sa.Column("id", BigId, nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("question_id", BigId, nullable=True),
        sa.Column("agent_id", sa.BigInteger(), nullable=True),
        sa.Column("engine", sa.String(length=64), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost_microdollars", sa.BigInteger(), nullable=True),
        sa.Column("cached", sa.Boolean(), nullable=False),
        sa.Column("temperature", sa.Float(), nullable=True),
        sa.Column("seed", sa.BigInteger(), nullable=True),
        sa.Column("created_at", Time, nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_model_calls_organization_id"
        ),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_model_calls_question_id"),
        sa.PrimaryKeyConstraint("id", name="pk_model_calls"),
    )
    op.create_index("ix_model_calls_question_id", "model_calls", ["question_id"])
    op.create_index(
        "ix_model_calls_organization_id_created_at", "model_calls", ["organization_id", "created_at"]
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("model_calls")
