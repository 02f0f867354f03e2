"""The whole service: operations, usage, media, direct questions, surveys, study requests, theses, billing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

BigId: sa.BigInteger = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Time: sa.DateTime = sa.DateTime(timezone=True)

_NEW = (
    *("invoices", "subscriptions", "checkouts", "billing_accounts"),
    *("thesis_panels", "theses", "research_study_requests", "surveys", "media_assets"),
)


def upgrade() -> None:
    """Make the tables, those that others refer to first, and let questions stand outside a study."""
    _operations()
    _usage()
    _media()
    _direct_questions()
    _surveys()
    _waiting()
    _study_requests()
    _thesis()
    _thesis_panels()
    _billing()
    _subscriptions()


def downgrade() -> None:
    """Drop the tables and the columns; what was asked outside a study goes with them."""
    for name in _NEW:
        op.drop_table(name)
    with op.batch_alter_table("work_items") as table:
        table.drop_column("after_questions")
        table.drop_column("waits")
    with op.batch_alter_table("jobs") as table:
        table.drop_constraint("fk_jobs_operation_id", type_="foreignkey")
        table.drop_index("ix_jobs_operation_id")
        table.drop_column("operation_id")
    op.execute("DELETE FROM answers WHERE study_id IS NULL")
    op.execute(
        "DELETE FROM jobs WHERE item_id IN (SELECT w.id FROM work_items w "
        "JOIN questions q ON q.id = w.question_id WHERE q.study_id IS NULL)"
    )
    op.execute(
        "DELETE FROM work_items WHERE question_id IN (SELECT id FROM questions WHERE study_id IS NULL)"
    )
    op.execute("DELETE FROM questions WHERE study_id IS NULL")
    with op.batch_alter_table("answers") as table:
        table.alter_column("study_id", existing_type=BigId, nullable=False)
    with op.batch_alter_table("questions") as table:
        table.drop_constraint("uq_questions_share_token", type_="unique")
        table.drop_constraint("fk_questions_group_id", type_="foreignkey")
        table.drop_constraint("fk_questions_usage_event_id", type_="foreignkey")
        table.drop_index("ix_questions_organization_id_asked_of_id")
        for name in ("asked_of", "group_id", "attachments", "usage_event_id", "share_token"):
            table.drop_column(name)
        table.alter_column("study_id", existing_type=BigId, nullable=False)
    for name in ("usage_events", "usage_cycles", "operations"):
        op.drop_table(name)


def _operations() -> None:
    op.create_table(
        "operations",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("idempotency_key", sa.String(length=255), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=True),
        sa.Column("resource_url", sa.Text(), nullable=True),
        sa.Column("answer", sa.JSON(), nullable=True),
        sa.Column("created_at", Time, nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_operations_organization_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_operations"),
        sa.UniqueConstraint(
            "organization_id", "idempotency_key", name="uq_operations_organization_id_idempotency_key"
        ),
    )


def _usage() -> None:
    op.create_table(
        "usage_cycles",
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("cycle_start", Time, nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_usage_cycles_organization_id"
        ),
        sa.PrimaryKeyConstraint("organization_id", "kind", "cycle_start", name="pk_usage_cycles"),
    )
    op.create_table(
        "usage_events",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("operation_id", sa.String(length=36), nullable=True),
        sa.Column("key_kind", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("cycle_start", Time, nullable=False),
        sa.Column("part_of", sa.String(length=36), nullable=True),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("settled_at", Time, nullable=True),
        sa.ForeignKeyConstraint(["operation_id"], ["operations.id"], name="fk_usage_events_operation_id"),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_usage_events_organization_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_usage_events"),
    )
    op.create_index("ix_usage_events_operation_id", "usage_events", ["operation_id"])
    op.create_index("ix_usage_events_organization_id_status", "usage_events", ["organization_id", "status"])


def _media() -> None:
    op.create_table(
        "media_assets",
        sa.Column("id", BigId, nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("filename", sa.String(length=255), nullable=False),
        sa.Column("mime", sa.String(length=64), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_media_assets_organization_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_media_assets"),
        sa.UniqueConstraint("uuid", name="uq_media_assets_uuid"),
    )
    op.create_index("ix_media_assets_organization_id", "media_assets", ["organization_id"])


def _direct_questions() -> None:
    with op.batch_alter_table("answers") as table:
        table.alter_column("study_id", existing_type=BigId, nullable=True)
    with op.batch_alter_table("questions") as table:
        table.add_column(sa.Column("asked_of", sa.String(length=8), server_default="study", nullable=False))
        table.add_column(sa.Column("group_id", BigId, nullable=True))
        table.add_column(sa.Column("attachments", sa.JSON(), server_default="[]", nullable=False))
        table.add_column(sa.Column("usage_event_id", sa.String(length=36), nullable=True))
        table.add_column(sa.Column("share_token", sa.String(length=64), nullable=True))
        table.alter_column("study_id", existing_type=BigId, nullable=True)
        table.create_index("ix_questions_organization_id_asked_of_id", ["organization_id", "asked_of", "id"])
        table.create_unique_constraint("uq_questions_share_token", ["share_token"])
        table.create_foreign_key("fk_questions_group_id", "groups", ["group_id"], ["id"])
        table.create_foreign_key("fk_questions_usage_event_id", "usage_events", ["usage_event_id"], ["id"])


def _surveys() -> None:
    op.create_table(
        "surveys",
        sa.Column("id", BigId, nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("question_id", BigId, nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("deleted_at", Time, nullable=True),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_surveys_organization_id"),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_surveys_question_id"),
        sa.PrimaryKeyConstraint("id", name="pk_surveys"),
        sa.UniqueConstraint("uuid", name="uq_surveys_uuid"),
    )
    op.create_index("ix_surveys_organization_id", "surveys", ["organization_id"])


def _waiting() -> None:
    with op.batch_alter_table("jobs") as table:
        table.add_column(sa.Column("operation_id", sa.String(length=36), nullable=True))
        table.create_index("ix_jobs_operation_id", ["operation_id"])
        table.create_foreign_key("fk_jobs_operation_id", "operations", ["operation_id"], ["id"])
    with op.batch_alter_table("work_items") as table:
        table.add_column(sa.Column("waits", sa.Integer(), server_default="0", nullable=False))
        table.add_column(
            sa.Column("after_questions", sa.Boolean(), server_default=sa.false(), nullable=False)
        )


def _study_requests() -> None:
    op.create_table(
        "research_study_requests",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("status", sa.String(length=32), nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("progress_message", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("objective", sa.Text(), nullable=True),
        sa.Column("questions", sa.JSON(), nullable=False),
        sa.Column("group_request_id", sa.String(length=32), nullable=False),
        sa.Column("study_id", BigId, nullable=True),
        sa.Column("operation_id", sa.String(length=36), nullable=False),
        sa.Column("usage_event_id", sa.String(length=36), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("updated_at", Time, nullable=False),
        sa.ForeignKeyConstraint(
            ["group_request_id"],
            ["research_group_requests.id"],
            name="fk_research_study_requests_group_request_id",
        ),
        sa.ForeignKeyConstraint(
            ["operation_id"], ["operations.id"], name="fk_research_study_requests_operation_id"
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_research_study_requests_organization_id"
        ),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_research_study_requests_study_id"),
        sa.ForeignKeyConstraint(
            ["usage_event_id"], ["usage_events.id"], name="fk_research_study_requests_usage_event_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_research_study_requests"),
    )


def _thesis() -> None:
    op.create_table(
        "theses",
        sa.Column("id", BigId, nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("status", sa.String(length=32), nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("progress_message", sa.Text(), nullable=False),
        sa.Column("raw_input", sa.Text(), nullable=False),
        sa.Column("panel_size", sa.Integer(), nullable=False),
        sa.Column("composition", sa.JSON(), nullable=True),
        sa.Column("clarification", sa.JSON(), nullable=True),
        sa.Column("review", sa.JSON(), nullable=True),
        sa.Column("refusal", sa.JSON(), nullable=True),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("verdict", sa.JSON(), nullable=True),
        sa.Column("operation_id", sa.String(length=36), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("updated_at", Time, nullable=False),
        sa.ForeignKeyConstraint(["operation_id"], ["operations.id"], name="fk_theses_operation_id"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_theses_organization_id"),
        sa.PrimaryKeyConstraint("id", name="pk_theses"),
        sa.UniqueConstraint("uuid", name="uq_theses_uuid"),
    )
    op.create_index("ix_theses_organization_id", "theses", ["organization_id"])


def _thesis_panels() -> None:
    op.create_table(
        "thesis_panels",
        sa.Column("id", BigId, nullable=False),
        sa.Column("thesis_id", BigId, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("headline", sa.Text(), nullable=True),
        sa.Column("group_id", BigId, nullable=True),
        sa.Column("study_id", BigId, nullable=True),
        sa.Column("usage_event_id", sa.String(length=36), nullable=False),
        sa.Column("updated_at", Time, nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_thesis_panels_group_id"),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name="fk_thesis_panels_study_id"),
        sa.ForeignKeyConstraint(["thesis_id"], ["theses.id"], name="fk_thesis_panels_thesis_id"),
        sa.ForeignKeyConstraint(
            ["usage_event_id"], ["usage_events.id"], name="fk_thesis_panels_usage_event_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_thesis_panels"),
        sa.UniqueConstraint("thesis_id", "position", name="uq_thesis_panels_thesis_id_position"),
    )


def _billing() -> None:
    op.create_table(
        "billing_accounts",
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("provider", sa.String(length=16), nullable=False),
        sa.Column("customer_id", sa.String(length=255), nullable=True),
        sa.Column("created_at", Time, nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_billing_accounts_organization_id"
        ),
        sa.PrimaryKeyConstraint("organization_id", name="pk_billing_accounts"),
    )
    op.create_table(
        "checkouts",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("success_url", sa.Text(), nullable=False),
        sa.Column("cancel_url", sa.Text(), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("provider_id", sa.String(length=255), nullable=True),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("ended_at", Time, nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_checkouts_organization_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_checkouts"),
        sa.UniqueConstraint("token", name="uq_checkouts_token"),
    )


def _subscriptions() -> None:
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("plan", sa.String(length=32), nullable=False),
        sa.Column("current_period_start", Time, nullable=False),
        sa.Column("current_period_end", Time, nullable=False),
        sa.Column("cancel_at_period_end", sa.Boolean(), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("ended_at", Time, nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_subscriptions_organization_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_subscriptions"),
        sa.UniqueConstraint("organization_id", name="uq_subscriptions_organization_id"),
    )
    op.create_table(
        "invoices",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("subscription_id", sa.String(length=40), nullable=False),
        sa.Column("number", sa.String(length=32), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("amount_due", sa.Integer(), nullable=False),
        sa.Column("period_start", Time, nullable=False),
        sa.Column("period_end", Time, nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("paid_at", Time, nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_invoices_organization_id"
        ),
        sa.ForeignKeyConstraint(
            ["subscription_id"], ["subscriptions.id"], name="fk_invoices_subscription_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_invoices"),
        sa.UniqueConstraint(
            "subscription_id", "period_start", name="uq_invoices_subscription_id_period_start"
        ),
    )
    op.create_index("ix_invoices_organization_id", "invoices", ["organization_id"])
