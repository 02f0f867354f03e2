"""A database opens, migrates itself, writes in transactions, and refuses what it cannot serve."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from voxpop.errors import Conflict, ServiceStartError
from voxpop.records import jobs, keys, questions
from voxpop.records.database import HEAD, Database
from voxpop.records.inserting import insert
from voxpop.records.schema import metadata, organizations, studies

MIGRATIONS = Path(keys.__file__).parent / "migrations"


def test_the_migrations_make_exactly_the_tables_that_a_new_database_has(
    database: Database, bare_url: str
) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    migrated = sa.create_engine(bare_url)
    with migrated.begin() as c:
        config.attributes["connection"] = c
        command.upgrade(config, "head")
    for engine in (migrated, database._engine):
        with engine.connect() as c:
            context = MigrationContext.configure(c, opts={"compare_type": True})
            assert compare_metadata(context, metadata) == []
            assert context.get_current_revision() == HEAD
    migrated.dispose()


def test_an_older_database_is_brought_up_to_date(bare_url: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    older = sa.create_engine(bare_url)
    with older.begin() as c:
        config.attributes["connection"] = c
        command.upgrade(config, "0001")
        c.execute(organizations.insert().values(name="acme", created_at=datetime.now(UTC)))
    older.dispose()
    database = Database.open(bare_url)
    with database.read() as c:
        assert MigrationContext.configure(c).get_current_revision() == HEAD
        assert keys.organization_id(c, "acme") == 1
    database.close()


def test_what_was_asked_before_direct_questions_is_kept(bare_url: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    older = sa.create_engine(bare_url)
    asked = "2026-11-20 09:30:00.000000"
    rows = (
        f"organizations VALUES (1, 'acme', '{asked}')",
        f"groups VALUES (1, 'g', 1, 'G', NULL, 1, '{{}}', 'random', 7, 0, '{asked}', false)",
        f"studies VALUES (1, 's', 1, 1, 'S', NULL, 'active', 1, '{asked}', NULL, NULL)",
        "study_agents VALUES (1, 30, 0, NULL)",
        "questions VALUES "
        f"(1, 'q', 1, 1, 'why', 'Why?', 'open', '[]', NULL, NULL, false, 1, 1, 0, '{asked}')",
        f"work_items VALUES (1, 1, 'question', 1, 1, 'done', 1, NULL, '{asked}', '{asked}')",
        "jobs (id, organization_id, item_id, status, agent_id) VALUES ('job_1', 1, 1, 'finished', 30)",
        f"answers VALUES (1, 1, 1, 1, 30, 'job_1', 'So.', NULL, NULL, '{asked}', 'embedded-1')",
    )
    with older.begin() as c:
        config.attributes["connection"] = c
        command.upgrade(config, "0003")
        for row in rows:
            c.exec_driver_sql(f"INSERT INTO {row}")
    older.dispose()
    database = Database.open(bare_url)
    with database.begin() as c:
        (question,) = questions.list_(c, 1, 1)
        assert (question.key, question.asked_of, question.attachments) == ("why", "study", ())
        (answer,) = questions.answers(c, 1, 1)
        assert (answer.text, answer.agent_id, answer.study_id) == ("So.", 30, 1)
        assert jobs.get(c, 1, "job_1").status == "finished"
        if database.alone:
            assert c.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        with pytest.raises(sa.exc.IntegrityError), c.begin_nested():
            c.exec_driver_sql("DELETE FROM questions")  # its answers refer to it
    database.close()


def test_the_newest_migration_is_the_one_that_start_looks_for() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_the_tables_can_be_dropped_again(database: Database) -> None:

    with database.begin() as c:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = c
        command.downgrade(config, "base")
        assert sa.inspect(c).get_table_names() == ["alembic_version"]


def test_a_second_start_does_not_load_the_migration_library(database: Database, database_url: str) -> None:
    code = (
        "import sys\n"
        "from voxpop.records.database import Database\n"
        "Database.open(sys.argv[1]).close()\n"
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, database_url], check=False).returncode == 0


def test_a_database_of_a_newer_version_is_refused(database: Database, database_url: str) -> None:
    with database.begin() as c:
        c.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ServiceStartError, match=r"newer voxpop.*9999.*update voxpop"):
        Database.open(database_url)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nonsense", "not a database address"),
        ("sqlite://", "must name a file"),
        ("cobol://host/db", "not a database address"),
        ("mysql+pymysql://me:secret@host/db", "driver pymysql is not installed"),
        ("postgresql://me:secret@127.0.0.1:1/db", r"me:\*\*\*@127.*:1/db cannot be opened: conn.*refused"),
        ("postgresql://127.0.0.1:1/db?user=me&password=secret", r"@?127.0.0.1:1/db cannot be opened"),
        ("postgresql://me:secret@host:port/db", "not a database address"),
    ],
)
def test_an_unusable_address_is_refused_in_one_sentence(url: str, message: str) -> None:
    with pytest.raises(ServiceStartError, match=message) as caught:
        Database.open(url)
    assert "secret" not in str(caught.value)


def test_an_error_undoes_the_whole_transaction(database: Database) -> None:
    def write() -> None:
        with database.begin() as c:
            keys.create_organization(c, "gone")
            keys.create_organization(c, "gone")

    with pytest.raises(Conflict):
        write()
    with database.read() as c:
        assert keys.organization_id(c, "gone") is None


def test_the_database_guards_its_references(database: Database) -> None:
    with pytest.raises(sa.exc.IntegrityError), database.begin() as c:
        insert(
            c,
            studies,
            uuid="u",
            organization_id=99,
            group_id=99,
            title="t",
            stage="active",
            agent_count=0,
            created_at=database.clock(),
        )


def test_a_read_sees_one_moment(database: Database) -> None:
    count = sa.select(sa.func.count()).select_from(organizations)
    with database.read() as reader:
        before = reader.execute(count).scalar()
        with database.begin() as writer:
            keys.create_organization(writer, "meanwhile")
        assert reader.execute(count).scalar() == before
    with database.read() as reader:
        assert reader.execute(count).scalar() == before + 1


def test_threads_that_write_at_once_wait_for_each_other(database: Database) -> None:
    def write(name: int) -> None:
        for step in range(10):
            with database.begin() as c:
                keys.create_organization(c, f"{name}-{step}")

    threads = [threading.Thread(target=write, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as c:
        assert c.execute(sa.select(sa.func.count()).select_from(organizations)).scalar() == 40


def test_times_come_back_as_utc_whatever_their_zone(database: Database) -> None:
    paris = datetime(2026, 7, 1, 14, 0, tzinfo=timezone(timedelta(hours=2)))
    with database.begin() as c:
        number = insert(c, organizations, name="paris", created_at=paris)
        stored = c.execute(sa.select(organizations.c.created_at).where(organizations.c.id == number)).scalar()
    assert stored == paris
    assert stored.tzinfo is UTC
    assert stored.hour == 12


def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    with pytest.raises(sa.exc.StatementError, match="without a zone"), database.begin() as c:
        insert(c, organizations, name="nowhere", created_at=datetime(2026, 7, 1))
