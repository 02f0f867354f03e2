"""Disks that refuse: callers are told to try again, and what was accepted waits until there is room."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from errands import AGENTS, SETTINGS, Site, asking, check_the_books

from machines import Machine
from voxpop.errors import Unavailable
from voxpop.population.reference import POPULATION_VERSION
from voxpop.records import keys
from voxpop.records.database import Database

ROOM = 16 * 1024  # bytes of a file, fewer than any database has


def test_while_a_disk_takes_nothing_more_callers_are_told_and_accepted_work_waits(sqlite_site: Site) -> None:
    errand = asking(sqlite_site)
    errand.begin()
    errand.await_accepted()
    _, most = resource.prlimit(sqlite_site.service.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(sqlite_site.service.pid, resource.RLIMIT_FSIZE, (ROOM, most))
    for _ in range(3):
        answer = sqlite_site.http.post("/research-groups/recruit", json={"filters": {}, "group_size": 10})
        assert answer.status_code == 503, answer.text
        assert answer.json()["error"]["code"] == "unavailable"
        assert int(answer.headers["Retry-After"]) >= 1
        assert "disk refuses" in answer.json()["error"]["message"]
        assert sqlite_site.http.get("/research-groups").status_code == 200
    resource.prlimit(sqlite_site.service.pid, resource.RLIMIT_FSIZE, (most, most))
    errand.check()
    check_the_books(sqlite_site)


def test_a_database_that_may_not_grow_is_told_of_in_the_same_words(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path}/voxpop.sqlite")

    def fill() -> None:
        with database.begin() as c:
            c.exec_driver_sql(f"PRAGMA max_page_count = {c.exec_driver_sql('PRAGMA page_count').scalar()}")
            for number in range(10_000):
                keys.create_organization(c, f"{number:0200}")

    with pytest.raises(Unavailable, match="disk refuses"):
        fill()
    with database.read() as c:
        assert keys.organization_id(c, f"{0:0200}") is None
    database.close()


def test_a_read_only_disk_is_read_and_not_written(tmp_path: Path) -> None:
    path = tmp_path / "voxpop.sqlite"
    Database.open(f"sqlite:///{path}").close()
    database = Database.open(f"sqlite:///file:{path}?mode=ro&uri=true")
    with database.read() as c:
        assert keys.organization_id(c, "acme") is None
    with pytest.raises(Unavailable, match="disk refuses"), database.begin() as c:
        keys.create_organization(c, "acme")
    database.close()


def test_a_population_that_is_damaged_is_named_with_what_to_do(tmp_path: Path) -> None:
    home = tmp_path / "home"
    path = home / "population" / f"{POPULATION_VERSION}-7-{AGENTS}.duckdb"
    path.parent.mkdir(parents=True)
    data = str(tmp_path / "another")
    for damaged in (b"", b"what is this", b"\0" * 100_000):
        path.write_bytes(damaged)
        broken = Machine(
            tmp_path / f"broken-{len(damaged)}",
            *("serve", "--port", "0", "--agents", AGENTS, "--data", data),
            VOXPOP_HOME=str(home),
            **SETTINGS,
        )
        broken.begin()
        told = [line for line in broken.refused().splitlines() if " INFO " not in line]
        assert len(told) == 1
        assert str(path) in told[0]
        assert "Delete the file" in told[0]


def test_a_second_service_on_the_same_folder_refuses_until_the_first_is_gone(
    sqlite_site: Site, tmp_path: Path
) -> None:
    options = ["serve", "--port", "0", "--agents", AGENTS, *sqlite_site.place]
    second = Machine(tmp_path / "second", *options, **SETTINGS)
    second.begin()
    told = second.refused()
    assert "Another service is using the data folder" in told
    assert sqlite_site.place[1] in told
    assert sqlite_site.http.get("/research-groups").status_code == 200
    restart = sqlite_site.kill("service")
    third = Machine(tmp_path / "third", *options, **SETTINGS)
    third.start()
    third.terminate()
    restart()
