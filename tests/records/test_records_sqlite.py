"""SQLite only: folder, lock and single writer."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from voxpop.errors import ServiceStartError, Unavailable
from voxpop.records import keys
from voxpop.records.database import Database
from voxpop.records.folder import FolderLock, sqlite_url


def test_many_first_starts_at_once_migrate_once(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def start() -> None:
        try:
            Database.open(sqlite_url(tmp_path)).close()
        except ServiceStartError as error:
            failures.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_the_folder_is_made_when_it_is_missing(tmp_path: Path) -> None:
    Database.open(sqlite_url(tmp_path / "new" / "data")).close()
    assert (tmp_path / "new" / "data" / "voxpop.sqlite").exists()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "voxpop.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(ServiceStartError, match=r"is damaged \(file is not a database\)"):
        Database.open(sqlite_url(tmp_path))


def test_a_writer_that_waits_too_long_for_another_process_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voxpop.records.addresses._PRAGMAS", ("PRAGMA busy_timeout=1",))
    database = Database.open(sqlite_url(tmp_path))
    beside = sqlite3.connect(tmp_path / "voxpop.sqlite", isolation_level=None)
    beside.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="Another process is writing"), database.begin():
        pass
    beside.execute("ROLLBACK")
    beside.close()
    with database.begin() as c:
        keys.create_organization(c, "now it works")
    database.close()


def test_one_folder_serves_one_service(tmp_path: Path) -> None:
    first = FolderLock(tmp_path / "data")
    with pytest.raises(ServiceStartError, match=str(tmp_path / "data")):
        FolderLock(tmp_path / "data")
    first.release()
    first.release()
    FolderLock(tmp_path / "data").release()


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(ServiceStartError, match=f"{tmp_path / 'data'} cannot be used"):
        FolderLock(tmp_path / "data")
    with pytest.raises(ServiceStartError, match="folder cannot be made"):
        Database.open(sqlite_url(tmp_path / "data"))


def test_another_process_is_kept_out_of_the_folder_but_may_write_keys(tmp_path: Path) -> None:
    database = Database.open(sqlite_url(tmp_path))
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from voxpop.errors import ServiceStartError\n"
        "from voxpop.records import keys\n"
        "from voxpop.records.database import Database\n"
        "from voxpop.records.folder import FolderLock, sqlite_url\n"
        "folder = Path(sys.argv[1])\n"
        "try:\n"
        "    FolderLock(folder)\n"
        "except ServiceStartError:\n"
        "    database = Database.open(sqlite_url(folder))\n"
        "    with database.begin() as c:\n"
        "        keys.create_organization(c, 'from beside')\n"
        "    database.close()\n"
    )
    lock = FolderLock(tmp_path)
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    lock.release()
    with database.read() as c:
        assert keys.organization_id(c, "from beside") is not None
    database.close()
