"""Copies of a database: made beside writers, checked, restored whole, and kept before a migration."""

from __future__ import annotations

import shutil
import sqlite3
import tarfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from killing import killed_at_each_step
from voxpop.cli import main
from voxpop.errors import BackupError, ServiceStartError
from voxpop.records import backup, keys
from voxpop.records.backup import back_up, dump_server, restore
from voxpop.records.database import HEAD, Database
from voxpop.records.folder import FolderLock, sqlite_url
from voxpop.records.signing import key_of_machine

OLDER = Path(__file__).parents[1] / "upgrade" / "written" / "schema-0003.tar.xz"
NAMES = "SELECT name FROM organizations ORDER BY id"


def named(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [name for (name,) in connection.execute(NAMES)]


def create(path: Path, *names: str) -> None:
    database = Database.open(f"sqlite:///{path}")
    with database.begin() as c:
        for name in names:
            keys.create_organization(c, name)
    database.close()


def overwrite(path: Path, pages: int = 3) -> None:
    """Overwrite pages in the middle of a file."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2 // 4096 * 4096)
        file.write(b"\xa5" * 4096 * pages)


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """Return the folder of a service as version 0003 left it."""
    with tarfile.open(OLDER) as packed:
        packed.extractall(tmp_path / "older", filter="data")
    return tmp_path / "older" / "state"


def test_a_backup_beside_a_writer_is_one_moment_of_it(tmp_path: Path) -> None:
    path, stop = tmp_path / "voxpop.sqlite", threading.Event()
    database = Database.open(sqlite_url(tmp_path))

    def write() -> None:
        number = 0
        while not stop.is_set():
            with database.begin() as c:  # in pairs: a copy never holds half of one
                keys.create_organization(c, f"{number} a")
                keys.create_organization(c, f"{number} b")
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            assert back_up(path, tmp_path / f"copy {number}.sqlite") == HEAD
    finally:
        stop.set()
        writer.join()
        database.close()
    for number in range(5):
        copy = tmp_path / f"copy {number}.sqlite"
        assert copy.stat().st_mode & 0o777 == 0o600
        held = named(copy)
        assert held == named(path)[: len(held)]
        assert len(held) % 2 == 0
    assert not list(tmp_path.glob("*copy*-*"))  # one file each, without a log beside it


def test_a_backup_is_restored_and_the_earlier_database_kept(tmp_path: Path) -> None:
    path, copy = tmp_path / "data" / "voxpop.sqlite", tmp_path / "copy.sqlite"
    create(path, "one")
    back_up(path, copy)
    create(path, "two")
    with pytest.raises(BackupError, match="--replace"):
        restore(copy, path, newest=HEAD, replace=False)
    kept = restore(copy, path, newest=HEAD, replace=True)
    assert kept is not None
    assert (named(path), named(kept)) == (["one"], ["one", "two"])
    assert restore(copy, tmp_path / "elsewhere" / "voxpop.sqlite", newest=HEAD, replace=False) is None
    create(tmp_path / "elsewhere" / "voxpop.sqlite", "three")
    assert named(tmp_path / "elsewhere" / "voxpop.sqlite") == ["one", "three"]


def test_what_is_no_whole_backup_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "voxpop.sqlite"
    create(path, *(f"{number:0200}" for number in range(500)))
    bad = {name: tmp_path / f"{name}.sqlite" for name in ("damaged", "foreign", "text", "newer")}
    for name in ("damaged", "newer"):
        back_up(path, bad[name])
    overwrite(bad["damaged"])
    with closing(sqlite3.connect(bad["foreign"])) as other:
        other.execute("CREATE TABLE mine (a)")
    bad["text"].write_text("what is this" * 1000)
    with closing(sqlite3.connect(bad["newer"])) as newer, newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    for name, why in (
        ("damaged", "is damaged"),
        ("foreign", "not a database of voxpop"),
        ("text", "damaged: file is not a database"),
        ("newer", "newer voxpop wrote"),
    ):
        with pytest.raises(BackupError, match=why):
            restore(bad[name], path, newest=HEAD, replace=True)
    with pytest.raises(BackupError, match="There is no backup"):
        restore(tmp_path / "nothing.sqlite", path, newest=HEAD, replace=True)
    with pytest.raises(BackupError, match="the database itself"):
        restore(path, path, newest=HEAD, replace=True)
    assert len(named(path)) == 500
    overwrite(path)
    with pytest.raises(BackupError, match="is damaged"):
        back_up(path, tmp_path / "copy.sqlite")
    assert not (tmp_path / "copy.sqlite").exists()


def test_a_restore_killed_at_any_step_leaves_one_whole_database(tmp_path: Path) -> None:
    path, copy = tmp_path / "data" / "voxpop.sqlite", tmp_path / "copy.sqlite"
    create(path, "backup")
    back_up(path, copy)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE organizations SET name = 'later'")
    seen = set()
    for _ in killed_at_each_step(lambda: restore(copy, path, newest=HEAD, replace=True)):
        seen.update(named(path))
        restore(copy, path, newest=HEAD, replace=True)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE organizations SET name = 'later'")
    assert seen == {"backup", "later"}


def test_a_damaged_database_is_replaced_by_a_backup(tmp_path: Path) -> None:
    path, copy = tmp_path / "voxpop.sqlite", tmp_path / "copy.sqlite"
    create(path, *(f"{number:0200}" for number in range(500)))
    back_up(path, copy)
    overwrite(path)
    with pytest.raises(ServiceStartError, match=r"is damaged .*voxpop db restore FILE --data .*--replace"):
        Database.open(sqlite_url(tmp_path))
    assert main(["db", "check", "--data", str(tmp_path)]) == 1
    assert main(["db", "restore", str(copy), "--data", str(tmp_path), "--replace"]) == 0
    assert main(["db", "check", "--data", str(tmp_path)]) == 0
    Database.open(sqlite_url(tmp_path)).close()
    assert len(named(path)) == 500


def test_a_folder_in_use_is_not_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create(tmp_path / "voxpop.sqlite", "one")
    assert main(["db", "backup", "--data", str(tmp_path), "--to", str(tmp_path / "copy.sqlite")]) == 0
    assert main(["db", "backup", "--data", str(tmp_path), "--to", str(tmp_path / "copy.sqlite")]) == 2
    lock = FolderLock(tmp_path)
    command = ["db", "restore", str(tmp_path / "copy.sqlite"), "--data", str(tmp_path), "--replace"]
    assert main(command) == 1
    assert "Another service is using the data folder" in capsys.readouterr().err
    lock.release()
    assert main(command) == 0


def test_a_migration_is_preceded_by_a_copy_and_the_last_two_stay(older: Path) -> None:
    path = older / "voxpop.sqlite"
    before = named(path)
    kept = shutil.copyfile(path, older.parent / "kept.sqlite")
    for day in (1, 2, 3):
        shutil.copyfile(kept, path)
        Database.open(sqlite_url(older), clock=lambda day=day: datetime(2026, 12, day, tzinfo=UTC)).close()  # type: ignore[misc]
    copies = sorted(one.name for one in (older / "backups").iterdir())
    assert copies == [f"before-2026120{day}T000000Z-schema-0003.sqlite" for day in (2, 3)]
    assert named(older / "backups" / copies[0]) == before == named(path)
    Database.open(sqlite_url(older)).close()
    assert len(list((older / "backups").iterdir())) == 2


def test_a_refused_start_and_a_failed_migration_change_nothing(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = older / "voxpop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        before = list(connection.iterdump())

    def refuse(_: Database) -> None:
        raise ServiceStartError("Not with this population.")

    with pytest.raises(ServiceStartError, match="Not with this population"):
        Database.open(sqlite_url(older), check=refuse)
    assert not (older / "backups").exists()

    def half(connection: object) -> None:
        upgrade(connection)  # type: ignore[arg-type]
        raise ValueError("a fault in a migration")

    from voxpop.records import database

    upgrade = database._upgrade
    monkeypatch.setattr(database, "_upgrade", half)
    with pytest.raises(ServiceStartError, match=r"is as it was: a fault in a migration.*A copy is kept"):
        Database.open(sqlite_url(older))
    monkeypatch.setattr(database, "_upgrade", upgrade)
    monkeypatch.setattr(backup, "_copy", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(ServiceStartError, match=r"No space left.*Without a copy"):
        Database.open(sqlite_url(older))
    with closing(sqlite3.connect(path)) as connection:
        assert list(connection.iterdump()) == before


def test_a_server_is_backed_up_by_its_own_program(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="needs pg_dump, which is not installed"):
        dump_server("postgresql://me:secret@host/voxpop", tmp_path / "copy", find=lambda _: None)
    program = tmp_path / "pg_dump"
    program.write_text(
        '#!/bin/sh\n[ "$PGPASSWORD" = secret ] || exit 3\nfor one in "$@"; do case "$one" in\n'
        '--file=*) echo "$@" > "${one#--file=}";;\n*secret*) echo told >&2; exit 4;; esac; done\n'
    )
    program.chmod(0o755)
    dump_server("postgresql://me:secret@host/voxpop", tmp_path / "copy", find=lambda _: str(program))
    assert "--dbname=postgresql://me@host/voxpop" in (tmp_path / "copy").read_text()
    program.write_text("#!/bin/sh\necho 'pg_dump: error: no such host' >&2\nexit 1\n")
    with pytest.raises(BackupError, match="pg_dump failed: pg_dump: error: no such host"):
        dump_server("postgresql://me:secret@host/voxpop", tmp_path / "other", find=lambda _: str(program))
    assert not (tmp_path / "other").exists()


def test_commands_beside_a_running_service_do_not_migrate_its_tables(
    older: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lock = FolderLock(older)
    for command in (["keys", "list"], ["db", "upgrade"]):
        assert main([*command, "--data", str(older)]) == 1
        assert "Another service is using the data folder" in capsys.readouterr().err
    with closing(sqlite3.connect(older / "voxpop.sqlite")) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0003",)
    lock.release()
    assert main(["db", "upgrade", "--data", str(older)]) == 0
    assert main(["keys", "list", "--data", str(older)]) == 0


def test_the_database_is_its_owners_alone(tmp_path: Path) -> None:
    create(tmp_path / "voxpop.sqlite", "one")
    database = Database.open(sqlite_url(tmp_path))
    with database.begin() as c:
        keys.create_organization(c, "two")
    for name in ("voxpop.sqlite", "voxpop.sqlite-wal"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    database.close()


def test_a_machine_has_one_signing_key_for_its_owner_alone(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as many:
        made = set(many.map(key_of_machine, [tmp_path / "home"] * 16))
    assert len(made) == 1
    assert [one.name for one in (tmp_path / "home").iterdir()] == ["signing.key"]
    assert (tmp_path / "home" / "signing.key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "file").write_text("no folder")
    assert key_of_machine(tmp_path / "file") is None
    (tmp_path / "home" / "signing.key").write_bytes(b"short")
    with pytest.raises(ServiceStartError, match="is not a signing key"):
        key_of_machine(tmp_path / "home")
