"""Verification of an export: check every hash, and name the file, row and column of each difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from voxpop.tables import deriving, manifest, signature
from voxpop.tables.comparing import differences
from voxpop.tables.layout import PARQUET, UNANSWERED
from voxpop.vocabulary.markup import escaped
from voxpop.wire.content import content_of, content_of_file


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """Result of a verification.

    Attributes
    ----------
    folder : str
        The export.
    files : int
        Number of files in its manifest.
    differences : tuple of str
        Differences, each naming a file; empty if everything is unchanged.
    notes : tuple of str
        Harmless observations, such as a table rewritten with the same content.
    content_sha256 : str
        Hash of the data as stated in the manifest.
    unchecked : tuple of str
        Files that could not be compared with the data, with the reason.
    signature : str
        ``not signed``, the signing service, or that the signature is invalid.
    signed_by : str or None
        Name of the service, if its signature is valid and its key is known.
    """

    folder: str
    files: int
    differences: tuple[str, ...]
    notes: tuple[str, ...]
    content_sha256: str
    unchecked: tuple[str, ...] = ()
    signature: str = "not signed"
    signed_by: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the export is consistent and its signature, if any, is valid."""
        return not self.differences

    def __repr__(self) -> str:
        return f"<Report {self}>"

    def __str__(self) -> str:
        """Return a summary: one sentence, then each difference and note."""
        if self.ok:
            as_far = ", as far as it could be checked" if self.unchecked else ""
            head = (
                f"{self.folder}: consistent{as_far}: all {self.files} files as they were made, "
                f"content {self.content_sha256[:12]}"
            )
        else:
            many = len(self.differences)
            head = f"{self.folder}: {many} {'difference' if many == 1 else 'differences'}"
        lines = (self.signature, *self.differences, *self.unchecked, *self.notes)
        return "\n".join([head, *(f"  {line}" for line in lines)])

    def _repr_html_(self) -> str:
        head, *lines = str(self).split("\n")
        found = "".join(f"<li>{escaped(line.strip())}</li>" for line in lines)
        word = "Consistent" if self.ok else "Differs"
        return f"<div><p><b>{word}.</b> {escaped(head)}</p>{f'<ul>{found}</ul>' if found else ''}</div>"


def verify(directory: str | Path, *, key: str | Path | None = None) -> Report:
    """Check every file of an export against its manifest, its data and its signature.

    Parameters
    ----------
    directory : str or Path
        Folder of an export.
    key : str or Path, optional
        The only key whose signature is accepted: its fingerprint, or a file with the public key. By default
        the keys of services that this machine has talked to are accepted.

    Returns
    -------
    Report
        ``ok``, and the differences by file, row key and column.

    Raises
    ------
    StoreError
        The folder is not an export, or its manifest cannot be read.
    """
    folder = Path(directory)
    stated = manifest.read(folder)
    entries = manifest.entries(stated)
    found: list[str] = list(_manifest_differences(folder, stated, entries))
    notes: list[str] = []
    for entry in entries:
        path = manifest.inside(folder, entry.path)
        if path is None:
            found.append(f"{entry.path}: leaves the folder; it was not read")
        else:
            wrong, note = _file(folder, entry, path)
            found.extend(wrong)
            notes.extend(note)
    report = Report(
        str(directory), len(entries), tuple(found), tuple(notes), str(stated.get("content_sha256"))
    )
    return _further(folder, stated, entries, report, key)


def _further(
    folder: Path,
    stated: Mapping[str, Any],
    entries: list[manifest.Entry],
    report: Report,
    key: str | Path | None,
) -> Report:
    """Check the derived files against the data, and the signature."""
    if not report.ok:  # skip files already reported, and derived files of unreadable data
        return replace(report, signature="signature not looked at: the export is not consistent")
    found = deriving.Found()
    if int(stated["format_version"]) < _WITHOUT_PROGRAM:
        found.unchecked.append(
            "an older voxpop wrote this form of export: files made of the data are not compared with it, and "
            "its program rebuild.py, if there is one, is neither needed nor run"
        )
        signed = signature.check(folder, key)
    else:
        with ThreadPoolExecutor(1) as beside:
            looked = beside.submit(signature.check, folder, key)
            found = deriving.check(folder, entries)
            signed = looked.result()
    return replace(
        report,
        differences=(*report.differences, *found.differences, *signed.differences),
        notes=(*report.notes, *signed.notes),
        unchecked=tuple(found.unchecked),
        signature=signed.words,
        signed_by=signed.name,
    )


_WITHOUT_PROGRAM = 2
"""First version of the export format without a program, whose other files can all be regenerated."""


def _manifest_differences(
    folder: Path, stated: Mapping[str, Any], entries: list[manifest.Entry]
) -> Iterator[str]:
    if stated.get("sha256") != manifest.top_hash(entries):
        yield f"{manifest.NAME}: the hash over all files does not match its lines"
    if stated.get("content_sha256") != manifest.content_hash(entries):
        yield f"{manifest.NAME}: the content hash does not match its tables"
    listed = {entry.path for entry in entries} | {manifest.NAME}
    first = not any(entry.copy for entry in entries)  # as written by the first versions
    for table in PARQUET:
        if table.path not in listed and not (first and table is UNANSWERED):
            yield f"{manifest.NAME}: does not list {table.path}"
    for found in sorted(folder.rglob("*")):
        path = found.relative_to(folder)
        name = path.as_posix()
        if found.is_dir() or name in listed or found.name.startswith(".") or "__pycache__" in path.parts:
            continue  # files of file managers and Python caches are ignored
        yield f"{name}: not in the manifest"


def _file(folder: Path, entry: manifest.Entry, path: Path) -> tuple[list[str], list[str]]:
    """Compare one file; a table that differs only in its bytes is a note, not a difference."""
    if not path.is_file():
        return [f"{entry.path}: missing"], []
    try:
        size, digest = manifest.file_hash(path)
    except OSError as error:
        return [f"{entry.path}: cannot be read: {error.strerror}"], []
    if entry.content_sha256 is not None:
        return _table(folder, entry, path, same=(size, digest) == (entry.bytes, entry.sha256))
    if (size, digest) == (entry.bytes, entry.sha256):
        return [], []
    if size != entry.bytes:
        return [f"{entry.path}: {size:,} bytes, not {entry.bytes:,}"], []
    return [f"{entry.path}: other bytes (sha256 {digest[:12]}…, not {entry.sha256[:12]}…)"], []


def _table(folder: Path, entry: manifest.Entry, path: Path, *, same: bool) -> tuple[list[str], list[str]]:
    """Compare the content of a table, and name the cells in which it differs from its copy."""
    try:
        said = content_of_file(path)
    except (OSError, ValueError, pa.ArrowException):
        return [f"{entry.path}: truncated or damaged; it cannot be read as Parquet"], []
    if said.sha256 == entry.content_sha256:
        return [], [] if same else [f"{entry.path}: written again, other bytes but the same content"]
    if same:
        return [f"{entry.path}: its content is not what {manifest.NAME} says"], []
    copy = manifest.inside(folder, entry.copy)
    then = _read(copy) if copy is not None else None
    if then is None or content_of(then).sha256 != entry.content_sha256:
        return [f"{entry.path}: other content; what differs cannot be named, as its copy differs too"], []
    return [f"{entry.path}: {line}" for line in differences(pq.read_table(path), then, entry.key or ())], []


def _read(path: Path) -> pa.Table | None:
    try:
        return pq.read_table(path)
    except (OSError, ValueError, pa.ArrowException):
        return None
