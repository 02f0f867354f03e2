"""Files of earlier versions open: service folders, stores and exports."""

from __future__ import annotations

import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import voxpop as vp
from running_service import AGENTS, Service, ask, finish, recruit
from voxpop.errors import PopulationError
from voxpop.population.reference import POPULATION_VERSION
from voxpop.records.database import HEAD, Database
from voxpop.records.folder import sqlite_url

WRITTEN = sorted((Path(__file__).parent / "written").glob("*.tar.xz"))

pytestmark = pytest.mark.parametrize("packed", WRITTEN, ids=lambda path: path.name.partition(".")[0])


@pytest.fixture
def left(packed: Path, tmp_path: Path) -> Path:
    """Return the folder that a version left behind."""
    with tarfile.open(packed) as one:
        one.extractall(tmp_path, filter="data")
    return tmp_path


@pytest.fixture
def told(left: Path) -> dict[str, Any]:
    """Return the earlier version's description of the folder."""
    known: dict[str, Any] = json.loads((left / "told.json").read_text(encoding="utf-8"))
    return known


def answers_of(store: vp.Store) -> list[list[str]]:
    rows = store.sql(
        "SELECT q.key, a.agent_uuid, a.response_text, CAST(a.answered_at AS VARCHAR) FROM answers a "
        "JOIN questions q USING (question_uuid) ORDER BY ALL"
    ).fetchall()
    return [list(row) for row in rows]


def test_groups_of_another_population_are_not_given_its_agents(home: Path, left: Path) -> None:
    """Their numbers mean other agents there; without their own the service says which file it lacks."""
    with pytest.raises(PopulationError, match=r"whose file is missing: .*2026\.3-7-3000\.duckdb") as caught:
        Service(home, left / "state")
    assert "voxpop population build --agents 3000 --seed 7" in str(caught.value)
    assert not (home / "population" / "2026.3-7-3000.duckdb").exists()
    with closing(sqlite3.connect(left / "state" / "voxpop.sqlite")) as connection:
        (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    assert version < HEAD  # a start that is refused migrates nothing
    assert not (left / "state" / "backups").exists()


def test_a_service_goes_on_where_that_version_stopped(
    older_home: Path, left: Path, told: dict[str, Any]
) -> None:
    """Its tables do, and so do its agents: groups, old and new, are of the population of then."""
    database = Database.open(sqlite_url(left / "state"))
    with database.read() as c:
        organization = c.exec_driver_sql("SELECT name FROM organizations").scalar_one()
    database.close()
    service = Service(older_home, left / "state")
    try:
        with service.state.database.read() as c:
            assert c.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == HEAD
        http = service.client(service.key(organization=organization))
        study = http.get(f"/research-studies/{told['study']}").json()["study"]
        assert (study["title"], study["stage"], study["agent_count"]) == ("Snacks", told["stage"], 30)
        given = http.get(f"/research-studies/{study['id']}/answers").json()["answers"]
        assert len(given) == len(told["answers"])
        assert {(one["basis"], one["basis_note"]) for one in given} == {(None, None)}
        assert sorted(one["response_text"] for one in given) == sorted(row[2] for row in told["answers"])
        group = http.get(f"/research-groups/{told['group']}").json()
        assert {agent["uuid"] for agent in group["agents"]} == {row[1] for row in told["answers"]}
        (first, *_) = http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
        assert first["key"] == "switch"
        asked = ask(http, study, "Do you smoke?", key="smoke")
        assert len(asked["job_ids"]) == 30
        finish(http, [given[0]["job_id"]])
        now = http.get(f"/research-studies/{study['id']}/answers").json()["answers"]
        assert all(one["basis"] and one["basis_note"] for one in now[len(given) :])
        audience = {"country": "USA", "age": {"min": 25, "max": 64}}
        again = recruit(http, 30, filters=audience, seed=1)
        assert recruit(http, 30, filters=audience, seed=1)["recruited_agents"] == again["recruited_agents"]
        drawn = [agent["id"] for agent in again["recruited_agents"]]  # by today's way to draw, out of then's
        assert [agent.id for agent in service.state.population.agents(drawn)] == drawn
        assert all(
            agent["country"] == "USA" and 25 <= agent["age"] <= 64 for agent in again["recruited_agents"]
        )
    finally:
        service.close()


def test_what_is_pulled_and_exported_names_the_population_in_use(
    older_home: Path, left: Path, told: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOXPOP_HOME", str(older_home))
    with vp.local(agents=AGENTS, seed=7, data=left / "state") as client:
        assert client.about()["population"] == {
            "version": "2026.3",
            "builds": POPULATION_VERSION,
            "agents": AGENTS,
        }
        study = vp.Study.open(client, told["study"])
        with vp.Store() as store:
            study.pull(into=store)
            assert store.sql("SELECT DISTINCT population FROM studies").fetchall() == [("2026.3",)]
            assert answers_of(store) == told["answers"]
            store.export(study, left / "now")
    assert "2026.3" in (left / "now" / "provenance.json").read_text(encoding="utf-8")


def test_its_state_is_migrated_once_and_refers_to_nothing_that_is_missing(left: Path) -> None:
    for _ in range(2):
        database = Database.open(sqlite_url(left / "state"))
        with database.read() as c:
            assert c.exec_driver_sql("PRAGMA foreign_key_check").first() is None
            assert c.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        database.close()


def test_a_store_opens_with_all_it_has_and_is_exported_anew(
    left: Path, told: dict[str, Any], tmp_path: Path
) -> None:
    with vp.Store(left / "store.duckdb") as store:
        assert answers_of(store) == told["answers"]
        table = vp.crosstab(store.respondents("Snacks"), "switch", by="gender")
        assert "30" in repr(table)
        store.export("Snacks", tmp_path / "anew")
    assert vp.verify(tmp_path / "anew").ok
    with vp.Store(left / "store.duckdb") as again:
        assert answers_of(again) == told["answers"]


def test_an_export_opens_and_says_the_same(left: Path, told: dict[str, Any]) -> None:
    with vp.open_export(left / "export") as store:
        assert answers_of(store) == told["answers"]
        assert len(store.respondents("Snacks").fetchall()) == 30


def test_an_export_is_verified_by_its_own_manifest(left: Path, told: dict[str, Any]) -> None:
    report = vp.verify(left / "export")
    assert report.ok, report
    damaged = left / "export" / "data" / "answers.parquet"
    damaged.write_bytes(damaged.read_bytes()[:-10])
    assert not vp.verify(left / "export").ok
