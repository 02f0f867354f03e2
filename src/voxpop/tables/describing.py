"""Descriptions in an export: its provenance, its Data Package and a README."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from typing import Any

from duckdb import DuckDBPyConnection

from voxpop.tables.codebook import NOTE
from voxpop.tables.columns import Kind
from voxpop.tables.formats import FORMATS
from voxpop.tables.labelled import metadata
from voxpop.tables.layout import DATA, FILES_VERSION, FOREIGN, PARQUET, Published
from voxpop.tables.manifest import Entry
from voxpop.tables.origin import Origin
from voxpop.tables.results import DERIVED
from voxpop.tables.schema import PROVENANCE_FIELDS, SCHEMA_VERSION, TABLES, Column
from voxpop.vocabulary.markup import markdown

_TYPES: Mapping[Kind, str] = {
    "boolean": "boolean",
    "integer": "integer",
    "number": "number",
    "time": "datetime",
    "texts": "any",  # not "array": readers of Parquet return other kinds of list
    "integers": "any",
}
_PROFILES = "https://datapackage.org/profiles/2.0"
_MISSING: Mapping[str, Sequence[str]] = dict.fromkeys(("integer", "number", "time"), ("", "nan", "NaT"))
"""Missing numbers and times as readers of Parquet show them; only Parquet has a true missing number."""


def provenance(cursor: DuckDBPyConnection, study: Mapping[str, Any]) -> dict[str, Any]:
    """Return the service, run, engine, population and versions of a study, without keys or share links."""
    uuid = study["study_uuid"]
    engines = cursor.execute(
        "SELECT DISTINCT engine FROM answers WHERE study_uuid = ? AND engine IS NOT NULL ORDER BY 1", [uuid]
    ).fetchall()
    health = _rows(
        cursor,
        f"SELECT DISTINCT {', '.join(PROVENANCE_FIELDS)} FROM health_profiles JOIN study_agents "
        "USING (agent_uuid) WHERE study_uuid = ? ORDER BY ALL",
        uuid,
    )
    return {
        "note": NOTE,
        "provenance": "simulated",
        "study": _timeless(study),
        "group": next(iter(_groups(cursor, study)), None),
        "questions": _rows(
            cursor,
            "SELECT q.key, q.text, q.question_uuid, q.question_id, q.created_at, "
            "min(a.answered_at) AS first_answered_at, max(a.answered_at) AS last_answered_at "
            "FROM questions q LEFT JOIN answers a USING (question_uuid) WHERE q.study_uuid = ? "
            "GROUP BY ALL ORDER BY min(q.position), q.key",
            uuid,
        ),
        "attachments": _rows(
            cursor,
            "SELECT q.key, a.* EXCLUDE (content, question_uuid) FROM attachments a "
            "JOIN questions q USING (question_uuid) WHERE q.study_uuid = ? ORDER BY q.position, a.position",
            uuid,
        ),
        "engines": [engine for (engine,) in engines],
        "health_data": health,
        "versions": {
            "voxpop": version("voxpop"),
            "duckdb": version("duckdb"),
            "pyarrow": version("pyarrow"),
            "schema": SCHEMA_VERSION,
            "files": FILES_VERSION,
        },
    }


def _groups(cursor: DuckDBPyConnection, study: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the audience of a study and how it was drawn: filter, draw, requested and delivered sizes."""
    rows = _rows(cursor, "SELECT * FROM groups WHERE group_uuid = ?", study["research_group_uuid"])
    for row in rows:
        row["filters"] = None if row["filters"] is None else json.loads(row["filters"])
    return rows


def _rows(cursor: DuckDBPyConnection, query: str, value: Any) -> list[dict[str, Any]]:
    return [_timeless(row) for row in cursor.sql(query, params=[value]).to_arrow_table().to_pylist()]


def _timeless(row: Mapping[str, Any]) -> dict[str, Any]:
    """Format times as RFC 3339 text."""
    return {
        name: f"{value.isoformat()}Z" if isinstance(value, datetime) else value for name, value in row.items()
    }


