"""Processes that are killed at the n-th step on the file system, for every n."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator

from voxpop import files

_STEPS = ("os.rename", "os.mkdir", "os.rmdir", "os.remove", "open")


def killed_at_each_step(work: Callable[[], object], *, first: int = 0, every: int = 1) -> Iterator[int]:
    """Run work in a child process again and again, killing it before its first step, its second, and so on.

    A step is a call that changes the file system, each `fsync`, and the exchange of two folders (before and
    after it). The last run is not killed.

    Parameters
    ----------
    work
        What the child does.
    first, every
        After how many steps the first child is killed, and how many more each next one takes.

    Yields
    ------
    int
        How many steps the child had taken when it was killed; look at what it left.
    """
    number = first
    while True:
        child = os.fork()
        if child == 0:
            _run(work, number)
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        assert killed or os.waitstatus_to_exitcode(status) == 0, "the work failed; see stderr"
        yield number
        if not killed:
            return
        number += every


def _run(work: Callable[[], object], number: int) -> None:
    left = number

    def step() -> None:
        nonlocal left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    def heard(event: str, arguments: tuple[object, ...]) -> None:
        if event in _STEPS and not (event == "open" and not _writes(arguments)):
            step()

    sync, exchange = os.fsync, files._exchange

    def synced(handle: int) -> None:
        step()
        sync(handle)

    def exchanged(*given: object) -> bool:
        step()
        done = exchange(*given)  # type: ignore[arg-type]
        step()
        return done

    os.fsync, files._exchange = synced, exchanged  # type: ignore[assignment]
    sys.addaudithook(heard)
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _writes(arguments: tuple[object, ...]) -> bool:
    path, mode, flags = arguments
    written = isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    return isinstance(path, str | bytes) and (written or (isinstance(mode, str) and "r" not in mode))
