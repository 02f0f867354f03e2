"""Waves of a panel, arms of an experiment, and the agents that an organization brought."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

BigId: sa.BigInteger = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns and tables; every earlier study is a first wave."""
    op.add_column("studies", sa.Column("wave", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("studies", sa.Column("panel_uuid", sa.String(36)))
    op.add_column("studies", sa.Column("remembers_to", sa.BigInteger()))
    op.add_column("studies", sa.Column("wave_plan", sa.JSON(none_as_null=True)))
    op.create_index("ix_studies_panel_uuid", "studies", ["panel_uuid"])
    op.add_column("study_agents", sa.Column("arm", sa.String(64)))
    op.create_table(
        "wave_departures",
        sa.Column("study_id", BigId, nullable=False),
        sa.Column("agent_id", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_wave_departures_study_id"),
        sa.PrimaryKeyConstraint("study_id", "agent_id", name="pk_wave_departures"),
    )
    op.create_table(
        "brought_agents",
        sa.Column("id", BigId, nullable=False),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("group_id", BigId, nullable=False),
        sa.Column("record", sa.JSON(none_as_null=True)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_brought_agents_organization_id"
        ),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_brought_agents_group_id"),
        sa.PrimaryKeyConstraint("id", name="pk_brought_agents"),
        sa.UniqueConstraint("uuid", name="uq_brought_agents_uuid"),
    )
    op.create_index("ix_brought_agents_group_id", "brought_agents", ["group_id"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("brought_agents")
    op.drop_table("wave_departures")
    op.drop_column("study_agents", "arm")
    op.drop_index("ix_studies_panel_uuid", "studies")
    for name in ("wave_plan", "remembers_to", "panel_uuid", "wave"):
        op.drop_column("studies", name)
