"""Writing an export: a study as a Data Package that another person can check bit for bit."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from voxpop.errors import StoreError, UsageError
from voxpop.tables import manifest
from voxpop.tables.codebook import NOTE, codebook
from voxpop.tables.content import Content, Hasher
from voxpop.tables.layout import DATA, PARQUET, ROW_GROUP, Published
from voxpop.tables.schema import PROVENANCE_FIELDS, SCHEMA_VERSION, TABLES, Column

_WANTED = {
    "answers": ["key", "response_text", "value_text", "value_number", "value_list", "engine"],
    "runs": ["answered_at"],
}
"""Columns that the codebook and provenance of an export look at, where these are not all."""

_FIELD_TYPES = {
    "boolean": "boolean",
    "integer": "integer",
    "number": "number",
    "time": "datetime",
    "texts": "array",
    "integers": "array",
}


def write_export(cursor: DuckDBPyConnection, study_uuid: str, folder: Path) -> Path:
    """Write a study's export beside its place, then move it there in one step."""
    _refuse_foreign(folder)
    target = folder.absolute()
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        draft.mkdir(parents=True)
        _fill(cursor, study_uuid, draft)
        _move(draft, target)
    except OSError as error:
        raise StoreError(f"The export {folder} cannot be written: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
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


def _move(draft: Path, target: Path) -> None:
    """Put the finished draft in its place; an earlier export steps aside until that is done."""
    if not target.exists():
        draft.rename(target)
        return
    aside = draft.with_name(f"{draft.name}.old")
    target.rename(aside)
    try:
        draft.rename(target)
    except OSError:
        aside.rename(target)
        raise
    shutil.rmtree(aside)


def _fill(cursor: DuckDBPyConnection, study_uuid: str, folder: Path) -> None:
    study = (
        cursor.sql("SELECT * FROM studies")
        .filter(f"study_uuid = '{study_uuid}'")
        .to_arrow_table()
        .to_pylist()[0]
    )
    entries = [entry for table in PARQUET for entry in _write(cursor, study_uuid, table, folder)]
    data = {
        table.name: pq.read_table(folder / table.path, columns=_WANTED.get(table.name)) for table in PARQUET
    }
    texts = {
        "codebook.json": manifest.to_json(codebook(study["title"], data)),
        "provenance.json": manifest.to_json(_provenance(cursor, study, data)),
        "datapackage.json": manifest.to_json(_datapackage(study, entries)),
        "README.md": _readme(study, data, manifest.content_hash(entries)),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        entries.append(_entry(folder, name))
    made = manifest.make(entries, _created(study, data))
    (folder / manifest.NAME).write_text(manifest.to_json(made), encoding="utf-8", newline="\n")


def _write(
    cursor: DuckDBPyConnection, study_uuid: str, table: Published, folder: Path
) -> Iterator[manifest.Entry]:
    """Write a table part by part, hash what it says meanwhile, and lay a copy beside it."""
    hasher = Hasher(table.arrow.names)
    with parquet_writer(folder / table.path, table.arrow) as data, ThreadPoolExecutor(1) as beside:
        for part in table.read(cursor, study_uuid):
            hashed = beside.submit(hasher.add, part)
            data.write_table(part, row_group_size=ROW_GROUP)
            hashed.result()
    (folder / table.check_path).parent.mkdir(exist_ok=True)
    shutil.copyfile(folder / table.path, folder / table.check_path)
    yield _entry(folder, table.path, hasher.content)
    yield _entry(folder, table.check_path)


def parquet_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """Open a file in which equal rows are equal bytes: zstd, fixed row groups, no clock, no notes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return pq.ParquetWriter(path, schema, compression="zstd", compression_level=3, store_schema=False)


def _entry(folder: Path, path: str, said: Content | None = None) -> manifest.Entry:
    size, digest = manifest.file_hash(folder / path)
    if said is None:
        return manifest.Entry(path, size, digest)
    return manifest.Entry(path, size, digest, said.sha256, said.rows)


def _created(study: Mapping[str, Any], data: Mapping[str, pa.Table]) -> str | None:
    """Return ``SOURCE_DATE_EPOCH``, or the newest time that the study holds: an export has no clock."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        if not epoch.isdigit():
            raise UsageError(f"SOURCE_DATE_EPOCH must be a whole number of seconds, not {epoch!r}.")
        return _instant(datetime.fromtimestamp(int(epoch), UTC).replace(tzinfo=None))
    times = [pc.max(data["runs"]["answered_at"]).as_py(), study["created_at"], study["completed_at"]]
    return _instant(max((time for time in times if time is not None), default=None))


def _instant(time: datetime | None) -> str | None:
    return None if time is None else f"{time.isoformat()}Z"


def _provenance(
    cursor: DuckDBPyConnection, study: Mapping[str, Any], data: Mapping[str, pa.Table]
) -> dict[str, Any]:
    """Say which service, run, engine, population and versions an export comes from; no key, no share link."""
    asked = cursor.execute(
        "SELECT q.key, q.question_uuid, q.question_id, q.created_at, min(a.answered_at), max(a.answered_at) "
        "FROM questions q LEFT JOIN answers a USING (question_uuid) WHERE q.study_uuid = ? "
        "GROUP BY q.position, q.key, q.question_uuid, q.question_id, q.created_at ORDER BY q.position, q.key",
        [study["study_uuid"]],
    ).fetchall()
    with_health = data["agents"].filter(data["agents"]["has_health"])
    health = with_health.group_by(list(PROVENANCE_FIELDS)).aggregate([]).to_pylist()
    return {
        "note": NOTE,
        "study": {
            name: _instant(value) if isinstance(value, datetime) else value for name, value in study.items()
        },
        "questions": [
            {
                "key": key,
                "question_uuid": uuid,
                "question_id": number,
                "created_at": _instant(created),
                "first_answered_at": _instant(first),
                "last_answered_at": _instant(last),
            }
            for key, uuid, number, created, first, last in asked
        ],
        "engines": sorted({engine for engine in data["answers"]["engine"].unique().to_pylist() if engine}),
        "health_data": [
            dict(pairs) for pairs in sorted({tuple(sorted(row.items())) for row in health}, key=repr)
        ],
        "versions": {
            "voxpop": version("voxpop"),
            "duckdb": version("duckdb"),
            "pyarrow": version("pyarrow"),
            "schema": SCHEMA_VERSION,
        },
    }


def _datapackage(study: Mapping[str, Any], entries: list[manifest.Entry]) -> dict[str, Any]:
    """Describe the data files as Data Package 2.0 does."""
    by_path = {entry.path: entry for entry in entries}
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": re.sub(r"[^a-z0-9._-]+", "-", (study["title"] or "study").lower()).strip("-") or "study",
        "title": study["title"] or "Study",
        "description": f"{study['objective'] or ''} {NOTE}".strip(),
        "resources": [_resource(table, by_path[table.path]) for table in DATA],
    }


def _resource(table: Published, entry: manifest.Entry) -> dict[str, Any]:
    return {
        "name": table.name,
        "path": table.path,
        "type": "table",
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "description": table.meaning,
        "bytes": entry.bytes,
        "hash": f"sha256:{entry.sha256}",
        "schema": {
            "fields": [_field(column) for column in table.columns],
            "primaryKey": list(table.key),
        },
    }


def _field(column: Column) -> dict[str, Any]:
    told: dict[str, Any] = {"name": column.name, "type": _FIELD_TYPES.get(column.kind, "string")}
    meaning = f"{column.meaning} In {column.unit}." if column.unit else column.meaning
    return told | {"description": meaning}


def _readme(study: Mapping[str, Any], data: Mapping[str, pa.Table], content: str) -> str:
    sizes = ", ".join(f"{data[table.name].num_rows:,} {table.name}" for table in DATA)
    files = "\n".join(f"| `{table.path}` | {table.meaning} |" for table in PARQUET)
    return f"""# {study["title"] or "Study"}

{study["objective"] or ""}

**{NOTE}**

{sizes}. Content hash of the data: `{content}`.

| File | Content |
|---|---|
{files}
| `checks/` | a second copy of every table, so that a changed cell can be named with both values |
| `codebook.json` | every variable: words, levels in order, base, counts |
| `provenance.json` | service, engine, population, versions, times |
| `datapackage.json` | the same files as a Data Package 2.0 |
| `manifest.json` | size and hashes of every file |

Check it with `voxpop verify DIR`. Read it without a service:

```python
import voxpop as vp
store = vp.open_export("DIR")
```

Made with tables of schema version {SCHEMA_VERSION}: {", ".join(TABLES)}.
"""
