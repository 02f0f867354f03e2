"""Export of a study as a Data Package that others can verify bit for bit."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from voxpop.errors import FieldworkWarning, StoreError, UsageError
from voxpop.files import settle, whole_folder
from voxpop.tables import attested, manifest
from voxpop.tables.codebook import codebook
from voxpop.tables.codebook_page import page_of
from voxpop.tables.describing import datapackage, labels, provenance, readme
from voxpop.tables.formats import chosen, write_formats
from voxpop.tables.layout import PARQUET, QUESTIONS, ROW_GROUP
from voxpop.tables.origin import Origin
from voxpop.tables.results import DERIVED, Results
from voxpop.wire.content import Content, Hasher

CHECKS = "checks"
"""Folder of a second copy of every table, used to name a difference with both values."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """Folders of an export other than the data: further formats, and result tables."""

    formats: tuple[str, ...] = ()
    results: Results = field(default_factory=Results)

    @classmethod
    def of(cls, formats: str | Iterable[str], results: Results) -> Wishes:
        """Return the requested formats; raise :class:`UsageError` for an unknown one."""
        return cls(chosen(formats), results)


def write_export(cursor: DuckDBPyConnection, study_uuid: str, folder: Path, wishes: Wishes) -> Path:
    """Write a study's export to a temporary folder, then move it into place in one step."""
    if not folder.exists():
        settle(folder)  # an earlier export that was being replaced when its process was killed
    _refuse_foreign(folder)
    try:
        with whole_folder(folder) as draft:
            _Draft(cursor, study_uuid, draft).fill(wishes)
    except (OSError, duckdb.IOException, duckdb.OutOfMemoryException) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise StoreError(f"The export {folder} cannot be written: {reason}.") from error
    return folder


