"""Process isolation: suspect work items run in separate processes, so that a crash cannot end ours.

An item becomes suspect when a process ends while running it, whether by a crash in native code, lack of
memory or a kill. From then on a crash ends only the item's own process, and it is detected at once and
counted.
"""

from __future__ import annotations

import logging
import os
import pickle  # nosec B403
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from voxpop.engines.respondent import EngineClosed
from voxpop.errors import VoxpopError
from voxpop.records import work_items
from voxpop.settings import ServiceSettings

logger: logging.Logger = logging.getLogger(__name__)

HALVED_AFTER = 2
"""Number of deaths after which an item is halved; a survey then continues agent by agent."""

GIVEN_UP_AFTER = 6
"""Number of deaths after which the jobs of an item that cannot be divided further fail."""

_MODULE = "voxpop.jobs.apart_process"
_STOP_S = 2.0


class Put(NamedTuple):
    """Work items to queue, with or without a study."""

    item_ids: list[int]
    study_id: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a work item in another process: the outcome, the items to queue next and the counts."""

    word: str
    put: list[Put] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)


RunApart = Callable[[work_items.Item], Outcome]
"""Runs a claimed item in another process, or raises :class:`ProcessEnded` or :class:`ProcessNotStarted`."""


class ProcessEnded(VoxpopError):
    """The other process ended before it finished its item."""


class ProcessNotStarted(VoxpopError):
    """No other process could be started."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Configuration that another process needs to run our work items as we do."""

    database_url: str = field(repr=False)
    lease: timedelta
    home: Path
    population: Path
    settings: ServiceSettings


class Apart:
    """Runs work items in separate processes, which end with this one.

    Parameters
    ----------
    recipe
        Configuration of the processes.
    """

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def __call__(self, item: work_items.Item) -> Outcome:
        """Run a claimed item and return its outcome.

        Raises
        ------
        ProcessEnded
            The process ended before it finished the item.
        ProcessNotStarted
            No process could be started.
        EngineClosed
            This process is stopping.
        """
        started = ended = False
        told = self._told(item)
        with self._process() as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(told)
                process.stdin.flush()  # left open: the process ends when this pipe closes
            except BrokenPipeError:
                pass  # the process has already ended, which is detected below
            for line in _lines(process.stdout):
                if "word" in line:
                    return msgspec.convert(line, Outcome)
                started = started or "ready" in line
                if "message" in line:
                    _log_again(line, process.pid)
            code, ended = process.wait(), self._closed
        if ended:
            raise EngineClosed("The process is stopping.")
        if not started:
            raise ProcessNotStarted(f"The separate process ended at its start with status {code}.")
        raise ProcessEnded(f"The separate process ended with status {code}.")

    def close(self) -> None:
        """End the processes; their items continue after the next start."""
        with self._lock:
            self._closed = True
            for process in self._running:
                process.kill()
        for process in list(self._running):
            process.wait(_STOP_S)

    def _told(self, item: work_items.Item) -> bytes:
        """Return the input of the other process; an engine given as an object may not be serializable."""
        try:
            return pickle.dumps((self._recipe, item))
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise ProcessNotStarted(f"The engine cannot be sent to another process: {error}.") from error

    def _process(self) -> _Running:
        paths = os.pathsep.join(path for path in sys.path if path)
        with self._lock:
            if self._closed:
                raise EngineClosed("The process is stopping.")
            try:
                process = subprocess.Popen(  # nosec B603
                    [sys.executable, "-m", _MODULE],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=os.environ | {"PYTHONPATH": paths},
                    start_new_session=True,  # only this process handles Ctrl-C
                )
            except OSError as error:
                raise ProcessNotStarted(f"No separate process can be started: {error}.") from error
            self._running.add(process)
        return _Running(process, self._running, self._lock)


class _Running:
    """A process that is killed and deregistered at the end of the block."""

    def __init__(
        self, process: subprocess.Popen[bytes], running: set[subprocess.Popen[bytes]], lock: threading.Lock
    ) -> None:
        self._process, self._running, self._lock = process, running, lock

    def __enter__(self) -> subprocess.Popen[bytes]:
        return self._process

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        with self._lock:
            self._running.discard(self._process)


def _lines(stream: IO[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the messages of a process until it ends, skipping an incomplete last line."""
    for line in stream:
        if line.endswith(b"\n"):
            yield msgspec.json.decode(line)


def _log_again(line: dict[str, Any], process: int) -> None:
    """Log a message of the other process as our own."""
    level = logging.getLevelNamesMapping()[line["level"].upper()]
    told = "\n".join(line[name] for name in ("message", "exception") if name in line)
    logging.getLogger(line["logger"]).log(level, "%s", told, extra={"fields": {"process": process}})
