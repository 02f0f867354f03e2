"""Append-only tables: triggers refuse to change or delete rows."""

from __future__ import annotations

from sqlalchemy import DDL, Table, event
from sqlalchemy.schema import ExecutableDDLElement

KEPT_DAYS = 730
"""Minimum age in days of an audit row that may be deleted; the triggers contain this number."""

_SQLITE = (
    """CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END""",
    """CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}
WHEN OLD.at > datetime('now', '-{days} days')
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END""",
    # INSERT OR REPLACE deletes a row without firing the BEFORE DELETE trigger.
    """CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END""",
)
_POSTGRESQL = (
    """CREATE FUNCTION {table}_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.at < now() - interval '{days} days' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION '{table} is append-only';
END $$""",
    """CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION {table}_append_only()""",
    """CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION {table}_append_only()""",
)


def protect(table: Table) -> None:
    """Make a table append-only wherever it is created; rows older than :data:`KEPT_DAYS` may be deleted."""
    for dialect, statements in (("sqlite", _SQLITE), ("postgresql", _POSTGRESQL)):
        for statement in statements:
            told = statement.format(table=table.name, days=KEPT_DAYS)
            event.listen(table, "after_create", _only(dialect, told))
    dropped = f"DROP FUNCTION IF EXISTS {table.name}_append_only()"
    event.listen(table, "after_drop", _only("postgresql", dropped))


def _only(dialect: str, statement: str) -> ExecutableDDLElement:
    made: DDL = DDL(statement)  # type: ignore[no-untyped-call]
    return made.execute_if(dialect=dialect)