def _refuse_foreign(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{folder} is a file; an export is a folder.")
    if folder.is_dir() and any(folder.iterdir()):
        try:
            manifest.read(folder)
        except StoreError:
            raise StoreError(
                f"{folder} is not empty and not an export; nothing was written. Choose a new folder."
            ) from None


class _Draft:
    """A folder being filled, with the entries of its manifest."""

    def __init__(self, cursor: DuckDBPyConnection, study_uuid: str, folder: Path) -> None:
        self.cursor, self.study_uuid, self.folder = cursor, study_uuid, folder
        self.entries: list[manifest.Entry] = []

    def fill(self, wishes: Wishes) -> None:
        """Write all files, ending with the manifest."""
        study, results = self._study(), wishes.results
        told = provenance(self.cursor, study)
        origin = Origin.of_provenance(told)
        (asked,) = QUESTIONS.read(self.cursor, self.study_uuid)
        about = labels(origin, asked.to_pylist(), results.columns)
        for table in PARQUET:
            schema = table.arrow.with_metadata(about[table.path])
            self._write(table.path, schema, table.key, table.read(self.cursor, self.study_uuid))
        if results.derived is not None:
            held = results.derived
            self._write(DERIVED, held.schema.with_metadata(about[DERIVED]), ("agent_id",), [held])
        for path, text in results.files(manifest.content_hash(self.entries)):
            self._text(path, text)
        created = _created(study, self.cursor)
        for path in write_formats(self.cursor, study, self.folder, wishes.formats, created):
            self._note(path)
        for path in self._attachments():
            self._note(path)
        book = codebook(study["title"], self.folder, results.columns, results.steps)
        data = [entry for entry in self.entries if entry.path.startswith(manifest.DATA_FOLDER)]
        self._text("codebook.json", manifest.to_json(book))
        self._text("codebook.html", page_of(book, origin))
        self._text("provenance.json", manifest.to_json(told))
        self._text("datapackage.json", manifest.to_json(datapackage(origin, data, results.columns)))
        self._attestation()
        self._text("README.md", readme(study, data, wishes.formats, manifest.content_hash(data)))
        made = manifest.make(self.entries, None if created is None else f"{created.isoformat()}Z")
        _write_text(self.folder / manifest.NAME, manifest.to_json(made))

    def _study(self) -> dict[str, Any]:
        found = self.cursor.sql("SELECT * FROM studies WHERE study_uuid = ?", params=[self.study_uuid])
        return dict(found.to_arrow_table().to_pylist()[0])

    def _write(self, path: str, schema: pa.Schema, key: Iterable[str], parts: Iterable[pa.Table]) -> None:
        """Write a table in parts with the metadata of its schema, hash its content, and write its copy."""
        hasher = Hasher(schema.names)
        with parquet_writer(self.folder / path, schema) as data, ThreadPoolExecutor(1) as beside:
            for part in parts:
                hashed = beside.submit(hasher.add, part)
                data.write_table(part, row_group_size=ROW_GROUP)
                hashed.result()
            data.add_key_value_metadata(schema.metadata)
        copy = f"{CHECKS}/{path.replace('/', '-')}"
        (self.folder / CHECKS).mkdir(exist_ok=True)
        shutil.copyfile(self.folder / path, self.folder / copy)
        self._note(path, hasher.content, tuple(key), copy)
        self._note(copy)

    def _attachments(self) -> Iterator[str]:
        """Write the bytes of attached files that the store has."""
        held = self.cursor.execute(
            "SELECT DISTINCT sha256, mime, content FROM attachments JOIN questions USING (question_uuid) "
            "WHERE study_uuid = ? AND content IS NOT NULL ORDER BY sha256",
            [self.study_uuid],
        ).fetchall()
        for digest, mime, content in held:
            path = f"attachments/{digest[:16]}{SUFFIXES.get(mime, '')}"
            (self.folder / "attachments").mkdir(exist_ok=True)
            (self.folder / path).write_bytes(content)
            yield path

    def _attestation(self) -> None:
        """Add the attestation of the service.

        A pull does not digest the agents, so they are compared here; an attestation of other agents is left
        out. The attestation of an opened export is kept whatever happened to its data, and verification
        reports the change.
        """
        held = attested.kept(self.cursor, self.study_uuid)
        if held is None:
            return
        statement = attested.read_statement(held.signed) if held.pulled else None
        if statement is not None and attested.agents_of(self.folder) != statement["agents"]:
            warnings.warn(
                "The export is not signed: the agents in the store differ from those that the service has "
                "signed. Pull the study again.",
                FieldworkWarning,
                stacklevel=2,
            )
            return
        self._text(attested.NAME, manifest.to_json(held.signed))

    def _text(self, path: str, text: str) -> None:
        (self.folder / path).parent.mkdir(exist_ok=True)
        _write_text(self.folder / path, text)
        self._note(path)

    def _note(
        self,
        path: str,
        said: Content | None = None,
        key: tuple[str, ...] | None = None,
        copy: str | None = None,
    ) -> None:
        size, digest = manifest.file_hash(self.folder / path)
        content, rows = (None, None) if said is None else (said.sha256, said.rows)
        self.entries.append(manifest.Entry(path, size, digest, content, rows, key, copy))


SUFFIXES: Mapping[str, str] = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "application/pdf": ".pdf",
}


def parquet_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """Open a Parquet file that stores equal rows as equal bytes: zstd, fixed row groups, no timestamps."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return pq.ParquetWriter(path, schema, compression="zstd", compression_level=3, store_schema=False)


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _created(study: Mapping[str, Any], cursor: DuckDBPyConnection) -> datetime | None:
    """Return ``SOURCE_DATE_EPOCH`` or the newest time in the study, so that exports are reproducible."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        if not epoch.isdigit():
            raise UsageError(f"SOURCE_DATE_EPOCH must be a whole number of seconds, not {epoch!r}.")
        return datetime.fromtimestamp(int(epoch), UTC).replace(tzinfo=None)
    query = "SELECT max(answered_at) FROM answers WHERE study_uuid = ?"
    last = cursor.execute(query, [study["study_uuid"]]).fetchall()[0][0]
    times = [last, study["created_at"], study["completed_at"]]
    return max((time for time in times if time is not None), default=None)
