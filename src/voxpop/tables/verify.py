"""Checking an export: every hash again, and for each difference its file, row and column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from voxpop.tables import manifest
from voxpop.tables.content import Content, content_of
from voxpop.tables.layout import PARQUET, Published

_NAMED = 5


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """What a check found.

    Attributes
    ----------
    folder : str
        The export.
    files : int
        Files listed in its manifest.
    differences : tuple of str
        Each names a file and what differs in it; empty when all is as it was.
    notes : tuple of str
        What is worth knowing but changes nothing, such as a table written again with the same content.
    content_sha256 : str
        The hash of the data as the manifest states it.
    """

    folder: str
    files: int
    differences: tuple[str, ...]
    notes: tuple[str, ...]
    content_sha256: str

    @property
    def ok(self) -> bool:
        """Whether the export says exactly what it said when it was made."""
        return not self.differences

    def __repr__(self) -> str:
        return f"<Report {self}>"

    def __str__(self) -> str:
        """Say it in lines: one sentence, then each difference and note."""
        if self.ok:
            head = (
                f"{self.folder}: all {self.files} files as they were made, content {self.content_sha256[:12]}"
            )
        else:
            many = len(self.differences)
            head = f"{self.folder}: {many} {'difference' if many == 1 else 'differences'}"
        return "\n".join([head, *(f"  {line}" for line in (*self.differences, *self.notes))])


def verify(directory: str | Path) -> Report:
    """Check every file of an export against its manifest.

    Parameters
    ----------
    directory : str or Path
        Folder of an export.

    Returns
    -------
    Report
        ``ok``, and the differences by file, row key and column.

    Raises
    ------
    StoreError
        When the folder is no export, or its manifest cannot be read.
    """
    folder = Path(directory)
    stated = manifest.read(folder)
    entries = manifest.entries(stated)
    differences: list[str] = list(_manifest_differences(folder, stated, entries))
    notes: list[str] = []
    for entry in entries:
        path = manifest.inside(folder, entry.path)
        if path is None:
            differences.append(f"{entry.path}: leaves the folder; it was not read")
        else:
            found, note = _file(folder, entry, path)
            differences.extend(found)
            notes.extend(note)
    return Report(
        str(directory), len(entries), tuple(differences), tuple(notes), str(stated.get("content_sha256"))
    )


def _manifest_differences(
    folder: Path, stated: Mapping[str, Any], entries: list[manifest.Entry]
) -> Iterator[str]:
    if stated.get("sha256") != manifest.top_hash(entries):
        yield f"{manifest.NAME}: the hash over all files does not match its lines"
    if stated.get("content_sha256") != manifest.content_hash(entries):
        yield f"{manifest.NAME}: the content hash does not match its tables"
    listed = {entry.path for entry in entries} | {manifest.NAME}
    for table in PARQUET:
        for path in (table.path, table.check_path):
            if path not in listed:
                yield f"{manifest.NAME}: does not list {path}"
    for found in sorted(folder.rglob("*")):
        name = found.relative_to(folder).as_posix()
        if not found.is_dir() and name not in listed and not found.name.startswith("."):
            yield f"{name}: not in the manifest"


def _file(folder: Path, entry: manifest.Entry, path: Path) -> tuple[list[str], list[str]]:
    """Compare one file; a table that only its bytes tell apart is a note, not a difference."""
    if not path.is_file():
        return [f"{entry.path}: missing"], []
    try:
        size, digest = manifest.file_hash(path)
    except OSError as error:
        return [f"{entry.path}: cannot be read: {error.strerror}"], []
    if (size, digest) == (entry.bytes, entry.sha256):
        return [], []
    table = next((table for table in PARQUET if table.path == entry.path), None)
    if table is not None and entry.content_sha256:
        return _table(folder, entry, table, path)
    if size != entry.bytes:
        return [f"{entry.path}: {size:,} bytes, not {entry.bytes:,}"], []
    return [f"{entry.path}: other bytes (sha256 {digest[:12]}…, not {entry.sha256[:12]}…)"], []


def _table(folder: Path, entry: manifest.Entry, table: Published, path: Path) -> tuple[list[str], list[str]]:
    held = _read(path)
    if held is None:
        return [f"{entry.path}: truncated or damaged; it cannot be read as Parquet"], []
    expected = list(entry.columns or {})
    if held.column_names != expected:
        return [f"{entry.path}: {_columns(held.column_names, expected)}"], []
    said = content_of(held)
    if said.sha256 == entry.content_sha256:
        return [], [f"{entry.path}: written again, other bytes but the same content"]
    checks = _read(folder / table.check_path) if (folder / table.check_path).is_file() else None
    changed = [name for name, digest in said.columns.items() if digest != (entry.columns or {}).get(name)]
    if checks is None or "digest" not in checks.column_names:
        return [f"{entry.path}: other content in columns {', '.join(changed)}"], []
    return [f"{entry.path}: {line}" for line in _rows(table, held, said, checks, changed)], []


def _read(path: Path) -> pa.Table | None:
    try:
        return pq.read_table(path)
    except (OSError, pa.ArrowException):
        return None


def _columns(found: list[str], expected: list[str]) -> str:
    gone = [name for name in expected if name not in found]
    new = [name for name in found if name not in expected]
    parts = ["columns missing: " + ", ".join(gone)] if gone else []
    parts += ["columns not expected: " + ", ".join(new)] if new else []
    return "; ".join(parts) or "columns in another order"


def _rows(
    table: Published, held: pa.Table, said: Content, checks: pa.Table, changed: list[str]
) -> Iterator[str]:
    """Name the rows that were dropped, added or changed, by their keys."""
    key = list(table.key)
    then = dict(zip(_keys(checks, key), checks["digest"].to_pylist(), strict=True))
    keys = _keys(held, key)
    now = dict(zip(keys, said.digests.to_pylist(), strict=True))
    dropped = [row for row in then if row not in now]
    added = [row for row in now if row not in then]
    other = [row for row in now if row in then and now[row] != then[row]]
    in_columns = f" in {', '.join(changed)}" if not dropped and not added and len(keys) == len(now) else ""
    for rows, verb, tail in (
        (dropped, "missing", ""),
        (added, "not expected", ""),
        (other, "changed", in_columns),
    ):
        for row in rows[:_NAMED]:
            where = ", ".join(f"{name} {value}" for name, value in zip(key, row, strict=True))
            yield f"row ({where}) {verb}{tail}"
        if len(rows) > _NAMED:
            yield f"{len(rows) - _NAMED:,} more rows {verb}{tail}"
    if len(keys) != len(now):
        yield f"{len(keys) - len(now):,} rows repeat the key of another"
    elif not (dropped or added or other):
        yield "the same rows in another order"


def _keys(table: pa.Table, key: list[str]) -> list[tuple[Any, ...]]:
    return list(zip(*(table[name].to_pylist() for name in key), strict=True))
