"""The audit log is append-only in the database itself, and an entry lives and dies with its effect."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.exc import DBAPIError

from voxpop.records import audit, groups, keys
from voxpop.records.append_only import KEPT_DAYS
from voxpop.records.database import Database
from voxpop.records.schema import audit_log
from voxpop.records.together import Together


@pytest.fixture
def entries(database: Database) -> int:
    """An organization with three entries; its number."""
    with database.begin() as c:
        number = keys.create_organization(c, "acme")
        keys.create_key(c, number, ["studies:read"])
        audit.write(c, number, "study.create", "study", 1, actor=audit.SERVICE, quantity=3)
    return number


def actions(database: Database, organization: int) -> list[str]:
    with database.read() as c:
        return [entry.action for _, entry in audit.list_all(c) if organization]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_log SET action = 'nothing'",
        "UPDATE audit_log SET id = id + 100",
        "DELETE FROM audit_log",
        "DELETE FROM audit_log WHERE id = 2",
        "TRUNCATE audit_log",
        "INSERT OR REPLACE INTO audit_log SELECT id, organization_id, at, actor, key_id, 'x', object_kind, "
        "object_id, quantity, outcome, request_id, transaction_number FROM audit_log WHERE id = 2",
    ],
)
def test_no_entry_is_changed_or_taken_away(database: Database, entries: int, statement: str) -> None:
    other = "postgresql" if "OR REPLACE" in statement else "sqlite" if "TRUNCATE" in statement else ""
    before = actions(database, entries)
    foreign = database._engine.dialect.name == other  # a statement that this kind of database has not
    told = "syntax error" if foreign else "audit_log is append-only"
    with pytest.raises(DBAPIError, match=told), database._engine.begin() as c:
        c.exec_driver_sql(statement)
    assert actions(database, entries) == before == ["organization.create", "key.create", "study.create"]


def test_the_migrated_table_is_as_append_only(bare_url: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(keys.__file__).replace("keys.py", "migrations"))
    engine = sa.create_engine(bare_url)
    with engine.begin() as c:
        config.attributes["connection"] = c
        command.upgrade(config, "head")
    engine.dispose()
    database = Database.open(bare_url)
    with database.begin() as c:
        number = keys.create_organization(c, "acme")
    for statement in ("UPDATE audit_log SET action = 'x'", "DELETE FROM audit_log"):
        with pytest.raises(DBAPIError, match="audit_log is append-only"), database._engine.begin() as c:
            c.exec_driver_sql(statement)
    assert actions(database, number) == ["organization.create"]
    database.close()


def triggers(engine: sa.Engine) -> set[tuple[str, str]]:
    """Return the triggers and their functions as the database holds them."""
    if engine.dialect.name == "sqlite":
        held = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    else:
        held = (
            "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal "
            "UNION ALL SELECT proname, prosrc FROM pg_proc WHERE proname ~ '^audit'"
        )
    with engine.connect() as c:
        return {(name, " ".join(text.split())) for name, text in c.exec_driver_sql(held)}


def test_the_migrations_make_the_triggers_of_a_new_database(database: Database, bare_url: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(keys.__file__).replace("keys.py", "migrations"))
    migrated = sa.create_engine(bare_url)
    with migrated.begin() as c:
        config.attributes["connection"] = c
        command.upgrade(config, "head")
    made = {one for one in triggers(database._engine) if "audit" in one[0]}
    assert made == {one for one in triggers(migrated) if "audit" in one[0]}
    assert len(made) == 3
    migrated.dispose()


def test_entries_of_more_than_two_years_can_be_pruned_and_no_others(database: Database, entries: int) -> None:
    now = datetime.now(UTC)
    with database.begin() as c:
        for days in (KEPT_DAYS + 50, KEPT_DAYS + 30, KEPT_DAYS - 1):
            audit.write(c, entries, f"old.{days}", "study", actor=audit.SERVICE)
            row = {"at": now - timedelta(days=days)}
            number = c.execute(sa.select(sa.func.max(audit_log.c.id))).scalar_one()
            held = c.execute(sa.select(audit_log).where(audit_log.c.id == number)).mappings().one()
            c.execute(audit_log.insert().values({**held, **row, "id": number + 100}))
    with database.begin() as c:
        assert audit.prune(c) == 2
        assert audit.prune(c) == 0
    assert f"old.{KEPT_DAYS - 1}" in actions(database, entries)


def test_what_is_undone_has_no_entry(database: Database, entries: int) -> None:
    before = actions(database, entries)

    def fail() -> None:
        with database.begin() as c:
            keys.create_key(c, entries, ["studies:read"])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert actions(database, entries) == before


def test_a_page_goes_on_after_the_last_entry(database: Database, entries: int) -> None:
    with database.read() as c:
        first = audit.list_(c, entries, limit=2)
        rest = audit.list_(c, entries, after=first[-1].id)
    assert [one.action for one in first] == ["organization.create", "key.create"]
    assert [(one.action, one.quantity, one.actor) for one in rest] == [("study.create", 3, "service")]


def test_an_entry_is_held_back_while_an_earlier_one_may_still_come(database: Database, entries: int) -> None:
    if database.alone:  # SQLite has one writer: entries come in the order of their numbers
        with database.begin() as c:
            for action in ("slow.one", "quick.one"):
                audit.write(c, entries, action, "study", actor=audit.SERVICE)
        with database.read() as c:
            assert [one.action for one in audit.list_(c, entries)][-2:] == ["slow.one", "quick.one"]
        return
    with database.begin() as slow:
        audit.write(slow, entries, "slow.one", "study", actor=audit.SERVICE)
        with database.begin() as quick:
            audit.write(quick, entries, "quick.one", "study", actor=audit.SERVICE)
        with database.read() as c:
            assert "quick.one" not in [one.action for one in audit.list_(c, entries)]
    with database.read() as c:
        assert [one.action for one in audit.list_(c, entries)][-2:] == ["slow.one", "quick.one"]


def test_all_parts_of_a_call_are_one_transaction(database: Database, entries: int) -> None:
    done: list[str] = []

    def first(_: sa.Connection) -> None:
        done.append("first")

    def call(fails: bool) -> Together:
        with database.together(first) as joined:
            database.once_written(lambda: done.append(f"after {len(actions(database, entries))}"))
            for number in (1, 2):
                with database.begin() as c:
                    audit.write(c, entries, f"part.{number}", "study", actor=audit.SERVICE)
            with database.read() as c:
                assert [e.action for _, e in audit.list_all(c)][-2:] == ["part.1", "part.2"]
            if fails:
                raise ZeroDivisionError
        return joined

    with pytest.raises(ZeroDivisionError):
        call(fails=True)
    assert (done, len(actions(database, entries))) == (["first"], 3)
    call(fails=False)
    assert done == ["first", "first", "after 5"]


def test_a_part_that_failed_undoes_the_call_even_if_nobody_says_so(database: Database, entries: int) -> None:
    def go_on() -> None:
        with database.together(lambda _: None):
            try:
                with database.begin() as c:
                    audit.write(c, entries, "half.done", "study", actor=audit.SERVICE)
                    raise ZeroDivisionError
            except ZeroDivisionError:
                pass

    with pytest.raises(RuntimeError, match="A part of this transaction failed"):
        go_on()
    assert "half.done" not in actions(database, entries)


def test_what_is_written_apart_stays_if_the_call_fails(database: Database, entries: int) -> None:
    def fail() -> None:
        with database.together(lambda _: None):
            with database.apart() as c:
                groups.next_seed(c, 7)
                audit.write(c, entries, "apart.one", "study", actor=audit.SERVICE)
            with database.begin() as c:
                audit.write(c, entries, "joined.one", "study", actor=audit.SERVICE)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [one for one in actions(database, entries) if one.endswith(".one")] == ["apart.one"]
