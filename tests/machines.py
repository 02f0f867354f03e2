"""Services, workers and a PostgreSQL as processes that can really be killed, for tests of hard faults."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from forked_commands import Forked, started
from postgres_server import account, programs

_START_S = 60.0
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "on",  # as in production, so that commits wait and kills fall into the waiting
    "synchronous_commit": "on",  # but it loses what it has kept to itself
    "max_connections": "60",
}


class Machine:
    """A command of voxpop that runs until it is told to stop, or is killed.

    Parameters
    ----------
    folder
        Where its log lies.
    arguments
        ``serve`` or ``worker``, and the options.
    environ
        Settings beside those of the tests.
    """

    def __init__(self, folder: Path, *arguments: str, **environ: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "log.txt"
        self._command = ("-m", "voxpop", *arguments)
        self._environ = {**os.environ, **environ}
        self._process: Forked | subprocess.Popen[str] | None = None
        self.ready: dict[str, str] = {}

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process is running."""
        assert self._process is not None
        return self._process.poll() is None

    def begin(self) -> None:
        """Start it, and do not wait."""
        with self.log.open("a") as log:
            self._process = started(*self._command, stdout=subprocess.PIPE, stderr=log, env=self._environ)

    def await_ready(self) -> Machine:
        """Wait until it says that it is ready."""
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self.log.read_text()
        self.ready = json.loads(line)
        return self

    def start(self) -> Machine:
        """Start it, and wait until it is ready."""
        self.begin()
        return self.await_ready()

    def send(self, number: signal.Signals) -> None:
        """Send a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """End it at once and without its knowing."""
        if self._process is not None:
            self._process.kill()
            self._end(20)

    def _end(self, within: float) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        code = self._process.wait(within)
        self._process.stdout.close()
        return code

    def terminate(self, within: float = 30.0) -> float:
        """Tell it to stop, and return how many seconds it took."""
        assert self._process is not None
        begun = time.monotonic()
        self._process.terminate()
        assert self._end(within) == 0, self.log.read_text()
        return time.monotonic() - begun

    def refused(self, within: float = 30.0) -> str:
        """Wait until it has ended by itself, and return what it wrote."""
        assert self._end(within) == 1, self.log.read_text()
        return self.log.read_text()


class Cluster:
    """A PostgreSQL server that can be killed and started again on what it has left."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._who = account()
        self._programs = programs(folder)
        self._data = folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        self._data.mkdir(mode=0o700)
        if self._who:
            for owned in (folder, self._data):
                shutil.chown(owned, self._who["user"], self._who["group"])
        command = [self._programs / "initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        made = subprocess.run(
            [*command, "--locale=C", "-N"],
            capture_output=True,
            text=True,
            cwd=folder,
            check=False,
            **self._who,
        )
        assert made.returncode == 0, made.stderr

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def address(self, database: str = "postgres") -> str:
        """Return the address of a database on it, as people write it."""
        query = {"host": str(self._folder)}
        return sa.URL.create("postgresql", "postgres", database=database, query=query).render_as_string()

    def start(self) -> None:
        """Start the server, as soon as what was killed has let go of its memory."""
        ends = time.monotonic() + _START_S
        while not self._try():
            assert time.monotonic() < ends, (self._folder / "log.txt").read_text()
            time.sleep(0.05)

    def _try(self) -> bool:
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        with (self._folder / "log.txt").open("a") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, "-k", self._folder, *settings],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                start_new_session=True,
                **self._who,
            )
        while self._process.poll() is None:
            try:
                self.run("SELECT 1")
            except sa.exc.OperationalError:
                time.sleep(0.02)
            else:
                return True
        return False

    def run(self, statement: str, database: str = "postgres") -> list[sa.Row[tuple[object, ...]]]:
        """Run one statement on a connection of its own, and return its rows."""
        url = sa.make_url(self.address(database)).set(drivername="postgresql+psycopg")
        engine = sa.create_engine(url, poolclass=sa.pool.NullPool, isolation_level="AUTOCOMMIT")
        with engine.connect() as c:
            done = c.exec_driver_sql(statement)
            return list(done.all()) if done.returns_rows else []

    def create(self, name: str) -> str:
        """Make an empty database and return its address."""
        self.run(f"CREATE DATABASE {name}")
        return self.address(name)

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the server and to all its processes."""
        assert self._process is not None
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self._process.pid)],
            capture_output=True,
            text=True,
            check=False,
        )
        for pid in (self._process.pid, *map(int, listed.stdout.split())):
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue

    def kill(self) -> None:
        """End all of it at once."""
        self.send(signal.SIGKILL)
        assert self._process is not None
        self._process.wait(20)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Give a PostgreSQL server of one's own, which is killed and forgotten in the end."""
    folder = Path(tempfile.mkdtemp(prefix="voxpop-pg-"))
    made = Cluster(folder)
    try:
        made.start()
        yield made
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)
