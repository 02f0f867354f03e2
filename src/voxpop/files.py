"""Files and folders that are replaced whole or not at all, even when the process is killed meanwhile."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import secrets
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

_NEW, _OLD, _LOCK = "new", "old", "lock"
"""What a workshop holds: the folder being written, the one it replaces, and the claim of its process."""

_ABANDONED_S = 3_600.0  # a draft without a lock that nothing has touched for so long belongs to nobody
_AT_FDCWD, _RENAME_EXCHANGE, _RENAME_SWAP = -100, 2, 2
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """Give an empty folder to fill; at the end of the block it takes the place of ``target`` in one step.

    Whatever happens, ``target`` is the whole earlier folder or the whole new one. What a killed process left
    behind is removed the next time somebody writes to the same place.

    Parameters
    ----------
    target : Path
        The folder to write or replace. A link is followed.
    """
    target = Path(os.path.realpath(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    settle(target)
    with _workshop(target) as workshop:
        draft = workshop / _NEW
        draft.mkdir()
        yield draft
        _sync_tree(draft)
        _swap(draft, target, workshop / _OLD)


def settle(target: Path) -> None:
    """Finish what killed processes left beside a folder: restore what it held, and remove drafts.

    Parameters
    ----------
    target : Path
        The folder. Drafts of processes that are still at work stay.
    """
    target = Path(os.path.realpath(target))
    if not target.parent.is_dir():
        return
    draft = re.compile(re.escape(f".{target.name}.") + r"[0-9a-f]{8}(\.draft|\.old)?")
    for entry in sorted(os.listdir(target.parent)):
        if (found := draft.fullmatch(entry)) is None or not (path := target.parent / entry).is_dir():
            continue
        if found[1] == ".draft":
            _settle_workshop(path, target)
        elif time.time() - path.stat().st_mtime > _ABANDONED_S:  # as versions before 0.2 left them
            if found[1] == ".old" and not target.exists():
                os.rename(path, target)
            else:
                shutil.rmtree(path, ignore_errors=True)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give the path of a draft to write; at the end of the block it takes the place of ``path`` in one step.

    Parameters
    ----------
    path : Path
        The file to write or replace. The draft lies beside it and has the same ending.
    """
    path = Path(os.path.realpath(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    if path.exists() and not path.is_file():  # a device or a pipe holds nothing to replace
        yield path
        return
    _sweep_files(path)
    draft = path.with_name(f".{path.stem}.{secrets.token_hex(4)}.draft{path.suffix}")
    try:
        yield draft
        if path.exists():
            shutil.copymode(path, draft)
        sync(draft)
        os.replace(draft, path)
        sync(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def _sweep_files(path: Path) -> None:
    """Remove drafts of a file that killed processes left long ago."""
    draft = re.compile(re.escape(f".{path.stem}.") + r"[0-9a-f]{8}\.draft" + re.escape(path.suffix))
    for entry in os.listdir(path.parent):
        left = path.with_name(entry)
        if draft.fullmatch(entry) and time.time() - left.stat().st_mtime > _ABANDONED_S:
            left.unlink(missing_ok=True)


@contextmanager
def _workshop(target: Path) -> Iterator[Path]:
    """Make the hidden folder in which a draft is written; its lock tells others that somebody is at work."""
    from filelock import FileLock  # imported where used: most programs only read

    workshop = target.with_name(f".{target.name}.{secrets.token_hex(4)}.draft")
    workshop.mkdir()
    lock = FileLock(workshop / _LOCK, timeout=0, thread_local=False)
    try:
        lock.acquire()
        yield workshop
    finally:
        lock.release()
        _discard(workshop, target)


def _settle_workshop(workshop: Path, target: Path) -> None:
    from filelock import FileLock, Timeout

    lock = FileLock(workshop / _LOCK, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except (Timeout, OSError):  # somebody is at work there, or the folder is not ours to change
        return
    lock.release()
    _discard(workshop, target)


def _discard(workshop: Path, target: Path) -> None:
    """Put the earlier folder back if nothing stands in its place, then remove the workshop."""
    aside = workshop / _OLD
    if aside.is_dir() and not target.exists():
        os.rename(aside, target)
        sync(target.parent)
    shutil.rmtree(workshop, ignore_errors=True)


def _swap(draft: Path, target: Path, aside: Path) -> None:
    """Put a draft in its place; what stood there lies where the draft was, or aside."""
    if not target.exists():
        os.rename(draft, target)
    else:
        shutil.copymode(target, draft)
        if not _exchange(draft, target):
            os.rename(target, aside)  # a process killed here leaves no target: settle() restores it
            try:
                os.rename(draft, target)
            except OSError:
                os.rename(aside, target)
                raise
    sync(target.parent)


def _exchange(one: Path, two: Path) -> bool:
    """Let two folders change names in one step; return False where the system cannot do that."""
    exchange = _system_exchange()
    if exchange is None:
        return False
    if exchange(os.fsencode(one), os.fsencode(two)) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(two))


@cache
def _system_exchange() -> Callable[[bytes, bytes], int] | None:
    if sys.platform not in ("linux", "darwin"):
        return None
    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        swap = getattr(library, "renamex_np", None)
        return None if swap is None else lambda one, two: int(swap(one, two, ctypes.c_uint(_RENAME_SWAP)))
    rename = getattr(library, "renameat2", None)
    if rename is None:
        return None
    flag = ctypes.c_uint(_RENAME_EXCHANGE)
    return lambda one, two: int(rename(_AT_FDCWD, one, _AT_FDCWD, two, flag))


def _sync_tree(folder: Path) -> None:
    """Write a folder with all that is in it through to the disk."""
    for place, _, files in os.walk(folder, topdown=False):
        for name in files:
            sync(Path(place, name))
        sync(Path(place))


def sync(path: Path) -> None:
    """Write a file or the entries of a folder through to the disk."""
    if path.is_dir() and sys.platform == "win32":  # folders cannot be opened there
        return
    handle = os.open(path, os.O_RDONLY if sys.platform != "win32" else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError as error:
        if not (path.is_dir() and error.errno in _UNSUPPORTED):  # some file systems sync no folders
            raise
    finally:
        os.close(handle)
