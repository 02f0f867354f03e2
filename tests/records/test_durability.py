"""Acknowledged writes survive a power failure; the tests keep only what was synced."""

from __future__ import annotations

import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from voxpop.errors import Unavailable
from voxpop.records import durability, keys
from voxpop.records.database import Database
from voxpop.records.durability import GroupCommit, sync_file
from voxpop.records.folder import sqlite_url
from voxpop.records.write_turns import BACKGROUND, writing_as


class Disk:
    """Keeps the files as they were at the beginning of the last sync that has ended."""

    def __init__(self, database: Path, kept: Path) -> None:
        self.database, self.kept = database, kept
        self.syncs, self.seconds = 0, 0.0

    def sync(self, log: Path) -> None:
        synced = self.kept / f"{self.syncs}"
        synced.mkdir()
        shutil.copy(log, synced / log.name)
        shutil.copy(self.database, synced / self.database.name)
        time.sleep(self.seconds)
        self.syncs += 1

    def organizations(self) -> set[str]:
        """Return the files as they would be after a power failure now."""
        after = self.kept / f"{self.syncs - 1}" / self.database.name
        with closing(sqlite3.connect(after)) as c:
            return {name for (name,) in c.execute("SELECT name FROM organizations")}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database.open(sqlite_url(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def disk(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    kept = tmp_path / "kept"
    kept.mkdir()
    (file,) = tmp_path.glob("*.sqlite")
    found = Disk(file, kept)
    monkeypatch.setattr(durability, "sync_file", found.sync)
    return found


def test_a_write_is_on_the_disk_when_it_is_acknowledged(database: Database, disk: Disk) -> None:
    with database.begin() as c:
        keys.create_organization(c, "begin")
    assert disk.organizations() == {"begin"}
    with database.apart() as c:
        keys.create_organization(c, "apart")
    assert disk.organizations() == {"begin", "apart"}
    told: list[set[str]] = []
    with database.together(lambda c: None) as call:
        keys.create_organization(call.connection(), "together")
        call.afterwards(lambda: told.append(disk.organizations()))
    assert told == [{"begin", "apart", "together"}]


def test_a_call_that_writes_nothing_is_not_waited_for(database: Database, disk: Disk) -> None:
    before = disk.syncs
    with database.together(lambda c: None):
        pass
    assert disk.syncs == before


def test_background_work_is_not_waited_for_and_synced_with_the_next_call(
    database: Database, disk: Disk
) -> None:
    before = disk.syncs
    with writing_as(BACKGROUND), database.begin() as c:
        keys.create_organization(c, "work")
    assert disk.syncs == before
    with database.begin() as c:
        keys.create_organization(c, "call")
    assert disk.organizations() == {"work", "call"}


def test_writers_at_once_share_syncs_and_lose_nothing(database: Database, disk: Disk) -> None:
    disk.seconds = 0.02
    before = disk.syncs

    def write(number: int) -> None:
        with database.begin() as c:
            keys.create_organization(c, f"o{number}")
        assert f"o{number}" in disk.organizations()

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(write, range(120)))
    assert disk.syncs - before < 60


def test_a_disk_that_takes_nothing_is_told_to_every_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Path) -> None:
        raise OSError(5, "Input/output error")

    commits = GroupCommit(tmp_path / "x.sqlite")
    monkeypatch.setattr(durability, "sync_file", fails)
    for _ in range(2):
        with pytest.raises(Unavailable, match="does not take"):
            commits.outlive()
    monkeypatch.setattr(durability, "sync_file", lambda _: None)
    commits.outlive()


def test_a_thread_that_commits_during_a_sync_waits_for_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits, begun, go_on, syncs = GroupCommit(tmp_path / "x"), threading.Event(), threading.Event(), []

    def slow(_: Path) -> None:
        syncs.append(time.monotonic())
        begun.set()
        assert go_on.wait(10)

    monkeypatch.setattr(durability, "sync_file", slow)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(commits.outlive)
        assert begun.wait(10)
        second = threads.submit(commits.outlive)
        time.sleep(0.05)
        assert len(syncs) == 1
        go_on.set()
        first.result(10)
        second.result(10)
    assert len(syncs) == 2


def test_a_log_is_synced_and_one_that_is_gone_needs_no_syncing(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"x")
    sync_file(tmp_path / "log")
    sync_file(tmp_path / "gone")
    with pytest.raises(IsADirectoryError):
        sync_file(tmp_path)
