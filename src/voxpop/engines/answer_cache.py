"""On-disk cache of language-model answers, keyed by everything that they depend on."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def fingerprint(depends_on: Mapping[str, Any]) -> str:
    """Return the cache key of an answer from all its dependencies, regardless of their order.

    Examples
    --------
    >>> fingerprint({"model": "m", "seed": 7}) == fingerprint({"seed": 7, "model": "m"})
    True
    """
    written = json.dumps(depends_on, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(written.encode()).hexdigest()


class AnswerCache:
    """A folder with one small file per answer, safe to share between processes.

    A file that cannot be read or written counts as missing, so a cache error never stops the work.

    Parameters
    ----------
    folder
        Path of the folder, created with the first answer. None disables the cache.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def get(self, name: str) -> dict[str, Any] | None:
        """Return the data stored under a key, or None."""
        if self._folder is None:
            return None
        try:
            found = json.loads(self._path(name).read_bytes())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def put(self, name: str, value: Mapping[str, Any]) -> None:
        """Store data under a key atomically."""
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
