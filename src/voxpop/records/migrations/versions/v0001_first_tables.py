"""The first tables: keys, groups, studies, questions with their answers, jobs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

BigId: sa.BigInteger = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Time: sa.DateTime = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables, those that others refer to first."""
    _keys()
    _groups()
    _studies()
    _questions()
    _jobs()


def downgrade() -> None:
    """Drop the tables."""
    for name in (
        "jobs",
        "answers",
        "work_items",
        "questions",
        "study_steps",
        "study_agents",
        "studies",
        "group_members",
        "groups",
        "api_keys",
        "organizations",
    ):
        op.drop_table(name)


def _keys() -> None:
    op.create_table(
        "organizations",
        sa.Column("id", BigId, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_organizations"),
        sa.UniqueConstraint("name", name="uq_organizations_name"),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", BigId, nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("prefix", sa.String(length=16), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("revoked_at", Time, nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_api_keys_organization_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("digest", name="uq_api_keys_digest"),
    )
    op.create_index("ix_api_keys_prefix", "api_keys", ["prefix"])


def _groups() -> None:
    op.create_table(
        "groups",
        sa.Column("id", BigId, nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("agent_count", sa.Integer(), nullable=False),
        sa.Column("filters", sa.JSON(), nullable=False),
        sa.Column("sample_method", sa.String(length=32), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=True),
        sa.Column("shortfall", sa.Integer(), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_groups_organization_id"),
        sa.PrimaryKeyConstraint("id", name="pk_groups"),
        sa.UniqueConstraint("uuid", name="uq_groups_uuid"),
    )
    op.create_index("ix_groups_organization_id", "groups", ["organization_id"])
    op.create_table(
        "group_members",
        sa.Column("group_id", BigId, nullable=False),
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_group_members_group_id"),
        sa.PrimaryKeyConstraint("group_id", "agent_id", name="pk_group_members"),
    )


def _studies() -> None:
    op.create_table(
        "studies",
        sa.Column("id", BigId, nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("group_id", BigId, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("objective", sa.Text(), nullable=True),
        sa.Column("stage", sa.String(length=16), nullable=False),
        sa.Column("agent_count", sa.Integer(), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("completed_at", Time, nullable=True),
        sa.Column("share_token", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_studies_group_id"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_studies_organization_id"),
        sa.PrimaryKeyConstraint("id", name="pk_studies"),
        sa.UniqueConstraint("share_token", name="uq_studies_share_token"),
        sa.UniqueConstraint("uuid", name="uq_studies_uuid"),
    )
    op.create_index("ix_studies_organization_id", "studies", ["organization_id"])
    op.create_table(
        "study_agents",
        sa.Column("study_id", BigId, nullable=False),
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("removed_at", Time, nullable=True),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_study_agents_study_id"),
        sa.PrimaryKeyConstraint("study_id", "agent_id", name="pk_study_agents"),
    )
    op.create_table(
        "study_steps",
        sa.Column("study_id", BigId, nullable=False),
        sa.Column("step", sa.String(length=64), nullable=False),
        sa.Column("result", sa.JSON(), nullable=False),
        sa.Column("saved_at", Time, nullable=False),
        sa.Column("data_version", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_study_steps_study_id"),
        sa.PrimaryKeyConstraint("study_id", "step", name="pk_study_steps"),
    )


def _questions() -> None:
    op.create_table(
        "questions",
        sa.Column("id", BigId, nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("study_id", BigId, nullable=False),
        sa.Column("key", sa.String(length=64), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("type", sa.String(length=16), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("scale", sa.JSON(), nullable=True),
        sa.Column("unit", sa.String(length=32), nullable=True),
        sa.Column("shuffle_options", sa.Boolean(), nullable=False),
        sa.Column("asked_count", sa.Integer(), nullable=False),
        sa.Column("answer_count", sa.Integer(), nullable=False),
        sa.Column("failed_count", sa.Integer(), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_questions_organization_id"
        ),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_questions_study_id"),
        sa.PrimaryKeyConstraint("id", name="pk_questions"),
        sa.UniqueConstraint("study_id", "key", name="uq_questions_study_id_key"),
        sa.UniqueConstraint("uuid", name="uq_questions_uuid"),
    )
    op.create_table(
        "answers",
        sa.Column("id", BigId, nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("study_id", BigId, nullable=False),
        sa.Column("question_id", BigId, nullable=False),
        sa.Column("agent_id", sa.BigInteger(), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=True),
        sa.Column("option_order", sa.JSON(), nullable=True),
        sa.Column("answered_at", Time, nullable=False),
        sa.Column("engine", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_answers_organization_id"),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_answers_question_id"),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_answers_study_id"),
        sa.PrimaryKeyConstraint("id", name="pk_answers"),
        sa.UniqueConstraint("question_id", "agent_id", name="uq_answers_question_id_agent_id"),
    )
    op.create_index("ix_answers_study_id_id", "answers", ["study_id", "id"])


def _jobs() -> None:
    op.create_table(
        "work_items",
        sa.Column("id", BigId, nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("study_id", BigId, nullable=True),
        sa.Column("question_id", BigId, nullable=True),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_until", Time, nullable=True),
        sa.Column("started_at", Time, nullable=True),
        sa.Column("created_at", Time, nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_work_items_organization_id"
        ),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_work_items_question_id"),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_work_items_study_id"),
        sa.PrimaryKeyConstraint("id", name="pk_work_items"),
    )
    op.create_index("ix_work_items_state_id", "work_items", ["state", "id"])
    op.create_index(
        "ix_work_items_study_id_state_question_id", "work_items", ["study_id", "state", "question_id"]
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("item_id", BigId, nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("agent_id", sa.BigInteger(), nullable=True),
        sa.Column("detail", sa.JSON(), nullable=True),
        sa.Column("done", sa.Integer(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("error", sa.JSON(), nullable=True),
        sa.Column("finished_at", Time, nullable=True),
        sa.ForeignKeyConstraint(["item_id"], ["work_items.id"], name="fk_jobs_item_id"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_jobs_organization_id"),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_item_id", "jobs", ["item_id"])
