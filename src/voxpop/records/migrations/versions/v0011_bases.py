"""The basis of each answer: its kind and a sentence about its source."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

BigId: sa.BigInteger = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table, and give answers the number of their basis; it is unknown for earlier answers."""
    op.create_table(
        "question_bases",
        sa.Column("question_id", BigId, nullable=False),
        sa.Column("code", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_question_bases_question_id"),
        sa.PrimaryKeyConstraint("question_id", "code", name="pk_question_bases"),
    )
    op.add_column("answers", sa.Column("basis_code", sa.BigInteger()))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("answers", "basis_code")
    op.drop_table("question_bases")
