"""How groups were drawn, the weights of their members, and the agents that left them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

BigId: sa.BigInteger = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_WEIGHTS = ("inclusion_probability", "design_weight")


def upgrade() -> None:
    """Add the columns, which are null for earlier groups, and the table."""
    for table in ("groups", "research_group_requests"):
        op.add_column(table, sa.Column("sampling", sa.JSON()))
    for table in ("group_members", "study_agents"):
        for name in _WEIGHTS:
            op.add_column(table, sa.Column(name, sa.Float()))
    op.add_column("group_members", sa.Column("replaces", sa.BigInteger()))
    op.create_table(
        "group_departures",
        sa.Column("group_id", BigId, nullable=False),
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=False),
        *(sa.Column(name, sa.Float()) for name in _WEIGHTS),
        sa.Column("replaced_by", sa.BigInteger()),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_group_departures_group_id"),
        sa.PrimaryKeyConstraint("group_id", "agent_id", name="pk_group_departures"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("group_departures")
    op.drop_column("group_members", "replaces")
    for table in ("study_agents", "group_members"):
        for name in reversed(_WEIGHTS):
            op.drop_column(table, name)
    for table in ("research_group_requests", "groups"):
        op.drop_column(table, "sampling")
