"""Atomic replacement of files and folders, safe even if the process is killed."""

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
"""Contents of a workshop: the folder being written, the one it replaces, and the lock of its process."""

_ABANDONED_S = 3_600.0  # age at which an unlocked draft counts as abandoned
_AT_FDCWD, _RENAME_EXCHANGE, _RENAME_SWAP = -100, 2, 2
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """Yield an empty folder to fill, which atomically replaces ``target`` at the end of the block.

    ``target`` is always either the complete earlier folder or the complete new one. Remains of a killed
    process are removed by the next write to the same place.

    Parameters
    ----------
    target : Path
        The folder to write or replace. Links are followed.
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
    """Clean up after killed processes: restore a replaced folder and remove drafts.

    Parameters
    ----------
    target : Path
        The folder. Drafts of running processes stay.
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
        elif time.time() - path.stat().st_mtime > _ABANDONED_S:  # from versions before 0.2
            if found[1] == ".old" and not target.exists():
                os.rename(path, target)
            else:
                shutil.rmtree(path, ignore_errors=True)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield the path of a draft file, which atomically replaces ``path`` at the end of the block.

    Parameters
    ----------
    path : Path
        The file to write or replace. The draft is in the same folder and has the same suffix.
    """
    path = Path(os.path.realpath(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
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
    """Remove old drafts of a file left by killed processes."""
    draft = re.compile(re.escape(f".{path.stem}.") + r"[0-9a-f]{8}\.draft" + re.escape(path.suffix))
    for entry in os.listdir(path.parent):
        left = path.with_name(entry)
        if draft.fullmatch(entry) and time.time() - left.stat().st_mtime > _ABANDONED_S:
            left.unlink(missing_ok=True)


@contextmanager
def _workshop(target: Path) -> Iterator[Path]:
    """Create the hidden folder of a draft, with a lock that marks it as in use."""
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
    except (Timeout, OSError):  # in use by another process, or not writable
        return
    lock.release()
    _discard(workshop, target)


def _discard(workshop: Path, target: Path) -> None:
    """Restore the earlier folder if the target is missing, then remove the workshop."""
    aside = workshop / _OLD
    if aside.is_dir() and not target.exists():
        os.rename(aside, target)
        sync(target.parent)
    shutil.rmtree(workshop, ignore_errors=True)


def _swap(draft: Path, target: Path, aside: Path) -> None:
    """Move a draft to its place; the earlier folder moves to the draft's place or aside."""
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
    """Exchange two folders atomically; return False if the system does not support it."""
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
    """Sync a folder and its contents to disk."""
    for place, _, files in os.walk(folder, topdown=False):
        for name in files:
            sync(Path(place, name))
        sync(Path(place))


def sync(path: Path) -> None:
    """Sync a file or the entries of a folder to disk."""
    if path.is_dir() and sys.platform == "win32":  # folders cannot be opened on this system
        return
    handle = os.open(path, os.O_RDONLY if sys.platform != "win32" else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError as error:
        if not (path.is_dir() and error.errno in _UNSUPPORTED):  # some file systems cannot sync folders
            raise
    finally:
        os.close(handle)
