"""Tables of the queue for several machines: procrastinate's own, in a separate schema.

They only announce work. Dropping the schema loses nothing: the next start creates it again.
"""

from __future__ import annotations

import logging
from pathlib import Path

import sqlalchemy as sa
from procrastinate.schema import SchemaManager

from voxpop.records.database import Database, in_turn
from voxpop.records.facts import fact, keep_fact

logger: logging.Logger = logging.getLogger(__name__)

SCHEMA = "voxpop_queue"
SEARCH_PATH = f"{SCHEMA}, public"

_FACT = "queue"


def install(database: Database) -> bool:
    """Create the tables of the queue, or migrate them; only one of several concurrent processes does so.

    Returns
    -------
    bool
        Whether there was anything to do.
    """
    steps = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    newest = steps[-1].stem
    with database.read() as c:
        if _version(c) == newest:
            return False
    with database.begin() as c:
        c.exec_driver_sql("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        in_turn(c, "queue tables")
        before = _version(c)
        if before is not None and before >= newest:  # another process was first, or is newer
            return False
        if before is None:
            c.exec_driver_sql(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA}")
            texts = [SchemaManager.get_schema()]
        else:
            texts = [step.read_text(encoding="utf-8") for step in steps if step.stem > before]
        search_in(c)
        for text in texts:
            driver = c.connection.driver_connection
            assert driver is not None
            driver.execute(text)  # bypasses SQLAlchemy: several statements that contain percent signs
        keep_fact(c, _FACT, newest)
    logger.info("The tables of the queue are at %s.", newest)
    return True


def search_in(c: sa.Connection) -> None:
    """Set the search path of this transaction to the schema of the queue."""
    c.exec_driver_sql(f"SET LOCAL search_path TO {SEARCH_PATH}")


def _version(c: sa.Connection) -> str | None:
    # Not to_regclass: it reads a cached catalog, which may lack a schema created by another process while
    # this one waited for the lock.
    tables = sa.table("pg_tables", sa.column("schemaname"), sa.column("tablename"), schema="pg_catalog")
    named = sa.select(tables.c.tablename).where(
        tables.c.schemaname == SCHEMA, tables.c.tablename == "procrastinate_jobs"
    )
    return None if c.execute(named).first() is None else fact(c, _FACT)
