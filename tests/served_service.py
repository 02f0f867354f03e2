"""`voxpop serve` as a process of its own, for tests of what only a process can show."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from contextlib import closing
from pathlib import Path

from forked_commands import Forked, run
from voxpop.records import keys
from voxpop.records.database import Database
from voxpop.records.folder import sqlite_url

AGENTS = "3000"


def voxpop(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of voxpop to its end."""
    return run("-m", "voxpop", *arguments, timeout=60)


def key_at(address: str, organization: str, *scopes: str) -> str:
    """Make a key in the database of a running service, as `voxpop keys create` does without its start."""
    with closing(Database.open(address)) as database, database.begin() as connection:
        number = keys.organization_id(connection, organization)
        if number is None:
            number = keys.create_organization(connection, organization)
        return keys.create_key(connection, number, scopes or ("studies:read", "studies:write"))


class Served:
    """A running `voxpop serve`; its log is in the file ``log``."""

    def __init__(self, folder: Path, agents: str = AGENTS, database: str | None = None) -> None:
        self.data = folder / "data"
        self.log = folder / "log.txt"
        self.place = ["--data", str(self.data)] if database is None else ["--database", database]
        self._address = database or sqlite_url(self.data)
        command = ("-m", "voxpop", "serve", "--port", "0", "--agents", agents, *self.place)
        with self.log.open("a") as log:
            self._process = Forked(*command, stdout=subprocess.PIPE, stderr=log)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self.log.read_text()
        ready = json.loads(line)
        self.root_url, self.base_url = ready["root_url"], ready["base_url"]

    def key(self, *scopes: str, organization: str = "acme") -> str:
        """Make a key beside the running service."""
        return key_at(self._address, organization, *scopes)

    def terminate(self) -> float:
        """Send SIGTERM and return how many seconds it took to end."""
        begun = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        try:
            assert self._process.wait(20) == 0, self.log.read_text()
        finally:
            self.close()
        return time.monotonic() - begun

    def close(self) -> None:
        """End it in any case."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait(10)
        if self._process.stdout is not None:
            self._process.stdout.close()
