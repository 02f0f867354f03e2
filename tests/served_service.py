"""`voxpop serve` as a process of its own, for tests of what only a process can show."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

AGENTS = "3000"


def voxpop(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of voxpop to its end."""
    command = [sys.executable, "-m", "voxpop", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


class Served:
    """A running `voxpop serve`; its log is in the file ``log``."""

    def __init__(self, folder: Path, agents: str = AGENTS, database: str | None = None) -> None:
        self.data = folder / "data"
        self.log = folder / "log.txt"
        self.place = ["--data", str(self.data)] if database is None else ["--database", database]
        command = [sys.executable, "-m", "voxpop", "serve", "--port", "0", "--agents", agents]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, *self.place],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=dict(os.environ),
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self.log.read_text()
        ready = json.loads(line)
        self.root_url, self.base_url = ready["root_url"], ready["base_url"]

    def key(self, *scopes: str, organization: str = "acme") -> str:
        """Make a key beside the running service."""
        named = [part for scope in scopes or ("studies:read", "studies:write") for part in ("--scope", scope)]
        made = voxpop("keys", "create", "--organization", organization, *named, *self.place)
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

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
