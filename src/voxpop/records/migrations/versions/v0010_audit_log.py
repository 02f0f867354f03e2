"""An append-only log of who did what in each organization."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

BigId: sa.BigInteger = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
SQLITE = (
    """CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END""",
    """CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
WHEN OLD.at > datetime('now', '-730 days')
BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END""",
    """CREATE TRIGGER audit_log_no_replace BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END""",
)
POSTGRESQL = (
    """CREATE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.at < now() - interval '730 days' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit_log is append-only';
END $$""",
    """CREATE TRIGGER audit_log_no_change BEFORE UPDATE OR DELETE ON audit_log
FOR EACH ROW EXECUTE FUNCTION audit_log_append_only()""",
    """CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log
FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only()""",
)


def upgrade() -> None:
    """Make the table and the triggers that let it only grow."""
    op.create_table(
        "audit_log",
        sa.Column("id", BigId, nullable=False),
        sa.Column("organization_id", BigId, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(16), nullable=False),
        sa.Column("key_id", BigId),
        sa.Column("action", sa.String(48), nullable=False),
        sa.Column("object_kind", sa.String(32), nullable=False),
        sa.Column("object_id", sa.String(64)),
        sa.Column("quantity", sa.Integer()),
        sa.Column("outcome", sa.String(16), nullable=False),
        sa.Column("request_id", sa.String(40)),
        sa.Column("transaction_number", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_audit_log_organization_id"
        ),
        sa.ForeignKeyConstraint(["key_id"], ["api_keys.id"], name="fk_audit_log_key_id"),
        sa.PrimaryKeyConstraint("id", name="pk_audit_log"),
    )
    op.create_index("ix_audit_log_organization_id_id", "audit_log", ["organization_id", "id"])
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    """Drop them."""
    op.drop_table("audit_log")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION audit_log_append_only()")
