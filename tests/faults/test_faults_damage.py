"""Damaged databases are refused at the start and reported by every call."""

from __future__ import annotations

import resource
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from errands import Site

from machines import Machine
from running_service import Service, recruit
from voxpop.client import Client
from voxpop.errors import ServiceStartError, Unavailable
from voxpop.records import integrity

PAGE = 4096


@pytest.fixture
def data(home: Path, tmp_path: Path) -> Path:
    """Return the folder of a service that has stopped."""
    service = Service(home, tmp_path / "data")
    http = service.client(service.key())
    for _ in range(3):
        recruit(http, 200)
    service.close()
    with closing(sqlite3.connect(tmp_path / "data" / "voxpop.sqlite")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return tmp_path / "data"


def overwrite(path: Path, first: int, pages: int) -> None:
    with path.open("r+b") as file:
        file.seek(first * PAGE)
        file.write(b"\xa5" * PAGE * pages)


def test_three_overwritten_pages_are_found_at_the_start(data: Path, tmp_path: Path) -> None:
    path = data / "voxpop.sqlite"
    overwrite(path, path.stat().st_size // PAGE // 2, 3)
    damaged = path.read_bytes()
    service = Machine(tmp_path / "log", "serve", "--port", "0", "--agents", "3000", "--data", str(data))
    service.begin()
    told = [line for line in service.refused().splitlines() if " INFO " not in line]
    assert len(told) == 1
    assert f"The database {path} is damaged" in told[0]
    assert f"voxpop db restore FILE --data {data} --replace" in told[0]
    assert path.read_bytes() == damaged


def test_damage_that_shows_while_the_service_runs_is_named(
    home: Path, data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service = Service(home, data)
    path = data / "voxpop.sqlite"
    key = service.key()
    assert httpx.get(f"{service.root_url}/readyz").status_code == 200
    service.state.database.close()  # so that no connection remembers a page
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    overwrite(path, 2, path.stat().st_size // PAGE - 2)
    http = service.client(key)
    for _ in range(2):
        for answer in (
            http.get("/research-groups"),
            http.post("/research-groups/recruit", json={"filters": {}}),
        ):
            assert answer.status_code == 503
            error = answer.json()["error"]
            assert (error["code"], error["details"]["database"]) == ("unavailable", "damaged")
            assert "voxpop db restore" in error["message"]
            assert str(data) not in answer.text
            assert int(answer.headers["Retry-After"]) >= 60
    ready = httpx.get(f"{service.root_url}/readyz")
    assert (ready.status_code, ready.json()["error"]["details"]["database"]) == (503, "damaged")
    assert httpx.get(f"{service.root_url}/livez").status_code == 200
    assert "voxpop db restore FILE --data" in caplog.text
    begun = time.monotonic()
    with Client(service.base_url, key) as client, pytest.raises(Unavailable) as told:
        list(client.groups.list())
    assert time.monotonic() - begun < 10  # it is not tried again and again
    assert told.value.details["database"] == "damaged"
    service.close()


def test_a_large_file_is_checked_beside_the_service(
    home: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = data / "voxpop.sqlite"
    overwrite(path, path.stat().st_size // PAGE // 2, 3)
    with pytest.raises(ServiceStartError, match="is damaged"):
        Service(home, data)
    monkeypatch.setattr(integrity, "AT_ONCE", 0)
    file = integrity.DatabaseFile(str(path))
    file.refuse_start()
    checking = file.check_in_background()
    assert checking is not None
    checking.join(20)
    with pytest.raises(Unavailable, match="is damaged"):
        file.refuse_use()


def test_a_service_whose_disk_is_full_is_not_ready(sqlite_site: Site) -> None:
    address = f"{str(sqlite_site.http.base_url).rstrip('/').removesuffix('/v1')}/readyz"
    assert httpx.get(address).status_code == 200
    sqlite_site.call("POST", "/research-groups/recruit", json={"filters": {}, "group_size": 2_000})
    _, most = resource.prlimit(sqlite_site.service.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(sqlite_site.service.pid, resource.RLIMIT_FSIZE, (PAGE, most))
    try:
        time.sleep(2.5)  # the service tries a small write every two seconds at most
        ready = httpx.get(address)
        assert (ready.status_code, ready.json()["error"]["details"]["database"]) == (503, "full")
    finally:
        resource.prlimit(sqlite_site.service.pid, resource.RLIMIT_FSIZE, (most, most))
    assert httpx.get(address).status_code == 200


def test_a_disk_with_hardly_any_room_left_counts_as_full(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(home, tmp_path / "data")
    monkeypatch.setattr(integrity, "_LEAST_FREE", 2**60)
    ready = httpx.get(f"{service.root_url}/readyz")
    assert (ready.status_code, ready.json()["error"]["details"]["database"]) == (503, "full")
    service.close()
