"""Populations of earlier versions are read correctly or refused."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from postgres_server import PostgresServer
from running_service import Service, new_study, recruit
from voxpop.errors import PopulationError, ServiceStartError
from voxpop.jobs.opening import open_database
from voxpop.jobs.worker import Worker
from voxpop.population.file import open_named, open_population
from voxpop.population.queries import Population
from voxpop.population.reference import POPULATION_VERSION, name_of
from voxpop.records.database import utc_now
from voxpop.records.facts import keep_to_population, population_of
from voxpop.records.folder import sqlite_url
from voxpop.settings import WorkSettings
from voxpop.vocabulary.filters import where

OLDER = "2026.3-7-3000"
SAID = "continues with population 2026.3, on which its data are based"


@pytest.fixture
def changed(older_file: Path) -> Callable[[str], Path]:
    """Return what changes the older file by a statement of SQL."""

    def change(statement: str) -> Path:
        with duckdb.connect(str(older_file)) as connection:
            connection.execute(statement)
        return older_file

    return change


def test_every_agent_of_an_earlier_version_is_read(older_home: Path) -> None:
    with open_named(OLDER, home=older_home) as population:
        assert (population.name, population.version, population.size) == (OLDER, "2026.3", 3_000)
        agents = population.agents(range(1, 3_001))
        found = population.facets(where())
        assert dict(found["gender"]) == {
            gender: sum(agent.gender == gender for agent in agents) for gender, _ in found["gender"]
        }
        profiles = [agent.health_profile for agent in agents if agent.health_profile is not None]
        asthmatic = sum("asthma" in profile.conditions for profile in profiles)
        assert dict(found["health_conditions"])["asthma"] == asthmatic
        assert population.count(where(health_conditions="asthma")) == asthmatic
        assert len(population.sample(where(country="USA"), 50, seed=2, method="stratified")) == 50


def test_its_agents_are_not_those_of_today(older_home: Path, home: Path) -> None:
    with open_named(OLDER, home=older_home) as then, open_population(3_000, 7, home=home) as now:
        assert not {one.uuid for one in then.agents([1, 2])} & {one.uuid for one in now.agents([1, 2])}


def test_the_first_files_had_no_facets_and_are_counted(changed: Callable[[str], Path]) -> None:
    with Population(changed("SELECT 1")) as whole:
        facets = whole.facets(where())
    with Population(changed("DROP TABLE facets")) as population:
        assert population.facets(where()) == facets


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("ALTER TABLE agents DROP COLUMN education", "education is missing"),
        ("ALTER TABLE agents ALTER bmi TYPE VARCHAR", "bmi is VARCHAR, not DOUBLE"),
        ("ALTER TABLE agents ALTER health_conditions_bits TYPE VARCHAR", "health_conditions_bits is VARCHAR"),
        (
            "DROP TYPE smoking_status_label; CREATE TYPE smoking_status_label AS ENUM ('never', 'vapes')",
            "smoking_status has the level 'vapes', which is not known",
        ),
    ],
)
def test_what_would_be_read_wrongly_is_refused(
    changed: Callable[[str], Path], statement: str, reason: str
) -> None:
    path = changed(statement)
    with pytest.raises(PopulationError, match="cannot read correctly") as caught:
        Population(path)
    assert reason in str(caught.value)
    assert f"a new data folder or database, which gets {POPULATION_VERSION}" in str(caught.value)


def test_another_population_under_its_name_is_refused(older_file: Path, older_home: Path, home: Path) -> None:
    with open_population(3_000, 7, home=home) as now:
        shutil.copy(now.path, older_file)
    with pytest.raises(PopulationError, match=f"holds {POPULATION_VERSION}-7-3000, not {OLDER}"):
        open_named(OLDER, home=older_home)


def test_a_damaged_one_is_not_to_be_deleted(older_file: Path) -> None:
    older_file.write_bytes(older_file.read_bytes()[:-300_000])
    with pytest.raises(PopulationError, match="Replace it with an intact copy"):
        Population(older_file)


def test_a_service_without_groups_takes_the_population_of_today(older_home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    started_with(sqlite_url(folder))
    service = Service(older_home, folder)
    try:
        assert service.state.population.version == POPULATION_VERSION
    finally:
        service.close()


def started_with(address: str, name: str = OLDER) -> None:
    """Do what the first start of an earlier version leaves in a database."""
    database = open_database(address, utc_now, WorkSettings())
    with database.begin() as c:
        assert keep_to_population(c, name) == name
    database.close()


def test_services_and_workers_of_one_server_have_one_population(
    postgres: PostgresServer,
    older_home: Path,
    home: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The first start decides, also before there are groups, because others may draw from it already."""
    address = postgres.new()
    started_with(address)
    service = Service(older_home, tmp_path, database_url=address)
    try:
        assert SAID in caplog.text
        caplog.clear()
        worker = Worker(address, home=older_home)
        worker.stop(5.0)
        assert SAID in caplog.text
        http = service.client(service.key())
        study = new_study(http)
        agents = recruit(http, 3)["recruited_agents"]
        with open_named(OLDER, home=older_home) as population:
            assert [population.agents([one["id"]])[0].uuid for one in agents] == [
                one["uuid"] for one in agents
            ]
        assert study["agent_count"] == 12
        for start in (lambda: Worker(address, home=home), lambda: Service(home, tmp_path, address)):
            with pytest.raises(PopulationError, match="whose file is missing"):
                start()
        with service.state.database.read() as c:
            assert population_of(c) == OLDER
    finally:
        service.close()
        postgres.give_back(address)


def test_another_size_is_refused_before_there_are_groups_where_others_may_have_started(
    postgres: PostgresServer,
) -> None:
    address = postgres.new()
    started_with(address)
    database = open_database(address, utc_now, WorkSettings())
    try:
        with (
            database.begin() as c,
            pytest.raises(ServiceStartError, match="Start it with 3000 agents and seed 7"),
        ):
            keep_to_population(c, name_of(7, 6_000))
    finally:
        database.close()
        postgres.give_back(address)
