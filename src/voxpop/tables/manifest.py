"""The manifest of an export: path, size and hashes of each file, and two hashes over all of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from voxpop.errors import StoreError
from voxpop.files import settle
from voxpop.tables.layout import FORMAT, FORMAT_VERSION

NAME = "manifest.json"
DATA_FOLDER = "data/"
"""Folder of the tables that the content hash covers."""
_BLOCK = 1 << 20


_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "path": (str, int, type(None)),  # entries that are not paths get a separate message
    "bytes": int,
    "sha256": str,
    "content_sha256": (str, type(None)),
    "rows": (int, type(None)),
    "key": (list, type(None)),
    "copy": (str, type(None)),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One file; for tables also the hash of the content, independent of how it is stored.

    ``key`` names the unique key of a table, and ``copy`` the file with the same content, used to name a
    difference with both values.
    """

    path: str
    bytes: int
    sha256: str
    content_sha256: str | None = None
    rows: int | None = None
    key: Sequence[str] | None = None
    copy: str | None = None

    @property
    def line(self) -> str:
        """Return the line of the file that enters the hash over all files."""
        return f"{self.sha256}  {self.bytes}  {self.path}"

    def to_json(self) -> dict[str, Any]:
        """Return the manifest entry."""
        given = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: value for name, value in given.items() if value is not None}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Entry:
        """Read an entry of a manifest, ignoring unknown fields of other versions."""
        known = {name: value for name, value in given.items() if name in cls.__dataclass_fields__}
        for name, value in known.items():
            if not isinstance(value, _KINDS[name]) or isinstance(value, bool):
                raise TypeError(f"{name} of a file is {str(value)[:80]!r}")
        return cls(**known)


def to_json(value: Any) -> str:
    """Format JSON for files of an export: sorted keys, two spaces, a line break at the end."""
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def file_hash(path: Path) -> tuple[int, str]:
    """Return the size in bytes and the SHA-256 of a file."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            size += len(block)
    return size, digest.hexdigest()


def top_hash(entries: Iterable[Entry]) -> str:
    """Hash the sorted lines of all files."""
    return _hash_lines(entry.line for entry in entries)


def content_hash(entries: Iterable[Entry]) -> str:
    """Hash the content of the data tables: equal data give equal hashes, however the files were written."""
    return _hash_lines(
        f"{entry.content_sha256}  {entry.path}"
        for entry in entries
        if entry.content_sha256 is not None and str(entry.path).startswith(DATA_FOLDER)
    )


def _hash_lines(lines: Iterable[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in sorted(lines)).encode()).hexdigest()


def make(entries: Iterable[Entry], created: str | None) -> dict[str, Any]:
    """Build the manifest of some files.

    Parameters
    ----------
    entries : iterable of Entry
        Every file of the export except the manifest.
    created : str or None
        RFC 3339 time, which is not covered by the hashes.
    """
    listed = sorted(entries, key=lambda entry: entry.path)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "created": created,
        "sha256": top_hash(listed),
        "content_sha256": content_hash(listed),
        "files": [entry.to_json() for entry in listed],
    }


def read(folder: Path) -> dict[str, Any]:
    """Read the manifest of an export; raise :class:`StoreError` if the folder is not one."""
    path = folder / NAME
    if not folder.exists():
        with suppress(OSError):  # in read-only places the folder is simply missing
            settle(folder)
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoreError(f"{folder} is not a voxpop export: it has no {NAME}.") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} cannot be read: {error}.") from error
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise StoreError(f"{folder} is not a voxpop export: its {NAME} is of another kind.")
    if not isinstance(given.get("format_version"), int) or given["format_version"] > FORMAT_VERSION:
        raise StoreError(
            f"{folder} was made by a newer voxpop (format {given.get('format_version')}); upgrade voxpop."
        )
    return given


def entries(manifest: Mapping[str, Any]) -> list[Entry]:
    """Return the entries of a manifest; raise :class:`StoreError` if it is malformed."""
    try:
        return [Entry.from_json(item) for item in manifest["files"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{NAME} is malformed: {error}.") from error


def inside(folder: Path, path: object) -> Path | None:
    """Return the file of a listed path, or None if it is outside the folder.

    Examples
    --------
    >>> inside(Path("export"), "data/agents.parquet").name, inside(Path("export"), "../secret")
    ('agents.parquet', None)
    """
    if not isinstance(path, str) or not path or "\\" in path or ":" in path or "\0" in path:
        return None
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts:
        return None
    target = folder.joinpath(*pure.parts)
    return target if target.resolve().is_relative_to(folder.resolve()) else None
