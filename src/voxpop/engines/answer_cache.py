"""Answers of language models on disk, found again by everything that they depend on."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def fingerprint(depends_on: Mapping[str, Any]) -> str:
    """Return the name of an answer by what it depends on; the same things in another order are the same.

    Examples
    --------
    >>> fingerprint({"model": "m", "seed": 7}) == fingerprint({"seed": 7, "model": "m"})
    True
    """
    written = json.dumps(depends_on, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(written.encode()).hexdigest()


class AnswerCache:
    """A folder of small files, one an answer; several processes may use it at once.

    A file that cannot be read or written counts as absent: the cache saves money, it never stops the work.

    Parameters
    ----------
    folder
        Where it is; made with the first answer. None keeps nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def get(self, name: str) -> dict[str, Any] | None:
        """Return what was kept under a fingerprint, or None."""
        if self._folder is None:
            return None
        try:
            found = json.loads(self._path(name).read_bytes())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def put(self, name: str, value: Mapping[str, Any]) -> None:
        """Keep something under a fingerprint: whole, or not at all."""
        if self._folder is None:
            return
        path = self._path(name)
        part = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(value), encoding="utf-8")
            os.replace(part, path)
        except OSError:
            part.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return self._folder / name[:2] / f"{name}.json"
