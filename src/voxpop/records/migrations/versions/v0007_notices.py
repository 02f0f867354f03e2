"""Notices stored with each question, to be read before its answers are used."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the column; of questions that were asked before nothing is known."""
    op.add_column("questions", sa.Column("notice", sa.Text()))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("questions", "notice")
