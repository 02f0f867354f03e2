"""PostgreSQL only: several services share a database, and it can disappear."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa

from postgres_server import PostgresServer
from voxpop.engines.question import Question
from voxpop.errors import Conflict, InvalidRequest, QuotaExceeded, ServiceStartError, Unavailable, VoxpopError
from voxpop.jobs.asking import ask_study
from voxpop.jobs.steps import enqueue_completion
from voxpop.records import groups, jobs, keys, operations, studies, usage, work_items
from voxpop.records.database import Database, in_turn
from voxpop.records.facts import keep_to_population
from voxpop.records.groups import Group
from voxpop.records.schema import groups as groups_table
from voxpop.records.schema import metadata
from voxpop.records.studies import Study
from voxpop.records.usage import Meter

CROWD = 8


@pytest.fixture(params=["postgresql"])
def database_url(postgres: PostgresServer) -> Any:
    address = postgres.new()
    yield address
    postgres.give_back(address)


@pytest.fixture
def made(database: Database) -> tuple[int, Group, Study]:
    """An organization, its group of 250 agents and its study, all of it written."""
    with database.begin() as c:
        org = keys.create_organization(c, "Snack Research")
        group = groups.create(
            c,
            org,
            name="g",
            description=None,
            filters={},
            sample_method="random",
            seed=1,
            shortfall=0,
            agent_ids=range(1, 251),
        )
        return org, group, studies.create(c, org, title="t", objective=None, group=group)


def at_once(database: Database, do: Callable[[sa.Connection, int], Any], count: int = CROWD) -> list[Any]:
    """Do something in so many transactions that all begin before one of them ends; errors are results."""
    ready = threading.Barrier(count)

    def turn(number: int) -> Any:
        try:
            with database.begin() as c:
                ready.wait(10)
                return do(c, number)
        except VoxpopError as error:
            return error

    with ThreadPoolExecutor(count) as crowd:
        return list(crowd.map(turn, range(count)))


def test_plain_and_old_addresses_take_the_driver_that_is_there(database_url: str) -> None:
    for plain in ("postgresql", "postgres"):
        database = Database.open(database_url.replace("postgresql+psycopg", plain))
        with database.read() as c:
            assert c.exec_driver_sql("SHOW timezone").scalar() == "UTC"
        database.close()


def test_many_first_starts_at_once_migrate_once(postgres: PostgresServer) -> None:
    address = postgres.bare()

    def start(_: int) -> None:
        Database.open(address).close()

    with ThreadPoolExecutor(4) as crowd:
        list(crowd.map(start, range(4)))
    database = Database.open(address)
    with database.read() as c:
        assert set(metadata.tables) < set(sa.inspect(c).get_table_names())
        assert c.exec_driver_sql("SELECT count(*) FROM alembic_version").scalar() == 1
    database.close()
    postgres.drop(address)


def test_a_database_that_is_not_there_is_named_without_the_password(database_url: str) -> None:
    wrong = sa.make_url(database_url).set(database="nowhere", password="hunter2", username="postgres")
    with pytest.raises(ServiceStartError, match=r'\*\*\*@/nowhere cannot be opened: .*"nowhere"') as caught:
        Database.open(wrong.render_as_string(hide_password=False))
    assert "hunter2" not in str(caught.value)


def test_the_tables_of_another_program_are_left_alone(postgres: PostgresServer) -> None:
    address = postgres.bare()
    engine = sa.create_engine(address)
    with engine.begin() as c:
        c.exec_driver_sql("CREATE TABLE recipes (name text)")
    engine.dispose()
    with pytest.raises(ServiceStartError, match="tables of another program"):
        Database.open(address)
    postgres.drop(address)


def test_a_restart_of_the_server_is_not_noticed_between_transactions(
    database: Database, postgres: PostgresServer, database_url: str
) -> None:
    with database.begin() as c:
        keys.create_organization(c, "before")
    postgres.disconnect(database_url)
    with database.read() as c:
        assert keys.organization_id(c, "before") is not None


def test_a_connection_that_is_lost_undoes_the_transaction_and_says_try_again(
    database: Database, postgres: PostgresServer, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    def write() -> None:
        with database.begin() as c:
            keys.create_organization(c, "half")
            postgres.disconnect(database_url)
            keys.create_organization(c, "whole")

    with caplog.at_level("INFO", "voxpop.records"), pytest.raises(Unavailable, match="try again"):
        write()
    assert "terminat" in caplog.text
    with database.read() as c:
        assert keys.organization_id(c, "half") is None


def test_what_takes_the_server_too_long_says_try_again(database: Database) -> None:
    with pytest.raises(Unavailable, match="try again"), database.begin() as c:
        c.exec_driver_sql("SET LOCAL statement_timeout = '20ms'; SELECT pg_sleep(5)")


def test_two_that_wait_for_each_other_end_with_one_that_may_try_again(
    database: Database,
) -> None:
    met = threading.Barrier(2)

    def both(number: int) -> str:
        try:
            with database.begin() as c:
                in_turn(c, f"{number}")
                met.wait(10)
                in_turn(c, f"{1 - number}")
        except Unavailable:
            return "try again"
        return "done"

    with ThreadPoolExecutor(2) as crowd:
        assert sorted(crowd.map(both, range(2))) == ["done", "try again"]


def test_reading_connections_cannot_write(database: Database) -> None:
    with pytest.raises(sa.exc.InternalError, match="read-only"), database.read() as c:
        keys.create_organization(c, "nobody")


def test_a_work_item_is_claimed_by_one_of_many(database: Database, made: Any) -> None:
    org, _, study = made
    with database.begin() as c:
        _, item = jobs.create_job(c, org, jobs.COMPLETION, study_id=study.id)
    claims = at_once(database, lambda c, _: work_items.claim(c, item))
    assert len([claim for claim in claims if claim is not None]) == 1


def test_callers_at_once_cannot_go_over_the_quota_together(database: Database, made: Any) -> None:
    meter = Meter(made[0], "live", 30)
    counted = at_once(database, lambda c, _: usage.record(c, meter, 10))
    assert len([one for one in counted if isinstance(one, QuotaExceeded)]) == CROWD - 3
    with database.read() as c:
        assert usage.this_month(c, meter).used == 30


def test_a_key_that_is_used_at_once_begins_one_operation(database: Database, made: Any) -> None:
    org, _, study = made

    def begin(c: sa.Connection, _: int) -> tuple[str, bool]:
        number, found = operations.begin(c, org, key="k", kind="survey", digest="d")
        if found is None:
            job_id, _ = jobs.create_job(c, org, jobs.COMPLETION, study_id=study.id, operation_id=number)
            operations.accept(c, number, job_id=job_id, resource_url=None, answer={})
        return number, found is None

    begun = at_once(database, begin)
    assert len({number for number, _ in begun}) == 1
    assert len([number for number, new in begun if new]) == 1


def test_groups_that_are_drawn_at_once_have_seeds_of_their_own(database: Database, made: Any) -> None:
    def draw(c: sa.Connection, number: int) -> int:
        seed = groups.next_seed(c, 7)
        row = {name: getattr(made[1], name) for name in ("filters", "sample_method", "shortfall")}
        groups.create(
            c, made[0], name=f"{number}", description=None, seed=seed, agent_ids=[number + 1], **row
        )
        return seed

    assert len(set(at_once(database, draw))) == CROWD
    with database.read() as c:
        assert c.execute(sa.select(sa.func.count()).select_from(groups_table)).scalar() == 1 + CROWD


def test_a_question_key_is_taken_once(database: Database, made: Any) -> None:
    org, _, study = made
    asked = at_once(database, lambda c, _: ask_study(c, org, study, Question("Why?", "open", key="why")))
    assert len([one for one in asked if isinstance(one, InvalidRequest)]) == CROWD - 1


def test_an_organization_is_made_once(database: Database) -> None:
    made = at_once(database, lambda c, _: keys.create_organization(c, "acme"))
    assert len([one for one in made if isinstance(one, Conflict)]) == CROWD - 1


def test_agents_who_leave_at_once_are_counted_once(database: Database, made: Any) -> None:
    org, _, study = made
    at_once(database, lambda c, number: studies.remove_agents(c, org, study.id, [1, 2, 10 + number]))
    with database.read() as c:
        assert studies.get(c, org, study.id).agent_count == 250 - 2 - CROWD


def test_a_study_that_is_asked_and_completed_at_once_is_not_completed_too_early(
    database: Database, made: Any
) -> None:
    org, _, study = made

    def turn(c: sa.Connection, number: int) -> str:
        if number % 2:
            ask_study(c, org, study, Question("Why?", "open"))
        else:
            enqueue_completion(c, org, study)
        return "done"

    at_once(database, turn)
    with database.read() as c:
        assert studies.get(c, org, study.id).stage == "active"


def test_a_link_that_is_opened_at_once_is_one(database: Database, made: Any) -> None:
    shared = at_once(database, lambda c, _: studies.share(c, made[0], made[2].id, True))
    assert len({one.token for one in shared}) == 1


def test_services_that_start_at_once_agree_on_the_population(database: Database, made: Any) -> None:
    started = at_once(database, lambda c, number: keep_to_population(c, f"v1-7-{1000 + number}"))
    assert len([one for one in started if isinstance(one, ServiceStartError)]) == CROWD - 1
