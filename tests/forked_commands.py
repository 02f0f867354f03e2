"""Processes of voxpop forked from one that has loaded it: a start takes 0.2 processor seconds, not 1.2.

Each is a process of its own, with its own environment, folder, signals and files; only the loading of modules
is shared. That commands load what they need by themselves is tested in ``tests/cli`` and ``tests/mcp``.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from voxpop.engines.registry import default_engine

_PATHS = os.environ.get("PYTHONPATH")  # before any test changes it
_LOADED = (
    "alembic.runtime.migration",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite",
    "voxpop.cli.app",
    "voxpop.jobs.worker",
    "voxpop.service.app",
    "voxpop.service.server",
    "voxpop.service.state",
    "voxpop_simulator.embedded",
)


class Forked:
    """A running `python -m voxpop ...` or `python -c CODE ...`, with the methods of a ``Popen``.

    Parameters
    ----------
    command
        ``-m voxpop`` or ``-c`` and a program, and the arguments.
    stdout
        A file, or ``subprocess.PIPE`` to read it as text. Default: that of the tests.
    stderr
        A file. Default: that of the tests.
    env, cwd
        The environment and the folder. Default: those of the tests.
    """

    def __init__(
        self,
        *command: str,
        stdout: IO[Any] | int | None = None,
        stderr: IO[Any] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self.args = command
        self.stdout: IO[str] | None = None
        self.returncode: int | None = None
        self._lock = threading.Lock()
        self._told, telling = socket.socketpair()
        opened, out = [telling.fileno()], stdout.fileno() if hasattr(stdout, "fileno") else 1
        if stdout == subprocess.PIPE:
            reading, out = os.pipe()
            opened.append(out)
            self.stdout = os.fdopen(reading, encoding="utf-8")
        with tempfile.TemporaryFile() as order, open(os.devnull, "rb") as nothing:
            given = {"command": command, "env": dict(env or os.environ), "cwd": str(cwd or Path.cwd())}
            order.write(json.dumps(given).encode())
            order.flush()
            err = stderr.fileno() if stderr is not None else 2
            handed = [order.fileno(), telling.fileno(), nothing.fileno(), out, err]
            socket.send_fds(_mother(), [b"!"], handed)
        telling.detach()
        for handle in opened:
            os.close(handle)
        self.pid = int(self._line())

    def poll(self) -> int | None:
        """Return how it ended, or None while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and return the exit code, negative for a signal."""
        with self._lock:
            if self.returncode is None:
                if not select.select([self._told], [], [], timeout)[0]:
                    raise subprocess.TimeoutExpired(self.args, timeout or 0)
                self.returncode = os.waitstatus_to_exitcode(int(self._line()))
                self._told.close()
            return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Tell it to stop."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _line(self) -> str:
        found = b""
        while not found.endswith(b"\n"):
            part = self._told.recv(1)
            if not part:
                raise RuntimeError("The process that others are forked from has ended.")
            found += part
        return found.decode()


def started(
    *command: str, stdout: int, stderr: IO[Any], env: Mapping[str, str]
) -> Forked | subprocess.Popen[str]:
    """Start a command; by itself where its environment changes what Python loads."""
    if env.get("PYTHONPATH") == _PATHS:
        return Forked(*command, stdout=stdout, stderr=stderr, env=env)
    return subprocess.Popen([sys.executable, *command], stdout=stdout, stderr=stderr, env=env, text=True)


def run(
    *command: str, timeout: float = 120.0, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, and return what it wrote, as ``subprocess.run`` does."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = Forked(*command, stdout=out, stderr=err, env=env, cwd=cwd)
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(process.args, code, out.read(), err.read())


_starting = threading.Lock()
_started: list[tuple[socket.socket, subprocess.Popen[bytes]]] = []


def _mother() -> socket.socket:
    """Return the way to the process that others are forked from; the first call starts it."""
    with _starting:
        if not _started:
            ours, its = socket.socketpair()
            with its:
                command = [sys.executable, __file__, str(its.fileno())]
                process = subprocess.Popen(command, pass_fds=[its.fileno()], start_new_session=True)
            _started.append((ours, process))
        return _started[0][0]


def close() -> None:
    """End the process that others are forked from, if there is one."""
    while _started:
        way, process = _started.pop()
        way.close()
        process.wait(20)


# What follows runs in the process that others are forked from, and in these.


def _serve(orders: socket.socket) -> dict[str, Any] | None:
    """Fork a process for each order and tell how it ended; return the order in each of them."""
    living: dict[int, socket.socket] = {}
    woken, bell = os.pipe()
    for handle in (woken, bell):
        os.set_blocking(handle, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for pytest, which then closes the way
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(bell)
    while True:
        ready, _, _ = select.select([orders, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            _tell(living)
        if orders in ready:
            told, handed, _, _ = socket.recv_fds(orders, 1, 5)
            if not told:  # the tests have ended, and so do all that they have left running
                for pid in living:
                    os.kill(pid, signal.SIGKILL)
                return None
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                for each in (orders, *living.values()):
                    each.close()
                for handle in (woken, bell):
                    os.close(handle)
                return _moved_in(handed)
            living[pid] = socket.socket(fileno=handed[1])
            living[pid].sendall(f"{pid}\n".encode())
            for handle in (handed[0], *handed[2:]):
                os.close(handle)


def _tell(living: dict[int, socket.socket]) -> None:
    """Tell of each process that has ended how it did."""
    while living:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with living.pop(pid) as telling, suppress(OSError):  # perhaps nobody waits for it any more
            telling.sendall(f"{status}\n".encode())


def _moved_in(handed: list[int]) -> dict[str, Any]:
    """Take over files, environment and folder of an order, and return it."""
    with os.fdopen(handed[0], "rb") as order:
        order.seek(0)
        given: dict[str, Any] = json.loads(order.read())
    for number, handle in enumerate(handed[2:]):
        os.dup2(handle, number)
    for handle in handed[1:]:
        os.close(handle)
    os.environ.clear()
    os.environ.update(given["env"])
    os.chdir(given["cwd"])
    return given


def _become(kind: str, what: str, *rest: str) -> int:
    """Run a module or a program as Python runs its main one, and return its exit code."""
    sys.argv = [kind, *rest]
    sys.path[0] = str(Path.cwd()) if kind == "-m" else ""
    try:
        if kind == "-m":
            runpy.run_module(what, run_name="__main__", alter_sys=True)
        else:
            main = sys.modules["__main__"] = ModuleType("__main__")
            exec(compile(what, "<string>", "exec"), main.__dict__)
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
            return 1
        return end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _main() -> None:
    for name in _LOADED:
        import_module(name)
    registry = import_module("voxpop.engines.registry")
    registry.entry_points = cache(registry.entry_points)  # the packages stay as they are, too
    default_engine().planner.prepare(labels={}, titles={})  # otherwise each process does
    order = _serve(socket.socket(fileno=int(sys.argv[1])))
    code = _become(*order["command"]) if order is not None else 0
    # End as Python does, except for taking all modules apart, which takes as long as it took to load them.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


if __name__ == "__main__":
    _main()
