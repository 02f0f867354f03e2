"""Full disks: callers get a retryable error, and accepted work waits for space."""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path

import pytest
from errands import AGENTS, SETTINGS, Site, asking, check_the_books

from forked_commands import run
from machines import Machine
from served_service import voxpop
from voxpop.errors import PopulationError, Unavailable
from voxpop.population.file import open_population
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
    for damaged in (b"", b"what is this", b"\0" * 100_000):
        path.write_bytes(damaged)
        with pytest.raises(PopulationError, match=r"Delete the file") as refused:
            open_population(int(AGENTS), 7, home=home)
        assert str(path) in str(refused.value)
    options = ("serve", "--port", "0", "--agents", AGENTS, "--data", str(tmp_path / "another"))
    broken = Machine(tmp_path / "broken", *options, VOXPOP_HOME=str(home), **SETTINGS)
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


SMALL = """
import resource, sys
from voxpop.cli import main
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), most))
sys.exit(main(sys.argv[2:]))
"""


def with_little_room(room: int, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command of voxpop on a disk that takes no file larger than this."""
    return run("-c", SMALL, str(room), *arguments, env=os.environ | environ)


def refused_in_one_line(done: subprocess.CompletedProcess[str]) -> str:
    told = [
        line for line in done.stderr.splitlines() if not line.startswith("building") and " INFO " not in line
    ]
    assert (done.returncode, len(told)) == (1, 1), done.stderr
    return told[0]


def test_a_population_for_which_there_is_no_room_leaves_nothing_that_looks_like_one(tmp_path: Path) -> None:
    arguments = ("population", "build", "--agents", "3000", "--seed", "11")
    told = refused_in_one_line(with_little_room(200_000, *arguments, VOXPOP_HOME=str(tmp_path)))
    assert "population" in told
    assert [path.name for path in tmp_path.rglob("*") if "3000" in path.name and path.suffix != ".lock"] == []
    assert voxpop("population", "build", "--agents", "1000", "--seed", "11").returncode == 0


def test_an_export_for_which_there_is_no_room_leaves_no_folder_and_what_was_pulled_stays_whole(
    sqlite_site: Site, tmp_path: Path
) -> None:
    site, path = sqlite_site, tmp_path / "store.duckdb"
    group = site.call("POST", "/research-groups/recruit", json={"filters": {}, "group_size": 500})["group"]
    study = {"title": "Room", "research_group_uuid": group["uuid"]}
    number = site.call("POST", "/research-studies", json=study)["study"]["id"]
    site.call("POST", f"/research-studies/{number}/questions", json={"question": "Why?"})
    site.await_end()
    settings = {
        "VOXPOP_BASE_URL": str(site.http.base_url).rstrip("/"),
        "VOXPOP_API_KEY": site.http.headers["Authorization"].removeprefix("Bearer "),
    }
    pull = ("pull", str(number), "--to", str(path))
    refused_in_one_line(with_little_room(100_000, *pull, **settings))
    assert with_little_room(2**40, *pull, **settings).returncode == 0
    export = ("export", "Room", "--store", str(path), "--to", str(tmp_path / "export"))
    refused_in_one_line(with_little_room(10_000, *export))
    assert not (tmp_path / "export").exists()
    assert with_little_room(2**40, *export).returncode == 0
    assert voxpop("verify", str(tmp_path / "export")).returncode == 0
