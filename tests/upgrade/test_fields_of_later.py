"""Fields added after a population was built are unknown in it, never false."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from postgres_server import PostgresServer
from running_service import Service, recruit
from voxpop.jobs.opening import open_database
from voxpop.population.queries import Population
from voxpop.records.database import utc_now
from voxpop.records.facts import keep_to_population
from voxpop.settings import WorkSettings
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import between, where

OLDER = "2026.3-7-3000"
LATER = ("marital_status", "children_count", "poverty_ratio", "veteran", "religion", "self_rated_health")
REASON = "The population 2026.3-7-3000 was built without this field."


@pytest.fixture
def older(older_file: Path) -> Iterator[Population]:
    with Population(older_file) as population:
        yield population


@pytest.mark.parametrize("name", LATER)
def test_a_field_of_later_is_null_in_records_and_in_no_count(older: Population, name: str) -> None:
    field = FIELDS[name]
    agents = older.agents(range(1, 40))
    held = [agent.health_profile if field.in_health_profile else agent for agent in agents]
    assert {getattr(one, field.record_key) for one in held if one is not None} == {None}
    columns = older.agent_columns(range(1, 40))
    if not field.in_health_profile:
        assert columns[field.record_key].null_count == 39
    if field.kind == "range":
        assert older.ranges(where(), [name]) == {name: {"min": None, "max": None, "mean": None}}
        asked = where(**{name: between(0, 100)})
    else:
        assert older.facets(where(country="USA"), [name]) == {name: []}
        asked = where(**{name: list(field.levels) or [True, False]})
    assert older.count(asked) == 0
    assert older.search(asked) == (0, [])
    assert older.sample(asked, 5, seed=1) == []


def test_what_is_known_stays_known(older: Population) -> None:
    asked = where(country="USA", gender="female", match="any", religion="none")
    assert older.count(asked) == older.count(where(match="any", country="USA", gender="female")) > 0
    assert older.agents([1])[0].profile_provenance is None


def test_unknown_is_told_of_later_fields_and_of_those_without_values(older: Population) -> None:
    assert older.unknown_fields(where(country="USA", religion="hindu"), ["veteran", "gender"]) == [
        {"field": "religion", "country": "USA", "reason": REASON},
        {"field": "veteran", "country": "USA", "reason": REASON},
    ]
    # parents abroad were unknown in that version
    [found] = older.unknown_fields(where(country="Japan", is_parent=True))
    assert (found["field"], found["country"]) == ("is_parent", "Japan")
    assert older.unknown_fields(where(country="USA", is_parent=True)) == []


def test_a_service_on_them_says_unknown_and_not_nobody(
    older_home: Path, tmp_path: Path, postgres: PostgresServer
) -> None:
    address = postgres.new()
    keep_to_older(address)
    service = Service(older_home, tmp_path, database_url=address)
    try:
        http = service.client(service.key())
        asked = {"country": "USA", "religion": "catholic"}
        entry = {"field": "religion", "country": "USA", "reason": REASON}
        counted = http.post("/filters/count", json={"filters": asked, "fields": []}).json()
        assert (counted["count"], counted["unknown"]) == (0, [entry])
        assert entry in http.get("/filters", params={"country": "USA"}).json()["unknown"]
        group = recruit(http, 5, filters=asked)
        assert (group["group"]["agent_count"], group["unknown"]) == (0, [entry])
        missing = http.post("/agents/find", json=asked)
        assert missing.status_code == 404
        assert "religion is unknown for agents in the USA" in missing.json()["error"]["message"]
        assert "no agent" not in missing.json()["error"]["message"].casefold()
        agent = http.post("/agents/find", json={"country": "USA"}).json()["agent"]
        assert agent["religion"] is agent["profile_provenance"] is None
        assert agent["education"]
    finally:
        service.close()
        postgres.give_back(address)


def keep_to_older(address: str) -> None:
    """Do what the first start of the earlier version left in a database."""
    database = open_database(address, utc_now, WorkSettings())
    with database.begin() as c:
        assert keep_to_population(c, OLDER) == OLDER
    database.close()
