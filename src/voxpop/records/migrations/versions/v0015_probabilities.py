"""The distribution from which a language model's answer was drawn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from voxpop.records.columns import Json

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the column to the calls of models."""
    op.add_column("model_calls", sa.Column("probabilities", Json))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("model_calls", "probabilities")