def labels(
    origin: Origin, questions: Sequence[Mapping[str, Any]], derived: Sequence[Column]
) -> dict[str, dict[str, str]]:
    """Return the metadata inside each Parquet file by path: source, columns and wording of questions."""
    made = {
        table.path: metadata(
            origin, table.meaning, table.columns, questions if table.columns[0].name == "key" else ()
        )
        for table in PARQUET
    }
    return made | {DERIVED: metadata(origin, _ADDED, derived)}


_ADDED = "Columns that were added in analysis."


def datapackage(origin: Origin, data: Sequence[Entry], derived: Sequence[Column]) -> dict[str, Any]:
    """Describe the data files as a Data Package 2.0.

    Sizes in bytes are in the manifest only, because the library frictionless compares them with nothing for
    Parquet files.
    """
    known = {table.path: table for table in DATA}
    slug = re.sub(r"[^a-z0-9._-]+", "-", origin.title.lower()).strip("-.")
    return {
        "$schema": f"{_PROFILES}/datapackage.json",
        "name": slug or "study",
        "title": origin.title,
        "description": f"{origin.objective} {origin.statement}".strip(),
        "sources": [{"title": f"{name} {versions}"} for name, versions in origin.parts],
        "provenance": origin.facts(),
        "resources": [_resource(entry, known.get(entry.path), derived) for entry in data],
    }


def _resource(entry: Entry, table: Published | None, derived: Sequence[Column]) -> dict[str, Any]:
    name = "derived" if table is None else table.name
    schema: dict[str, Any] = {
        "$schema": f"{_PROFILES}/tableschema.json",
        "fields": [_field(column) for column in (derived if table is None else table.columns)],
        "primaryKey": list(entry.key or ()),
    }
    if name in FOREIGN:
        schema["foreignKeys"] = [
            {"fields": [column], "reference": {"resource": other, "fields": [column]}}
            for column, other in FOREIGN[name].items()
        ]
    return {
        "$schema": f"{_PROFILES}/dataresource.json",
        "name": name,
        "path": entry.path,
        "type": "table",
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "description": _ADDED if table is None else table.meaning,
        "hash": f"sha256:{entry.sha256}",
        "schema": schema,
    }


def _field(column: Column) -> dict[str, Any]:
    meaning = f"{column.meaning} In {column.unit}." if column.unit else column.meaning
    meaning += {"texts": " A list of texts.", "integers": " A list of whole numbers."}.get(column.kind, "")
    told: dict[str, Any] = {"name": column.name, "type": _TYPES.get(column.kind, "string")}
    if column.kind in _MISSING:
        told["missingValues"] = list(_MISSING[column.kind])
    if column.kind == "level" and column.levels:
        told |= {"categories": list(column.levels), "categoriesOrdered": True}
    return told | {"description": meaning}


def readme(study: Mapping[str, Any], data: Sequence[Entry], formats: Sequence[str], content: str) -> str:
    """Return the README of an export."""
    names = {table.path: table for table in PARQUET}
    sizes = ", ".join(
        f"{entry.rows or 0:,} {names[entry.path].name}" for entry in data if entry.path in names
    )
    rows = [f"| `{table.path}` | {table.meaning} |" for table in PARQUET]
    if any(entry.path == DERIVED for entry in data):
        rows.append(f"| `{DERIVED}` | columns added in the analysis, one row per agent |")
    rows += [f"| `{name}/` | {FORMATS[name].content} |" for name in formats]
    listed = "\n".join(rows)
    return f"""# {markdown(study["title"] or "Study")}

{markdown(study["objective"] or "")}

**{NOTE}**

{sizes}. Content hash of the data: `{content}`.

| File | Content |
|---|---|
{listed}
| `codebook.html`, `codebook.json` | every variable: wording, ordered levels, base and counts |
| `spec/tables.json`, `tables/` | tables made from the data: specification and figures |
| `provenance.json` | versions and times of service, group, engine and population |
| `attestation.json` | the service's signed statement on this study, if it signs |
| `datapackage.json` | the data files as a Data Package 2.0 |
| `checks/` | a second copy of every table, used to report both values of a changed cell |
| `manifest.json` | size and hashes of every file |

Check it with `voxpop verify DIR`: it compares every file with the data, computes every table again and checks
the service's signature. An export contains no code. Read it without a service:

```python
import voxpop as vp
store = vp.open_export("DIR")
```

Made with tables of schema version {SCHEMA_VERSION}: {", ".join(TABLES)}.
"""
